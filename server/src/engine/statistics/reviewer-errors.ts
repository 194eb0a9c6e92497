/** How often people err, from their blind reviews of the same records, and the effect on a rate from their labels. */
import type { Caveat, Interval } from './estimate-schema.ts';
import { zOf } from './intervals.ts';

/** Who stands behind a label. */
export interface ReviewedLabel {
  /** Number of blind reviews of the record, and how many of them pass it. A label from elsewhere has none. */
  reviews: number;
  passes: number;
  /** Whether the label is the majority of its reviews, else the latest one. */
  isMajority: boolean;
}

/** The rate at which a reviewer errs, and its uncertainty. */
export interface ReviewerError {
  /** Number of records with two or more blind reviews. */
  numRecords: number;
  /** Mean share of pairs of reviews that differ. */
  disagreement: number;
  error: number;
  standardError: number;
  interval: Interval;
}

/** With fewer records that two people reviewed blindly, their error is too uncertain to be used. */
const fewestRecords = 30;

/** Two people who err in a share ε each, independently, differ in 2ε(1 − ε) of records. */
const errorOf = (disagreement: number): number => (1 - Math.sqrt(Math.max(0, 1 - 2 * disagreement))) / 2;

/** Reviewers who toss coins differ on one half of all records. From here on their labels say little, and the interval becomes very wide. */
const mostDisagreement = 0.42;

/**
 * Estimates how often a reviewer errs, from the records with two or more blind reviews: the model of Dawid & Skene (1979), Appl. Stat.
 * 28:20–28, with one error rate for all people, for passes and for failures, which has a closed form. Two raters do not determine more (Hui
 * & Walter 1980, Biometrics 36:167–171). Null with fewer than 30 such records.
 */
export const estimateReviewerError = (
  labels: readonly ReviewedLabel[],
  level: number,
): ReviewerError | null => {
  const shares = labels.flatMap(({ reviews: r, passes: c }) =>
    r < 2 ? [] : [(2 * c * (r - c)) / (r * (r - 1))],
  );
  const n = shares.length;
  if (n < fewestRecords) return null;
  const seen = shares.reduce((a, b) => a + b, 0) / n;
  const disagreement = Math.min(mostDisagreement, seen);
  const squares = shares.reduce((sum, share) => sum + (share - seen) ** 2, 0);
  // Half a record more that differs and half one that does not: people who never differed may still err.
  const smoothed = (n * disagreement + 0.5) / (n + 1);
  const variance =
    Math.max(squares / n, (smoothed * (1 - smoothed) * Math.min(1, n * seen)) / 3, 0.5 / n) / n;
  const error = errorOf(disagreement);
  const standardError = Math.sqrt(variance) / (2 * Math.sqrt(1 - 2 * smoothed));
  const half = zOf(level) * standardError;
  const interval = { low: Math.max(0, error - half), high: Math.min(0.5, error + half) };
  return { numRecords: n, disagreement: seen, error, standardError, interval };
};

const choose = (n: number, k: number): number => {
  let ways = 1;
  for (let i = 0; i < k; i++) ways *= (n - i) / (i + 1);
  return ways;
};

/** Chance that at least `k` of `n` reviews err. */
const atLeast = (k: number, n: number, error: number): number => {
  let sum = 0;
  for (let i = k; i <= n; i++) sum += choose(n, i) * error ** i * (1 - error) ** (n - i);
  return sum;
};

/** Shares of labels that fail a record that is good, and that pass one that is bad. The median of an even number of reviews is the lower one. */
export const labelErrors = (
  labels: readonly ReviewedLabel[],
  error: number,
): { good: number; bad: number } => {
  const counts = Map.groupBy(labels, ({ reviews, isMajority }) => (isMajority ? Math.max(1, reviews) : 1));
  let [good, bad] = [0, 0];
  for (const [r, own] of counts) {
    const needed = Math.floor((r + 1) / 2);
    good += own.length * atLeast(needed, r, error);
    bad += own.length * atLeast(r - needed + 1, r, error);
  }
  return { good: good / labels.length, bad: bad / labels.length };
};

/** The share of good records, given the share that labels pass. */
export const shareOfGood = (passed: number, { good, bad }: { good: number; bad: number }): number =>
  (passed - bad) / (1 - good - bad);

const unit = (x: number): number => Math.min(1, Math.max(0, x));

/**
 * A rate by labels, corrected for the errors of those who gave them. The interval adds the uncertainty of these errors to its own
 * (square-and-add; Zou & Donner 2008).
 */
export const correctForReviewers = (
  rate: { estimate: number; standardError: number; interval: Interval },
  labels: readonly ReviewedLabel[],
  { error, standardError, interval }: ReviewerError,
): { estimate: number; standardError: number; interval: Interval } => {
  const at = (passed: number, by: number) => shareOfGood(passed, labelErrors(labels, by));
  const estimate = at(rate.estimate, error);
  const [low, high] = [at(rate.interval.low, error), at(rate.interval.high, error)];
  const moved = [at(rate.estimate, interval.low), at(rate.estimate, interval.high)];
  const ofLabels = at(rate.estimate + rate.standardError, error) - estimate;
  const ofPeople = at(rate.estimate, Math.min(0.45, error + standardError)) - estimate;
  return {
    estimate: unit(estimate),
    standardError: Math.hypot(ofLabels, ofPeople),
    interval: {
      low: unit(estimate - Math.hypot(estimate - low, estimate - Math.min(estimate, ...moved))),
      high: unit(estimate + Math.hypot(high - estimate, Math.max(estimate, ...moved) - estimate)),
    },
  };
};

/** Two runs whose labels err within this of each other: beyond it the errors do not cancel in a difference of 0. */
const alike = 0.0025;

/**
 * Corrects the difference of two rates for the errors of those who labelled both runs. Errors as frequent on passes as on failures draw both
 * rates towards one half, so a difference shrinks by 1 − good − bad, and one of 0 stays 0: its p does not change. The interval adds the
 * uncertainty of the errors as that of a rate does. Null if the labels of the two runs err differently, such as single reviews in one and
 * majorities in the other.
 */
export const correctDifferenceForReviewers = (
  difference: number,
  intervalAt: (level: number) => Interval | null,
  [before, after]: readonly [readonly ReviewedLabel[], readonly ReviewedLabel[]],
  { error, standardError }: ReviewerError,
) => {
  const [ofBefore, ofAfter] = [labelErrors(before, error), labelErrors(after, error)];
  if (Math.abs(ofBefore.bad - ofAfter.bad) > alike || Math.abs(ofBefore.good - ofAfter.good) > alike)
    return null;
  const all = [...before, ...after];
  const timesAt = (by: number): number => {
    const { good, bad } = labelErrors(all, Math.min(0.45, Math.max(0, by)));
    return 1 / (1 - good - bad);
  };
  const times = timesAt(error);
  const bounded = (value: number) => Math.min(1, Math.max(-1, value));
  const correctedAt = (level: number): Interval | null => {
    const plain = intervalAt(level);
    if (!plain) return null;
    const estimate = difference * times;
    const half = zOf(level) * standardError;
    const moved = [difference * timesAt(error - half), difference * timesAt(error + half)];
    return {
      low: bounded(
        estimate - Math.hypot(estimate - plain.low * times, estimate - Math.min(estimate, ...moved)),
      ),
      high: bounded(
        estimate + Math.hypot(plain.high * times - estimate, Math.max(estimate, ...moved) - estimate),
      ),
    };
  };
  return { times, difference: bounded(difference * times), intervalAt: correctedAt };
};

/** From this change on, people's errors matter to a reader. */
const noticeable = 0.01;

/** Says by how much people's errors move a number that is not corrected for them. */
export const caveatOfReviewers = (found: ReviewerError | null, moves: number, what: string): Caveat | null =>
  found === null || Math.abs(moves) < noticeable
    ? null
    : {
        code: 'peopleErr',
        sentence: `two people differ on ${percent(found.disagreement)} of ${found.numRecords} records that they reviewed blindly, so each errs in about ${percent(found.error)}: ${what}`,
      };

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Assumption of a number that was corrected for people's errors. */
export const reviewersInWords = ({ error, numRecords }: ReviewerError): string =>
  `reviewers err independently, on passes as often as on failures (in ${percent(error)}, by ${numRecords} records that several reviewed blindly)`;
