import type { Static } from 'typebox';
import type { Criteria } from '../../../../client/src/criteria.ts';
import { calibrate } from '../../engine/statistics/calibration.ts';
import { caveatsOf } from '../../engine/statistics/caveats.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { judgeStatus } from '../../engine/statistics/judge-status.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { omit } from '../../platform/omit.ts';
import {
  type JudgeConfig,
  type LabelFacts,
  type LabelledColumns,
  noLabelFacts,
} from '../../scoring/labels/queries.ts';
import type { Split } from '../../scoring/labels/split.ts';
import type { CriteriaCalibration } from './calibration-schema.ts';
import type { CriterionLabels } from './criterion-label-queries.ts';
import { type Label, readLabels } from './people-labels.ts';
import { textsOf } from './run-scores.ts';

export type CriteriaJob = {
  judge: JudgeConfig;
  labels: LabelledColumns;
  criteria: CriterionLabels;
  split: Split;
  level: number;
};

/** Most criteria that are listed: those with the most labels. HealthBench has as many as rubrics. */
export const maxListedCriteria = 200;

type Said = { [id: string]: 0 | 1 | null } | null;

/** Columns of labels as lists, read once for all criteria. */
const listsOf = (columns: LabelledColumns): [name: string, list: string[] | null][] =>
  Object.entries(omit(columns, 'labelledAt', 'numByPeople', 'numByClients', 'numByCode', 'numByModels')).map(
    ([name, column]) => [name, column === null ? null : textsOf(column)],
  );

const arrayText = (values: readonly unknown[]): string =>
  `{${values.map((value) => value ?? 'NULL').join()}}`;

type Place = { place: number; judge: 0 | 1 | null | undefined; people: 0 | 1 };

/** The labels of one criterion, in the form of those of a boolean metric: the statistics of judges hold for it. */
const columnsOf = (lists: ReturnType<typeof listsOf>, places: readonly Place[]): LabelledColumns => {
  const picked = lists.map(([name, list]) => [
    name,
    list && arrayText(places.map(({ place }) => list[place])),
  ]);
  const people = arrayText(places.map((each) => each.people));
  const none = arrayText(places.map(() => 0));
  return {
    ...(Object.fromEntries(picked) as Omit<LabelledColumns, keyof LabelFacts>),
    ...noLabelFacts,
    judge: arrayText(places.map((each) => each.judge)),
    human: people,
    humanPassed: people,
    // Reviews are counted by score, not by criterion.
    reviews: none,
    reviewPasses: none,
    rules: arrayText(places.map(() => null)),
  };
};

/** The labels of each criterion, those of the metric first. */
const placesOf = (
  said: string | null,
  records: readonly string[],
  ids: readonly string[],
): Map<string, Place[]> => {
  const placeOf = new Map(records.map((record, place) => [record, place]));
  const places = new Map(ids.map((id): [string, Place[]] => [id, []]));
  for (const [record, judge, people] of parseJson(said ?? '[]') as [string, Said, Said][]) {
    const place = placeOf.get(record);
    if (place === undefined) continue;
    for (const [id, met] of Object.entries(people ?? {})) {
      if (met === null) continue;
      const known = places.get(id) ?? [];
      known.push({ place, judge: judge?.[id], people: met });
      places.set(id, known);
    }
  }
  return places;
};

/** Verdicts on the criteria of one record repeat no inputs: they depend on each other. */
const ofRecords = (caveat: Caveat, verdicts: number, records: number): Caveat =>
  caveat.code === 'repeatedInputs'
    ? {
        code: 'dependentRecords',
        sentence: `${countInWords(verdicts, 'verdict')} are of ${countInWords(records, 'record')}: the verdicts on a record are one unit`,
      }
    : caveat;

/**
 * Compares a judge with people criterion by criterion, and on all verdicts together, where the verdicts on a record depend on each other.
 */
export const calibrateCriteria = ({
  judge,
  labels,
  criteria,
  split,
  level,
}: CriteriaJob): Static<typeof CriteriaCalibration.schema> => {
  const { items } = parseJson(criteria.criteria ?? '{"items":[]}') as Pick<Criteria, 'items'>;
  const lists = listsOf(labels);
  const ids = items.map(({ id }) => id);
  const places = placesOf(criteria.said, textsOf(labels.records), ids);
  const asBoolean: JudgeConfig = { ...judge, outputType: 'boolean', passingThreshold: null };
  const all: Label[] = [];
  const found = [...places].map(([id, ofCriterion]) => {
    const read = readLabels(columnsOf(lists, ofCriterion), asBoolean);
    const chosen = split === 'all' ? read.labels : read.labels.filter((label) => label.split === split);
    all.push(...chosen.map((label) => ({ ...label, unit: label.unit ?? `record ${label.id}` })));
    return { id, chosen, unjudged: read.unjudged };
  });
  const describe = (chosen: readonly Label[], unjudged: number) => {
    const { disagreements, ...calibration } = calibrate(chosen, level);
    const { state, grade } = judgeStatus(chosen, unjudged, level);
    return { ...calibration, numDisagreements: disagreements.length, unjudged, state, grade };
  };
  const together = describe(
    all,
    found.reduce((sum, { unjudged }) => sum + unjudged, 0),
  );
  const numRecords = new Set(all.map(({ id }) => id)).size;
  const itemOf = new Map(items.map((item, place) => [item.id, { ...item, place }]));
  const listed = found.toSorted(
    (a, b) =>
      (itemOf.get(a.id)?.place ?? items.length) - (itemOf.get(b.id)?.place ?? items.length) ||
      b.chosen.length - a.chosen.length,
  );
  return {
    criteria: listed.slice(0, maxListedCriteria).map(({ id, chosen, unjudged }) => {
      const { text = null, weight = null, mustPass = null } = itemOf.get(id) ?? {};
      return { id, text, weight, mustPass, ...describe(chosen, unjudged) };
    }),
    numCriteriaLeftOut: Math.max(0, listed.length - maxListedCriteria),
    together: {
      ...together,
      ...caveatsOf(...together.caveats.map((caveat) => ofRecords(caveat, all.length, numRecords))),
    },
  };
};
