/** Two systems judged pass or fail on the same testcases, and on different ones. */

import type { McNemar } from './comparison-schema.ts';
import { binomialCdf, binomialPmf, normalCdf, normalQuantile } from './distributions.ts';
import type { Interval } from './estimate-schema.ts';
import { defaultLevel, wilson, zOf } from './intervals.ts';
import { logGamma } from './special.ts';

/**
 * McNemar's exact and mid-p test that wins (failed before, pass now) and losses (the other way round) are equally likely. Pairs
 * that agree carry no information.
 *
 * Exact: 2·P(X ≤ min(wins, losses)), X ~ binomial(wins + losses, ½), at most 1. Mid-p: exact − P(X = min).
 * McNemar (1947), Psychometrika 12:153–157; Fagerland, Lydersen & Laake (2013), BMC Med. Res. Methodol. 13:91.
 */
export const mcnemar = (wins: number, losses: number): McNemar => {
  const n = wins + losses;
  if (n === 0) return { exact: 1, midP: 1 };
  const least = Math.min(wins, losses);
  const tail = 2 * binomialCdf(least, n, 0.5);
  return {
    exact: Math.min(1, tail),
    // If wins = losses, the observed table is the likeliest one and counts once: 1 − ½·P(X = min).
    midP: wins === losses ? 1 - binomialPmf(least, n, 0.5) / 2 : tail - binomialPmf(least, n, 0.5),
  };
};

/** The smaller root in [low, high] of an increasing function, by bisection to the last bit. */
export const bisect = (increasing: (x: number) => number, from: number, to: number): number => {
  let [low, high] = [from, to];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (increasing(middle) < 0) low = middle;
    else high = middle;
  }
};

/**
 * Tango's score interval for the difference (wins − losses)/n of two paired pass rates: the Δ that the score test
 * |wins − losses − nΔ| ≤ z·√(n(2q̂ + Δ(1 − Δ)))  does not reject, q̂ the likelihood estimate of P(loss) under Δ.
 *
 * Tango (1998), Stat. Med. 17:891–908; recommended for paired proportions by Fagerland, Lydersen & Laake (2014),
 * Stat. Med. 33:2850–2875. At Δ = 0 it is McNemar's asymptotic test, so interval and test agree but for rounding.
 */
export const tango = (wins: number, losses: number, n: number, level = defaultLevel): Interval | null => {
  if (n === 0) return null;
  const z = zOf(level);
  const excess = (delta: number): number => {
    const b = -wins - losses + (2 * n - wins + losses) * delta;
    const c = -losses * delta * (1 - delta);
    const q = (Math.sqrt(Math.max(0, b * b - 8 * n * c)) - b) / (4 * n);
    const variance = Math.max(0, n * (2 * q + delta * (1 - delta)));
    const distance = wins - losses - n * delta;
    return variance === 0 ? Math.sign(distance) * Number.POSITIVE_INFINITY : distance / Math.sqrt(variance);
  };
  const difference = (wins - losses) / n;
  return {
    low: wins - losses === -n ? -1 : bisect((delta) => z - excess(delta), -1, difference),
    high: wins - losses === n ? 1 : bisect((delta) => -z - excess(delta), difference, 1),
  };
};

/** The interval of y − x from those of two independent estimates x and y. Newcombe (1998), method 10; Zou & Donner (2008). */
export const squareAndAdd = (x: number, ofX: Interval, y: number, ofY: Interval): Interval => ({
  low: y - x - Math.hypot(y - ofY.low, ofX.high - x),
  high: y - x + Math.hypot(ofY.high - y, x - ofX.low),
});

/**
 * Newcombe's hybrid score interval for the difference p₂ − p₁ of two independent pass rates: the square-and-add of
 * both Wilson intervals. For runs that share no testcase.
 *
 * Newcombe (1998), Stat. Med. 17:873–890, method 10.
 */
export const newcombe = (
  successes1: number,
  n1: number,
  successes2: number,
  n2: number,
  level = defaultLevel,
): Interval | null => {
  const first = wilson(successes1, n1, level);
  const second = wilson(successes2, n2, level);
  return first && second && squareAndAdd(successes1 / n1, first, successes2 / n2, second);
};

/**
 * Two pass rates on different testcases: the score test that they are one, by the error of their common rate. It also holds if one run
 * passed everywhere; such a run has no spread in Welch's test and seems more certain than it is.
 *
 * Pearson (1900), Phil. Mag. 50:157–175. The minimum detectable difference uses the error with one pass and one failure added to each,
 * which is never 0: Agresti & Caffo (2000), Am. Stat. 54:280–288.
 */
export const twoProportions = (successes1: number, n1: number, successes2: number, n2: number) => {
  if (n1 === 0 || n2 === 0) return null;
  const common = (successes1 + successes2) / (n1 + n2);
  const standardError = Math.sqrt(common * (1 - common) * (1 / n1 + 1 / n2));
  const z = standardError === 0 ? 0 : (successes2 / n2 - successes1 / n1) / standardError;
  const adjusted = (successes: number, n: number) => ((successes + 1) * (n - successes + 1)) / (n + 2) ** 3;
  return {
    p: 2 * normalCdf(-Math.abs(z)),
    standardError,
    adjustedError: Math.sqrt(adjusted(successes1, n1) + adjusted(successes2, n2)),
  };
};

const logChoose = (n: number, k: number): number => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);

/**
 * Fisher's exact test that two groups pass at one rate, two-sided: the chance of a table that is no likelier than this one, with the same
 * margins. It errs in at most α however few testcases a group has, where the score test calls equal groups near 1 different.
 *
 * Fisher (1935), J. R. Stat. Soc. 98:39–82; which tables count: as R's fisher.test and scipy's fisher_exact.
 */
export const fisherExact = (successes1: number, n1: number, successes2: number, n2: number): number => {
  const successes = successes1 + successes2;
  const all = logChoose(n1 + n2, successes);
  const chanceOf = (k: number) => Math.exp(logChoose(n1, k) + logChoose(n2, successes - k) - all);
  const seen = chanceOf(successes1) * (1 + 1e-7);
  let p = 0;
  for (let k = Math.max(0, successes - n2); k <= Math.min(n1, successes); k++) {
    const chance = chanceOf(k);
    if (chance <= seen) p += chance;
  }
  return Math.min(1, p);
};

/**
 * The standard error of a paired difference with half a pair added to each of the four cells, so that "no pair
 * differed" does not read as "no uncertainty". Agresti & Min (2005), Stat. Med. 24:729–740.
 */
export const adjustedPairedError = (wins: number, losses: number, n: number): number => {
  const [b, c, m] = [wins + 0.5, losses + 0.5, n + 2];
  return Math.sqrt((b + c) / m - ((b - c) / m) ** 2) / Math.sqrt(m);
};

/** The power of a minimum detectable difference. */
export const defaultPower = 0.8;

/** z(1−α/2) + z(power): the number of standard errors that a detectable difference has. */
export const detectableErrors = (level = defaultLevel, power = defaultPower): number =>
  zOf(level) + normalQuantile(power);

/**
 * The smallest true difference of paired pass rates that McNemar's test detects with this power, by the variance under that difference,
 * which adds discordant pairs to those from noise. The δ with
 *
 *   δ·√n = z(1−α/2)·√ψ + z(power)·√(ψ − δ²),  ψ = discordant share without the difference seen, plus δ
 *
 * Connor (1987), Biometrics 43:207–211; the discordant share with half a pair added to each cell (Agresti & Min 2005). At most 1.
 */
export const detectablePairedRates = (
  wins: number,
  losses: number,
  n: number,
  level: number,
  power: number,
): number => {
  const [b, c, m] = [wins + 0.5, losses + 0.5, n + 2];
  const noise = (b + c) / m;
  const seen = Math.abs(b - c) / m;
  const excess = (delta: number): number => {
    const discordant = Math.min(1, noise + Math.max(0, delta - seen));
    const spread = zOf(level) * Math.sqrt(discordant);
    return (
      delta * Math.sqrt(m) - spread - normalQuantile(power) * Math.sqrt(Math.max(0, discordant - delta ** 2))
    );
  };
  return excess(1) <= 0 ? 1 : bisect(excess, 0, 1);
};
