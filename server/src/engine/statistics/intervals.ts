/** Intervals for one rate or one mean. Every function is pure; every result says how it was made. */
import { boundedInterval, caveatNearBound, intervalWithoutSpread, wilsonOf } from './bounded.ts';
import { caveatOfFew, caveatsOf } from './caveats.ts';
import { normalQuantile, tQuantile } from './distributions.ts';
import type { Estimate, Interval } from './estimate-schema.ts';

export const defaultLevel = 0.95;

/** Two-sided critical value of the standard normal distribution: 1.96 at 95 %. */
export const zOf = (level: number): number => normalQuantile((1 + level) / 2);

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;

/**
 * Wilson's score interval for `successes` of `n`: the rates p with |p̂ − p| ≤ z·√(p(1−p)/n).
 *
 * Wilson, E. B. (1927), JASA 22:209–212; recommended over Wald's by Brown, Cai & DasGupta (2001), Stat. Sci. 16:101–133.
 */
export const wilson = (successes: number, n: number, level = defaultLevel): Interval | null => {
  if (n === 0) return null;
  return wilsonOf(successes / n, n, zOf(level));
};

/** With fewer, the one-sided bound of the rule of three is beyond Wilson's: a reader would see two bounds and not know which holds. */
const fewestForWords = 7;

/**
 * The rule of three, in words: after 0 events in n the one-sided 95 % upper bound of the rate is about 3/n. Null for fewer than seven.
 *
 * Exactly it is 1 − 0.05^(1/n). Hanley & Lippman-Hand (1983), JAMA 249:1743–1745.
 */
export const ruleOfThree = (successes: number, n: number): string | null => {
  if (n < fewestForWords || (successes !== 0 && successes !== n)) return null;
  const bound = 1 - 0.05 ** (1 / n);
  return successes === 0
    ? `none of ${n} passed: a pass rate up to ${percent(bound)} would still give this in 1 of 20 runs (rule of three)`
    : `all ${n} passed: a failure rate up to ${percent(bound)} would still give this in 1 of 20 runs (rule of three)`;
};

/** A pass rate with Wilson's interval. */
export const rateEstimate = (successes: number, n: number, level = defaultLevel): Estimate => {
  const words = ruleOfThree(successes, n);
  const p = n === 0 ? null : successes / n;
  return {
    method: 'wilson',
    n,
    effectiveN: n,
    level,
    estimate: p,
    standardError: p === null ? null : Math.sqrt((p * (1 - p)) / n),
    interval: wilson(successes, n, level),
    reason: n === 0 ? 'no testcase has a score' : null,
    assumption: 'testcases are independent draws from the inputs that the system will meet',
    ...caveatsOf(words ? { code: 'noEvent', sentence: words } : null, caveatOfFew(n)),
  };
};

export interface Moments {
  n: number;
  mean: number;
  /** With n − 1 in the denominator; NaN below two values. */
  variance: number;
  /** Fisher–Pearson g₁ = m₃ / m₂^1.5; 0 when all values are equal. */
  skewness: number;
}

/** Mean, variance and skewness in two passes, so that large offsets cancel before squaring. */
export const momentsOf = (values: ArrayLike<number>): Moments => {
  const n = values.length;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[i]!;
  const mean = sum / n;
  let [drift, squares, cubes] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const deviation = values[i]! - mean;
    drift += deviation;
    squares += deviation * deviation;
    cubes += deviation * deviation * deviation;
  }
  // Chan, Golub & LeVeque (1983): takes the rounding of the mean out of the squares.
  const corrected = Math.max(0, squares - (drift * drift) / n);
  const spread = corrected <= n * (2 ** -50 * mean) ** 2 ? 0 : corrected;
  return {
    n,
    mean,
    variance: n < 2 ? Number.NaN : spread / (n - 1),
    skewness: spread === 0 ? 0 : cubes / n / (spread / n) ** 1.5,
  };
};

/** The interval centre ± t·se with `df` degrees of freedom. */
export const tInterval = (centre: number, standardError: number, df: number, level: number): Interval => {
  const half = tQuantile((1 + level) / 2, df) * standardError;
  return { low: centre - half, high: centre + half };
};

/** The interval of a mean of independent values, and the name of its method. */
const intervalOfMean = (
  { n, mean, variance }: Moments,
  bounds: Interval | null,
  level: number,
): { method: string; interval: Interval | null } => {
  if (n < 2) return { method: 't', interval: null };
  const standardError = Math.sqrt(variance / n);
  if (bounds && standardError > 0) {
    return {
      method: 'wilson on the effective n',
      interval: boundedInterval(mean, standardError, n - 1, bounds, level),
    };
  }
  if (standardError > 0) return { method: 't', interval: tInterval(mean, standardError, n - 1, level) };
  return bounds ? intervalWithoutSpread(mean, n, bounds, level) : { method: 't', interval: null };
};

/** Number of values that are not at the end of the scale that the mean is nearer to. */
const countAway = (values: ArrayLike<number>, mean: number, { low, high }: Interval): number => {
  const end = mean - low > high - mean ? high : low;
  let away = 0;
  for (let i = 0; i < values.length; i++) if (values[i] !== end) away++;
  return away;
};

/**
 * A mean with its interval. Without bounds: Student's t, x̄ ± t(n−1)·s/√n (Student 1908, Biometrika 6:1–25). On a scale with ends:
 * Wilson's interval on the effective n, and if all values are equal the bound of `intervalWithoutSpread`.
 */
export const meanEstimate = (
  values: ArrayLike<number>,
  level = defaultLevel,
  bounds: Interval | null = null,
): Estimate => {
  const moments = momentsOf(values);
  const { n, mean, variance } = moments;
  const found = intervalOfMean(moments, bounds, level);
  const reason =
    n === 0
      ? 'no testcase has a score'
      : n < 2
        ? 'one testcase says nothing about the spread: an interval needs two'
        : found.interval === null
          ? `all ${n} values are equal: the spread cannot be estimated from them`
          : null;
  return {
    ...found,
    n,
    effectiveN: n,
    level,
    estimate: n === 0 ? null : mean,
    standardError: n < 2 ? null : Math.sqrt(variance / n),
    reason,
    assumption: bounds
      ? 'testcases are independent draws from the inputs that the system will meet'
      : 'testcases are independent draws, and n is large enough for their mean to be about normal',
    ...caveatsOf(
      n > 1 && bounds && variance > 0
        ? caveatNearBound(mean, n, bounds, countAway(values, mean, bounds))
        : null,
      caveatOfFew(n),
    ),
  };
};
