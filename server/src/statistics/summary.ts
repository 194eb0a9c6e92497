/** What one run says about one metric. */
import {
  clusteredMeanEstimate,
  defaultLevel,
  type Estimate,
  type Interval,
  meanEstimate,
  rateEstimate,
  ruleOfThree,
  wilson,
} from './intervals.ts';
import { averageTrials, clustersOf, type Observation, type TestcaseMean } from './testcases.ts';
import { flakyTestcases, type PassK, passK, type Trials } from './trials.ts';

export interface SummaryOptions {
  boolean: boolean;
  /** The smallest and largest score the metric can give: what a missing one could have been. */
  bounds: Interval;
  level?: number;
}

export interface Summary extends Estimate {
  /** Testcases with at least one score; `n` counts groups instead where the testset names them. */
  testcases: number;
  records: { scored: number; pending: number; unscored: number; failed: number };
  /** The estimate had every missing score been the worst … the best possible; null when none is missing. */
  range: Interval | null;
  /** Empty unless the metric is boolean and testcases were tried more than once. */
  passK: PassK[];
  flaky: Trials[];
}

/** The mean over testcases if each missing trial had scored the worst, and the best: Manski's (1989) worst-case bounds. */
const missingRange = (testcases: TestcaseMean[], { low, high }: Interval): Interval | null => {
  if (testcases.every(({ missing }) => missing === 0)) return null;
  const meanWith = (filled: number) =>
    testcases.reduce(
      (total, { sum, trials, missing }) => total + (sum + missing * filled) / (trials + missing),
      0,
    ) / testcases.length;
  return { low: meanWith(low), high: meanWith(high) };
};

/**
 * Where every testcase passed, or none did, averages of trials have no spread to estimate an interval from: each
 * independent unit then counts as one pass or failure, which is Wilson's interval and errs on the wide side.
 */
const unanimous = (estimate: Estimate): Estimate => {
  const { n, estimate: rate, level } = estimate;
  const words = ruleOfThree(Math.round(rate! * n), n);
  return {
    ...estimate,
    method: 'wilson',
    interval: wilson(rate! * n, n, level),
    reason: null,
    warnings: [...(words ? [words] : []), ...estimate.warnings],
  };
};

const estimateOf = (scored: TestcaseMean[], grouped: boolean, boolean: boolean, level: number): Estimate => {
  const means = scored.map(({ mean }) => mean);
  const passes = means.reduce((a, b) => a + b, 0);
  const single = means.every((mean) => mean === 0 || mean === 1);
  if (boolean && !grouped && single) return rateEstimate(passes, means.length, level);
  const estimate = grouped
    ? clusteredMeanEstimate(means, clustersOf(scored), level)
    : meanEstimate(means, level);
  return boolean && means.length > 0 && (passes === 0 || passes === means.length)
    ? unanimous(estimate)
    : estimate;
};

const clamp = (interval: Interval | null, { low, high }: Interval): Interval | null =>
  interval && { low: Math.max(low, interval.low), high: Math.min(high, interval.high) };

/**
 * The rate or mean of one run with its interval. The unit is the testcase: trials are averaged first. Scores that are
 * missing are counted apart and never read as a failure; `range` says what they could have changed.
 */
export const summarizeRun = (observations: Iterable<Observation>, options: SummaryOptions): Summary => {
  const { boolean, bounds, level = defaultLevel } = options;
  const { testcases, records, grouped } = averageTrials(observations);
  const all = [...testcases.values()];
  const scored = all.filter(({ trials }) => trials > 0);
  const estimate = estimateOf(scored, grouped, boolean, level);
  const missing = records.pending + records.unscored + records.failed;
  return {
    ...estimate,
    // A t interval knows no bounds; what lies outside them is impossible, so cutting it costs no coverage.
    interval: clamp(estimate.interval, bounds),
    warnings: [
      ...estimate.warnings,
      ...(missing > 0
        ? [
            `${missing} of ${missing + records.scored} scores are missing: the estimate holds if they are missing by chance`,
          ]
        : []),
    ],
    testcases: scored.length,
    records,
    range: missingRange(all, bounds),
    passK: boolean
      ? passK(
          scored.map(({ testcase, trials, sum }) => ({ testcase, trials, passes: sum })),
          level,
        )
      : [],
    flaky: boolean ? flakyTestcases(scored) : [],
  };
};
