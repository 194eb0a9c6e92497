import { clusteredMeanEstimate } from './clusters.ts';
import { defaultLevel, meanEstimate } from './intervals.ts';
import type { PassK } from './summary-schema.ts';
import { clustersOf, isBinary, scoredIndexes, type TestcaseColumns } from './testcases.ts';
import { weigh, weightedEstimate } from './weighted.ts';

/** Number of trials of one testcase, and of those that passed. */
export interface Trials<Testcase> {
  testcase: Testcase;
  trials: number;
  numPasses: number;
}

/** C(a, k)/C(b, k) for a ≤ b, as a product of ratios so that nothing overflows. */
const chooseRatio = (a: number, b: number, k: number): number => {
  if (a < k) return 0;
  let ratio = 1;
  for (let i = 0; i < k; i++) ratio *= (a - i) / (b - i);
  return ratio;
};

/**
 * The unbiased estimate that at least one of k tries passes: 1 − C(n − c, k)/C(n, k). Null when n < k.
 *
 * Chen et al. (2021), arXiv 2107.03374. The naive 1 − (1 − c/n)^k is too low.
 */
export const passAtK = (n: number, c: number, k: number): number | null =>
  n < k ? null : 1 - chooseRatio(n - c, n, k);

/** The unbiased estimate that all of k tries pass: C(c, k)/C(n, k). Null when n < k. Yao et al. (2024), arXiv 2406.12045. */
export const passHatK = (n: number, c: number, k: number): number | null =>
  n < k ? null : chooseRatio(c, n, k);

/** The k that are reported: each up to 10, then powers of two, as long as some testcase has that many trials. */
const reportedKs = (most: number): number[] => {
  const ks = [];
  for (let k = 1; k <= most; k = k < 10 ? k + 1 : k === 10 ? 16 : 2 * k) ks.push(k);
  return ks;
};

/** pass@k and pass^k averaged over the testcases with at least k trials; empty if no testcase has two trials. */
export const passK = (columns: TestcaseColumns, level = defaultLevel): PassK[] => {
  const { trials, sums: passes, groups } = columns;
  const most = trials.reduce((max, count) => Math.max(max, count), 0);
  if (most < 2) return [];
  return reportedKs(most).map((k) => {
    const tried = scoredIndexes(columns).filter((i) => trials[i]! >= k);
    const mean = (estimator: typeof passAtK) => {
      const values = Float64Array.from(tried, (i) => estimator(trials[i]!, passes[i]!, k)!);
      const share = { low: 0, high: 1 };
      const weighed = weigh(columns, tried, values);
      if (weighed) return weightedEstimate(weighed, { level, bounds: share, isCounted: isBinary(values) });
      return groups
        ? clusteredMeanEstimate(values, clustersOf(groups, tried), level, share)
        : meanEstimate(values, level, share);
    };
    return { k, passAtK: mean(passAtK), passHatK: mean(passHatK) };
  });
};

/** Testcases of a boolean metric that passed in one trial and failed in another. */
export const flakyTestcases = ({ trials, sums: passes }: TestcaseColumns): Trials<number>[] => {
  const flaky = [];
  for (let i = 0; i < trials.length; i++) {
    if (passes[i]! > 0 && passes[i]! < trials[i]!)
      flaky.push({ testcase: i, trials: trials[i]!, numPasses: passes[i]! });
  }
  return flaky;
};
