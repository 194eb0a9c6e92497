/** The test of two runs on the same testcases, chosen by the kind of the scores. */

import { sizeOf, unseenShare, within } from './bounded.ts';
import { caveatsOf } from './caveats.ts';
import { caveatOfGroups, clusterError } from './clusters.ts';
import type { AdjustedComparison } from './comparison-schema.ts';
import { tTwoSided } from './distributions.ts';
import type { Caveat, Interval } from './estimate-schema.ts';

import { momentsOf, tInterval } from './intervals.ts';
import {
  adjustedPairedError,
  detectableErrors,
  detectablePairedRates,
  mcnemar,
  tango,
} from './paired-proportions.ts';
import { detectableByT, testcasesForRates } from './plan.ts';
import { type SequentialTest, sequentialTest } from './sequential.ts';
import { signFlip } from './sign-flip.ts';
import { isBinary, type Weighed } from './testcases.ts';
import { levelInWords } from './verdict.ts';
import { caveatOfUnequal, weightedAssumption, weightedError } from './weighted.ts';

export interface Pairs {
  before: Float64Array;
  after: Float64Array;
  differences: Float64Array;
  groups: Int32Array | null;
  /** The differences with what their testcases stand for; null if each counts the same. */
  weighed: Weighed | null;
}

export interface PairedSettings {
  boolean: boolean;
  level: number;
  power: number;
  seed: number;
  /** `sequential` may be looked at again and again; `planned` at the looks of a plan. */
  test: 'fixed' | 'sequential' | 'planned';
  /** The smallest and largest score that the metric can give; null if it has no ends. */
  bounds: Interval | null;
}

/** A difference with its interval and its test. */
export type Tested = Pick<
  AdjustedComparison,
  | 'method'
  | 'seed'
  | 'effectiveN'
  | 'standardError'
  | 'interval'
  | 'reason'
  | 'p'
  | 'mcnemar'
  | 'watched'
  | 'look'
  | 'minimumDetectable'
  | 'assumption'
  | 'caveats'
  | 'warnings'
> & {
  /** Why a verdict is open, if no minimum detectable difference explains it. */
  open?: string;
};

const independent = 'testcases are independent draws from the inputs that the systems will meet';
const needsTwo = 'one testcase says nothing about the spread: an interval needs two';

const comparePairedBooleans = (
  wins: number,
  losses: number,
  n: number,
  { level, power }: PairedSettings,
): Tested => {
  const tests = mcnemar(wins, losses);
  const difference = (wins - losses) / n;
  return {
    method: 'tango score interval, mcnemar mid-p',
    seed: null,
    effectiveN: n,
    standardError: Math.sqrt((wins + losses) / n - difference ** 2) / Math.sqrt(n),
    interval: n < 2 ? null : tango(wins, losses, n, level),
    reason: n < 2 ? needsTwo : null,
    p: tests.midP,
    mcnemar: tests,
    watched: null,
    minimumDetectable: n < 2 ? null : detectablePairedRates(wins, losses, n, level, power),
    assumption: independent,
    ...caveatsOf(),
  };
};

/**
 * Returns interval and test of units that all changed by the same amount, which may be 0. The spread cannot be estimated, so the interval
 * bounds the share of units that would change otherwise, at worst by the whole scale (`unseenShare`: Clopper & Pearson 1934). The test
 * flips the signs of units: 2·2^−units if they changed, else 1.
 */
const compareWithoutSpread = (
  difference: number,
  units: { n: number; effective: number; unit: 'testcase' | 'group' },
  { level, power, bounds }: PairedSettings,
): Pick<Tested, 'method' | 'interval' | 'reason' | 'p' | 'minimumDetectable' | 'standardError'> & {
  caveat: Caveat;
} => {
  const size = sizeOf(bounds);
  const unseen = unseenShare(units.effective, level);
  const sentence =
    difference === 0
      ? `both runs scored the same on each of the ${units.n} ${units.unit}s`
      : `all ${units.n} ${units.unit}s changed by the same`;
  return {
    method: 'clopper–pearson bound and sign test, no spread',
    standardError: 0,
    interval: bounds && {
      low: difference - unseen * (difference + size),
      high: difference + unseen * (size - difference),
    },
    reason: bounds ? null : `${sentence}: the spread cannot be estimated from them`,
    p: difference === 0 ? 1 : Math.min(1, 2 ** (1 - units.n)),
    minimumDetectable: bounds
      ? Math.min(size, detectableErrors(level, power) * adjustedPairedError(0, 0, units.effective) * size)
      : null,
    caveat: {
      code: 'noSpread',
      sentence: `${sentence}: the interval is what ${units.effective === units.n ? units.n : units.effective.toFixed(1)} ${units.unit}s cannot exclude`,
    },
  };
};

const compareClusters = (differences: Float64Array, groups: Int32Array, settings: PairedSettings): Tested => {
  const { level, power, bounds } = settings;
  const error = clusterError(differences, groups);
  const { groups: n, mean, standardError, df, equalGroups } = error;
  const common = {
    seed: null,
    mcnemar: null,
    watched: null,
    assumption:
      'groups are independent of one another; testcases within a group may depend on each other in any way',
  };
  if (n > 1 && standardError === 0) {
    const units = { n, effective: equalGroups, unit: 'group' } as const;
    const { caveat, ...flat } = compareWithoutSpread(mean, units, settings);
    return { ...common, ...flat, effectiveN: equalGroups, ...caveatsOf(caveat, caveatOfGroups(error)) };
  }
  const method = 'paired cluster-robust t (CR2, Satterthwaite)';
  if (standardError === null) {
    return {
      ...common,
      method,
      effectiveN: n,
      standardError,
      interval: null,
      reason: 'one group says nothing about the spread between groups: an interval needs two',
      p: null,
      minimumDetectable: null,
      ...caveatsOf(caveatOfGroups(error)),
    };
  }
  return {
    ...common,
    method,
    effectiveN: df + 1,
    standardError,
    interval: within(tInterval(mean, standardError, df, level), sizeOf(bounds)),
    reason: null,
    p: tTwoSided(mean / standardError, df),
    minimumDetectable: detectableByT(standardError, df, level, power),
    ...caveatsOf(caveatOfGroups(error)),
  };
};

/** Cochran (1977), Sampling Techniques, §2.15: the normal approximation holds for n > 25·g₁². */
const skewFactor = 25;

const compareMeans = (differences: Float64Array, settings: PairedSettings): Tested => {
  const { level, power, seed, bounds } = settings;
  const { n, mean, variance, skewness } = momentsOf(differences);
  const common = { seed: null, effectiveN: n, mcnemar: null, watched: null, assumption: independent };
  if (n < 2) {
    const unknown = { standardError: null, interval: null, p: null, minimumDetectable: null };
    return { ...common, ...unknown, method: 'paired t', reason: needsTwo, ...caveatsOf() };
  }
  if (variance === 0) {
    const units = { n, effective: n, unit: 'testcase' } as const;
    const { caveat, ...flat } = compareWithoutSpread(mean, units, settings);
    return { ...common, ...flat, ...caveatsOf(caveat) };
  }
  const standardError = Math.sqrt(variance / n);
  const minimumDetectable = detectableByT(standardError, n - 1, level, power);
  if (n >= 30 && n > skewFactor * skewness ** 2) {
    return {
      ...common,
      method: 'paired t',
      standardError,
      interval: within(tInterval(mean, standardError, n - 1, level), sizeOf(bounds)),
      reason: null,
      p: tTwoSided(mean / standardError, n - 1),
      minimumDetectable,
      assumption: 'testcases are independent draws, and n is large enough for their mean to be about normal',
      ...caveatsOf(),
    };
  }
  const flipped = signFlip(differences, seed, level);
  return {
    ...common,
    method: `sign-flip test and its inversion (${flipped.seed === null ? 'all' : 'drawn'} ${flipped.assignments} assignments)`,
    seed: flipped.seed,
    standardError,
    interval: flipped.interval,
    reason:
      flipped.interval === null
        ? `${n} testcases allow ${flipped.assignments} assignments of signs: too few for a ${levelInWords(level)} interval`
        : null,
    p: flipped.p,
    minimumDetectable,
    assumption:
      'testcases are independent; differences are as likely to fall above the true one as below, by as much',
    ...caveatsOf(
      n <= skewFactor * skewness ** 2
        ? {
            code: 'skewed',
            sentence:
              'the differences are skewed: the interval takes them to be symmetric and tends to be too narrow',
          }
        : null,
    ),
  };
};

const compareWeighted = (weighed: Weighed, isCounted: boolean, settings: PairedSettings): Tested => {
  const { level, power, bounds } = settings;
  const size = sizeOf(bounds);
  const error = weightedError(weighed, bounds && { low: -size, high: size }, isCounted);
  const { n, effectiveN, mean, standardError, df } = error;
  const { by } = weighed.weighting;
  const common = {
    method: `weighted by ${by}: paired t`,
    seed: null,
    mcnemar: null,
    watched: null,
    effectiveN,
    assumption: weightedAssumption,
  };
  const unequal = caveatOfUnequal(error, by);
  if (standardError === null) {
    const nothing = { interval: null, p: null, minimumDetectable: null };
    return { ...common, ...nothing, standardError, reason: error.reason, ...caveatsOf(unequal) };
  }
  if (standardError === 0) {
    const units = { n, effective: effectiveN, unit: 'testcase' } as const;
    const { caveat, ...flat } = compareWithoutSpread(mean!, units, settings);
    return { ...common, ...flat, method: `weighted by ${by}: ${flat.method}`, ...caveatsOf(caveat, unequal) };
  }
  return {
    ...common,
    standardError,
    interval: within(tInterval(mean!, standardError, df, level), size),
    reason: null,
    p: tTwoSided(mean! / standardError, df),
    minimumDetectable: detectableByT(standardError, df, level, power),
    ...caveatsOf(unequal),
  };
};

const compareSequentially = (
  differences: Float64Array,
  [wins, losses]: [number, number],
  { boolean, level, power, bounds }: PairedSettings,
): Tested => {
  const { n, mean, variance } = momentsOf(differences);
  const needed = 1 / (1 - level);
  const result: SequentialTest | null = bounds && sequentialTest(differences, sizeOf(bounds), level);
  const binary = boolean && isBinary(differences.map(Math.abs));
  const perPair = binary ? (wins + losses) / n : variance + mean ** 2;
  return {
    method: 'mixture e-process and its confidence sequence (anytime-valid)',
    seed: null,
    effectiveN: n,
    standardError: n < 2 ? null : Math.sqrt(variance / n),
    interval: result?.interval ?? null,
    reason: result ? null : 'a sequential test needs a scale with ends',
    p: result?.p ?? null,
    mcnemar: null,
    watched: result && {
      eValue: result.eValue,
      neededEvidence: needed,
      numUntilDecided: result.decidedAfter,
      numForFixedTest: mean === 0 || n < 2 ? null : testcasesForRates(Math.abs(mean), perPair, level, power),
    },
    minimumDetectable: null,
    ...(result && {
      open: `the evidence is ${Number(result.eValue.toPrecision(2))}, and the verdict needs ${Number(needed.toPrecision(3))}`,
    }),
    assumption: 'testcases are independent draws, and their order does not depend on their results',
    ...caveatsOf(),
  };
};

/** Tests the difference of two runs on the same testcases. Never throws; `reason` says why there is no answer. */
export const testPairs = (pairs: Pairs, settings: PairedSettings): Tested => {
  const { before, after, differences, groups } = pairs;
  let [wins, losses] = [0, 0];
  for (const difference of differences) {
    if (difference > 0) wins++;
    else if (difference < 0) losses++;
  }
  if (settings.test === 'sequential' && !groups)
    return compareSequentially(differences, [wins, losses], settings);
  if (pairs.weighed) {
    const isCounted = settings.boolean && isBinary(before) && isBinary(after);
    return compareWeighted(pairs.weighed, isCounted, settings);
  }
  if (groups) return compareClusters(differences, groups, settings);
  if (settings.boolean && isBinary(before) && isBinary(after)) {
    return comparePairedBooleans(wins, losses, differences.length, settings);
  }
  return compareMeans(differences, settings);
};
