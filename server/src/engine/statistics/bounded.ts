/** Intervals on a scale with ends. Student's t ignores the ends, and gives no interval for equal values. */

import { normalQuantile, tQuantile } from './distributions.ts';
import type { Caveat, Interval } from './estimate-schema.ts';

/** Wilson's interval of a share p that rests on n units, with any critical value. */
export const wilsonOf = (p: number, n: number, critical: number): Interval => {
  const c2 = critical ** 2;
  const centre = (p + c2 / (2 * n)) / (1 + c2 / n);
  const half = Math.sqrt((c2 * (p * (1 - p) + c2 / (4 * n))) / n) / (1 + c2 / n);
  // At the ends the formula gives 0 and 1 except for rounding.
  return { low: p === 0 ? 0 : Math.max(0, centre - half), high: p === 1 ? 1 : Math.min(1, centre + half) };
};

/**
 * The interval of a mean on a scale from `low` to `high`: Wilson's on the effective n = p(1 − p)/se², p the mean's place on the
 * scale, with Student's t in place of z. The effective n is the number of passes and failures with the same information.
 *
 * Korn & Graubard (1998), Survey Methodology 24:193–201 (effective n and t); Dean & Pagano (2015), J. Surv. Stat. Methodol.
 * 3:484–503; Franco et al. (2019), J. Surv. Stat. Methodol. 7:334–364 (Wilson's). Why not t alone: Bowyer, Aitchison & Ivanova
 * (2025), arXiv 2503.01747.
 */
export const boundedInterval = (
  mean: number,
  standardError: number,
  df: number,
  { low, high }: Interval,
  level: number,
): Interval => {
  const size = high - low;
  const p = (mean - low) / size;
  const critical = tQuantile((1 + level) / 2, df);
  if (p <= 0 || p >= 1) {
    // A corrected mean can lie at an end, or beyond it, and still have an error: no share of passes explains it.
    const cut = (x: number) => Math.min(high, Math.max(low, x));
    return { low: cut(mean - critical * standardError), high: cut(mean + critical * standardError) };
  }
  const effective = (p * (1 - p)) / (standardError / size) ** 2;
  const { low: from, high: to } = wilsonOf(p, effective, critical);
  return { low: low + size * from, high: low + size * to };
};

/** The largest share of inputs that none of `units` shows with probability (1 − level)/2: Clopper & Pearson (1934), Biometrika 26:404–413. */
export const unseenShare = (units: number, level: number): number => 1 - ((1 - level) / 2) ** (1 / units);

/**
 * The interval of a mean if all units gave one value: an unseen share of the inputs may give another value, at worst an end of the scale.
 * At an end of the scale the share's bound is Wilson's for 0 of n, inside it Clopper and Pearson's to either side. Both bounds are
 * conservative.
 */
export const intervalWithoutSpread = (
  value: number,
  units: number,
  { low, high }: Interval,
  level: number,
): { method: string; interval: Interval } => {
  const size = high - low;
  if (value <= low || value >= high) {
    const share = wilsonOf(value <= low ? 0 : 1, units, normalQuantile((1 + level) / 2));
    return {
      method: 'wilson, no spread',
      interval: { low: low + size * share.low, high: low + size * share.high },
    };
  }
  const unseen = unseenShare(units, level);
  return {
    method: 'clopper–pearson bound, no spread',
    interval: { low: value - unseen * (value - low), high: value + unseen * (high - value) },
  };
};

/** A difference's interval, cut at the width of the scale: no difference is larger. */
export const within = (interval: Interval, size: number): Interval => ({
  low: Math.max(-size, interval.low),
  high: Math.min(size, interval.high),
});

export const sizeOf = (bounds: Interval | null): number =>
  bounds === null ? Number.POSITIVE_INFINITY : bounds.high - bounds.low;

/** Nearer to an end than this many units, the normal approximation starts to fail. */
const nearEnd = 5;

/** With fewer values away from the end than this, their spread is too uncertain: averaged trials of a few flaky testcases. */
const fewAway = 15;

/**
 * Says that a mean lies so near an end of its scale that its interval can be too narrow. `away` is the number of values that are not at this
 * end; without it only the mean decides.
 */
export const caveatNearBound = (
  mean: number,
  units: number,
  { low, high }: Interval,
  away = Number.POSITIVE_INFINITY,
): Caveat | null => {
  const p = (mean - low) / (high - low);
  if (p <= 0 || p >= 1 || (units * Math.min(p, 1 - p) >= nearEnd && away >= fewAway)) return null;
  return {
    code: 'nearBound',
    sentence: `few independent scores are away from the ${p > 0.5 ? 'top' : 'bottom'} of the scale: the interval may be too narrow`,
  };
};
