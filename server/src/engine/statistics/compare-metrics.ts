import { type CompareOptions, type Comparison, compareTestcases } from './compare.ts';
import { holm } from './holm.ts';
import type { TestcaseColumns } from './testcases.ts';
import { verdictOf } from './verdict.ts';

export interface MetricRuns extends CompareOptions {
  before: TestcaseColumns;
  after: TestcaseColumns;
}

/** A comparison among several of the same two runs. */
export type AdjustedComparison = Comparison<number> & {
  /** Holm's adjusted p over all metrics, beside the raw one; the verdict rests on it. */
  adjustedP: number | null;
};

/** Compares two runs on several metrics, so that the verdicts hold together at the level (Holm 1979). */
export const compareMetrics = <Metric extends string>(
  metrics: Record<Metric, MetricRuns>,
): Record<Metric, AdjustedComparison> => {
  const runs = Object.entries(metrics) as [Metric, MetricRuns][];
  const compared = runs.map(([, { before, after, ...options }]) => compareTestcases(before, after, options));
  const adjusted = holm(compared.map(({ p }) => p));
  const results = runs.map(([name, { boolean }], i): [Metric, AdjustedComparison] => {
    const comparison = compared[i]!;
    const adjustedP = adjusted[i]!;
    return [name, { ...comparison, ...verdictOf({ ...comparison, boolean, p: adjustedP }), adjustedP }];
  });
  return Object.fromEntries(results) as Record<Metric, AdjustedComparison>;
};
