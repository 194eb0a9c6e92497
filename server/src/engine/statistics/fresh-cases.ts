/**
 * Do fresh testcases pass as often as old ones? Old testcases were looked at before: versions were chosen by them, so versions may look better
 * on them than elsewhere. Fresh ones were seen by no version before the run that takes them (docs/decisions/0275).
 */
import { boundedInterval, wilsonOf } from './bounded.ts';
import { normalCdf, normalQuantile, tQuantile } from './distributions.ts';
import type { Interval } from './estimate-schema.ts';
import { shareOfLook } from './ledger.ts';
import { regularizedBeta } from './special.ts';

/** The answers of a version on testcases that depend on each other: those of one group, else one testcase. */
export type OldUnit = { unit: string; passes: number; n: number };
/** A group of fresh testcases, or one: its share of passes, and how many testcases of the traffic it stands for. */
export type FreshUnit = { unit: string; rate: number; weight: number };
/** A run that took fresh testcases: its version on old ones and on fresh ones. */
export type FreshLook = { old: readonly OldUnit[]; fresh: readonly FreshUnit[] };

/** A run as sums. */
type Summed = {
  rate: number;
  n: number;
  /** How far each old unit is from the rate of all, as its part of the error of the rate. */
  errors: ReadonlyMap<string, number>;
  freshRate: number;
  fresh: readonly FreshUnit[];
};

const sumOf = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

const squares = (errors: ReadonlyMap<string, number>): number =>
  sumOf([...errors.values()].map((error) => error ** 2));

const freshRateOf = (fresh: readonly FreshUnit[]): number =>
  sumOf(fresh.map(({ rate, weight }) => rate * weight)) / sumOf(fresh.map(({ weight }) => weight));

const summed = ({ old, fresh }: FreshLook): Summed => {
  const n = sumOf(old.map((unit) => unit.n));
  const rate = sumOf(old.map(({ passes }) => passes)) / n;
  const errors = new Map(old.map((unit) => [unit.unit, (unit.passes - rate * unit.n) / n]));
  return { rate, n, errors, freshRate: freshRateOf(fresh), fresh };
};

/** How many whole bets a look has: a fresh testcase that stands for less than another is bet on with less. */
const stakeOf = ({ fresh }: Summed): number => {
  const weights = fresh.map(({ weight }) => weight);
  return sumOf(weights) / Math.max(...weights);
};

/** Old testcases over all looks until one, each look by the weight of its fresh testcases. */
type Average = { rate: number; errors: ReadonlyMap<string, number>; effectiveN: number; units: number };

const averagesOf = (looks: readonly Summed[]): Average[] => {
  const sums = new Map<string, number>();
  let [weights, passes, answers] = [0, 0, 0];
  return looks.map((look) => {
    const weight = stakeOf(look);
    weights += weight;
    passes += weight * look.rate;
    answers += look.n;
    for (const [unit, error] of look.errors) sums.set(unit, (sums.get(unit) ?? 0) + weight * error);
    const errors = new Map(Array.from(sums, ([unit, sum]) => [unit, sum / weights]));
    const rate = passes / weights;
    const units = errors.size;
    const variance = (units / Math.max(1, units - 1)) * squares(errors);
    const effectiveN = variance > 0 ? Math.min(answers, (rate * (1 - rate)) / variance) : units;
    return { rate, errors, effectiveN, units };
  });
};

/** How much the luck of the old testcases is the same until two looks: the correlation of the errors, at its lower end. */
const sharedLuck = (a: Average, b: Average): number => {
  const size = Math.sqrt(squares(a.errors) * squares(b.errors));
  const units = Math.min(a.units, b.units);
  if (size === 0 || units < 5) return 0;
  let product = 0;
  for (const [unit, error] of a.errors) product += error * (b.errors.get(unit) ?? 0);
  const correlation = Math.min(1 - 1e-9, product / size);
  // Fisher's z: one standard error below the estimate.
  return Math.min(0.999, Math.max(0, Math.tanh(Math.atanh(correlation) - 1 / Math.sqrt(units - 3))));
};

/** P(X > x, Y > y) of two standard normal variables, by Simpson's rule. */
export const bothAbove = (x: number, y: number, correlation: number): number => {
  const rest = Math.sqrt(1 - correlation ** 2);
  const steps = 60;
  const to = Math.max(x, y, 0) + 7;
  const step = (to - x) / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    const at = x + i * step;
    const value = Math.exp((-at * at) / 2) * normalCdf((correlation * at - y) / rest);
    sum += value * (i === 0 || i === steps ? 1 : i % 2 === 0 ? 2 : 4);
  }
  return (sum * step) / 3 / Math.sqrt(2 * Math.PI);
};

/**
 * The largest chance that look t may leave to its bound, if the chance that it errs and its neighbour does not may be `share`. Errors of
 * versions whose luck is shared come together: P(A or B) = P(A) + P(B) − P(A and B).
 */
const tailBeside = (share: number, neighbour: { tail: number; correlation: number }): number => {
  const y = normalQuantile(1 - neighbour.tail);
  const spent = (tail: number) => tail - bothAbove(normalQuantile(1 - tail), y, neighbour.correlation);
  let [low, high] = [share, Math.min(0.5, share + neighbour.tail)];
  for (let i = 0; i < 14; i++) {
    const middle = (low + high) / 2;
    if (spent(middle) <= share) low = middle;
    else high = middle;
  }
  return low;
};

/**
 * The lower bound of a rate by Clopper and Pearson (1934), on an effective n with the degrees of freedom of its units (Korn & Graubard 1998,
 * Survey Methodology 24:193–201).
 */
const lowerBound = ({ rate, effectiveN, units }: Average, tail: number): number => {
  const n = effectiveN * (normalQuantile(1 - tail) / tQuantile(1 - tail, Math.max(1, units - 1))) ** 2;
  const passes = rate * n;
  if (passes <= 0) return 0;
  let [low, high] = [0, rate];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (regularizedBeta(middle, 1 - middle, passes, n - passes + 1)[0] <= tail) low = middle;
    else high = middle;
  }
  return low;
};

/**
 * Returns after each look how much of the rate of the old testcases may be their luck: versions pass at least so much less of all traffic, on
 * average over the looks. All bounds hold together with a chance of 1 − `alpha`. The old testcases are the same at each look, and so is
 * their luck: a bet against the observed rate would accuse each lucky set. By the bound of Hunter (1976) and Worsley (1982), look t spends its
 * share of `alpha` beyond what it has in common with the look before, so the bound of the twentieth look is hardly wider than that of one alone.
 */
const luckOf = (averages: readonly Average[], alpha: number): number[] => {
  const tails: number[] = [];
  return averages.map((average, t) => {
    const share = alpha * shareOfLook(t + 1);
    const correlation = t === 0 ? 0 : sharedLuck(average, averages[t - 1]!);
    const tail = correlation > 0 ? tailBeside(share, { tail: tails[t - 1]!, correlation }) : share;
    tails.push(tail);
    return average.rate - lowerBound(average, tail);
  });
};

/** Stakes of the player, who has a purse for each: not knowing the best one costs no more than their number. */
const stakes = [0.05, 0.1, 0.2, 0.35, 0.5, 0.7];

/** Share of the level for the luck of the old testcases; the rest is for the bet. */
const shareOfLuck = 0.5;

/**
 * Returns what the player has after each look, from 1 at the start, who bets on each fresh testcase that it fails. Without wear and without
 * luck beyond its bound no bet gains on average, so by Ville's inequality the purse ever reaches 1/α with a chance of α at most, however often
 * one looks. The purse is the empirical Bernstein one of Howard et al. (2021, Ann. Stat. 49:1055–1080), which needs no common rate:
 * exp(λ·Σ(rate − passes) − ψ(λ)·Σ(expected − passes)²), with what is expected from the testcases before.
 */
const pursesOf = (looks: readonly Summed[], luck: readonly number[]): number[] => {
  let [gain, spread, weights] = [0, 0, 0];
  // Counts as two testcases before the first.
  let [passes, seen] = [2 * looks[0]!.rate, 2];
  return looks.map((look, t) => {
    const most = Math.max(...look.fresh.map(({ weight }) => weight));
    for (const { rate, weight } of look.fresh) {
      const part = weight / most;
      gain += part * (look.rate - rate);
      spread += (part * (passes / seen - rate)) ** 2;
      weights += part;
      passes += rate;
      seen++;
    }
    const beyondLuck = gain - weights * luck[t]!;
    const purse = (stake: number) => Math.exp(stake * beyondLuck + (Math.log1p(-stake) + stake) * spread);
    return sumOf(stakes.map(purse)) / stakes.length;
  });
};

/** The interval of a rate with its error; the number of units where nothing varies. */
const intervalOf = (rate: number, variance: number, units: number, df: number, level: number): Interval =>
  variance > 0
    ? boundedInterval(rate, Math.sqrt(variance), Math.max(1, df), { low: 0, high: 1 }, level)
    : wilsonOf(rate, units, tQuantile((1 + level) / 2, Math.max(1, df)));

export type Optimism = { old: number; fresh: number; difference: number; interval: Interval };

/**
 * How much better versions look on old testcases than on fresh ones, on average over the looks: the difference of the rates with Newcombe's
 * interval. The old part is clustered by testcase across looks, because their luck is the same in all; the fresh part by testcase.
 * A testcase that was fresh once and old later is in both.
 */
const optimismOf = (looks: readonly Summed[], level: number): Optimism => {
  const all = sumOf(looks.map(({ fresh }) => fresh.length));
  const olds = new Map<string, number>();
  const freshOnes = new Map<string, number>();
  let [old, fresh] = [0, 0];
  for (const look of looks) {
    const part = look.fresh.length / all;
    old += part * look.rate;
    fresh += part * look.freshRate;
    for (const [unit, error] of look.errors) olds.set(unit, (olds.get(unit) ?? 0) + part * error);
  }
  for (const look of looks) {
    const part = look.fresh.length / all;
    const weights = sumOf(look.fresh.map(({ weight }) => weight));
    const { length } = look.fresh;
    const [centre, factor] = length > 1 ? [look.freshRate, Math.sqrt(length / (length - 1))] : [fresh, 1];
    for (const { unit, rate, weight } of look.fresh)
      freshOnes.set(unit, (freshOnes.get(unit) ?? 0) + (part * factor * weight * (rate - centre)) / weights);
  }
  const ofOld = (olds.size / Math.max(1, olds.size - 1)) * squares(olds);
  const ofFresh = squares(freshOnes);
  let covariance = 0;
  for (const [unit, error] of freshOnes) covariance += error * (olds.get(unit) ?? 0);
  const r = ofOld * ofFresh > 0 ? covariance / Math.sqrt(ofOld * ofFresh) : 0;
  const a = intervalOf(old, ofOld, olds.size, olds.size - 1, level);
  const b = intervalOf(fresh, ofFresh, all, all - looks.length, level);
  const ends = (x: number, y: number) => Math.sqrt(Math.max(0, x * x + y * y - 2 * Math.max(0, r) * x * y));
  const difference = old - fresh;
  return {
    old,
    fresh,
    difference,
    interval: {
      low: difference - ends(old - a.low, b.high - fresh),
      high: difference + ends(a.high - old, fresh - b.low),
    },
  };
};

export type Bet = {
  /** What the player has, from 1 at the start. */
  purse: number;
  /** The most that the player ever had. */
  most: number;
  /** At this much wear is announced. */
  needed: number;
  /** The first look at which the purse reached it, from 1; null without. */
  announcedAt: number | null;
};

/**
 * Compares fresh testcases with old ones, at looks in the order of their runs. Without wear, the chance that it is ever announced is `alpha`
 * at most. Returns null if no look has both.
 */
export const measureWear = (
  given: readonly FreshLook[],
  { alpha, level }: { alpha: number; level: number },
): { optimism: Optimism; bet: Bet } | null => {
  const looks = given.filter(({ old, fresh }) => old.length > 0 && fresh.length > 0).map(summed);
  if (looks.length === 0) return null;
  const had = pursesOf(looks, luckOf(averagesOf(looks), alpha * shareOfLuck));
  const needed = 1 / (alpha * (1 - shareOfLuck));
  const first = had.findIndex((purse) => purse >= needed);
  return {
    optimism: optimismOf(looks, level),
    bet: { purse: had.at(-1)!, most: Math.max(...had), needed, announcedAt: first === -1 ? null : first + 1 },
  };
};
