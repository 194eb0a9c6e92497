/** Slices of a run: the records with a tag, or with a value of a field. */
import type { LabelColumns, TestcaseLabels } from './queries.ts';
import { labelPairs, type RunScores, unitLabels } from './run-scores.ts';

/** Most groups of a breakdown; the largest come first. */
const maxGroups = 100;

/** Labels of a run's records, by record number or by testcase. */
export type RecordLabels = { records: LabelColumns } | { testcases: TestcaseLabels[] };

/** Returns the labels of a run's records by their places. */
export const labelsByRecord = (run: RunScores, labels: RecordLabels): [place: number, label: string][] => {
  if ('testcases' in labels) {
    const ofUnits = unitLabels(run.units, labels.testcases);
    return Array.from(run.unitOf, (unit, place): [number, string | null] => [place, ofUnits[unit]!]).filter(
      (pair): pair is [number, string] => pair[1] !== null,
    );
  }
  const places = new Map(run.numbers.map((n, place) => [n, place]));
  return labelPairs(labels.records).flatMap(([n, label]): [number, string][] => {
    const place = places.get(n);
    return place === undefined ? [] : [[place, label]];
  });
};

/** Returns the records of each of the most frequent labels, and the number of other labels. */
export const largestGroups = (run: RunScores, labels: RecordLabels) => {
  const groups = new Map<string, Set<number>>();
  for (const [place, label] of labelsByRecord(run, labels)) {
    const group = groups.get(label);
    if (group) group.add(place);
    else groups.set(label, new Set([place]));
  }
  const largest = [...groups]
    .sort(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))
    .slice(0, maxGroups);
  return { largest, leftOut: groups.size - largest.length };
};

/** Returns the run with the scores of its records of one label; the others have none. Its units stay aligned with other runs. */
export const takeSlice = (run: RunScores, labels: RecordLabels, value: string) => {
  const inside = new Set(
    labelsByRecord(run, labels).flatMap(([place, label]) => (label === value ? [place] : [])),
  );
  const ofSlice = (values: Float64Array) =>
    values.map((score, place) => (inside.has(place) ? score : Number.NaN));
  const scores = run.scores.map((each) => ({
    ...each,
    values: ofSlice(each.values),
    own: ofSlice(each.own),
  }));
  return { run: { ...run, scores }, numRecords: inside.size };
};
