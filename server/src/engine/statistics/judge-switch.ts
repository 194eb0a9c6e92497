/** A rate across a change of judges: the rate that the new judge would have given, and the judge's part of a change. */
import { defaultLevel, zOf } from './intervals.ts';
import type { AnchoredRate, Part, SplitChange } from './switch-schema.ts';

/** Verdicts of a judge and of its successor on the records that people decided alike. */
export interface SwitchedShare {
  before: number;
  difference: number;
  standardError: number;
}

/** Two judges, as a trial on labelled records found them. */
export interface JudgeSwitch {
  passedByPeople: SwitchedShare;
  failedByPeople: SwitchedShare;
}

/** A number with its standard error. */
export type Rate = Omit<Part, 'interval'>;

const partOf = ({ estimate, standardError }: Rate, level: number): Part => {
  const half = zOf(level) * standardError;
  return { estimate, standardError, interval: { low: estimate - half, high: estimate + half } };
};

/** Below this sensitivity + specificity − 1 the judge gives no information on the share of good records. */
const leastYouden = 0.1;

/**
 * How much higher the successor's rate is than this rate of the judge before it: π·Δsensitivity + (1 − π)·Δfalse passes, where π, the share
 * that people would pass, is Rogan and Gladen's (1978, Am. J. Epidemiol. 107:71–76). The error is by the delta method. A judge near chance
 * does not determine π: it is then one half, with the error of a uniform share.
 */
export const shiftOf = (
  { passedByPeople: good, failedByPeople: bad }: JudgeSwitch,
  { estimate, standardError }: Rate,
): Rate => {
  const youden = good.before - bad.before;
  const known = youden >= leastYouden;
  const share = known ? Math.min(1, Math.max(0, (estimate - bad.before) / youden)) : 0.5;
  const ofShare = known ? Math.min(standardError / youden, Math.sqrt(1 / 12)) : Math.sqrt(1 / 12);
  return {
    estimate: share * good.difference + (1 - share) * bad.difference,
    standardError: Math.hypot(
      share * good.standardError,
      (1 - share) * bad.standardError,
      (good.difference - bad.difference) * ofShare,
    ),
  };
};

/** The shift across several switches, one after the other. */
export const shiftAcross = (switches: readonly JudgeSwitch[], rate: Rate): Rate => {
  let total: Rate = { estimate: 0, standardError: 0 };
  for (const one of switches) {
    const shift = shiftOf(one, { ...rate, estimate: rate.estimate + total.estimate });
    total = {
      estimate: total.estimate + shift.estimate,
      standardError: Math.hypot(total.standardError, shift.standardError),
    };
  }
  return total;
};

export const anchor = (switches: readonly JudgeSwitch[], rate: Rate, level = defaultLevel): AnchoredRate => {
  const shift = shiftAcross(switches, rate);
  const standardError = Math.hypot(rate.standardError, shift.standardError);
  const moved = partOf({ estimate: rate.estimate + shift.estimate, standardError }, level);
  const { low, high } = moved.interval;
  const interval = { low: Math.max(0, low), high: Math.min(1, high) };
  return {
    ...moved,
    estimate: Math.min(1, Math.max(0, moved.estimate)),
    interval,
    shift: partOf(shift, level),
  };
};

const points = (share: number): string => `${share < 0 ? '−' : '+'}${(100 * Math.abs(share)).toFixed(1)}`;
const wordsOf = ({ estimate, interval: { low, high } }: Part): string =>
  `${points(estimate)} points (${points(low)} to ${points(high)})`;

/**
 * Splits the change from `before`, a rate by the judge before the switches, to `after`, a rate by the judge after them. `ofDifference` is
 * the standard error of the change if the runs are paired; without it the rates count as independent.
 */
export const splitChange = (
  switches: readonly JudgeSwitch[],
  before: Rate,
  after: Rate,
  { level = defaultLevel, ofDifference }: { level?: number; ofDifference?: number | null | undefined } = {},
): SplitChange => {
  const shift = shiftAcross(switches, before);
  const total = after.estimate - before.estimate;
  const noise = ofDifference ?? Math.hypot(before.standardError, after.standardError);
  const judge = partOf(shift, level);
  const system = partOf(
    { estimate: total - shift.estimate, standardError: Math.hypot(noise, shift.standardError) },
    level,
  );
  const sentence = `${points(total)} points: the system ${wordsOf(system)}, the judge ${wordsOf(judge)}`;
  return { total, system, judge, sentence };
};

/** Exchanges the two ends: a change from the new judge back to the old one. */
export const reversed = ({ total, system, judge }: SplitChange): SplitChange => {
  const negative = ({ estimate, standardError, interval: { low, high } }: Part): Part => ({
    estimate: -estimate,
    standardError,
    interval: { low: -high, high: -low },
  });
  const parts = { total: -total, system: negative(system), judge: negative(judge) };
  return {
    ...parts,
    sentence: `${points(parts.total)} points: the system ${wordsOf(parts.system)}, the judge ${wordsOf(parts.judge)}`,
  };
};
