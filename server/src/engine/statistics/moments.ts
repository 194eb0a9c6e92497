import { boundedInterval, intervalWithoutSpread } from './bounded.ts';
import type { Interval } from './estimate-schema.ts';
import { defaultLevel, tInterval } from './intervals.ts';

/** Sums over independent values. */
export interface Sums {
  n: number;
  sum: number;
  squares: number;
}

/** A mean from sums with its interval, as `meanEstimate` gives it from values. */
export const meanOfSums = (
  { n, sum, squares }: Sums,
  bounds: Interval | null = null,
  level = defaultLevel,
): { n: number; estimate: number | null; interval: Interval | null } => {
  if (n === 0) return { n, estimate: null, interval: null };
  const mean = sum / n;
  if (n < 2) return { n, estimate: mean, interval: null };
  const spread = squares - n * mean * mean;
  // For equal values, the remainder is a rounding error.
  const variance = spread <= squares * 1e-12 ? 0 : spread / (n - 1);
  const standardError = Math.sqrt(variance / n);
  if (standardError > 0)
    return {
      n,
      estimate: mean,
      interval: bounds
        ? boundedInterval(mean, standardError, n - 1, bounds, level)
        : tInterval(mean, standardError, n - 1, level),
    };
  return { n, estimate: mean, interval: bounds && intervalWithoutSpread(mean, n, bounds, level).interval };
};
