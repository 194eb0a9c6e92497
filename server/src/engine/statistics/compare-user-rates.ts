/** The difference of two pass rates of traffic, whose records come from users that may be in both. */
import type { Caveat, Interval } from './estimate-schema.ts';
import { defaultLevel } from './intervals.ts';
import { pFromIntervals } from './invert-intervals.ts';
import { numUserGroups, rateOfUserSums, type ValueOf } from './user-sums.ts';

/** Passes and records of a window or of a version, and those with a user by group of users. */
export interface RateOfUsers {
  passes: number;
  n: number;
  users: { sizes: number[]; passes: number[] };
}

export interface UserRateChange {
  before: number | null;
  after: number | null;
  difference: number | null;
  interval: Interval | null;
  /** Returns the interval at another level. */
  intervalAt: (level: number) => Interval | null;
  p: number | null;
  caveats: Caveat[];
}

/** The influence of each group of users on a rate, and the variance of records without a user. */
const influenceOf = ({ passes, n, users: { sizes, passes: own } }: RateOfUsers) => {
  const rate = passes / n;
  const alone = n - sizes.reduce((sum, size) => sum + size, 0);
  return {
    ofGroups: Array.from({ length: numUserGroups }, (_, g) => ((own[g] ?? 0) - rate * (sizes[g] ?? 0)) / n),
    ofOthers: (alone * rate * (1 - rate)) / n ** 2,
  };
};

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** Correlation of both rates: a user who is in both has the same group in both. */
const correlationOf = (before: RateOfUsers, after: RateOfUsers): number => {
  const [one, two] = [influenceOf(before), influenceOf(after)];
  const [ofOne, ofTwo] = [one, two].map(({ ofGroups, ofOthers }) => dot(ofGroups, ofGroups) + ofOthers) as [
    number,
    number,
  ];
  return ofOne * ofTwo > 0 ? dot(one.ofGroups, two.ofGroups) / Math.sqrt(ofOne * ofTwo) : 0;
};

/**
 * Compares two rates by the square-and-add of their intervals, with their correlation over groups of users: a user who returns in the second
 * week is not a second fact. `p` is the α at which the interval reaches 0.
 *
 * Zou (2007), Psychol. Methods 12:399–413; random groups: Wolter (2007), Introduction to Variance Estimation, ch. 2.
 */
export const compareUserRates = (
  before: RateOfUsers,
  after: RateOfUsers,
  level = defaultLevel,
  of: ValueOf = 'record',
): UserRateChange => {
  const rateAt = ({ passes, n, users }: RateOfUsers, at: number) => rateOfUserSums(passes, n, users, at, of);
  const [first, second] = [rateAt(before, level), rateAt(after, level)];
  const rates = { before: first.estimate, after: second.estimate };
  const caveats = [...first.caveats, ...second.caveats].filter(
    (caveat, i, all) => all.findIndex(({ code }) => code === caveat.code) === i,
  );
  if (first.estimate === null || second.estimate === null)
    return { ...rates, difference: null, interval: null, intervalAt: () => null, p: null, caveats };
  const correlation = correlationOf(before, after);
  const [x, y] = [first.estimate, second.estimate];
  const intervalAt = (at: number): Interval | null => {
    const [ofX, ofY] = [rateAt(before, at).interval, rateAt(after, at).interval];
    if (!ofX || !ofY) return null;
    const length = (a: number, b: number) => Math.sqrt(Math.max(0, a * a + b * b - 2 * correlation * a * b));
    return {
      low: y - x - length(y - ofY.low, ofX.high - x),
      high: y - x + length(ofY.high - y, x - ofX.low),
    };
  };
  return {
    ...rates,
    difference: y - x,
    interval: intervalAt(level),
    intervalAt,
    p: pFromIntervals(intervalAt),
    caveats,
  };
};
