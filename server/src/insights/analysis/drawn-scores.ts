/** Scores of a sample of a run's records, which people or monitors drew, weighted by the chance of each record. */
import { type WeighedDraw, weighDraw } from '../../engine/statistics/drawn.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { clustersOf, type TestcaseColumns, unset } from '../../engine/statistics/testcases.ts';
import { type Measure, recordMeans, testcasesOf } from './measure-scores.ts';
import { caveatOfNotDrawn } from './people-labels.ts';
import type { RunScores, Scores } from './run-scores.ts';

/** Whether a sample of unequal chances was scored. If all records have a score, the draw does not matter. */
export const isSample = ({ draw, values }: Pick<Scores, 'draw' | 'values'>): boolean =>
  draw !== null && values.some((value) => !(value >= 0));

/** The places of the records that could be drawn. */
const frameOf = ({ unitOf, weighting }: RunScores, strata: Int32Array, without?: Uint8Array): number[] =>
  [...strata.keys()].filter(
    (place) =>
      strata[place] !== unset &&
      !without?.[place] &&
      (weighting === null || weighting.parts[unitOf[place]!] !== unset),
  );

const weighScores = (
  run: RunScores,
  scores: Scores,
  { strata, drawn }: NonNullable<Scores['draw']>,
  { measure, without, fill }: { measure: Measure; without?: Uint8Array; fill?: number },
): WeighedDraw => {
  const frame = frameOf(run, strata, without);
  const means = recordMeans(scores, measure);
  const scoreOf = (place: number): number => {
    if (drawn[place] !== 1) return Number.NaN;
    const value = means[place]!;
    return Number.isNaN(value) ? (fill ?? Number.NaN) : value;
  };
  const units = Int32Array.from(frame, (place) => run.unitOf[place]!);
  const records = {
    units,
    // Trials of a testcase depend on each other, as testcases of a group do.
    clusters: clustersOf(run.groups ?? null, units).map((cluster, i) =>
      cluster < 0 ? -1 - units[i]! : cluster,
    ),
    strata: Int32Array.from(frame, (place) => strata[place]!),
    values: Float64Array.from(frame, scoreOf),
  };
  return weighDraw(records, run.weighting);
};

const caveatOfUnknown = ({ numRecords, numUnknown }: WeighedDraw): Caveat | null =>
  numUnknown === 0
    ? null
    : {
        code: 'notSampled',
        sentence: `${numUnknown} of ${numRecords} records are of strata without a score: this number is about the others`,
      };

/** The testcases of a run with one configuration's scores, and the caveats of how its records were drawn. */
export const drawnTestcasesOf = (
  run: RunScores,
  scores: Scores,
  measure: Measure,
  without?: Uint8Array,
): { testcases: TestcaseColumns; caveats: (Caveat | null)[] } => {
  const { draw } = scores;
  if (!draw || !isSample(scores))
    return { testcases: testcasesOf(run, scores, measure, without), caveats: [] };
  const isOutside = (place: number) => draw.strata[place] === unset || draw.drawn[place] !== 1;
  const values = scores.values.map((value, place) => (isOutside(place) ? Number.NaN : value));
  const numOutside = scores.values.filter((value, place) => value >= 0 && isOutside(place)).length;
  const ofDraw = weighScores(run, scores, draw, { measure, ...(without && { without }) });
  return {
    testcases: { ...testcasesOf(run, { ...scores, values }, measure, without), drawn: ofDraw.weighed },
    caveats: [caveatOfNotDrawn(numOutside), caveatOfUnknown(ofDraw)],
  };
};

/** The same with a score for each record of the sample that has none. */
export const fillDraw = (run: RunScores, scores: Scores, measure: Measure, fill: number) =>
  scores.draw && weighScores(run, scores, scores.draw, { measure, fill }).weighed;

/** Says that a number counts the records of a sample alike. */
export const caveatOfDraw = (scores: Scores): Caveat | null =>
  isSample(scores)
    ? {
        code: 'notSampled',
        sentence:
          'the scored records were drawn with unequal chances, and this number counts them alike: it is about the scored records',
      }
    : null;
