/** Tests whether a judge has different error rates on two runs. Its errors then do not cancel in the difference of the runs. */
import { countLabels, type MeasuredRate, measureRate } from './calibration.ts';
import type { JudgeErrors } from './calibration-schema.ts';
import type { Caveat } from './estimate-schema.ts';
import { defaultLevel } from './intervals.ts';
import { pFromIntervals } from './invert-intervals.ts';
import { type LabelledRecord, type ShareOf, sensitivityOf, specificityOf } from './label-strata.ts';
import { squareAndAdd } from './paired-proportions.ts';
import { intervalInWords } from './verdict.ts';

type Side = readonly LabelledRecord[];
type Rate = 'sensitivity' | 'specificity';
type RateOfRuns = JudgeErrors['sensitivity'];

/** Minimum number of labels of a kind in each run; a rate by fewer is not tested. */
const fewest = 5;

/** A rate of the judge in both runs, and whether they differ: square-and-add of the intervals, at p where it reaches 0. */
const compareRates = (first: MeasuredRate | null, second: MeasuredRate | null, level: number): RateOfRuns => {
  const counts = { numBefore: first?.n ?? 0, numAfter: second?.n ?? 0 };
  const rates = { before: first?.estimate ?? null, after: second?.estimate ?? null };
  if (!first || !second) return { ...rates, ...counts, difference: null, interval: null, p: null };
  const isTested = Math.min(first.n, second.n) >= fewest;
  const intervalAt = (of: number) =>
    squareAndAdd(first.estimate, first.intervalAt(of), second.estimate, second.intervalAt(of));
  return {
    ...rates,
    ...counts,
    difference: second.estimate - first.estimate,
    interval: isTested ? intervalAt(level) : null,
    p: isTested ? pFromIntervals(intervalAt) : null,
  };
};

const percent = (share: number | null): string => (share === null ? 'unknown' : share.toFixed(2));

const wordsOf = (name: Rate, { before, after, numBefore, numAfter, interval }: RateOfRuns): string => {
  const range = interval ? `, difference ${intervalInWords(interval, true)} points` : '';
  return `${name} ${percent(before)} on ${numBefore} and ${percent(after)} on ${numAfter} labels${range}`;
};

/**
 * Tests whether a judge's sensitivity and specificity differ between two runs, by the labels of each, weighted by the inverse of their
 * probability of being drawn. `p` is that of both tests together (Bonferroni). Labels of one testcase in both runs count as independent,
 * which errs on the cautious side. Null without labels in both runs.
 *
 * Newcombe (1998), Stat. Med. 17:873–890, method 10.
 */
export const compareErrors = (before: Side, after: Side, level = defaultLevel): JudgeErrors | null => {
  if (before.length === 0 || after.length === 0) return null;
  // Both tests share the level.
  const each = 1 - (1 - level) / 2;
  const [measuredBefore, measuredAfter] = [before, after].map((side) => {
    const labels = countLabels(side);
    return (share: ShareOf) => measureRate(labels, share);
  }) as [(share: ShareOf) => MeasuredRate | null, (share: ShareOf) => MeasuredRate | null];
  const compare = (share: ShareOf) => compareRates(measuredBefore(share), measuredAfter(share), each);
  const rates = { sensitivity: compare(sensitivityOf), specificity: compare(specificityOf) };
  const tested = [rates.sensitivity, rates.specificity].flatMap(({ p }) => p ?? []);
  const p = tested.length === 0 ? null : Math.min(1, 2 * Math.min(...tested));
  const words = (['sensitivity', 'specificity'] as const)
    .map((name) => wordsOf(name, rates[name]))
    .join('; ');
  const common = { ...rates, level, p };
  if (p === null) {
    const sentence = `whether the judge errs alike on both runs is unknown: it takes ${fewest} passed or ${fewest} failed labels in each (${words})`;
    return { ...common, verdict: 'unknown', sentence };
  }
  if (p <= 1 - level + 1e-12) {
    const sentence = `the judge errs otherwise on the two runs (p ${p.toPrecision(2)}): ${words}`;
    return { ...common, verdict: 'differs', sentence };
  }
  const sentence = `no difference in the judge's errors is shown (p ${p.toPrecision(2)}): ${words}`;
  return { ...common, verdict: 'cannot tell', sentence };
};

/** Says that the judge has different error rates on the two runs, for a difference that is not corrected for them. */
export const caveatOfErrors = (errors: JudgeErrors | null): Caveat | null =>
  errors?.verdict === 'differs' ? { code: 'judgeErrsDifferently', sentence: errors.sentence } : null;
