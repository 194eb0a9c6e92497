/** What a plan knows from earlier runs: how scores vary over testcases, trials and groups, and how two systems vary together. */
import { clusterError } from './clusters.ts';
import { compareTestcases, pairUp } from './compare.ts';
import { momentsOf } from './intervals.ts';
import { expectedCorrelation, type RunVariances, testcaseVariances } from './plan.ts';
import { clustersOf, meansOf, poolTrials, scoredIndexes, type TestcaseColumns } from './testcases.ts';

/** A run with the metric's scores. */
export type EarlierRun = { version: string | null; testcases: TestcaseColumns };

/**
 * Returns the variances of a run. One without trials that vary takes other runs of its version as trials: else the noise of one testcase
 * counts as a difference between testcases, and more runs of a baseline seem to bring nothing.
 */
export const variancesOf = (
  { testcases, version }: EarlierRun,
  others: readonly EarlierRun[],
): RunVariances => {
  const alone = testcaseVariances(testcases);
  if (alone.within !== null || version === null) return alone;
  const same = others.filter((one) => one.testcases !== testcases && one.version === version);
  const pooled = testcaseVariances(
    poolTrials(
      testcases,
      same.map((one) => one.testcases),
    ),
  );
  return pooled.within === null ? alone : { ...pooled, trials: alone.trials };
};

/** Minimum number of pairs for a measured correlation. */
const fewestPairs = 20;

/** How two systems vary together: measured on two runs, `other` being the earlier one, or assumed. */
export type Together<Run> = { correlation: number; other: Run | null; numPairs: number };

/** Returns the correlation of a run's expected scores with those of the newest earlier run that shares enough testcases. */
export const varyTogether = <Run extends EarlierRun>(
  newest: Run,
  all: readonly Run[],
  boolean: boolean,
): Together<Run> => {
  const variances = variancesOf(newest, all);
  for (const other of all.slice(all.indexOf(newest) + 1)) {
    const found = compareTestcases(other.testcases, newest.testcases, { boolean });
    const numPairs = found.wins + found.losses + found.ties;
    if (found.correlation === null || numPairs < fewestPairs) continue;
    const correlation = expectedCorrelation(found.correlation, variancesOf(other, all), variances);
    return { correlation, other, numPairs };
  }
  return { correlation: 0.5, other: null, numPairs: 0 };
};

/**
 * Returns how much more the mean of these values varies in groups than it would over independent testcases, at least 1, and the size of the
 * groups. Kish (1965), Survey Sampling: design effect, and Σm²/Σm of groups of m.
 */
const designOf = (values: Float64Array, labels: Int32Array): { designEffect: number; size: number } => {
  const { standardError, equalGroups } = clusterError(values, labels);
  const independent = momentsOf(values).variance / values.length;
  const designEffect = standardError && independent > 0 ? standardError ** 2 / independent : 1;
  return { designEffect: Math.max(1, designEffect), size: values.length / equalGroups };
};

/**
 * Returns the design effect of a comparison with a run, from the differences of two runs where there are two, else from the scores of one;
 * null without groups. Groups that are hard for both systems do not make their difference vary.
 */
export const groupsOf = (
  { testcases }: EarlierRun,
  other: EarlierRun | null,
): { designEffect: number; size: number } | null => {
  if (!testcases.groups) return null;
  if (!other) {
    const indexes = scoredIndexes(testcases);
    return designOf(meansOf(testcases, indexes), clustersOf(testcases.groups, indexes));
  }
  const { pairs } = pairUp(other.testcases, testcases);
  const [before, after] = [meansOf(other.testcases, pairs), meansOf(testcases, pairs)];
  return designOf(
    after.map((mean, i) => mean - before[i]!),
    clustersOf(testcases.groups, pairs),
  );
};
