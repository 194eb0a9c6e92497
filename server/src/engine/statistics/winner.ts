/** Estimates how good the best of several tries is, corrected for its choice by the same scores. */
import { normalCdf, normalQuantile } from './distributions.ts';
import type { Interval } from './estimate-schema.ts';
import { seededRandom, uniform } from './random.ts';

export type Winner = {
  /** Index of the best try. */
  winner: number;
  /** Number of testcases that all tries share. */
  n: number;
  /** Its observed mean. */
  mean: number;
  /** Its mean, corrected for the choice (median-unbiased). */
  estimate: number;
  interval: Interval;
};

/** Share of the error that the hybrid interval spends on the bound around the mean. */
const shareOfBound = 0.1;

/** Covariances of the means with the best one. */
const covariancesWith = (
  scores: readonly Float64Array[],
  means: readonly number[],
  winner: number,
): number[] => {
  const best = scores[winner]!;
  const n = best.length;
  return scores.map((values, j) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += (values[i]! - means[j]!) * (best[i]! - means[winner]!);
    return sum / (n - 1) / n;
  });
};

/**
 * The ends between which the best mean could move and still be the best, given what does not depend on it: the part of each other mean that is
 * independent of it.
 */
const limitsOf = (means: readonly number[], covariances: readonly number[], winner: number): Interval => {
  const variance = covariances[winner]!;
  const limits = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  for (const [j, mean] of means.entries()) {
    const slope = 1 - covariances[j]! / variance;
    if (j === winner || Math.abs(slope) < 1e-9) continue;
    const place = (mean - (covariances[j]! / variance) * means[winner]!) / slope;
    if (slope > 0) limits.low = Math.max(limits.low, place);
    else limits.high = Math.min(limits.high, place);
  }
  return limits;
};

/**
 * Means of whole numbers lie on a grid, on which two tries may be equally good. Noise of half a step, from a fixed seed, decides between them and
 * keeps the distribution smooth.
 */
const smoothed = (scores: readonly Float64Array[], means: readonly number[]): number[] => {
  if (!scores.every((values) => values.every(Number.isInteger))) return [...means];
  const random = seededRandom(1);
  return means.map((mean) => mean + (uniform(random) - 0.5) / scores[0]!.length);
};

/**
 * The best of several tries with its estimate and interval corrected for the choice. The hybrid of Andrews, Kitagawa & McCloskey (2024), Q. J. Econ.
 * 139:305–358: given that it won, its mean follows a truncated normal distribution; a bound around the mean, which all tries share (Bonferroni), keeps
 * the interval short if two tries are close. As in Wilson's interval, the error is that of the true mean on a scale with ends: the one seen is too
 * small where the best looks too good. Each row has the scores of one try, testcase by testcase. Null without spread.
 */
export const winnerOf = (scores: readonly Float64Array[], bounds: Interval, level: number): Winner | null => {
  const n = scores[0]?.length ?? 0;
  if (scores.length < 2 || n < 2) return null;
  const means = scores.map((values) => values.reduce((a, b) => a + b, 0) / n);
  const smooth = smoothed(scores, means);
  const winner = smooth.indexOf(Math.max(...smooth));
  const seen = smooth[winner]!;
  const mean = means[winner]!;
  const covariances = covariancesWith(scores, means, winner);
  const roomAt = (truth: number) => (truth - bounds.low) * (bounds.high - truth);
  const errorOfOne = Math.sqrt(covariances[winner]! / roomAt(mean));
  if (!(errorOfOne > 0)) return null;
  const alpha = 1 - level;
  const ofBound = shareOfBound * alpha;
  const critical = normalQuantile(1 - ofBound / (2 * scores.length));
  const { low, high } = limitsOf(smooth, covariances, winner);
  /** The chance of a mean at most as high as the one seen, if this is the true one. Falls as the true one rises. */
  const chanceBelow = (truth: number): number => {
    const error = errorOfOne * Math.sqrt(roomAt(truth));
    const share = (x: number) => normalCdf((x - truth) / error);
    const [from, to] = [Math.max(low, truth - critical * error), Math.min(high, truth + critical * error)];
    const all = share(to) - share(from);
    if (!(all > 0)) return seen <= truth ? 0 : 1;
    return Math.min(1, Math.max(0, (share(seen) - share(from)) / all));
  };
  const truthAt = (chance: number): number => {
    let [below, above] = [bounds.low, bounds.high];
    for (let i = 0; i < 60; i++) {
      const middle = (below + above) / 2;
      if (chanceBelow(middle) > chance) below = middle;
      else above = middle;
    }
    return (below + above) / 2;
  };
  const tail = (alpha - ofBound) / (1 - ofBound) / 2;
  return {
    // The noise of half a step may lift it a little above the mean.
    winner,
    n,
    mean,
    estimate: Math.min(mean, truthAt(0.5)),
    interval: { low: truthAt(1 - tail), high: truthAt(tail) },
  };
};
