/** Runs without pairs are compared as two independent samples. */

import { sizeOf, within } from './bounded.ts';
import { caveatsOf } from './caveats.ts';
import { clusteredMeanEstimate } from './clusters.ts';
import { tTwoSided } from './distributions.ts';
import type { Caveat, Estimate, Interval } from './estimate-schema.ts';
import { defaultLevel, meanEstimate, tInterval } from './intervals.ts';
import { detectableErrors, newcombe, squareAndAdd, twoProportions } from './paired-proportions.ts';
import type { PairedSettings, Tested } from './paired-tests.ts';
import { detectableByT } from './plan.ts';
import { isBinary, type Weighed } from './testcases.ts';
import { weightedError, weightedEstimate } from './weighted.ts';

/** The testcases' scores, and their groups if the testset names a grouping field. */
export interface Sample {
  values: Float64Array;
  groups: Int32Array | null;
  /** What the testcases stand for; null if each counts the same. */
  weighed: Weighed | null;
}

type Found = { interval: Interval | null; p: number; standardError: number; df: number };

/** The chance that n₁ and n₂ units fall apart completely if their labels are drawn at random, both ways: 2/C(n₁ + n₂, n₁). */
const separated = (n1: number, n2: number): number => {
  let p = 2;
  for (let i = 1; i <= Math.min(n1, n2); i++) p *= i / (Math.max(n1, n2) + i);
  return Math.min(1, p);
};

/**
 * The difference of two independent estimates: t with the degrees of freedom of Welch and Satterthwaite. If a run has no spread, its
 * own interval says what it cannot exclude, and the intervals of both are put together by square-and-add (MOVER: Zou & Donner 2008,
 * Stat. Med. 27:1693–1702); if neither has, the test is whether both fall apart by chance (Fisher 1935). Null if a run has
 * no error, as below two units.
 */
const differenceOf = (
  before: Estimate,
  after: Estimate,
  level: number,
  bounds: Interval | null,
): Found | null => {
  if (before.standardError === null || after.standardError === null) return null;
  const difference = after.estimate! - before.estimate!;
  const [u, v] = [before.standardError ** 2, after.standardError ** 2];
  const standardError = Math.sqrt(u + v);
  const apart = before.interval && after.interval;
  if (standardError === 0) {
    return {
      interval: apart && squareAndAdd(before.estimate!, before.interval!, after.estimate!, after.interval!),
      p: difference === 0 ? 1 : separated(before.n, after.n),
      standardError,
      df: 0,
    };
  }
  // Computed with shares of the variance, because squares of the variances would leave the range of doubles.
  const share = u / (u + v);
  const df = 1 / (share ** 2 / (before.effectiveN - 1) + (1 - share) ** 2 / (after.effectiveN - 1));
  return {
    interval:
      (u === 0 || v === 0) && apart
        ? squareAndAdd(before.estimate!, before.interval!, after.estimate!, after.interval!)
        : within(tInterval(difference, standardError, df, level), sizeOf(bounds)),
    p: tTwoSided(difference / standardError, df),
    standardError,
    df,
  };
};

/** Welch's interval and p for the difference of two independent means. Welch (1947), Biometrika 34:28–35. */
export const welch = (
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  level = defaultLevel,
  bounds: Interval | null = null,
): Found | null =>
  differenceOf(meanEstimate(before, level, bounds), meanEstimate(after, level, bounds), level, bounds);

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

/** Returns the mean of a sample, weighted if it has weights; null without a value. */
export const meanOfSample = ({ values, weighed }: Sample): number | null => {
  if (weighed) return weightedError(weighed, null, false).mean;
  return values.length === 0 ? null : sum(values) / values.length;
};

const missingRun = (before: Sample, after: Sample): string | null => {
  const [numBefore, numAfter] = [before.values.length, after.values.length];
  if (numBefore > 0 && numAfter > 0) return null;
  if (numBefore + numAfter === 0) return 'no scores yet in either run';
  return `the ${numBefore === 0 ? 'first' : 'second'} run has no scored testcase`;
};

const caveatOfNoPairs: Caveat = {
  code: 'unpaired',
  sentence: 'no testcase has scores in both runs at the same revision: an unpaired comparison sees less',
};

const caveatOfDraws: Caveat = {
  code: 'unpaired',
  sentence:
    'the scored records were drawn with unequal chances: each run is weighted by its draw, and an unpaired comparison sees less',
};

/**
 * Compares two runs that share no known testcase. Booleans: Newcombe's interval with the score test; other
 * scores and averaged trials: Welch's t. With groups: the CR2 error of each run (Bell & McCaffrey 2002); groups that both runs share could
 * only lower the variance of the difference.
 */
export const compareUnpaired = (before: Sample, after: Sample, settings: PairedSettings): Tested => {
  const { boolean, level, power, bounds } = settings;
  const nothing = missingRun(before, after);
  const isDrawn = [before, after].some(({ weighed }) => weighed?.weighting.numObserved !== undefined);
  const unpaired = nothing ? null : isDrawn ? caveatOfDraws : caveatOfNoPairs;
  const common = {
    seed: null,
    mcnemar: null,
    watched: null,
    assumption: 'the testcases of both runs are independent draws from the same inputs',
  };
  const weighting = (before.weighed ?? after.weighed)?.weighting;
  const weighted = weighting !== undefined;
  const grouped = before.groups !== null || after.groups !== null;
  if (!weighted && !grouped && boolean && isBinary(before.values) && isBinary(after.values)) {
    const counts = [
      sum(before.values),
      before.values.length,
      sum(after.values),
      after.values.length,
    ] as const;
    const tested = twoProportions(...counts);
    return {
      ...common,
      method: 'newcombe (unpaired)',
      effectiveN: counts[1] + counts[3],
      standardError: tested?.standardError ?? null,
      interval: newcombe(...counts, level),
      reason: nothing,
      p: tested?.p ?? null,
      minimumDetectable: tested && detectableErrors(level, power) * tested.adjustedError,
      ...caveatsOf(unpaired),
    };
  }
  const estimateOf = ({ values, groups, weighed }: Sample): Estimate => {
    if (weighed) return weightedEstimate(weighed, { level, bounds, isCounted: boolean && isBinary(values) });
    return groups
      ? clusteredMeanEstimate(values, groups, level, bounds)
      : meanEstimate(values, level, bounds);
  };
  const estimates = [estimateOf(before), estimateOf(after)] as const;
  const found = differenceOf(...estimates, level, bounds);
  const ofUnits = estimates.flatMap(({ caveats }) =>
    caveats.filter(({ code }) => code === 'fewGroups' || code === 'unequalWeights'),
  );
  return {
    ...common,
    ...(grouped && { assumption: 'the groups of both runs are independent draws from the same inputs' }),
    ...caveatsOf(unpaired, ...(nothing ? [] : ofUnits)),
    method: weighting
      ? `weighted by ${weighting.by}: welch t (unpaired)`
      : grouped
        ? 'cluster-robust t (CR2, unpaired)'
        : 'welch t (unpaired)',
    effectiveN: estimates[0].effectiveN + estimates[1].effectiveN,
    standardError: found?.standardError ?? null,
    interval: found?.interval ?? null,
    reason: found?.interval
      ? null
      : (nothing ??
        (weighted ? (estimates[0].reason ?? estimates[1].reason) : null) ??
        `too few ${grouped ? 'groups' : 'testcases'}, or no spread, to estimate an interval from`),
    p: found?.p ?? null,
    minimumDetectable:
      found && found.df > 0 ? detectableByT(found.standardError, found.df, level, power) : null,
  };
};
