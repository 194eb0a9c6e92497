import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { numberStrata } from '../../engine/statistics/strata.ts';
import { takeWeights, unset, type Weighting } from '../../engine/statistics/testcases.ts';
import type {
  DrawColumns,
  LabelColumns,
  NearDuplicates,
  OwnColumns,
  RecordColumns,
  ScoreColumns,
  TestcaseLabels,
} from './queries.ts';
import { caveatOfNear, caveatOfRepeats, isFirst, joinGroups, numberInputs } from './same-inputs.ts';

/** A run's columns as text, as they come from the database and cross to the computing thread. */
export type RunColumns = {
  runId: string;
  records: RecordColumns;
  /** The groups of the testcases, for each testset with a grouping field. */
  groups: TestcaseLabels[];
  scores: ScoreColumns[];
  /** Absent where no one looks for them. */
  nearDuplicates?: NearDuplicates;
};

/** Unit of records: the testcase that they answer; a record without a testcase is a separate unit. */
export type Unit = {
  testset: number | null;
  /** Number of the testcase in its testset, or of the record in its run. */
  n: number;
  runId: string;
  /** Set only when a run has several revisions of the testcase, which are then different units. */
  revision: number | null;
};

/**
 * One configuration's scores in a run, by index of the record: a value, one of `missingCodes`, or NaN without a score. `own` has the
 * judge's own value of the records whose score people gave in its place; in `numReplaced` of them it differs.
 */
export type Scores = Omit<ScoreColumns, 'numbers' | 'values' | 'own' | 'draw' | 'spans'> & {
  values: Float64Array;
  own: Float64Array;
  numReplaced: number;
  /** The index of the record of each span, and the span's value, if the metric scores spans. Only those of records with a value count. */
  spans: { places: Int32Array; values: Float64Array } | null;
  /** The stratum of each record that could be drawn with unequal chances, and whether it was. Null without such a draw. */
  draw: { strata: Int32Array; drawn: Int32Array } | null;
};

export type RunScores = {
  runId: string;
  /** Numbers of its records, ascending. */
  numbers: number[];
  /** The index in `units` of each record's unit. */
  unitOf: Int32Array;
  /** Shared by all aligned runs: a testcase has the same index in each. */
  units: Unit[];
  /** By unit: its revision in the run. */
  revisions: Int32Array;
  /** By unit: equal numbers are one group, by the testset's field or by the same inputs. Null when no unit has a group. */
  groups: Int32Array | null;
  groupedBy: string | null;
  /** By unit: equal numbers are the same inputs. Null when no two units have the same. */
  inputsOf: Int32Array | null;
  /** Says that units of this run have the same inputs. */
  repeats: Caveat | null;
  /** Says that inputs of this run are near-duplicates. */
  near: Caveat | null;
  /** By unit: what the testcases stand for. Null if each counts the same. */
  weighting: Weighting | null;
  scores: Scores[];
};

/** Splits PostgreSQL's text of an array; NULL is the text `NULL`. */
export const textsOf = (array: string | null): string[] =>
  array === null || array === '{}' ? [] : array.slice(1, -1).split(',');

/** Parses PostgreSQL's text of an array of numbers; NULL becomes NaN. */
export const numbersOf = (array: string | null): number[] => {
  if (array === null) return [];
  const numbers: (number | null)[] = JSON.parse(`[${array.slice(1, -1).replaceAll('NULL', 'null')}]`);
  return numbers.map((number) => number ?? Number.NaN);
};
const valuesOf = (array: string | null): (string | null)[] =>
  array === null ? [] : (JSON.parse(array) as (string | null)[]);

/** Returns labels with their numbers. A number may have several labels. */
export const labelPairs = ({ numbers, values }: LabelColumns): [n: number, label: string][] => {
  const labels = valuesOf(values);
  return numbersOf(numbers).flatMap((n, i): [number, string][] => {
    const label = labels[i] ?? null;
    return label === null ? [] : [[n, label]];
  });
};

type Records = {
  runId: string;
  numbers: number[];
  testsets: number[];
  testcases: number[];
  revisions: number[];
  inputs: number[];
};

/** Reads the records in the order of their numbers: the database returns them in any order, and random signs depend on it. */
const recordsOf = ({ runId, records }: RunColumns): Records => {
  const columns = {
    numbers: numbersOf(records.numbers),
    testsets: numbersOf(records.testsets),
    testcases: numbersOf(records.testcases),
    revisions: numbersOf(records.revisions),
    inputs: numbersOf(records.inputs),
  };
  const { numbers } = columns;
  if (numbers.every((n, i) => i === 0 || numbers[i - 1]! < n)) return { runId, ...columns };
  const order = numbers.map((_, i) => i).sort((a, b) => numbers[a]! - numbers[b]!);
  const inOrder = (column: number[]) => order.map((i) => column[i]!);
  return {
    runId,
    numbers: inOrder(columns.numbers),
    testsets: inOrder(columns.testsets),
    testcases: inOrder(columns.testcases),
    revisions: inOrder(columns.revisions),
    inputs: inOrder(columns.inputs),
  };
};

const testcaseName = (testset: number, n: number): string => `${testset}-${n}`;

/**
 * Finds the testcases with several revisions in a run. Only the revisions of these are different units: otherwise a testcase that
 * changed between two runs would not be reported as revised.
 */
const mixedTestcases = (runs: Records[]): Set<string> => {
  const mixed = new Set<string>();
  for (const { testsets, testcases, revisions } of runs) {
    const first = revisions.find((revision) => revision >= 0);
    if (revisions.every((revision) => Number.isNaN(revision) || revision === first)) continue;
    const seen = new Map<string, number>();
    for (const [i, revision] of revisions.entries()) {
      const name = testcaseName(testsets[i]!, testcases[i]!);
      const before = seen.get(name);
      if (before === undefined) seen.set(name, revision);
      else if (before !== revision && !Number.isNaN(revision)) mixed.add(name);
    }
  }
  return mixed;
};

/** Finds the units of all runs, and the unit of each record. */
const findUnits = (runs: Records[]): { units: Unit[]; places: Int32Array[] } => {
  const mixed = mixedTestcases(runs);
  const units: Unit[] = [];
  // One map for each testset, by testcase number: building text keys for a single map took longer than the statistics.
  const known = new Map<number | string, Map<number, number>>();
  const placeOf = (testset: number, n: number, runId: string, revision: number): number => {
    const apart = mixed.size > 0 && mixed.has(testcaseName(testset, n));
    const key = apart ? `${testset} revision ${revision}` : testset;
    const ofTestset = known.get(key) ?? new Map<number, number>();
    known.set(key, ofTestset);
    const place = ofTestset.get(n);
    if (place !== undefined) return place;
    ofTestset.set(n, units.length);
    return units.push({ testset, n, runId, revision: apart ? revision : null }) - 1;
  };
  const places = runs.map(({ runId, numbers, testsets, testcases, revisions }) => {
    const ofRun = new Int32Array(numbers.length);
    for (let i = 0; i < ofRun.length; i++) {
      ofRun[i] = Number.isNaN(testsets[i]!)
        ? units.push({ testset: null, n: numbers[i]!, runId, revision: null }) - 1
        : placeOf(testsets[i]!, testcases[i]!, runId, revisions[i]!);
    }
    return ofRun;
  });
  return { units, places };
};

/** Returns the name of a unit, by its index. */
export const nameOf = (units: Unit[], place: number): string => {
  const { testset, n, runId, revision } = units[place]!;
  if (testset === null) return `record ${runId}-${n}`;
  return `${testcaseName(testset, n)}${revision === null ? '' : ` revision ${revision}`}`;
};

/** Returns the label of each unit, from its testcase. */
export const unitLabels = (units: Unit[], labels: TestcaseLabels[]): (string | null)[] => {
  const byTestset = new Map(
    labels.map((ofTestset) => [Number(ofTestset.testsetId), new Map(labelPairs(ofTestset))]),
  );
  return units.map(({ testset, n }) => (testset === null ? null : byTestset.get(testset)?.get(n)) ?? null);
};

const groupsOf = (units: Unit[], labels: TestcaseLabels[]): Int32Array | null => {
  if (labels.length === 0) return null;
  const numbers = new Map<string, number>();
  const groups = new Int32Array(units.length).fill(unset);
  for (const [unit, label] of unitLabels(units, labels).entries()) {
    if (label === null) continue;
    const number = numbers.get(label) ?? numbers.size;
    if (number === numbers.size) numbers.set(label, number);
    groups[unit] = number;
  }
  return numbers.size > 0 ? groups : null;
};

/** Counts the records with another value; NaN is not a value. */
const differing = (own: Float64Array, values: Float64Array): number =>
  own.filter((value, i) => !Object.is(value, values[i])).length;

/** Puts a draw in the order of the records. Records that have a chance each are put into strata of about the same chance. */
const drawOf = (columns: DrawColumns, places: Int32Array, values: Float64Array): Scores['draw'] => {
  const given = numbersOf(columns.numbers).map((n) => places[n] ?? unset);
  const [strata, chances, drawn] = [columns.strata, columns.chances, columns.drawn].map(numbersOf) as [
    number[],
    number[],
    number[],
  ];
  const isScored = given.map((place, i) => drawn[i] === 1 && values[place]! >= 0);
  const { of } = strata.some(Number.isNaN) ? numberStrata(chances, isScored) : { of: strata };
  const draw = { strata: new Int32Array(values.length).fill(unset), drawn: new Int32Array(values.length) };
  for (const [i, place] of given.entries()) {
    if (place === unset) continue;
    draw.strata[place] = of[i]!;
    draw.drawn[place] = drawn[i]!;
  }
  return draw;
};

/** Puts the values of spans beside the places of their records. Leaves out those of records that were not read. */
const spansOf = ({ numbers, values }: OwnColumns, places: Int32Array): NonNullable<Scores['spans']> => {
  const ofRecords = numbersOf(numbers).map((n) => places[n] ?? unset);
  const given = numbersOf(values);
  const kept = [...ofRecords.keys()].filter((i) => ofRecords[i] !== unset);
  return {
    places: Int32Array.from(kept, (i) => ofRecords[i]!),
    values: Float64Array.from(kept, (i) => given[i]!),
  };
};

/** Returns the function that puts scores in the order of the records. It leaves out scores of records that were not read. */
const scoreReader = (numbers: number[]) => {
  const places = new Int32Array((numbers.at(-1) ?? 0) + 1).fill(unset);
  for (let place = 0; place < numbers.length; place++) places[numbers[place]!] = place;
  // Metrics that score the same records have the same text of numbers.
  const parsed = new Map<string | null, number[]>();
  return ({
    numbers: text,
    values,
    own: replaced,
    draw: columns,
    spans: ofSpans,
    ...config
  }: ScoreColumns): Scores => {
    const scored = parsed.get(text) ?? numbersOf(text);
    parsed.set(text, scored);
    const byPlace = new Float64Array(numbers.length).fill(Number.NaN);
    const given = numbersOf(values);
    for (let i = 0; i < given.length; i++) {
      const place = places[scored[i]!] ?? unset;
      if (place !== unset) byPlace[place] = given[i]!;
    }
    const draw = columns && drawOf(columns, places, byPlace);
    const spans = ofSpans && spansOf(ofSpans, places);
    if (!replaced) return { ...config, values: byPlace, own: byPlace, numReplaced: 0, draw, spans };
    const own = byPlace.slice();
    const ownValues = numbersOf(replaced.values);
    const replacedPlaces = numbersOf(replaced.numbers).map((n) => places[n] ?? unset);
    for (const [i, place] of replacedPlaces.entries()) if (place !== unset) own[place] = ownValues[i]!;
    return { ...config, values: byPlace, own, numReplaced: differing(own, byPlace), draw, spans };
  };
};

/**
 * Returns the run with its judges' own scores: a rate that mixes a judge's scores with people's describes neither, and people correct
 * wrong verdicts, not a random sample.
 */
export const withOwnScores = (run: RunScores): RunScores => ({
  ...run,
  scores: run.scores.map((scores) => ({ ...scores, values: scores.own })),
});

/**
 * Returns the run for a test of a growing run, which takes one testcase with each inputs: the first. A group of the testset's field stays;
 * the sequential test does not know it.
 */
export const firstOfInputs = (run: RunScores): RunScores => {
  const { inputsOf, groupedBy, unitOf, repeats } = run;
  if (!inputsOf || groupedBy !== null) return run;
  const only = (values: Float64Array) =>
    values.map((value, place) => (isFirst(inputsOf, unitOf[place]!) ? value : Number.NaN));
  return {
    ...run,
    groups: null,
    repeats: repeats && {
      ...repeats,
      sentence: `${repeats.sentence}: a test of a growing run takes its first testcase`,
    },
    scores: run.scores.map((scores) => ({ ...scores, values: only(scores.values), own: only(scores.own) })),
  };
};

/** Aligns runs: a testcase is the same unit in each of them. */
export const alignRuns = (runs: RunColumns[]): RunScores[] => {
  const records = runs.map(recordsOf);
  const { units, places } = findUnits(records);
  const inputsOf = numberInputs(
    units.length,
    records.map(({ inputs }, i) => ({ unitOf: places[i]!, inputs })),
  );
  return runs.map(({ runId, groups, scores, nearDuplicates }, i) => {
    const { numbers, revisions } = records[i]!;
    const unitOf = places[i]!;
    const ofUnits = new Int32Array(units.length).fill(unset);
    for (let place = 0; place < unitOf.length; place++) {
      const revision = revisions[place]!;
      if (!Number.isNaN(revision)) ofUnits[unitOf[place]!] = revision;
    }
    return {
      runId,
      numbers,
      unitOf,
      units,
      revisions: ofUnits,
      groups: joinGroups(groupsOf(units, groups), inputsOf),
      groupedBy: groups.length > 0 ? [...new Set(groups.map(({ field }) => field))].sort().join(', ') : null,
      inputsOf,
      repeats: caveatOfRepeats(unitOf, inputsOf),
      near: caveatOfNear(nearDuplicates),
      weighting: null,
      scores: scores.map(scoreReader(numbers)),
    };
  });
};

/** Copies the numbers at these indexes. A typed array's own `from` with a function takes ten times as long. */
const take = <Numbers extends Float64Array | Int32Array>(
  from: Numbers,
  places: Int32Array,
  into: Numbers,
): Numbers => {
  for (let i = 0; i < places.length; i++) into[i] = from[places[i]!]!;
  return into;
};

/** Keeps the spans of the records at these indexes. */
const takeSpans = (
  { places, values }: NonNullable<Scores['spans']>,
  records: Int32Array,
): NonNullable<Scores['spans']> => {
  const newPlaces = new Map(Array.from(records, (record, i) => [record, i]));
  const kept = Int32Array.from(places.keys()).filter((i) => newPlaces.has(places[i]!));
  return {
    places: Int32Array.from(kept, (i) => newPlaces.get(places[i]!)!),
    values: Float64Array.from(kept, (i) => values[i]!),
  };
};

/** Returns the run with only the records at these indexes, and with only their units. */
export const takeRecords = (run: RunScores, places: Int32Array): RunScores => {
  const { units, revisions, groups, inputsOf } = run;
  const kept = new Map<number, number>();
  const unitOf = take(run.unitOf, places, new Int32Array(places.length));
  for (let i = 0; i < unitOf.length; i++) {
    const unit = unitOf[i]!;
    const known = kept.get(unit) ?? kept.size;
    if (known === kept.size) kept.set(unit, known);
    unitOf[i] = known;
  }
  const from = Int32Array.from(kept.keys());
  const inputs = inputsOf && take(inputsOf, from, new Int32Array(from.length));
  return {
    ...run,
    numbers: Array.from(places, (place) => run.numbers[place]!),
    unitOf,
    units: Array.from(from, (unit) => units[unit]!),
    revisions: take(revisions, from, new Int32Array(from.length)),
    groups: groups && take(groups, from, new Int32Array(from.length)),
    inputsOf: inputs,
    repeats: caveatOfRepeats(unitOf, inputs),
    weighting: run.weighting && takeWeights(run.weighting, from),
    scores: run.scores.map((all) => {
      // Which of these records have a score that does not fit is unknown.
      const scores = { ...all, misfits: null, spans: all.spans && takeSpans(all.spans, places) };
      const values = take(scores.values, places, new Float64Array(places.length));
      const draw = scores.draw && {
        strata: take(scores.draw.strata, places, new Int32Array(places.length)),
        drawn: take(scores.draw.drawn, places, new Int32Array(places.length)),
      };
      if (scores.own === scores.values) return { ...scores, values, own: values, draw };
      const own = take(scores.own, places, new Float64Array(places.length));
      return { ...scores, values, own, numReplaced: differing(own, values), draw };
    }),
  };
};

/** Returns a metric's scores in a run, by the configuration that the run was started with, else by the newest. */
export const scoresOf = (run: RunScores, metricId: string): Scores | undefined => {
  const given = run.scores.filter((scores) => scores.metricId === metricId);
  return given.find(({ pinned }) => pinned) ?? given.at(-1);
};
