/** A test that allows a look after every testcase: its error rate holds for all looks together. */
import type { Interval } from './estimate-schema.ts';
import { defaultLevel } from './intervals.ts';

export interface SequentialTest {
  /** Evidence against equal systems: the capital that a gambler would have made of 1 in a game that is fair if the systems are equal. */
  eValue: number;
  /** Anytime-valid: at most α at any time, however often one looks. */
  p: number;
  /** Confidence sequence of the mean difference: holds the truth at all looks together. */
  interval: Interval;
  /** Number of testcases, in their order, after which the evidence was reached; null if it never was. */
  decidedAfter: number | null;
}

/**
 * The bets of the mixture, equally weighted. A bet s stakes the share |s| of the largest possible loss. At equal systems this is
 * the mixture over P(win | discordant) = (1 + s)/2.
 */
const bets = Float64Array.from({ length: 64 }, (_, j) => (2 * j + 1) / 64 - 1);

type Counts = [value: number, count: number][];

/** Each value with its count, rounded for bets on a gain and for bets on a loss. The order of values does not matter. */
type Counted = { up: Counts; down: Counts };

const countValues = (values: Float64Array): Counts => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
};

/** Up to this many values are counted without rounding. */
const mostValues = 4096;

/**
 * Counts values. Many different ones are rounded to a grid, against each bet: down for bets on a gain and up for those on a loss. The
 * capital can only become less by that, so the test stays valid, and 100,000 floats take a second instead of a minute.
 */
const countShares = (shares: Float64Array): Counted => {
  const counts = countValues(shares);
  if (counts.length <= mostValues) return { up: counts, down: counts };
  const round = (how: (x: number) => number) =>
    countValues(shares.map((x) => how(x * mostValues) / mostValues));
  return { up: round(Math.floor), down: round(Math.ceil) };
};

const logMeanExp = (logs: Float64Array): number => {
  const largest = logs.reduce((most, log) => Math.max(most, log), Number.NEGATIVE_INFINITY);
  return largest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - largest), 0) / logs.length);
};

/** Factor by which a bet s on x in [0, 1] multiplies the capital if the mean is m: 1 + λ(x − m), λ = s/m or s/(1 − m), never below 1 − |s|. */
const gain = (s: number, x: number, m: number): number => 1 + (s > 0 ? s / m : s / (1 - m)) * (x - m);

const logCapital = ({ up, down }: Counted, m: number): number =>
  logMeanExp(
    bets.map((s) =>
      (s > 0 ? up : down).reduce((sum, [x, count]) => sum + count * Math.log(gain(s, x, m)), 0),
    ),
  );

/** The m between `inside` and `outside` at which the capital reaches the threshold; `outside` if it does not. */
const edge = (counts: Counted, threshold: number, inside: number, outside: number): number => {
  let [kept, rejected] = [inside, outside];
  for (let i = 0; i < 40; i++) {
    const middle = (kept + rejected) / 2;
    if (logCapital(counts, middle) < threshold) kept = middle;
    else rejected = middle;
  }
  return rejected;
};

const decidedAfter = (shares: Float64Array, threshold: number): number | null => {
  const logs = new Float64Array(bets.length);
  for (const [i, x] of shares.entries()) {
    if (x === 0.5) continue;
    for (let j = 0; j < logs.length; j++) logs[j]! += Math.log(gain(bets[j]!, x, 0.5));
    // The mean is at most the largest value, so most testcases need no sum.
    if (logs.some((log) => log >= threshold) && logMeanExp(logs) >= threshold) return i + 1;
  }
  return null;
};

const sharesOf = (differences: Float64Array, size: number): Float64Array =>
  differences.map((difference) => Math.min(1, Math.max(0, (difference / size + 1) / 2)));

/** The log of the evidence that differences between −`size` and `size` do not have mean 0; without the rest of the test. */
export const logEvidence = (differences: Float64Array, size: number): number =>
  logCapital(countShares(sharesOf(differences, size)), 0.5);

/**
 * Tests by betting that differences between −`size` and `size` have mean 0, and inverts the test into a confidence sequence.
 *
 * The capital ∏(1 + λ(xᵢ − m)), averaged over fixed bets, is a non-negative martingale if the mean is m. By Ville's (1939) inequality
 * it ever exceeds 1/α with probability α at most, so that the error holds whenever one looks and stops. Waudby-Smith & Ramdas
 * (2024), J. R. Stat. Soc. B 86:1–27; mixtures: Robbins (1970), Ann. Math. Stat. 41:1397–1409. With passes and failures only the
 * discordant pairs count.
 */
export const sequentialTest = (
  differences: Float64Array,
  size: number,
  level = defaultLevel,
): SequentialTest => {
  const shares = sharesOf(differences, size);
  const counts = countShares(shares);
  const threshold = -Math.log(1 - level);
  const mean = shares.reduce((a, b) => a + b, 0) / shares.length;
  const log = logCapital(counts, 0.5);
  const toDifference = (share: number): number => size * (2 * share - 1);
  return {
    eValue: Math.exp(Math.min(700, log)),
    p: Math.min(1, Math.exp(-log)),
    interval: {
      low: mean === 0 ? -size : toDifference(edge(counts, threshold, mean, 0)),
      high: mean === 1 ? size : toDifference(edge(counts, threshold, mean, 1)),
    },
    decidedAfter: decidedAfter(shares, threshold),
  };
};
