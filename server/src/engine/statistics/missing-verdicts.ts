/** Effect of missing verdicts on a comparison: its worst and best case, and the number that would undo its verdict. */
import type { MissingVerdicts, Verdict } from './comparison-schema.ts';
import { countInWords } from './count-in-words.ts';
import type { Interval } from './estimate-schema.ts';
import { isPresent, type TestcaseColumns } from './testcases.ts';
import { sizeInWords } from './verdict.ts';

/** Scores of both runs for the testcases that they share. */
export interface FilledPairs {
  before: Float64Array;
  after: Float64Array;
  testcases: Int32Array;
}

/** The difference, and the verdict, if these were the scores. */
export interface Retest {
  differenceOf: (pairs: FilledPairs) => number;
  verdictOf: (pairs: FilledPairs) => Verdict;
}

/** A testcase's mean if each of its missing trials had the score `fill`. */
const filledMean = ({ sums, trials, missing }: TestcaseColumns, i: number, fill: number): number =>
  (sums[i]! + missing[i]! * fill) / (trials[i]! + missing[i]!);

const knownMean = ({ sums, trials }: TestcaseColumns, i: number): number | null =>
  trials[i] === 0 ? null : sums[i]! / trials[i]!;

/** A testcase that lacks a score, with the differences that it may have. */
interface Open {
  place: number;
  worst: [before: number, after: number];
  best: [before: number, after: number];
}

const fillPairs = (before: TestcaseColumns, after: TestcaseColumns, { low, high }: Interval) => {
  const both = before.trials.reduce<number[]>((found, _, i) => {
    const comparable =
      isPresent(before, i) && isPresent(after, i) && before.revisions[i] === after.revisions[i];
    if (comparable) found.push(i);
    return found;
  }, []);
  const filled = {
    before: new Float64Array(both.length),
    after: new Float64Array(both.length),
    testcases: Int32Array.from(both),
  };
  const open: Open[] = [];
  for (const [place, i] of both.entries()) {
    const [meanBefore, meanAfter] = [knownMean(before, i), knownMean(after, i)];
    // A testcase that only one run scored counts as no difference until its missing score is filled.
    filled.before[place] = meanBefore ?? meanAfter ?? low;
    filled.after[place] = meanAfter ?? meanBefore ?? low;
    if (before.missing[i]! + after.missing[i]! === 0) continue;
    open.push({
      place,
      worst: [filledMean(before, i, high), filledMean(after, i, low)],
      best: [filledMean(before, i, low), filledMean(after, i, high)],
    });
  }
  return { filled, open };
};

const withChosen = ({ before, after, testcases }: FilledPairs, chosen: Open[], side: 'worst' | 'best') => {
  const filled = { before: before.slice(), after: after.slice(), testcases };
  for (const one of chosen) [filled.before[one.place], filled.after[one.place]] = one[side];
  return filled;
};

/** The fewest of `open` that undo the verdict if the most harmful come first; null if all together do not. */
const tip = (
  filled: FilledPairs,
  open: Open[],
  verdict: Verdict,
  verdictOf: (pairs: FilledPairs) => Verdict,
): number | null => {
  const side = verdict === 'better' ? 'worst' : 'best';
  const harm = ({ place, [side]: [x, y] }: Open) =>
    Math.abs(y - x - (filled.after[place]! - filled.before[place]!));
  const ordered = open.toSorted((a, b) => harm(b) - harm(a));
  const holds = (count: number) => verdictOf(withChosen(filled, ordered.slice(0, count), side)) === verdict;
  if (holds(open.length)) return null;
  let [kept, undone] = [-1, open.length];
  while (undone - kept > 1) {
    const middle = (kept + undone) >> 1;
    if (holds(middle)) kept = middle;
    else undone = middle;
  }
  return undone;
};

/**
 * The range of the difference over all possible values of the missing scores (Manski 1989, J. Hum. Resour. 24:343–360), and the tipping
 * point of the verdict: the fewest testcases that, if their missing scores went against it and the others showed no difference, would undo
 * it (Yan, Lee & Li 2009, J. Biopharm. Stat. 19:1085–1098). Null if nothing is missing.
 */
export const missingVerdicts = (
  before: TestcaseColumns,
  after: TestcaseColumns,
  bounds: Interval,
  { boolean, verdict }: { boolean: boolean; verdict: Verdict },
  { differenceOf, verdictOf }: Retest,
): MissingVerdicts | null => {
  const { filled, open } = fillPairs(before, after, bounds);
  if (open.length === 0) return null;
  const range = {
    low: differenceOf(withChosen(filled, open, 'worst')),
    high: differenceOf(withChosen(filled, open, 'best')),
  };
  const decided = verdict !== 'cannot tell';
  const tippingPoint = decided ? tip(filled, open, verdict, verdictOf) : null;
  const lacking = `${open.length} of ${countInWords(filled.testcases.length, 'testcase')} ${open.length === 1 ? 'lacks' : 'lack'} a score in at least one run`;
  const signed = (x: number) => `${x < 0 ? '−' : ''}${sizeInWords(x, boolean)}`;
  const against = boolean ? (verdict === 'better' ? 'are failures' : 'are passes') : 'go against it';
  const consequence = !decided
    ? `the difference lies between ${signed(range.low)} and ${signed(range.high)} whatever they are`
    : tippingPoint === null
      ? `"${verdict}" holds whatever they are`
      : tippingPoint === 0
        ? `"${verdict}" does not hold if they show no difference`
        : `"${verdict}" holds unless ${tippingPoint} of the ${open.length} missing ${against}`;
  return {
    numMissing: open.length,
    numTestcases: filled.testcases.length,
    range,
    tippingPoint,
    holds: decided ? tippingPoint === null : null,
    sentence: `${lacking}: ${consequence}`,
  };
};
