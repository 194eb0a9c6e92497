import type { Interval } from './estimate-schema.ts';
import { defaultLevel } from './intervals.ts';
import { seededRandom } from './random.ts';

export interface SignFlip {
  /** Two-sided: twice the smaller tail. */
  p: number;
  /** The differences Δ that the same test does not reject; null when no assignment of signs is rare enough. */
  interval: Interval | null;
  /** Number of assignments of signs that were evaluated, including the observed one. */
  assignments: number;
  /** Null if every assignment was enumerated instead of drawn. */
  seed: number | null;
}

/** Up to this many differences all 2^n assignments are enumerated. */
const enumerable = 13;
const drawn = 9_999;
/** Maximum number of additions of one test, about 0.1 s. Beyond it fewer assignments are drawn, but at least 999. */
const budget = 100_000_000;

const bitCount = (word: number): number => {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** Sum and size of each non-empty subset, by adding one difference at a time. */
const enumerateSubsets = (differences: ArrayLike<number>): [sums: Float64Array, sizes: Uint32Array] => {
  const total = 2 ** differences.length;
  const sums = new Float64Array(total);
  const sizes = new Uint32Array(total);
  for (let subset = 1; subset < total; subset++) {
    const last = 31 - Math.clz32(subset);
    const rest = subset ^ (1 << last);
    sums[subset] = sums[rest]! + differences[last]!;
    sizes[subset] = sizes[rest]! + 1;
  }
  return [sums.subarray(1), sizes.subarray(1)];
};

/** Sum and size of random non-empty subsets, each member in with probability ½: 32 members a random word. */
const drawSubsets = (
  differences: ArrayLike<number>,
  seed: number,
): [sums: Float64Array, sizes: Uint32Array] => {
  const random = seededRandom(seed);
  const n = differences.length;
  const nonzero = Float64Array.from(differences).filter((difference) => difference !== 0);
  const m = nonzero.length;
  const count = Math.max(999, Math.min(drawn, Math.floor(budget / (m + n / 32))));
  const sums = new Float64Array(count);
  const sizes = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let [sum, size] = [0, 0];
    while (size === 0) {
      for (let from = 0; from < n; from += 32) {
        // If a difference is 0, only the size changes: the remaining words are counted, not added.
        const left = n - from;
        let word = left >= 32 ? random() : random() >>> (32 - left);
        size += bitCount(word);
        for (let j = from; word !== 0 && j < m; j++) {
          if (word & 1) sum += nonzero[j]!;
          word >>>= 1;
        }
      }
    }
    sums[i] = sum;
    sizes[i] = size;
  }
  return [sums, sizes];
};

/**
 * The sign-flip (paired randomization) test that differences are as likely in one direction as in the other, and the
 * interval that inverts it.
 *
 * Flipping the signs of a subset F of the differences minus Δ gives a sum as large as the one seen exactly when the
 * mean of F is ≤ Δ. So the tail at Δ is the share of subsets with mean ≤ Δ, and the interval runs between the
 * k-th smallest and k-th largest subset mean, k = ⌊(1 − level)/2 · assignments⌋: Hartigan's typical values.
 *
 * Fisher (1935), The Design of Experiments, §21; Hartigan (1969), JASA 64:1303–1317; the assignment seen counts as one
 * of those drawn, so p is never 0: Phipson & Smyth (2010), Stat. Appl. Genet. Mol. Biol. 9:39.
 */
export const signFlip = (differences: ArrayLike<number>, seed: number, level = defaultLevel): SignFlip => {
  const n = differences.length;
  const exact = n <= enumerable;
  const [sums, sizes] = exact ? enumerateSubsets(differences) : drawSubsets(differences, seed);
  let magnitude = 0;
  for (let i = 0; i < n; i++) magnitude += Math.abs(differences[i]!);
  // .1 + .2 − .3 is a tie, not 5.6e-17.
  const tie = 1e-12 * magnitude;
  let [atMost, atLeast] = [1, 1];
  const means = new Float64Array(sums.length);
  for (let i = 0; i < sums.length; i++) {
    if (sums[i]! <= tie) atMost++;
    if (sums[i]! >= -tie) atLeast++;
    means[i] = Math.abs(sums[i]!) <= tie ? 0 : sums[i]! / sizes[i]!;
  }
  means.sort();
  const assignments = means.length + 1;
  // 1 − .95 is .05000000000000004 in binary: without the nudge 40 assignments would allow k = 0 or 1 by rounding.
  const k = Math.floor(((1 - level) / 2) * assignments + 1e-9);
  return {
    p: Math.min(1, (2 * Math.min(atMost, atLeast)) / assignments),
    interval: k < 1 ? null : { low: means[k - 1]!, high: means[means.length - k]! },
    assignments,
    seed: exact ? null : seed,
  };
};
