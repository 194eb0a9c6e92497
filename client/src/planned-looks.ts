/** The looks at a growing run that are planned before the first one. */
import type { Operations } from './generated.ts';

/** Fewest testcases that have an interval. */
const fewest = 2;

/** Returns the numbers of testcases of equal looks at `n` of them. */
export const equalLooks = (n: number, numLooks: number): number[] => {
  const sizes = Array.from({ length: numLooks }, (_, i) => Math.ceil((n * (i + 1)) / numLooks));
  return [...new Set(sizes)].filter((size) => size >= fewest);
};

/**
 * Returns the numbers of testcases of equal looks at all testcases of the baseline; undefined while the runs share no metric, since the
 * testcases that count are unknown then.
 */
export const planEqualLooks = async (
  client: Operations,
  runs: [string, string],
  numLooks: number,
): Promise<number[] | undefined> => {
  const { pairs } = await client.compareRuns({ runs, measure: 'pass', test: 'sequential' });
  const n = Math.max(...(pairs[0]?.metrics ?? []).map((metric) => metric.numBaselineTestcases));
  if (n < fewest) return undefined;
  return equalLooks(n, numLooks);
};
