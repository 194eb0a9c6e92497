import { type CompareOptions, type Comparison, conclude, measureDifference } from './compare.ts';
import type { AdjustedComparison as Answered } from './comparison-schema.ts';
import { holm } from './holm.ts';
import type { TestcaseColumns } from './testcases.ts';

export interface MetricRuns extends CompareOptions {
  before: TestcaseColumns;
  after: TestcaseColumns;
}

/** One of several comparisons of the same two runs. The verdict rests on p adjusted by Holm over all of them. */
export type AdjustedComparison = Comparison<number> & Pick<Answered, 'adjustedP'>;

/**
 * Compares two runs on several metrics, so that the verdicts hold together at the level (Holm 1979). Simultaneous intervals and
 * minimum detectable differences are at Bonferroni's level, which Holm's first step uses.
 */
export const compareMetrics = <Metric extends string>(
  metrics: Record<Metric, MetricRuns>,
): Record<Metric, AdjustedComparison> => {
  const runs = Object.entries(metrics) as [Metric, MetricRuns][];
  const measureAll = (tests: number) =>
    runs.map(([, { before, after, ...options }]) => measureDifference(before, after, { ...options, tests }));
  const all = measureAll(runs.length);
  // A metric without scores is not a test, so it does not widen the intervals of others.
  const tests = all.filter(({ p }) => p !== null).length || runs.length;
  const measured = tests === runs.length ? all : measureAll(tests);
  const adjusted = holm(measured.map(({ p }) => p));
  const results = runs.map(([name, { before, after, ...options }], i): [Metric, AdjustedComparison] => {
    const adjustedP = adjusted[i]!;
    return [name, { ...conclude(before, after, { ...options, tests }, measured[i]!, adjustedP), adjustedP }];
  });
  return Object.fromEntries(results) as Record<Metric, AdjustedComparison>;
};
