import type { OutputType } from '../metrics/schema.ts';

/** The range of each kind of score, which bounds a missing score. */
export const possibleScores: Record<OutputType, { low: number; high: number }> = {
  boolean: { low: 0, high: 1 },
  // Statistics of a category are of whether its labels pass.
  category: { low: 0, high: 1 },
  int: { low: 1, high: 5 },
  float: { low: 0, high: 1 },
};
