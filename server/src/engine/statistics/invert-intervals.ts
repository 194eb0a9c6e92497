import type { Interval } from './estimate-schema.ts';

/** Lower bound of p: smaller ones are reported as this. */
const smallest = 1e-12;

/**
 * Returns the two-sided p of no difference that belongs to intervals: the smallest α at which the interval of level 1 − α excludes 0.
 * Null if there are no intervals. Intervals of a higher level must contain those of a lower one.
 */
export const pFromIntervals = (at: (level: number) => Interval | null): number | null => {
  const excludes = (alpha: number): boolean | null => {
    const interval = at(1 - alpha);
    return interval && (interval.low > 0 || interval.high < 0);
  };
  if (excludes(0.5) === null) return null;
  if (excludes(smallest)) return smallest;
  if (!excludes(1 - 1e-9)) return 1;
  let [open, excluded] = [Math.log(smallest), 0];
  for (let i = 0; i < 60; i++) {
    const middle = (open + excluded) / 2;
    if (excludes(Math.min(1 - 1e-9, Math.exp(middle)))) excluded = middle;
    else open = middle;
  }
  return Math.exp(excluded);
};
