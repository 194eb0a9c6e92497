/** The difference of two runs as people would judge it. A judge's errors do not cancel if its error rates differ between the runs. */

import { intervalWithoutSpread } from './bounded.ts';
import { caveatsOf } from './caveats.ts';
import { levelOfEach, levelTaken } from './compare.ts';
import type { CorrectedDifference as Answered } from './comparison-schema.ts';
import { countInWords } from './count-in-words.ts';
import { tTwoSided } from './distributions.ts';
import type { Caveat, Interval } from './estimate-schema.ts';
import { holm } from './holm.ts';
import { defaultLevel, tInterval } from './intervals.ts';
import { pFromIntervals } from './invert-intervals.ts';
import { squareAndAdd } from './paired-proportions.ts';
import { belowFloor, disagreementsOf, ofLabels, smoothingOf } from './prediction-powered.ts';
import { type JudgedScore, type LabelledScore, numberStrata, type Stratum, strataOf } from './strata.ts';
import { verdictOf } from './verdict.ts';

/** Scores of judge and people for a testcase in one run. */
export interface JudgedSide {
  judge: number;
  /** Null without a label. */
  human: number | null;
  /** The chance that this record had of being chosen for labelling; equal chances when left out. */
  inclusionProbability?: number;
}

/** A testcase that the judge scored in both runs. */
export interface JudgedPair {
  before: JudgedSide;
  after: JudgedSide;
  /** Testcases with the same number depend on each other; without it, a testcase is a group by itself. */
  group?: number;
}

/** The difference of two runs as people would judge it. */
export type CorrectedDifference = Omit<Answered, 'moreLabels' | 'sampled'>;

/**
 * A run's part in the estimate as a linear function of λ: the estimate is `human` − λ·`offset`, and each testcase's influence on it
 * is `own[i]` − λ·`judge[i]`.
 */
interface Part {
  human: number;
  offset: number;
  own: Float64Array;
  judge: Float64Array;
}

const meanOf = (sides: readonly JudgedSide[], of: (side: JudgedSide) => number): number =>
  sides.reduce((sum, side) => sum + of(side), 0) / sides.length;

const partOf = (sides: readonly JudgedSide[]): Part => {
  const N = sides.length;
  const { of, count } = numberStrata(
    sides.map(({ inclusionProbability }) => inclusionProbability),
    sides.map(({ human }) => human !== null),
  );
  const [own, judge] = [new Float64Array(N), new Float64Array(N)];
  const strata = Array.from({ length: count }, (_, stratum) => {
    const members = sides.map((_, i) => i).filter((i) => of[i] === stratum);
    const labelled = members.filter((i) => sides[i]!.human !== null);
    const others = members.filter((i) => sides[i]!.human === null);
    const human = meanOf(
      labelled.map((i) => sides[i]!),
      (side) => side.human!,
    );
    return { members, labelled, others, human, share: members.length / N };
  });
  const human = strata.reduce((sum, stratum) => sum + stratum.share * stratum.human, 0);
  let offset = 0;
  for (const stratum of strata) {
    const { members, labelled, others, share } = stratum;
    for (const i of members) own[i] = stratum.human - human;
    const scale = members.length / labelled.length;
    for (const i of labelled) own[i]! += scale * (sides[i]!.human! - stratum.human);
    if (others.length === 0) continue;
    const [here, there] = [labelled, others].map((part) =>
      meanOf(
        part.map((i) => sides[i]!),
        (side) => side.judge,
      ),
    );
    offset += share * (here! - there!);
    for (const i of labelled) judge[i] = scale * (sides[i]!.judge - here!);
    for (const i of others) judge[i] = (-members.length / others.length) * (sides[i]!.judge - there!);
  }
  return { human, offset, own, judge };
};

const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
const unit = (x: number): number => Math.min(1, Math.max(0, x));

/** The λ of both runs that minimize the variance of the difference, by the normal equations of two regressors, each from 0 to 1. */
const bestLambdas = (before: Part, after: Part): { before: number; after: number } => {
  const target = after.own.map((value, i) => value - before.own[i]!);
  const minus = before.judge.map((value) => -value);
  const [aa, bb, ab] = [dot(after.judge, after.judge), dot(minus, minus), dot(after.judge, minus)];
  const [at, bt] = [dot(after.judge, target), dot(minus, target)];
  const alone = (xx: number, xt: number) => (xx > 0 ? unit(xt / xx) : 0);
  const determinant = aa * bb - ab * ab;
  if (!(determinant > 1e-12 * aa * bb)) return { before: alone(bb, bt), after: alone(aa, at) };
  const free = { after: (bb * at - ab * bt) / determinant, before: (aa * bt - ab * at) / determinant };
  // If one λ leaves [0, 1], it is set to the nearer end, and the other λ is the best for that value.
  if (free.after !== unit(free.after)) {
    const fixed = unit(free.after);
    return { after: fixed, before: alone(bb, bt - ab * fixed) };
  }
  const fixed = unit(free.before);
  return { before: fixed, after: alone(aa, at - ab * fixed) };
};

const othersOf = (sides: readonly JudgedSide[]): JudgedScore[] => sides.filter(({ human }) => human === null);

const labelsOf = (sides: readonly JudgedSide[]): LabelledScore[] =>
  sides.flatMap(({ human, ...side }) => (human === null ? [] : [{ ...side, human }]));

/** The squared influence of labels falls with their number, that of the judge's unlabelled scores does not. */
const labelsToHalve = (influence: Float64Array, anyLabel: boolean[], both: number): number | null => {
  let [ofLabelled, ofOthers] = [0, 0];
  for (const [i, value] of influence.entries()) {
    if (anyLabel[i]) ofLabelled += value * value;
    else ofOthers += value * value;
  }
  const left = (ofLabelled + ofOthers) / 4 - ofOthers;
  if (left <= 0 || both === 0) return null;
  const more = Math.ceil(both * (ofLabelled / left - 1) - 1e-9);
  return both + more <= influence.length ? more : null;
};

/** Student's t within the scale. If all labels agree between the runs: the range that this number of labels cannot exclude. */
const intervalOf = (
  { difference, standardError, df }: { difference: number; standardError: number; df: number },
  boolean: boolean,
  level: number,
): Interval | null => {
  if (standardError === 0) {
    return boolean ? intervalWithoutSpread(difference, df + 1, { low: -1, high: 1 }, level).interval : null;
  }
  const { low, high } = tInterval(difference, standardError, df, level);
  return boolean ? { low: Math.max(-1, low), high: Math.min(1, high) } : { low, high };
};

/** With fewer labels that differ between the runs, the frequency of such changes is too uncertain. */
const fewChanges = 5;

const caveatOfFewChanges = (pairs: readonly JudgedPair[], both: number): Caveat | null => {
  const changed = pairs.filter(
    ({ before, after }) => before.human !== null && after.human !== null && before.human !== after.human,
  ).length;
  if (both === 0 || changed >= fewChanges) return null;
  return {
    code: 'nearBound',
    sentence: `people judged ${changed} of ${both} testcases otherwise in the second run: below ${fewChanges} the interval may be too narrow`,
  };
};

/** Both runs' sides of the pairs, and those with a label. */
interface Split {
  sides: { before: JudgedSide[]; after: JudgedSide[] };
  labels: { before: LabelledScore[]; after: LabelledScore[] };
  strata: { before: Stratum[]; after: Stratum[] };
  /** Pairs with a label in both runs. */
  both: number;
}

const splitPairs = (pairs: readonly JudgedPair[]): Split => {
  const sides = { before: pairs.map(({ before }) => before), after: pairs.map(({ after }) => after) };
  const both = pairs.filter(({ before, after }) => before.human !== null && after.human !== null).length;
  const labels = { before: labelsOf(sides.before), after: labelsOf(sides.after) };
  const strata = {
    before: strataOf(labels.before, othersOf(sides.before)),
    after: strataOf(labels.after, othersOf(sides.after)),
  };
  return { sides, labels, strata, both };
};

/** The result before its verdict. */
type Found = Pick<
  CorrectedDifference,
  'method' | 'difference' | 'standardError' | 'p' | 'lambda' | 'numLabelsToHalve' | 'reason'
> & { caveat: Caveat | null; intervalAt: (level: number) => Interval | null };

const withoutLabels = ({ before, after }: Split['labels']): Found => ({
  method: 'paired ppi++',
  difference: null,
  standardError: null,
  intervalAt: () => null,
  p: null,
  lambda: null,
  numLabelsToHalve: null,
  reason: `people labelled ${before.length} records of the first and ${after.length} of the second run: each needs two`,
  caveat: null,
});

/** Below the floor: square-and-add of the intervals from the labels of each run alone. */
const fromLabels = ({ strata, both }: Split, n: number, why: string, level: number): Found => {
  const sidesAt = (at: number) => [ofLabels(strata.before, at), ofLabels(strata.after, at)] as const;
  const intervalAt = (at: number): Interval | null => {
    const [before, after] = sidesAt(at);
    return (
      before.interval &&
      after.interval &&
      squareAndAdd(before.estimate, before.interval, after.estimate, after.interval)
    );
  };
  const [before, after] = sidesAt(level);
  return {
    method: 'wilson on the labels alone, square-and-add',
    difference: after.estimate - before.estimate,
    standardError: Math.hypot(before.standardError, after.standardError),
    intervalAt,
    p: pFromIntervals(intervalAt),
    lambda: { before: 0, after: 0 },
    // Four times the labels halve Wilson's interval.
    numLabelsToHalve: both > 0 && 4 * both <= n ? 3 * both : null,
    reason: intervalAt(level) ? null : 'all labels are equal: the spread cannot be estimated from them',
    caveat: {
      code: 'belowFloor',
      sentence: `too few labels to use the judge (${why}): this is what the labels say alone`,
    },
  };
};

/**
 * The squares of the influences, added up within a group first, with the degrees of freedom of groups: (Σ labels)²/Σ labels² equal groups, less the
 * mean and both λ, which are estimated too.
 */
const squaresOfGroups = (influence: Float64Array, pairs: readonly JudgedPair[]) => {
  const groups = new Map<number, { sum: number; labels: number }>();
  for (const [i, { before, after, group }] of pairs.entries()) {
    const { sum, labels } = groups.get(group ?? -1 - i) ?? { sum: 0, labels: 0 };
    const own = Number(before.human !== null) + Number(after.human !== null);
    groups.set(group ?? -1 - i, { sum: sum + influence[i]!, labels: labels + own });
  }
  let [squares, labels, squaredLabels] = [0, 0, 0];
  for (const group of groups.values()) {
    squares += group.sum ** 2;
    labels += group.labels;
    squaredLabels += group.labels ** 2;
  }
  return { squares, df: Math.max(1, labels ** 2 / squaredLabels - 3) };
};

const areGrouped = (pairs: readonly JudgedPair[]): boolean => pairs.some(({ group }) => group !== undefined);

const caveatOfDependence = (pairs: readonly JudgedPair[]): Caveat | null =>
  areGrouped(pairs)
    ? {
        code: 'dependentRecords',
        sentence:
          'testcases of one group depend on each other, and the labels alone are taken for independent: the interval may be too narrow',
      }
    : null;

/** Labels and judge together. The factor √(df + 1)/√df makes the variance unbiased for this number of labels. */
const fromJudge = (
  pairs: readonly JudgedPair[],
  { sides, strata, both }: Split,
  boolean: boolean,
  level: number,
): Found => {
  const [before, after] = [partOf(sides.before), partOf(sides.after)];
  const lambda = bestLambdas(before, after);
  const influence = after.own.map(
    (value, i) =>
      value - lambda.after * after.judge[i]! - (before.own[i]! - lambda.before * before.judge[i]!),
  );
  const [ofBefore, ofAfter] = [
    smoothingOf(strata.before, lambda.before),
    smoothingOf(strata.after, lambda.after),
  ];
  const ofGroups = areGrouped(pairs) ? squaresOfGroups(influence, pairs) : null;
  const df = Math.min(ofBefore.df, ofAfter.df, ofGroups?.df ?? pairs.length);
  const squares = ofGroups?.squares ?? dot(influence, influence);
  const ofRecords = (squares / pairs.length ** 2) * ((df + (ofGroups ? 3 : 1)) / df);
  const standardError = Math.sqrt(ofRecords + ofBefore.variance + ofAfter.variance);
  const difference =
    after.human - lambda.after * after.offset - (before.human - lambda.before * before.offset);
  const flat = standardError === 0;
  const intervalAt = (at: number) => intervalOf({ difference, standardError, df }, boolean, at);
  const anyLabel = pairs.map((pair) => pair.before.human !== null || pair.after.human !== null);
  return {
    method: 'paired ppi++',
    difference,
    standardError,
    intervalAt,
    p: flat ? pFromIntervals(intervalAt) : tTwoSided(difference / standardError, df),
    lambda,
    numLabelsToHalve: flat ? null : labelsToHalve(influence, anyLabel, both),
    reason: intervalAt(level) ? null : 'all labels agree: the spread cannot be estimated from them',
    caveat: caveatOfFewChanges(pairs, both),
  };
};

const caveatOfFewLabels = ({ before, after }: Split['labels']): Caveat | null => {
  const least = Math.min(before.length, after.length);
  if (least < 2 || least >= 100) return null;
  return {
    code: 'fewLabels',
    sentence: `only ${countInWords(least, 'label')} in a run: expect a wide interval below 100`,
  };
};

/** A corrected difference before its verdict: several differences get their verdicts together. */
export interface MeasuredCorrection
  extends Omit<
    CorrectedDifference,
    | 'simultaneousInterval'
    | 'simultaneousLevel'
    | 'verdictInterval'
    | 'verdictLevel'
    | 'adjustedP'
    | 'tests'
    | 'verdict'
    | 'sentence'
  > {
  boolean: boolean;
  intervalAt: (level: number) => Interval | null;
}

/**
 * The difference of two pass rates or means, `after` minus `before`, corrected for the judge in each run: PPI++ for each run, where the
 * judge serves as control variate with a separate λ, and the variance over testcases of the difference of influences, so that labels of the
 * same testcases in both runs count as pairs.
 *
 * Angelopoulos, Duchi & Zrnic (2023), arXiv 2311.01453, §§ 3 and 6; by strata of the chance of a label: Fisch et al. (2024), arXiv
 * 2406.04291; influence functions: Tsiatis (2006), §7, added up within groups of testcases. If either run is below the floor of
 * `belowFloor`, only the labels are used.
 */
export const measureCorrection = (
  pairs: readonly JudgedPair[],
  { boolean, level = defaultLevel }: { boolean: boolean; level?: number },
): MeasuredCorrection => {
  const split = splitPairs(pairs);
  const { before, after } = split.labels;
  const n = pairs.length;
  const why = belowFloor(before) ?? belowFloor(after);
  const { caveat, ...found } =
    Math.min(before.length, after.length) < 2
      ? withoutLabels(split.labels)
      : why !== null
        ? fromLabels(split, n, why, level)
        : fromJudge(pairs, split, boolean, level);
  return {
    ...found,
    boolean,
    n,
    level,
    interval: found.intervalAt(level),
    labelled: { before: before.length, after: after.length, both: split.both },
    disagreements: { before: disagreementsOf(before), after: disagreementsOf(after) },
    uncorrected:
      n === 0 ? null : pairs.reduce((sum, pair) => sum + pair.after.judge - pair.before.judge, 0) / n,
    assumption:
      'records were chosen for labelling at random in each run, those with the same chance alike, and people are right',
    ...caveatsOf(
      caveatOfFewLabels(split.labels),
      why !== null && found.difference !== null ? caveatOfDependence(pairs) : null,
      caveat,
    ),
  };
};

/**
 * Adds the verdicts of corrected differences that are read together, so that they hold together at the level (Holm 1979). Differences
 * without labels do not count as tests.
 */
export const concludeCorrections = (measured: readonly MeasuredCorrection[]): CorrectedDifference[] => {
  const adjusted = holm(measured.map(({ p }) => p));
  const tests = adjusted.filter((p) => p !== null).length;
  return measured.map(({ intervalAt, boolean, ...found }, i) => {
    const simultaneousLevel = levelOfEach(found.level, Math.max(1, tests));
    const adjustedP = adjusted[i]!;
    const { interval } = found;
    const alone = interval !== null && (interval.low > 0 || interval.high < 0);
    const open = alone
      ? `the labels exclude 0 for this metric alone, but not among ${tests} tests`
      : 'the labels allow either sign';
    const verdictLevel = levelTaken(found.level, found.p, adjustedP, Math.max(1, tests));
    const verdictInterval = intervalAt(verdictLevel);
    const decisive = { p: adjustedP, interval: verdictInterval, intervalLevel: verdictLevel };
    return {
      ...found,
      simultaneousInterval: intervalAt(simultaneousLevel),
      simultaneousLevel,
      verdictInterval,
      verdictLevel,
      adjustedP,
      tests,
      ...verdictOf({ ...found, ...decisive, boolean, minimumDetectable: null, open }),
    };
  });
};

/** The same for one difference that is read alone. */
export const correctedDifference = (
  pairs: readonly JudgedPair[],
  options: { boolean: boolean; level?: number },
): CorrectedDifference => concludeCorrections([measureCorrection(pairs, options)])[0]!;
