import { caveatsOf } from '../../engine/statistics/caveats.ts';
import type { CompareOptions } from '../../engine/statistics/compare.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { judgeStatus } from '../../engine/statistics/judge-status.ts';
import type { LabelledRecord } from '../../engine/statistics/label-strata.ts';
import {
  concludeCorrections,
  type JudgedPair,
  type JudgedSide,
  type MeasuredCorrection,
  measureCorrection,
} from '../../engine/statistics/paired-correction.ts';
import { labelsInWords } from '../../engine/statistics/prediction-powered.ts';
import {
  caveatOfReviewers,
  correctDifferenceForReviewers,
  estimateReviewerError,
  labelErrors,
  type ReviewedLabel,
  reviewersInWords,
} from '../../engine/statistics/reviewer-errors.ts';
import { unset } from '../../engine/statistics/testcases.ts';
import { type JudgeConfig, type LabelledColumns, unnamedPeople } from '../../scoring/labels/queries.ts';
import { caveatOfOutside, caveatOfWaiting, correctedRateOf } from './calibrate.ts';
import { withDoubts } from './doubts.ts';
import type { Doubt } from './judge-schema.ts';
import { type Measure, passes } from './measure-scores.ts';
import { type Label, readLabels, withMakers } from './people-labels.ts';
import { numbersOf, type RunScores, type Scores } from './run-scores.ts';
import type { SampleColumns } from './sample-queries.ts';

/** People's labels of the records of a judge, which is a metric with one of its configurations. */
export type JudgeLabels = {
  judge: JudgeConfig;
  /** Metric by which people scored; null if it is not known. */
  peopleMetricId: string | null;
  /** Whether people's scores are of the judge's kind: if not, only passes can be compared. */
  sameKind: boolean;
  labels: LabelledColumns;
  /** The random sample of each compared run that people were to score, by id of the run. */
  samples: Record<string, SampleColumns>;
  /** What keeps the judge from being trusted as its grade says. */
  doubts: readonly Doubt[];
};

/** A run with the scores of one judge, and people's labels of its records. */
export type JudgedRun = { run: RunScores; scores: Scores; labels: JudgeLabels };

/** Describes the judge of one run, and corrects the run's pass rate for the judge's errors. */
export const describeJudge = ({ run, scores, labels: ofJudge }: JudgedRun, level: number) => {
  const { judge, peopleMetricId, labels: columns, samples } = ofJudge;
  const { labels, unjudged } = readLabels(columns, judge);
  const records: LabelledRecord[] = labels;
  const sample = samples[run.runId] ?? null;
  return {
    metricConfigId: judge.configId,
    ...withDoubts(
      withMakers(
        {
          ...judgeStatus(records, unjudged, level),
          ...(peopleMetricId === null && { sentence: unnamedPeople }),
        },
        columns,
      ),
      ofJudge.doubts,
    ),
    peopleMetricId,
    labelledAt: columns.labelledAt,
    correctedRate:
      run.weighting !== null || peopleMetricId === null || labels.length === 0
        ? null
        : correctedRateOf({ run, scores, judge, sample }, labels, level),
  };
};

/** The labels of the run itself: a judge's labels are those of many runs. */
export const labelsIn = ({ run, labels: { judge, labels } }: JudgedRun): Label[] =>
  readLabels(labels, judge).labels.filter(({ id }) => id.startsWith(`${run.runId}-`));

/** A record in the sample: its chance of being drawn, and whether it was drawn. */
type Drawn = { chance: number; drawn: boolean };

const readSample = (columns: SampleColumns | undefined): Map<number, Drawn> | null => {
  const numbers = numbersOf(columns?.numbers ?? null);
  if (!columns || numbers.length === 0) return null;
  const [chances, drawn] = [numbersOf(columns.chances), numbersOf(columns.drawn)];
  return new Map(numbers.map((n, i) => [n, { chance: chances[i]!, drawn: drawn[i] !== 0 }]));
};

/** A record's verdict, and people's if it counts. A drawn record without a label waits for it. */
type Judged = { judge: number; human: number | null; chance: number | null; waits: boolean };

/** A label counts if the record was drawn, or if there is no sample. Null for a record that could not be drawn. */
const readRecord = (
  judge: number,
  label: number | undefined,
  drawn: Drawn | undefined,
  sampled: boolean,
): Judged | null => {
  if (!sampled) return { judge, human: label ?? null, chance: null, waits: false };
  if (!drawn || drawn.chance === 0) return null;
  const human = drawn.drawn ? (label ?? null) : null;
  return { judge, human, chance: drawn.chance, waits: drawn.drawn && human === null };
};

const meanOf = (values: number[]): number => values.reduce((x, y) => x + y, 0) / values.length;

/** Averages the trials of a testcase: those with a label if there are any, else all. */
const sideOf = (records: Judged[]): JudgedSide => {
  const labelled = records.filter(({ human }) => human !== null);
  const used = labelled.length > 0 ? labelled : records;
  const chance = used[0]!.chance;
  return {
    judge: meanOf(used.map(({ judge }) => judge)),
    human: labelled.length > 0 ? meanOf(labelled.map(({ human }) => human!)) : null,
    ...(chance !== null && { inclusionProbability: chance }),
  };
};

/** One run's testcases by unit; null for those that the judge did not score or that could not be drawn. */
type Sides = { sides: (JudgedSide | null)[]; waiting: number; outside: number; sampled: boolean };

const sidesOf = (
  { run, scores, labels: { judge, labels: columns, samples } }: JudgedRun,
  measure: Measure,
): Sides => {
  const asPass = measure === 'pass';
  const human = new Map(
    readLabels(columns, judge).labels.map((label) => [
      label.id,
      asPass ? Number(label.human) : label.humanScore,
    ]),
  );
  const sample = readSample(samples[run.runId]);
  const records = run.units.map((): Judged[] => []);
  const outside = new Set<number>();
  for (const [place, unit] of run.unitOf.entries()) {
    const value = scores.own[place]!;
    if (!(value >= 0)) continue;
    const n = run.numbers[place]!;
    const verdict = asPass ? Number(passes(value, judge)) : value;
    const record = readRecord(verdict, human.get(`${run.runId}-${n}`), sample?.get(n), sample !== null);
    if (record) records[unit]!.push(record);
    else outside.add(unit);
  }
  return {
    sides: records.map((ofUnit, unit) => (ofUnit.length === 0 || outside.has(unit) ? null : sideOf(ofUnit))),
    waiting: records.filter((ofUnit) => ofUnit.some(({ waits }) => waits)).length,
    outside: outside.size,
    sampled: sample !== null,
  };
};

/**
 * Corrects a difference of pass rates for the errors of the people who labelled both runs, if several people reviewed enough records
 * blindly. If it cannot be corrected, a caveat says how much larger the true difference is.
 */
const correctPeople = (
  measured: MeasuredCorrection,
  runs: readonly [JudgedRun, JudgedRun],
  level: number,
): { measured: MeasuredCorrection; caveat: Caveat | null } => {
  const [before, after] = runs.map((run) => labelsIn(run).map((label) => label.reviewed)) as [
    ReviewedLabel[],
    ReviewedLabel[],
  ];
  const reviewed = [...before, ...after];
  const found = estimateReviewerError(reviewed, level);
  if (!found || measured.difference === null) return { measured, caveat: null };
  const corrected = measured.boolean
    ? correctDifferenceForReviewers(measured.difference, measured.intervalAt, [before, after], found)
    : null;
  const { good, bad } = labelErrors(reviewed, found.error);
  const times = (1 / (1 - good - bad)).toFixed(2);
  if (!corrected)
    return {
      measured,
      caveat: caveatOfReviewers(
        found,
        good + bad,
        `the true difference is about ${times} times as large as this one`,
      ),
    };
  const { standardError, assumption } = measured;
  return {
    measured: {
      ...measured,
      difference: corrected.difference,
      intervalAt: corrected.intervalAt,
      interval: corrected.intervalAt(level),
      standardError: standardError === null ? null : standardError * corrected.times,
      assumption: assumption.replace('people are right', reviewersInWords(found)),
    },
    caveat: caveatOfReviewers(
      found,
      good + bad,
      `the difference is corrected for that, which makes it ${times} times as large`,
    ),
  };
};

/** A corrected difference before its verdict, with the facts about its labels. */
export type Correction = {
  measured: MeasuredCorrection;
  sampled: boolean;
  ofLabels: (Caveat | null)[];
};

/**
 * Corrects the difference of two runs for their judges, from people's labels of records of both. Null if people's scores cannot be compared
 * with the judge's.
 */
export const correctComparison = (
  before: JudgedRun,
  after: JudgedRun,
  { measure, level, boolean }: { measure: Measure; level: number } & Pick<CompareOptions, 'boolean'>,
): Correction | null => {
  const comparable = boolean || (before.labels.sameKind && after.labels.sameKind);
  if (!comparable) return null;
  const as: Measure = boolean ? 'pass' : measure;
  const ofBefore = sidesOf(before, as);
  const ofAfter = sidesOf(after, as);
  const pairs = ofBefore.sides.flatMap((side, unit): JudgedPair[] => {
    const other = ofAfter.sides[unit];
    const changed = before.run.revisions[unit] !== after.run.revisions[unit];
    if (!side || !other || changed) return [];
    const group = before.run.groups?.[unit] ?? unset;
    return [{ before: side, after: other, ...(group !== unset && { group }) }];
  });
  const sampled = ofBefore.sampled && ofAfter.sampled;
  const { measured, caveat: caveatOfPeople } = correctPeople(
    measureCorrection(pairs, { boolean, level }),
    [before, after],
    level,
  );
  const caveat: Caveat | null =
    sampled || measured.difference === null
      ? null
      : {
          code: 'notSampled',
          sentence:
            'the labelled records were not drawn at random from both runs: the correction holds only if they are like the rest',
        };
  return {
    measured,
    sampled,
    ofLabels: [
      caveat,
      caveatOfPeople,
      caveatOfWaiting(ofBefore.waiting + ofAfter.waiting),
      caveatOfOutside(ofBefore.outside + ofAfter.outside),
    ],
  };
};

/** Adds the verdicts of corrected differences that are read together. */
export const concludeComparisons = (corrections: readonly Correction[]) =>
  concludeCorrections(corrections.map(({ measured }) => measured)).map((corrected, i) => {
    const { sampled, ofLabels } = corrections[i]!;
    return {
      ...corrected,
      sampled,
      moreLabels: labelsInWords(corrected.numLabelsToHalve, corrected.difference !== null),
      ...caveatsOf(...corrected.caveats, ...ofLabels),
    };
  });
