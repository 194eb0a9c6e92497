import type { Static } from 'typebox';
import { clusteredMeanEstimate } from '../../engine/statistics/clusters.ts';
import { compareTestcases } from '../../engine/statistics/compare.ts';
import { meanEstimate } from '../../engine/statistics/intervals.ts';
import {
  expectedCorrelation,
  forecast,
  type RunVariances,
  testcaseVariances,
} from '../../engine/statistics/plan.ts';
import {
  clustersOf,
  meansOf,
  scoredIndexes,
  type TestcaseColumns,
} from '../../engine/statistics/testcases.ts';
import { concludeComparisons, correctComparison, type JudgeLabels } from './correct-comparison.ts';
import type { Plan } from './project-schema.ts';
import {
  alignRuns,
  type Measure,
  type RunColumns,
  type RunScores,
  scoresOf,
  testcasesOf,
  withOwnScores,
} from './run-scores.ts';
import { isBoolean } from './summarize.ts';

export type PlanJob = {
  /** Earlier runs with the metric's scores, newest first. */
  runs: RunColumns[];
  metricId: string;
  measure: Measure;
  difference: number | null;
  /** Testcases of the coming run; null takes as many as the earlier run had. */
  n: number | null;
  trials: number;
  level: number;
  power: number;
  /** Tests that are read together. */
  tests: number;
  /** People's labels for the judges of the runs, by configuration. */
  judges: Record<string, JudgeLabels>;
};

/** Minimum number of pairs for a measured correlation. */
const fewestPairs = 20;
const assumedCorrelation = 0.5;

/** How many times more the mean varies than independent testcases would make it; 1 without groups, and where groups help. */
const designEffectOf = (testcases: TestcaseColumns): number => {
  if (!testcases.groups) return 1;
  const indexes = scoredIndexes(testcases);
  const means = meansOf(testcases, indexes);
  const grouped = clusteredMeanEstimate(means, clustersOf(testcases.groups, indexes)).standardError;
  const independent = meanEstimate(means).standardError;
  return grouped && independent ? Math.max(1, (grouped / independent) ** 2) : 1;
};

const none: RunVariances = {
  method: 'none',
  n: 0,
  trials: 0,
  between: null,
  within: null,
  reason: 'no earlier run has two testcases with different scores, so their variance is unknown',
};

/** Returns the effect of further labels on the comparison of the newest run with the previous one, corrected for its judge. */
const describeLabels = (
  runs: RunScores[],
  newest: number,
  { metricId, measure, judges, level }: Pick<PlanJob, 'metricId' | 'measure' | 'judges' | 'level'>,
) => {
  const sides = [runs[newest + 1], runs[newest]].map((run) => {
    const scores = run && scoresOf(run, metricId);
    const labels = scores && judges[scores.configId];
    return run && scores && labels ? { run, scores, labels } : null;
  });
  const [before, after] = sides;
  if (!before || !after) return null;
  const boolean = isBoolean(after.scores, measure);
  const correction = correctComparison(before, after, { measure, level, boolean });
  const [corrected] = correction ? concludeComparisons([correction]) : [];
  if (!corrected || corrected.difference === null) return null;
  const { labelled, interval, numLabelsToHalve, moreLabels } = corrected;
  return {
    before: before.run.runId,
    after: after.run.runId,
    labelled,
    interval,
    numLabelsToHalve,
    moreLabels,
  };
};

/** Forecasts what a coming run can detect, from the variances of the newest earlier run in which testcases differ. */
export const plan = ({
  runs: columns,
  metricId,
  measure,
  difference,
  n,
  judges,
  ...options
}: PlanJob): Static<typeof Plan.schema> => {
  const runs = alignRuns(columns).map(withOwnScores);
  const observe = (run: RunScores) => testcasesOf(run, scoresOf(run, metricId)!, measure);
  const able = runs.filter((run) => scoresOf(run, metricId));
  const found = able
    .map((run) => ({ run, variances: testcaseVariances(observe(run)) }))
    // Six testcases that all pass do not prove that six hundred will: a plan from zero variance would be far too optimistic.
    .find(({ variances: { between, within } }) => (between ?? 0) + (within ?? 0) > 0);

  const correlate = (run: RunScores) => {
    const boolean = measure === 'pass' || scoresOf(run, metricId)!.outputType === 'boolean';
    const { correlation, ties, wins, losses } = compareTestcases(observe(run), observe(found!.run), {
      boolean,
    });
    const value =
      correlation === null
        ? null
        : expectedCorrelation(correlation, testcaseVariances(observe(run)), found!.variances);
    return { runId: run.runId, value, n: wins + losses + ties };
  };
  const measured = found
    ? able
        .slice(able.indexOf(found.run) + 1)
        .map(correlate)
        .find(({ value, n: pairs }) => value !== null && pairs >= fewestPairs)
    : undefined;
  const correlation = measured?.value ?? assumedCorrelation;
  const labels =
    found &&
    describeLabels(able, able.indexOf(found.run), { metricId, measure, judges, level: options.level });
  const variances = found?.variances ?? none;
  const { trials: _, ...basis } = variances;
  return {
    metricId,
    measure,
    difference,
    ...forecast(n ?? variances.n, variances, difference, {
      ...options,
      correlation,
      ...(found && {
        boolean: isBoolean(scoresOf(found.run, metricId)!, measure),
        designEffect: designEffectOf(observe(found.run)),
      }),
    }),
    labels: labels ?? null,
    basis: found ? { runId: found.run.runId, ...basis } : null,
    correlation: measured
      ? { value: correlation, source: `runs ${measured.runId} and ${found!.run.runId}`, n: measured.n }
      : { value: correlation, source: 'assumed: no two earlier runs share 20 testcases', n: 0 },
  };
};
