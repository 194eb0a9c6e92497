import {
  type CompareOptions,
  type Comparison,
  conclude,
  type Measured,
  measureDifference,
} from './compare.ts';
import type { AdjustedComparison as Answered } from './comparison-schema.ts';
import { holm } from './holm.ts';
import { defaultLevel } from './intervals.ts';
import { adjustLooks, type LookPlan, stateOf } from './planned-looks.ts';
import type { TestcaseColumns } from './testcases.ts';

export interface MetricRuns extends CompareOptions {
  before: TestcaseColumns;
  after: TestcaseColumns;
}

/** One of several comparisons of the same two runs. The verdict rests on p adjusted by Holm over all of them. */
export type AdjustedComparison = Comparison<number> & Pick<Answered, 'adjustedP'>;

const adjust = (
  measured: readonly Measured[],
  plan: LookPlan | undefined,
  tests: number,
): (number | null)[] => {
  if (!plan) return holm(measured.map(({ p }) => p));
  const looks = measured.map(({ p, look }) => ({ p, state: stateOf(plan, look?.numSeen ?? 0) }));
  return adjustLooks(looks, { level: measured[0]?.level ?? defaultLevel, tests });
};

/**
 * Compares two runs on several metrics, so that the verdicts hold together at the level (Holm 1979). Simultaneous intervals and
 * minimum detectable differences are at Bonferroni's level, which Holm's first step uses. `leastTests` counts metrics whose scores come
 * later: the level of an early look must not depend on which scores came first.
 */
export const compareMetrics = <Metric extends string>(
  metrics: Record<Metric, MetricRuns>,
  leastTests = 0,
): Record<Metric, AdjustedComparison> => {
  const runs = Object.entries(metrics) as [Metric, MetricRuns][];
  const measureAll = (tests: number) =>
    runs.map(([, { before, after, ...options }]) => measureDifference(before, after, { ...options, tests }));
  const most = Math.max(runs.length, leastTests);
  const all = measureAll(most);
  // A metric without scores is not a test, so it does not widen the intervals of others.
  const given = all.filter(({ p }) => p !== null).length || runs.length;
  const tests = Math.max(given, leastTests);
  const measured = tests === most ? all : measureAll(tests);
  const adjusted = adjust(measured, runs[0]?.[1].plan, tests);
  const results = runs.map(([name, { before, after, ...options }], i): [Metric, AdjustedComparison] => {
    const adjustedP = adjusted[i]!;
    return [name, { ...conclude(before, after, { ...options, tests }, measured[i]!, adjustedP), adjustedP }];
  });
  return Object.fromEntries(results) as Record<Metric, AdjustedComparison>;
};
