/** Results of one run on one metric. */

import { caveatsOf } from './caveats.ts';
import { clusteredMeanEstimate, spanEstimate } from './clusters.ts';
import type { Caveat, Estimate, Interval } from './estimate-schema.ts';
import { defaultLevel, meanEstimate, momentsOf, rateEstimate, ruleOfThree } from './intervals.ts';
import type { Summary as Answered } from './summary-schema.ts';
import {
  averageTrials,
  clustersOf,
  isBinary,
  isPresent,
  meansOf,
  type Observation,
  scoredIndexes,
  type TestcaseColumns,
  type TestcaseId,
} from './testcases.ts';
import { flakyTestcases, passK, type Trials } from './trials.ts';
import { weigh, weightedError, weightedEstimate } from './weighted.ts';

export interface SummaryOptions {
  boolean: boolean;
  /** The smallest and largest score that the metric can give, which bound a missing score. */
  bounds: Interval;
  level?: number;
}

/** Results of one run; its flaky testcases by index, or by name. */
export type Summary<Testcase> = Answered & {
  records: { scored: number; pending: number; unscored: number; failed: number };
  flaky: Trials<Testcase>[];
};

/** The mean over testcases if each missing trial had scored the worst, and the best: Manski's (1989) worst-case bounds. */
const missingRange = (columns: TestcaseColumns, { low, high }: Interval): Interval | null => {
  const { sums, trials, missing } = columns;
  const present = Int32Array.from(trials.keys()).filter((i) => isPresent(columns, i));
  const meanWith = (score: number): number | null => {
    const values = Float64Array.from(
      present,
      (i) => (sums[i]! + missing[i]! * score) / (trials[i]! + missing[i]!),
    );
    const weighed = weigh(columns, present, values);
    return weighed ? weightedError(weighed, null, false).mean : momentsOf(values).mean;
  };
  const [atWorst, atBest] = [meanWith(low), meanWith(high)];
  return atWorst === null || atBest === null ? null : { low: atWorst, high: atBest };
};

/** Returns a caveat for a rate of 0 or 1: the rates that it does not exclude, counted in independent units. */
const caveatOfNone = ({ n, estimate }: Estimate): Caveat | null => {
  const sentence = estimate === 0 || estimate === 1 ? ruleOfThree(estimate * n, n) : null;
  return sentence === null ? null : { code: 'noEvent', sentence };
};

const estimateOf = (
  columns: TestcaseColumns,
  { boolean, bounds, level }: Required<SummaryOptions>,
): Estimate => {
  const indexes = scoredIndexes(columns);
  if (columns.ofSpans && !columns.drawn && !columns.weighting) {
    const { sums, sumsOfSquares, trials } = columns;
    const units = Array.from(indexes, (i) => ({
      size: trials[i]!,
      sum: sums[i]!,
      squares: sumsOfSquares[i]!,
    }));
    return spanEstimate(units, clustersOf(columns.groups, indexes), level, bounds);
  }
  const means = meansOf(columns, indexes);
  const weighed = columns.drawn ?? weigh(columns, indexes, means);
  if (weighed)
    return weightedEstimate(weighed, { level, bounds, isCounted: boolean && isBinary(weighed.values) });
  if (boolean && columns.groups === null && isBinary(means)) {
    return rateEstimate(
      means.reduce((a, b) => a + b, 0),
      means.length,
      level,
    );
  }
  const estimate = columns.groups
    ? clusteredMeanEstimate(means, clustersOf(columns.groups, indexes), level, bounds)
    : meanEstimate(means, level, bounds);
  return boolean ? { ...estimate, ...caveatsOf(caveatOfNone(estimate), ...estimate.caveats) } : estimate;
};

/**
 * The rate or mean of one run with its interval. The unit is the testcase: trials are averaged first. Missing scores are counted separately
 * and never as failures; `range` is the effect that they could have had.
 */
export const summarizeTestcases = (columns: TestcaseColumns, options: SummaryOptions): Summary<number> => {
  const settings = { level: defaultLevel, ...options };
  const { boolean, bounds, level } = settings;
  const { records, trials } = columns;
  const estimate = estimateOf(columns, settings);
  const missing = records.pending + records.unscored + records.failed;
  const lacking =
    records.scored > 0
      ? `${missing} of ${missing + records.scored} scores ${missing === 1 ? 'is' : 'are'} missing: the estimate holds if ${missing === 1 ? 'it is' : 'they are'} missing by chance`
      : missing === 1
        ? 'its only score is missing'
        : `all ${missing} scores are missing`;
  return {
    ...estimate,
    ...caveatsOf(...estimate.caveats, missing > 0 ? { code: 'missingScores', sentence: lacking } : null),
    numTestcases: trials.reduce((count, tried) => (tried > 0 ? count + 1 : count), 0),
    records,
    // How many spans a missing record has is unknown, so no worst case has a bound.
    range: missing > 0 && !columns.drawn && !columns.ofSpans ? missingRange(columns, bounds) : null,
    // Trials that were drawn with unequal chances are not independent tries, and neither are spans.
    passK: boolean && !columns.drawn && !columns.ofSpans ? passK(columns, level) : [],
    flaky: boolean && !columns.ofSpans ? flakyTestcases(columns) : [],
  };
};

/** The same from single observations. */
export const summarizeRun = (
  observations: Iterable<Observation>,
  options: SummaryOptions,
): Summary<TestcaseId> => {
  const { columns, testcases } = averageTrials(observations);
  const summary = summarizeTestcases(columns[0]!, options);
  const flaky = summary.flaky.map((trials) => ({ ...trials, testcase: testcases[trials.testcase]! }));
  return { ...summary, flaky };
};
