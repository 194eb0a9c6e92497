import { defaultLevel, type Interval, zOf } from './intervals.ts';

/** Each bin is wider than the last by this factor, so that a value read from a bin is at most 2 % off. */
export const binRatio = 1.04;

/** Counts of values by bin: bin b holds those from binRatio^b to binRatio^(b+1). */
export type Bins = ReadonlyMap<number, number>;

export interface Percentile {
  n: number;
  estimate: number | null;
  /** Null when there are too few values on one side. */
  interval: Interval | null;
}

const middleOf = (bin: number): number => binRatio ** (bin + 0.5);

/**
 * A percentile of binned values with its interval between order statistics, which assumes no shape of the distribution: the ranks
 * n·q ± z·√(n·q(1−q)) (Hahn & Meeker 1991, Statistical Intervals, 5.2).
 */
export const binnedPercentile = (bins: Bins, q: number, level = defaultLevel): Percentile => {
  const sorted = [...bins].sort(([a], [b]) => a - b);
  const n = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (n === 0) return { n, estimate: null, interval: null };
  const at = (rank: number): number => {
    let below = 0;
    for (const [bin, count] of sorted) {
      below += count;
      if (below >= rank) return middleOf(bin);
    }
    return middleOf(sorted.at(-1)![0]);
  };
  const half = zOf(level) * Math.sqrt(n * q * (1 - q));
  const [low, high] = [Math.floor(n * q - half), Math.ceil(n * q + half) + 1];
  return {
    n,
    estimate: at(Math.max(1, Math.ceil(n * q))),
    interval: low < 1 || high > n ? null : { low: at(low), high: at(high) },
  };
};
