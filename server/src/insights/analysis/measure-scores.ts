import {
  addMissing,
  addScore,
  addTrial,
  emptyColumns,
  type Missing,
  type TestcaseColumns,
} from '../../engine/statistics/testcases.ts';
import { missingCodes } from './queries.ts';
import type { RunScores, Scores } from './run-scores.ts';

const missingOf = new Map<number, Missing>(
  Object.entries(missingCodes).map(([state, code]) => [code, state as Missing]),
);

/** Tells whether a score passes. A boolean has no threshold and passes when true. */
export const passes = (value: number, { passingThreshold }: Pick<Scores, 'passingThreshold'>): boolean =>
  value >= (passingThreshold ?? 1);

/** The number of a score that is analysed: the score itself, or whether it passes. */
export type Measure = 'score' | 'pass';

/** A label is no number: whether it passes is what is analysed. */
const measured = (value: number, scores: Scores, measure: Measure): number =>
  measure === 'pass' || scores.outputType === 'category' ? Number(passes(value, scores)) : value;

/** Adds the spans of the records with a score as trials of their units: a rate over spans counts each, in the cluster of its unit. */
const addSpans = (
  columns: TestcaseColumns,
  { unitOf }: RunScores,
  scores: Scores & { spans: NonNullable<Scores['spans']> },
  measure: Measure,
  without?: Uint8Array,
): void => {
  const { places, values } = scores.spans;
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    if (scores.values[place]! >= 0 && !without?.[place])
      addTrial(columns, unitOf[place]!, measured(values[i]!, scores, measure));
  }
};

/** Returns the testcases of a run with one configuration's scores. `without` marks the records, by index, that do not count. */
export const testcasesOf = (
  run: RunScores,
  scores: Scores,
  measure: Measure,
  without?: Uint8Array,
): TestcaseColumns => {
  const { unitOf, units, revisions, groups, weighting } = run;
  const { spans } = scores;
  const columns = { ...emptyColumns(units.length, revisions, groups), weighting, ofSpans: spans !== null };
  for (let place = 0; place < unitOf.length; place++) {
    const value = without?.[place] ? Number.NaN : scores.values[place]!;
    if (value >= 0 && spans) columns.records.scored++;
    else if (value >= 0) addScore(columns, unitOf[place]!, measured(value, scores, measure));
    else if (value < 0) addMissing(columns, unitOf[place]!, missingOf.get(value)!);
  }
  if (spans) addSpans(columns, run, { ...scores, spans }, measure, without);
  return columns;
};

/** Returns the number of each record that is analysed: its score, or the mean over its spans. NaN without a score. */
export const recordMeans = (scores: Scores, measure: Measure): Float64Array => {
  const { values, spans } = scores;
  if (!spans) return values.map((value) => (value >= 0 ? measured(value, scores, measure) : Number.NaN));
  const sums = new Float64Array(values.length);
  const counts = new Int32Array(values.length);
  for (const [i, place] of spans.places.entries()) {
    sums[place]! += measured(spans.values[i]!, scores, measure);
    counts[place]!++;
  }
  return values.map((value, place) => (value >= 0 ? sums[place]! / counts[place]! : Number.NaN));
};
