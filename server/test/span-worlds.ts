/** Made-up worlds whose metric scores the spans of records: spans of a record depend on each other. */

import { compareTestcases } from '../src/engine/statistics/compare.ts';
import { defaultLevel, rateEstimate } from '../src/engine/statistics/intervals.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';
import { summarizeTestcases } from '../src/engine/statistics/summary.ts';
import { addTrial, emptyColumns, type TestcaseColumns, unset } from '../src/engine/statistics/testcases.ts';
import { numUserGroups, rateOfUserSums } from '../src/engine/statistics/user-sums.ts';
import { flip, type Rate, times, type World } from './coverage.ts';

const unit = { low: 0, high: 1 };
const correlation = 0.5;

/** From 1 to 20 spans. */
const sizeOf = (random: Random): number => 1 + Math.floor(20 * uniform(random));

/** Records with the spans that pass. A span repeats its record's flip so often that two spans correlate by one half. */
const drawSpans = (random: Random, records: number, rateOf: (size: number) => number): boolean[][] =>
  times(records, () => {
    const size = sizeOf(random);
    const rate = rateOf(size);
    const shared = flip(random, rate);
    return times(size, () => (flip(random, Math.sqrt(correlation)) ? shared : flip(random, rate)));
  });

const columnsOf = (spans: boolean[][]): TestcaseColumns => {
  const columns = {
    ...emptyColumns(spans.length, new Int32Array(spans.length).fill(unset), null),
    ofSpans: true,
  };
  for (const [record, ofRecord] of spans.entries()) {
    columns.records.scored++;
    for (const passes of ofRecord) addTrial(columns, record, Number(passes));
  }
  return columns;
};

const method = 'rate over spans, clustered by record (CR2)';
const usual = '1 to 20 spans each, correlation 0.5';

const overSpans = (records: number, rate: number): World => ({
  name: `pass rate ${rate} over the spans of ${records} records, ${usual}`,
  method,
  truth: rate,
  draw: (random) =>
    summarizeTestcases(columnsOf(drawSpans(random, records, () => rate)), { boolean: true, bounds: unit }),
});

/** Each further span of a record makes its spans fail more often. */
const falling = (size: number): number => 0.95 - 0.02 * size;
const sizes = times(20, (i) => i + 1);
const total = (of: (size: number) => number) => sizes.reduce((sum, size) => sum + of(size), 0);

const longRecordsFail: World = {
  name: `spans of long records fail more often, 200 records, ${usual}`,
  method,
  truth: total((size) => size * falling(size)) / total((size) => size),
  draw: (random) =>
    summarizeTestcases(columnsOf(drawSpans(random, 200, falling)), { boolean: true, bounds: unit }),
};

/** The same rate from counts of hours, which know a record by one of 64 groups. */
const overSeries = (records: number, rate: number): World => ({
  name: `pass rate ${rate} over the spans of ${records} records of a day, ${usual}`,
  method: 'rate over spans of a series, clustered by random groups of records',
  truth: rate,
  draw: (random) => {
    const [sizes, passes] = [times(numUserGroups, () => 0), times(numUserGroups, () => 0)];
    for (const spans of drawSpans(random, records, () => rate)) {
      const group = Math.floor(numUserGroups * uniform(random));
      sizes[group]! += spans.length;
      passes[group]! += spans.filter(Boolean).length;
    }
    const sum = (of: number[]) => of.reduce((all, one) => all + one, 0);
    return rateOfUserSums(sum(passes), sum(sizes), { sizes, passes }, defaultLevel, 'span');
  },
});

export const spanWorlds: World[] = [
  overSeries(20, 0.8),
  overSeries(50, 0.7),
  overSeries(100, 0.9),
  overSeries(300, 0.9),
  overSpans(50, 0.7),
  overSpans(100, 0.8),
  overSpans(100, 0.9),
  overSpans(300, 0.9),
  longRecordsFail,
];

/** Spans read as if they were independent: the error that the cluster prevents. */
export const wrongSpans: World[] = [
  {
    name: `pass rate 0.8 over the spans of 100 records read as independent spans, ${usual}`,
    method: 'Wilson over spans, not meant for it',
    truth: 0.8,
    draw: (random) => {
      const all = drawSpans(random, 100, () => 0.8).flat();
      return rateEstimate(all.filter(Boolean).length, all.length);
    },
  },
];

/** Two runs on the same testcases. The second calls its tools in its own number; its spans pass less often by `loss`. */
const compared = (records: number, loss: number, nominal: string): Rate => ({
  name: `${loss === 0 ? 'no difference' : `${100 * loss} points lost`} between the spans of ${records} testcases, ${usual}`,
  method: 'paired by record, the mean over its spans',
  nominal,
  happens: (random) => {
    const [before, after] = [0, loss].map((lost) => columnsOf(drawSpans(random, records, () => 0.8 - lost)));
    const { verdict } = compareTestcases(before!, after!, { boolean: true, bounds: unit });
    return verdict === 'better' || verdict === 'worse';
  },
});

export const spanRates: Rate[] = [
  compared(50, 0, '"better" or "worse" in at most 5 %'),
  compared(200, 0, '"better" or "worse" in at most 5 %'),
  compared(200, 0.15, 'a verdict; in how many, is not stated'),
];
