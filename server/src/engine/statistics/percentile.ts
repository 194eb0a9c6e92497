import type { Interval } from './estimate-schema.ts';
import { defaultLevel, zOf } from './intervals.ts';

/** Each bin is wider than the last by this factor, so that a value read from a bin is at most 2 % off. */
export const binRatio = 1.04;

/** Counts of values by bin: bin b holds those from binRatio^b to binRatio^(b+1). A bin that is absent is empty. */
export type Bins = readonly (number | undefined)[];

export interface Percentile {
  n: number;
  estimate: number | null;
  /** Null when there are too few values on one side. */
  interval: Interval | null;
}

const middleOf = (bin: number): number => binRatio ** (bin + 0.5);

/**
 * Percentiles of binned values, each with its interval between order statistics, which assumes no shape of the distribution: the ranks
 * n·q ± z·√(n·q(1−q)) (Hahn & Meeker 1991, Statistical Intervals, 5.2).
 */
export const binnedPercentiles = (bins: Bins, qs: readonly number[], level = defaultLevel): Percentile[] => {
  // A series of hours by tag has thousands of points: the sums are made once for all ranks of a point.
  const places: number[] = [];
  const upTo: number[] = [];
  let n = 0;
  for (let bin = 0; bin < bins.length; bin++) {
    const count = bins[bin];
    if (!count) continue;
    n += count;
    places.push(bin);
    upTo.push(n);
  }
  if (n === 0) return qs.map(() => ({ n, estimate: null, interval: null }));
  const at = (rank: number): number => {
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle]! >= rank) high = middle;
      else low = middle + 1;
    }
    return middleOf(places[low]!);
  };
  const z = zOf(level);
  return qs.map((q) => {
    const half = z * Math.sqrt(n * q * (1 - q));
    const [low, high] = [Math.floor(n * q - half), Math.ceil(n * q + half) + 1];
    return {
      n,
      estimate: at(Math.max(1, Math.ceil(n * q))),
      interval: low < 1 || high > n ? null : { low: at(low), high: at(high) },
    };
  });
};
