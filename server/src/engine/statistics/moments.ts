import { boundedInterval, intervalWithoutSpread } from './bounded.ts';
import { tQuantile } from './distributions.ts';
import type { Caveat, Interval } from './estimate-schema.ts';
import { defaultLevel } from './intervals.ts';

/** Sums over independent values. */
export interface Sums {
  n: number;
  sum: number;
  squares: number;
  /** Sum of the third powers, for values without ends, which may be skewed. */
  cubes?: number;
}

/** A mean from sums, with its interval. */
export interface MeanOfSums {
  n: number;
  estimate: number | null;
  interval: Interval | null;
  caveats: Caveat[];
}

/**
 * Skewness g₁ = m₃ / m₂^1.5 from sums; 0 where the values are nearly equal, as the sums then hold no more than their rounding.
 */
const skewnessOf = ({ n, sum, squares, cubes = 0 }: Sums): number => {
  const mean = sum / n;
  const second = squares / n - mean ** 2;
  if (second <= (1e-4 * mean) ** 2) return 0;
  return (cubes / n - (3 * mean * squares) / n + 2 * mean ** 3) / second ** 1.5;
};

/**
 * Student's t, freed from skewness: bills have few large values, and a sample that lacks them has both a low mean and a small spread.
 * Hall's monotone transformation, Hall (1992), J. R. Stat. Soc. B 54:221–228, with t(n − 1) in place of z.
 */
const skewedInterval = (mean: number, deviation: number, sums: Sums, level: number): Interval => {
  const { n } = sums;
  const skewness = skewnessOf(sums);
  const critical = tQuantile((1 + level) / 2, n - 1) / Math.sqrt(n);
  const inverse = (x: number): number =>
    Math.abs(skewness) < 1e-9 ? x : (3 / skewness) * (Math.cbrt(1 + skewness * (x - skewness / (6 * n))) - 1);
  return { low: mean - deviation * inverse(critical), high: mean - deviation * inverse(-critical) };
};

/** Cochran (1977), Sampling Techniques, §2.15: the normal approximation holds for n > 25·g₁². */
const caveatOfSkew = (sums: Sums): Caveat | null =>
  sums.n > 25 * skewnessOf(sums) ** 2
    ? null
    : { code: 'skewed', sentence: 'a few large values decide this mean: the interval may be too narrow' };

/**
 * A mean from sums with its interval: on a scale with ends as `meanEstimate` gives it from values, else by Hall's transformation of t.
 */
export const meanOfSums = (sums: Sums, bounds: Interval | null = null, level = defaultLevel): MeanOfSums => {
  const { n, sum, squares } = sums;
  if (n === 0) return { n, estimate: null, interval: null, caveats: [] };
  const mean = sum / n;
  if (n < 2) return { n, estimate: mean, interval: null, caveats: [] };
  const spread = squares - n * mean * mean;
  // For equal values, the remainder is a rounding error.
  const variance = spread <= squares * 1e-12 ? 0 : spread / (n - 1);
  if (variance === 0) {
    const interval = bounds && intervalWithoutSpread(mean, n, bounds, level).interval;
    return { n, estimate: mean, interval, caveats: [] };
  }
  if (bounds) {
    const interval = boundedInterval(mean, Math.sqrt(variance / n), n - 1, bounds, level);
    return { n, estimate: mean, interval, caveats: [] };
  }
  const caveat = caveatOfSkew(sums);
  return {
    n,
    estimate: mean,
    interval: skewedInterval(mean, Math.sqrt(variance), sums, level),
    caveats: caveat ? [caveat] : [],
  };
};
