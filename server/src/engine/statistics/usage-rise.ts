/** Tests whether the latency or the cost of a record rose. */
import { type Comparison, compareTestcases } from './compare.ts';
import type { Caveat, Interval } from './estimate-schema.ts';
import { addScore, emptyColumns, type TestcaseColumns } from './testcases.ts';

/** A rise as a share of the value before: 0.1 is 10 % more. */
export type Rise = {
  /** Number of testcases that both runs measured. */
  n: number;
  /** Mean of the shared testcases, in the unit of the measure. */
  before: number | null;
  after: number | null;
  rise: number | null;
  interval: Interval | null;
  /** Two-sided p of no rise and no fall. */
  p: number | null;
  caveats: Caveat[];
};

type Options = { level: number; seed: number };

const unknown: Rise = {
  n: 0,
  before: null,
  after: null,
  rise: null,
  interval: null,
  p: null,
  caveats: [],
};

/** Caveats of a comparison of scores that do not apply to a rise. */
const aboutScores = ['partialCoverage', 'missingVerdicts', 'fewTestcases'];

/** Reads a paired difference as a rise. */
const riseOf = (
  { n, paired, before, after, difference, interval, p, caveats }: Comparison<number>,
  share: (difference: number) => number,
  unit: (value: number) => number,
): Rise => {
  if (!paired || difference === null) return unknown;
  return {
    n,
    before: unit(before!),
    after: unit(after!),
    rise: share(difference),
    interval: interval && { low: share(interval.low), high: share(interval.high) },
    p,
    caveats: caveats.filter(({ code }) => !aboutScores.includes(code)),
  };
};

/**
 * The rise of a sum, such as a bill, as a share of what the shared testcases cost before. Costs are skewed, but if both runs cost the same,
 * the difference of a testcase is as likely to be above 0 as below, so the paired test of the difference holds.
 */
export const riseOfSum = (before: TestcaseColumns, after: TestcaseColumns, options: Options): Rise => {
  const compared = compareTestcases(before, after, { boolean: false, ...options });
  if (compared.before === null || compared.before <= 0) return unknown;
  return riseOf(
    compared,
    (difference) => difference / compared.before!,
    (value) => value,
  );
};

/** The logarithms of the mean of each testcase, so that a difference is a ratio. Values of 0 have none. */
const logsOf = (columns: TestcaseColumns): TestcaseColumns => {
  const logs = emptyColumns(columns.trials.length, columns.revisions, columns.groups);
  for (let i = 0; i < logs.trials.length; i++)
    if (columns.trials[i]! > 0 && columns.sums[i]! > 0)
      addScore(logs, i, Math.log(columns.sums[i]! / columns.trials[i]!));
  return logs;
};

/** The rise of a typical value, such as a latency: the geometric mean of the ratio of each testcase. One slow call does not decide it. */
export const riseOfTypical = (before: TestcaseColumns, after: TestcaseColumns, options: Options): Rise =>
  riseOf(
    compareTestcases(logsOf(before), logsOf(after), { boolean: false, ...options }),
    (log) => Math.exp(log) - 1,
    Math.exp,
  );
