/** Nothing pairs: what is left of two runs is the difference of two independent samples. */
import { tTwoSided } from './distributions.ts';
import { clusteredMeanEstimate, defaultLevel, type Estimate, meanEstimate, tInterval } from './intervals.ts';
import { detectableErrors, newcombe, twoProportions } from './paired-proportions.ts';
import { detectableByT } from './plan.ts';
import { isBinary } from './testcases.ts';

/** The testcases' scores, and their groups where the testset names them. */
export interface Sample {
  values: Float64Array;
  groups: Int32Array | null;
}

/**
 * The difference of two independent estimates: t with the degrees of freedom of Welch and Satterthwaite, of which each
 * error has one less than it rests on. Null where there is nothing to take an error from.
 */
const differenceOf = (before: Estimate, after: Estimate, level: number) => {
  if (before.n < 2 || after.n < 2) return null;
  // One that has no interval has no spread but for rounding.
  const varianceOf = ({ interval, standardError }: Estimate) => (interval ? standardError! ** 2 : 0);
  const [u, v] = [varianceOf(before), varianceOf(after)];
  const standardError = Math.sqrt(u + v);
  if (standardError === 0) return null;
  // By shares of the variance: squares of the variances themselves leave the range of doubles.
  const share = u / (u + v);
  const df = 1 / (share ** 2 / (before.n - 1) + (1 - share) ** 2 / (after.n - 1));
  const difference = after.estimate! - before.estimate!;
  return {
    interval: tInterval(difference, standardError, df, level),
    p: tTwoSided(difference / standardError, df),
    standardError,
    df,
  };
};

/** Welch's interval and p for the difference of two independent means. Welch (1947), Biometrika 34:28–35. */
export const welch = (before: ArrayLike<number>, after: ArrayLike<number>, level = defaultLevel) =>
  differenceOf(meanEstimate(before), meanEstimate(after), level);

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

const missingRun = (before: Sample, after: Sample): string | null => {
  const [first, second] = [before.values.length, after.values.length];
  if (first > 0 && second > 0) return null;
  if (first + second === 0) return 'neither run has a scored testcase';
  return `the ${first === 0 ? 'first' : 'second'} run has no scored testcase`;
};

/**
 * Compares two runs of which no testcase is known to be the same. Booleans: Newcombe's interval with the score test; other
 * scores and averaged trials: Welch's t. With groups: the CR1 error of each run (Liang & Zeger 1986); groups that both runs
 * have would make the difference vary less than that, not more.
 */
export const compareUnpaired = (
  before: Sample,
  after: Sample,
  { boolean, level, power }: { boolean: boolean; level: number; power: number },
) => {
  const nothing = missingRun(before, after);
  const common = {
    seed: null,
    mcnemar: null,
    assumption: 'the testcases of both runs are independent draws from the same inputs',
    warnings: nothing
      ? []
      : ['no testcase has scores in both runs at the same revision: an unpaired comparison sees less'],
  };
  const grouped = before.groups !== null && after.groups !== null;
  if (!grouped && boolean && isBinary(before.values) && isBinary(after.values)) {
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
      standardError: tested?.standardError ?? null,
      interval: newcombe(...counts, level),
      reason: nothing,
      p: tested?.p ?? null,
      minimumDetectable: tested && detectableErrors(level, power) * tested.adjustedError,
    };
  }
  const estimates = grouped
    ? ([before, after].map(({ values, groups }) => clusteredMeanEstimate(values, groups!, level)) as [
        Estimate,
        Estimate,
      ])
    : null;
  const found = estimates ? differenceOf(...estimates, level) : welch(before.values, after.values, level);
  const few =
    estimates?.flatMap(({ warnings }) => warnings.filter((warning) => warning.includes('groups'))) ?? [];
  return {
    ...common,
    ...(estimates && { assumption: 'the groups of both runs are independent draws from the same inputs' }),
    warnings: [...common.warnings, ...new Set(nothing ? [] : few)],
    method: estimates ? 'cluster-robust t (CR1, unpaired)' : 'welch t (unpaired)',
    standardError: found?.standardError ?? null,
    interval: found?.interval ?? null,
    reason: found
      ? null
      : (nothing ??
        `too few ${estimates ? 'groups' : 'testcases'}, or no spread, to estimate an interval from`),
    p: found?.p ?? null,
    minimumDetectable: found && detectableByT(found.standardError, found.df, level, power),
  };
};
