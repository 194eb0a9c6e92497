import { type Bins, binRatio } from './percentile.ts';
import { regularizedBeta } from './special.ts';

/** Windows of each length in a year. */
const windowsOfYear = { hour: 8_766, day: 365.25 };
export type WindowLength = keyof typeof windowsOfYear;

/**
 * The chance of a false alarm that each test of a window may have, so that `tests` limits together raise at most `falseAlarmsPerYear` a
 * year on average. Alarms add up whether or not windows depend on each other.
 */
export const errorOfWindow = (window: WindowLength, falseAlarmsPerYear: number, tests: number): number =>
  Math.min(0.05, falseAlarmsPerYear / (windowsOfYear[window] * Math.max(1, tests)));

/** The records that lie above a limit, of binned values. A bin that the limit cuts does not count: it may lie below. */
export const countAbove = (bins: Bins, limit: number): { n: number; above: number } => {
  const first = Math.ceil(Math.log(limit) / Math.log(binRatio) - 1e-9);
  let [n, above] = [0, 0];
  for (let bin = 0; bin < bins.length; bin++) {
    const count = bins[bin] ?? 0;
    n += count;
    if (bin >= first) above += count;
  }
  return { n, above };
};

/**
 * One-sided p of "at most the share `1 − q` of the values lies above the limit", which is "the q-quantile is at most the limit": the exact
 * binomial tail, which has no least number of values as the interval between order statistics does.
 */
export const pOfQuantileAbove = ({ n, above }: { n: number; above: number }, q: number): number =>
  above === 0 ? 1 : regularizedBeta(1 - q, q, above, n - above + 1)[0];
