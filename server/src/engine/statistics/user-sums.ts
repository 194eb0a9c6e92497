/** Values of one user depend on each other: a mean from sums over random groups of users. */
import { boundedInterval, caveatNearBound, intervalWithoutSpread } from './bounded.ts';
import type { Caveat, Interval } from './estimate-schema.ts';
import { defaultLevel, wilson } from './intervals.ts';
import { type MeanOfSums, meanOfSums, type Sums } from './moments.ts';

/** Number of groups into which users are put by a hash. A user's values of any time are in the same group. */
export const numUserGroups = 64;

/** Sums of the values that have a user, by group of users; empty without such values. */
export interface UserSums {
  sizes: number[];
  sums: number[];
  /** Sum of the squares of all of them. */
  squares: number;
}

/** What a value is of. The spans of a record depend on each other, as the records of a user do. */
export type ValueOf = 'record' | 'span';

const dependentWords: Record<ValueOf, [dependent: string, few: string]> = {
  record: ['the records of a user', 'few users'],
  span: ['the spans of a record', 'few records, or of few users,'],
};

/** Below this many groups of equal size the estimate of the spread is uncertain. */
const fewGroups = 20;

const caveatOfUsers = (equalGroups: number, of: ValueOf): Caveat | null => {
  if (equalGroups >= fewGroups) return null;
  const [dependent, few] = dependentWords[of];
  return {
    code: 'fewGroups',
    sentence: `${dependent} depend on each other, and those of ${few} decide this value (as of about ${Math.max(1, Math.round(equalGroups))}): the interval may be too narrow`,
  };
};

/** Σn² over users, from how unevenly they fill the groups: each user of n values adds n²(1 − 1/G) to the expected sum of squares. */
const squaredSizesOf = (sizes: readonly number[]): number => {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const uneven = sizes.reduce((sum, size) => sum + size * size, 0) - (all * all) / numUserGroups;
  return Math.max(all, (uneven * numUserGroups) / (numUserGroups - 1));
};

/** Returns a caveat for an interval that takes the records of users for independent, if users have several. */
export const caveatOfSameUsers = (sizes: readonly number[]): Caveat | null => {
  const named = sizes.reduce((sum, size) => sum + size, 0);
  // The estimate of Σn² errs by a fifth.
  if (named === 0 || squaredSizesOf(sizes) < 1.5 * named) return null;
  return {
    code: 'dependentRecords',
    sentence:
      'the records of a user depend on each other, and the interval takes them for independent: it may be too narrow',
  };
};

/** A mean with its error, whose values come from users. */
export interface UserMean {
  estimate: number;
  /** Null for one unit. */
  standardError: number | null;
  interval: Interval | null;
  /** Number of independent values with the same information. */
  effectiveN: number;
  caveats: Caveat[];
}

/**
 * A mean of values from `bounds.low` to `bounds.high` with its interval. Each group of users, and each value without a user, is a unit of
 * the error of `clusterError`; the interval is Wilson's on the effective n. If all values are equal, each user counts as one unit. Null if
 * no value has a user.
 *
 * Random groups: Wolter (2007), Introduction to Variance Estimation, ch. 2. Their sums add up over hours, whatever users an hour had, so that
 * a user who returns is one unit in a day and in a week.
 */
export const userMean = (
  { n, sum, squares }: Sums,
  users: UserSums,
  bounds: Interval,
  level = defaultLevel,
  of: ValueOf = 'record',
): UserMean | null => {
  const { sizes } = users;
  const total = (of: (size: number, group: number) => number) =>
    sizes.reduce((all, size, group) => (size > 0 ? all + of(size, group) : all), 0);
  const named = total((size) => size);
  if (named === 0) return null;
  const [mean, alone, size] = [sum / n, n - named, bounds.high - bounds.low];
  const equalGroups = n ** 2 / (total((ofGroup) => ofGroup ** 2) + alone);
  if (total(() => 1) + alone < 2)
    return {
      estimate: mean,
      standardError: null,
      interval: null,
      effectiveN: 1,
      caveats: [caveatOfUsers(1, of)!],
    };
  if (squares - n * mean * mean <= squares * 1e-12) {
    const units = n ** 2 / (squaredSizesOf(sizes) + alone);
    const { interval } = intervalWithoutSpread(mean, units, bounds, level);
    return { estimate: mean, standardError: 0, interval, effectiveN: units, caveats: [] };
  }
  const sumAlone = sum - total((_, group) => users.sums[group]!);
  const spreadAlone = Math.max(0, squares - users.squares - 2 * mean * sumAlone + alone * mean * mean);
  const variance =
    total((ofGroup, group) => (users.sums[group]! - mean * ofGroup) ** 2 / (1 - ofGroup / n)) +
    (spreadAlone * n) / Math.max(1, n - 1);
  const standardError = Math.max(Math.sqrt(variance) / n, 1e-9 * size);
  const share = (mean - bounds.low) / size;
  const effectiveN = (share * (1 - share)) / (standardError / size) ** 2;
  const caveats = [caveatOfUsers(equalGroups, of), caveatNearBound(mean, effectiveN, bounds)];
  return {
    estimate: mean,
    standardError,
    interval: boundedInterval(mean, standardError, Math.max(1, equalGroups - 1), bounds, level),
    effectiveN: Math.min(n, effectiveN),
    caveats: caveats.filter((caveat) => caveat !== null),
  };
};

/** The same for a chart: without users, the interval is that of independent values. */
export const meanOfUserSums = (
  all: Sums,
  users: UserSums,
  bounds: Interval,
  level = defaultLevel,
  of: ValueOf = 'record',
): MeanOfSums => {
  const found = userMean(all, users, bounds, level, of);
  if (!found) return meanOfSums(all, bounds, level);
  const { estimate, interval, caveats } = found;
  return { n: all.n, estimate, interval, caveats };
};

/** A rate, whose passes come from users. Without users it is Wilson's. */
export const rateOfUserSums = (
  passes: number,
  n: number,
  { sizes, passes: sums }: { sizes: number[]; passes: number[] },
  level = defaultLevel,
  of: ValueOf = 'record',
): MeanOfSums => {
  const users = { sizes, sums, squares: sums.reduce((all, one) => all + one, 0) };
  return sizes.some((size) => size > 0)
    ? meanOfUserSums({ n, sum: passes, squares: passes }, users, { low: 0, high: 1 }, level, of)
    : { n, estimate: n === 0 ? null : passes / n, interval: wilson(passes, n, level), caveats: [] };
};
