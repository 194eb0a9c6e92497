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
  poolTrials,
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
  /** Their systems' versions. */
  versions: (string | null)[];
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
  baselineRuns: number;
  looks: number;
  /** People's labels for the judges of the runs, by configuration. */
  judges: Record<string, JudgeLabels>;
};

/** Minimum number of pairs for a measured correlation. */
const fewestPairs = 20;
const assumedCorrelation = { value: 0.5, source: 'assumed: no two earlier runs share 20 testcases', n: 0 };

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
  mean: null,
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

/** Runs with the metric's scores, newest first, with their testcases. */
type Earlier = { run: RunScores; version: string | null; testcases: TestcaseColumns };

/**
 * Returns the variances of a run. One without trials that vary takes other runs of its version as trials: else the noise of one testcase
 * counts as a difference between testcases, and more runs of a baseline seem to bring nothing.
 */
const variancesOf = ({ run, version, testcases }: Earlier, all: readonly Earlier[]): RunVariances => {
  const alone = testcaseVariances(testcases);
  if (alone.within !== null || version === null) return alone;
  const others = all.filter((one) => one.run !== run && one.version === version);
  const pooled = testcaseVariances(
    poolTrials(
      testcases,
      others.map((one) => one.testcases),
    ),
  );
  return pooled.within === null ? alone : { ...pooled, trials: alone.trials };
};

/** Returns the correlation of the newest run's expected scores with those of an earlier run that shares enough testcases. */
const correlationWith = (newest: Earlier, all: readonly Earlier[], boolean: boolean) => {
  const variances = variancesOf(newest, all);
  for (const one of all.slice(all.indexOf(newest) + 1)) {
    const { correlation, ties, wins, losses } = compareTestcases(one.testcases, newest.testcases, {
      boolean,
    });
    const pairs = wins + losses + ties;
    if (correlation === null || pairs < fewestPairs) continue;
    const value = expectedCorrelation(correlation, variancesOf(one, all), variances);
    return { value, source: `runs ${one.run.runId} and ${newest.run.runId}`, n: pairs };
  }
  return assumedCorrelation;
};

/** Forecasts what a coming run can detect, from the variances of the newest earlier run in which testcases differ. */
export const plan = ({
  runs: columns,
  versions,
  metricId,
  measure,
  difference,
  n,
  judges,
  ...options
}: PlanJob): Static<typeof Plan.schema> => {
  const runs = alignRuns(columns).map(withOwnScores);
  const earlier: Earlier[] = runs.flatMap((run, i) => {
    const scores = scoresOf(run, metricId);
    return scores ? [{ run, version: versions[i]!, testcases: testcasesOf(run, scores, measure) }] : [];
  });
  const found = earlier
    .map((one) => ({ one, variances: variancesOf(one, earlier) }))
    // Six testcases that all pass do not prove that six hundred will: a plan from zero variance would be far too optimistic.
    .find(({ variances: { between, within } }) => (between ?? 0) + (within ?? 0) > 0);
  const boolean = found && isBoolean(scoresOf(found.one.run, metricId)!, measure);
  const correlation = found ? correlationWith(found.one, earlier, boolean!) : assumedCorrelation;
  const able = earlier.map(({ run }) => run);
  const labels =
    found &&
    describeLabels(able, able.indexOf(found.one.run), { metricId, measure, judges, level: options.level });
  const variances = found?.variances ?? none;
  const { trials: _, mean: __, ...basis } = variances;
  return {
    metricId,
    measure,
    difference,
    ...forecast(n ?? variances.n, variances, difference, {
      ...options,
      correlation: correlation.value,
      ...(found && { boolean: boolean!, designEffect: designEffectOf(found.one.testcases) }),
    }),
    labels: labels ?? null,
    basis: found ? { runId: found.one.run.runId, ...basis } : null,
    correlation,
  };
};
