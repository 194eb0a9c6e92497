/** Intervals for one rate or one mean. Every function is pure; every result says how it was made. */
import { countInWords } from './count-in-words.ts';
import { normalQuantile, tQuantile } from './distributions.ts';

export interface Interval {
  low: number;
  high: number;
}

/** A number with its uncertainty, or with the reason why it has none. */
export interface Estimate {
  /** Names the interval's method, e.g. `wilson` or `t`. */
  method: string;
  /** How many independent units the interval rests on. */
  n: number;
  level: number;
  /** Null only when there is nothing to estimate from. */
  estimate: number | null;
  standardError: number | null;
  /** Null when the data is too little; `reason` then says what is missing. */
  interval: Interval | null;
  reason: string | null;
  assumption: string;
  warnings: string[];
}

export const defaultLevel = 0.95;

/** Two-sided critical value of the standard normal distribution: 1.96 at 95 %. */
export const zOf = (level: number): number => normalQuantile((1 + level) / 2);

/** Below this many testcases a result carries a warning: rates then move by more than a point a testcase. */
const fewTestcases = 100;

export const smallSampleWarning = (n: number): string[] =>
  n > 0 && n < fewTestcases
    ? [`only ${countInWords(n, 'testcase')}: below ${fewTestcases} expect wide intervals and surprises`]
    : [];

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;

/**
 * Wilson's score interval for `successes` of `n`: the rates p with |p̂ − p| ≤ z·√(p(1−p)/n).
 *
 * Wilson, E. B. (1927), JASA 22:209–212; recommended over Wald's by Brown, Cai & DasGupta (2001), Stat. Sci. 16:101–133.
 */
export const wilson = (successes: number, n: number, level = defaultLevel): Interval | null => {
  if (n === 0) return null;
  const z2 = zOf(level) ** 2;
  const p = successes / n;
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = Math.sqrt((z2 * (p * (1 - p) + z2 / (4 * n))) / n) / (1 + z2 / n);
  // At the ends the formula gives 0 and 1 but for rounding.
  return { low: successes === 0 ? 0 : centre - half, high: successes === n ? 1 : centre + half };
};

/**
 * The rule of three, in words: after 0 events in n the one-sided 95 % upper bound of the rate is about 3/n.
 *
 * Exactly it is 1 − 0.05^(1/n). Hanley & Lippman-Hand (1983), JAMA 249:1743–1745.
 */
export const ruleOfThree = (successes: number, n: number): string | null => {
  if (n === 0 || (successes !== 0 && successes !== n)) return null;
  const bound = 1 - 0.05 ** (1 / n);
  const [none, all] =
    n === 1 ? ['the only one failed', 'the only one passed'] : [`none of ${n} passed`, `all ${n} passed`];
  return successes === 0
    ? `${none}: a pass rate up to ${percent(bound)} would still give this in 1 of 20 runs (rule of three)`
    : `${all}: a failure rate up to ${percent(bound)} would still give this in 1 of 20 runs (rule of three)`;
};

/** A pass rate with Wilson's interval. */
export const rateEstimate = (successes: number, n: number, level = defaultLevel): Estimate => {
  const words = ruleOfThree(successes, n);
  const p = n === 0 ? null : successes / n;
  return {
    method: 'wilson',
    n,
    level,
    estimate: p,
    standardError: p === null ? null : Math.sqrt((p * (1 - p)) / n),
    interval: wilson(successes, n, level),
    reason: n === 0 ? 'no testcase has a score' : null,
    assumption: 'testcases are independent draws from the inputs that the system will meet',
    warnings: [...(words ? [words] : []), ...smallSampleWarning(n)],
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

/** A t interval knows no bounds; what lies outside them is impossible, so cutting it costs no coverage. */
export const clamp = (interval: Interval | null, { low, high }: Interval): Interval | null =>
  interval && { low: Math.max(low, interval.low), high: Math.min(high, interval.high) };

/** A mean with Student's t interval: x̄ ± t(n−1)·s/√n. Student (1908), Biometrika 6:1–25. */
export const meanEstimate = (values: ArrayLike<number>, level = defaultLevel): Estimate => {
  const { n, mean, variance } = momentsOf(values);
  const standardError = n < 2 ? null : Math.sqrt(variance / n);
  const reason =
    n === 0
      ? 'no testcase has a score'
      : n < 2
        ? 'one testcase says nothing about the spread: an interval needs two'
        : variance === 0
          ? `all ${n} values are equal: the spread cannot be estimated from them`
          : null;
  return {
    method: 't',
    n,
    level,
    estimate: n === 0 ? null : mean,
    standardError,
    interval: reason === null ? tInterval(mean, standardError!, n - 1, level) : null,
    reason,
    assumption: 'testcases are independent draws, and n is large enough for their mean to be about normal',
    warnings: smallSampleWarning(n),
  };
};

/**
 * A mean whose testcases come in groups that share something (a document, a conversation, an author): CR1 standard
 * error √(G/(G−1)·Σ_g(Σ_{i∈g}(xᵢ − x̄))²)/n and t with G − 1 degrees of freedom.
 *
 * Liang & Zeger (1986), Biometrika 73:13–22; Cameron & Miller (2015), J. Human Resources 50:317–372;
 * for evaluations Miller (2024), arXiv 2411.00640.
 */
export const clusteredMeanEstimate = (
  values: ArrayLike<number>,
  groups: ArrayLike<string | number>,
  level = defaultLevel,
): Estimate => {
  const { n, mean } = momentsOf(values);
  const sums = new Map<string | number, number>();
  for (let i = 0; i < n; i++) {
    sums.set(groups[i]!, (sums.get(groups[i]!) ?? 0) + (values[i]! - mean));
  }
  const G = sums.size;
  const squares = [...sums.values()].reduce((total, sum) => total + sum * sum, 0);
  const standardError = G < 2 ? null : Math.sqrt((G / (G - 1)) * squares) / n;
  const flat = standardError !== null && standardError <= 2 ** -50 * Math.abs(mean);
  const reason =
    n === 0
      ? 'no testcase has a score'
      : G < 2
        ? 'one group says nothing about the spread between groups: an interval needs two'
        : flat
          ? `all ${G} groups deviate from the mean by nothing: the spread cannot be estimated from them`
          : null;
  return {
    method: 'cluster-robust t (CR1)',
    n: G,
    level,
    estimate: n === 0 ? null : mean,
    standardError,
    interval: reason === null ? tInterval(mean, standardError!, G - 1, level) : null,
    reason,
    assumption:
      'groups are independent of one another; testcases within a group may depend on each other in any way',
    warnings: [
      ...(G > 0 && G < 20
        ? [`only ${countInWords(G, 'group')}: below 20 a cluster-robust interval tends to be too narrow`]
        : []),
      ...smallSampleWarning(n),
    ],
  };
};
