import type { Static } from 'typebox';
import {
  type EarlierRun,
  groupsOf,
  type Together,
  variancesOf,
  varyTogether,
} from '../../engine/statistics/earlier-runs.ts';
import { forecast, type PlannedGroups, type RunVariances } from '../../engine/statistics/plan.ts';
import { concludeComparisons, correctComparison, type JudgeLabels } from './correct-comparison.ts';
import { type Measure, testcasesOf } from './measure-scores.ts';
import type { CriteriaPlan, Plan } from './project-schema.ts';
import type { TestcaseLabels } from './queries.ts';
import {
  alignRuns,
  labelPairs,
  type RunColumns,
  type RunScores,
  scoresOf,
  withOwnScores,
} from './run-scores.ts';
import { isBoolean } from './summarize.ts';

/** A testset with the labels of its grouping field. */
export type PlannedTestset = { id: number; n: number; labels: TestcaseLabels[] };

export type PlanJob = {
  /** Earlier runs with the metric's scores, newest first. */
  runs: RunColumns[];
  /** Their systems' versions. */
  versions: (string | null)[];
  metricId: string;
  measure: Measure;
  difference: number | null;
  /** Testset of the coming run; null plans as many testcases, and groups, as the earlier run had. */
  testset: PlannedTestset | null;
  /** Testcases of the coming run; null takes those of the testset. */
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
  /** Whether the scores are shares of criteria. */
  shares?: boolean;
};

/** Returns the size of the groups of a testset: Σm²/Σm over groups of m. A testcase without a label is a separate group. */
const sizeOfGroups = ({ n, labels }: PlannedTestset): number => {
  const sizes = new Map<string, number>();
  for (const columns of labels)
    for (const [, label] of labelPairs(columns)) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  let [labelled, squares] = [0, 0];
  for (const size of sizes.values()) {
    labelled += size;
    squares += size ** 2;
  }
  return n === 0 ? 1 : (squares + n - labelled) / n;
};

/**
 * Returns the groups of the coming run: of the same size as the earlier run's if it answered the same testset, else of the size of the
 * testset's, with the same correlation within groups.
 */
const plannedGroups = (
  { run, ...newest }: Earlier,
  other: Earlier | null,
  testset: PlannedTestset | null,
): PlannedGroups | null => {
  const found = groupsOf(newest, other);
  const isSame = !testset || run.unitOf.some((unit) => run.units[unit]!.testset === testset.id);
  if (isSame) return found && found.size > 1 ? { ...found, earlierSize: found.size } : null;
  const size = sizeOfGroups(testset);
  const earlier = found ?? { designEffect: 1, size: 1 };
  if (size === 1) return null;
  const shared = earlier.size > 1 ? (earlier.designEffect - 1) / (earlier.size - 1) : 0;
  return { designEffect: 1 + shared * (size - 1), size, earlierSize: earlier.size };
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

/** A run with the metric's scores. */
type Earlier = EarlierRun & { run: RunScores };

const sourceOf = (
  newest: Earlier | undefined,
  { correlation: value, other, numPairs: n }: Together<Earlier>,
) =>
  other
    ? { value, source: `runs ${other.run.runId} and ${newest!.run.runId}`, n }
    : { value, source: 'assumed: no two earlier runs share 20 testcases', n };

/** Forecasts what a coming run can detect, from the variances of the newest earlier run in which testcases differ. */
export const plan = ({
  runs: columns,
  versions,
  metricId,
  measure,
  difference,
  n,
  testset,
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
  const together = found
    ? varyTogether(found.one, earlier, boolean!)
    : { correlation: 0.5, other: null, numPairs: 0 };
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
    ...forecast(n ?? testset?.n ?? variances.n, variances, difference, {
      ...options,
      correlation: together.correlation,
      ...(found && { boolean: boolean!, groups: plannedGroups(found.one, together.other, testset) }),
    }),
    labels: labels ?? null,
    basis: found ? { runId: found.one.run.runId, ...basis } : null,
    correlation: sourceOf(found?.one, together),
  };
};

/** Most criteria from which the plan of one alone is taken. */
const plannedCriteria = 30;

/** `criteria`: the same runs with the criteria of the metric in place of its scores. */
export type CriteriaPlanJob = Omit<PlanJob, 'measure'> & { criteria: RunColumns[] };

const middle = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  // Criteria without an answer need more than any number.
  return known.length * 2 > values.length ? (known[Math.floor(values.length / 2)] ?? null) : null;
};

/**
 * Says what the share of the criteria of a metric detects, and what one of them would alone: the median over the criteria. The same loss in
 * each criterion is that loss of the share.
 */
export const planCriteria = ({ criteria, ...job }: CriteriaPlanJob): Static<typeof CriteriaPlan> => {
  const ids = [...new Set(criteria.flatMap(({ scores }) => scores.map(({ metricId }) => metricId)))];
  const alone = ids.slice(0, plannedCriteria).map((metricId) => {
    const runs = criteria.map((run) => ({
      ...run,
      scores: run.scores.filter((one) => one.metricId === metricId),
    }));
    return plan({ ...job, runs, metricId, measure: 'score', judges: {} });
  });
  const share = plan({ ...job, measure: 'score', judges: {}, shares: true });
  const known = ({
    minimumDetectable,
    numNeeded,
  }: Pick<typeof share, 'minimumDetectable' | 'numNeeded'>) => ({
    minimumDetectable,
    numNeeded,
  });
  return {
    numCriteria: ids.length,
    share: known(share),
    alone: known({
      minimumDetectable: middle(alone.map((each) => each.minimumDetectable)),
      numNeeded: middle(alone.map((each) => each.numNeeded)),
    }),
  };
};
