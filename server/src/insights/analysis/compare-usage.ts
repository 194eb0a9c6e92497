import type { Static } from 'typebox';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { addScore, emptyColumns, type TestcaseColumns } from '../../engine/statistics/testcases.ts';
import { type Rise, riseOfSum, riseOfTypical } from '../../engine/statistics/usage-rise.ts';
import type { RunScores } from './run-scores.ts';
import { numbersOf } from './run-scores.ts';
import type { UsageColumns } from './usage-queries.ts';
import type { UsageRises } from './usage-schema.ts';

/** A run with latency, tokens and cost of its records. */
export type MeasuredRun = { run: RunScores; usage: UsageColumns };

const columnsOf = ({ run, usage }: MeasuredRun, measure: keyof typeof names): TestcaseColumns => {
  const { units, revisions, groups, unitOf } = run;
  const columns = emptyColumns(units.length, revisions, groups);
  const places = new Map(run.numbers.map((n, place) => [n, place]));
  const values = numbersOf(usage[measure]);
  for (const [i, n] of numbersOf(usage.numbers).entries()) {
    const place = places.get(n);
    if (place !== undefined && !Number.isNaN(values[i]!)) addScore(columns, unitOf[place]!, values[i]!);
  }
  return columns;
};

const names = { latencyMs: 'the latency', tokens: 'the tokens', costUsd: 'the cost' } as const;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.replace('-', '−');

const sentenceOf = (noun: string, { n, rise, interval }: Rise): string => {
  if (rise === null) return `${noun} is not known of testcases that both runs have`;
  const range = interval ? ` (${percent(interval.low)} to ${percent(interval.high)})` : '';
  const shown = interval && (interval.low > 0 || interval.high < 0);
  const verb = !shown ? 'changed by' : rise > 0 ? 'rose by' : 'fell by';
  return `${noun} of ${countInWords(n, 'testcase')} ${verb} ${percent(shown ? Math.abs(rise) : rise)}${range}`;
};

/** Compares latency, tokens and cost of the records of two runs, on their shared testcases. */
export const compareUsage = (
  before: MeasuredRun,
  after: MeasuredRun,
  options: { level: number; seed: number },
): Static<typeof UsageRises.schema> => {
  const riseIn = (measure: keyof typeof names, riseOf: typeof riseOfSum) => {
    const { caveats, ...rise } = riseOf(columnsOf(before, measure), columnsOf(after, measure), options);
    return {
      ...rise,
      sentence: sentenceOf(names[measure], { caveats, ...rise }),
      warnings: caveats.map(({ sentence }) => sentence),
    };
  };
  return {
    latencyMs: riseIn('latencyMs', riseOfTypical),
    tokens: riseIn('tokens', riseOfSum),
    costUsd: riseIn('costUsd', riseOfSum),
  };
};
