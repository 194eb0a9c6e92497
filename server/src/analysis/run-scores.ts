/** A run's columns as they come from the database, made into the observations that statistics take. */
import type { Missing, Observation, TestcaseId } from '../statistics/testcases.ts';
import { type LabelColumns, missingCodes, type RecordColumns, type ScoreColumns } from './queries.ts';

/** What is read of a run, as text: it crosses to another thread. */
export type RunColumns = {
  runId: string;
  records: RecordColumns;
  /** Null where no testset of its records names a grouping field. */
  groups: (LabelColumns & { fields: string | null }) | null;
  scores: ScoreColumns[];
};

/** What a record answers: a testcase at a revision, or only itself. `index` is its name's place in `names`. */
export type Unit = { index: number; key: string; testcaseId: string | null; revision: number | null };

/** One configuration's scores in a run: `values[i]` belongs to the record with the number `numbers[i]`. */
export type Scores = Omit<ScoreColumns, 'numbers' | 'values'> & { numbers: number[]; values: number[] };

export type RunScores = {
  runId: string;
  /** By number of the record. */
  units: Map<number, Unit>;
  /** Of the units, shared by all runs that are read together: statistics count by place. */
  names: string[];
  groups: Map<number, string>;
  groupedBy: string | null;
  scores: Scores[];
};

/** PostgreSQL's text of an array, taken apart; NULL is the text `NULL`. */
export const textsOf = (array: string | null): string[] =>
  array === null || array === '{}' ? [] : array.slice(1, -1).split(',');
/** PostgreSQL's text of an array of numbers; NULL is NaN. Whole numbers are read by hand: most are, and it takes a third. */
export const numbersOf = (array: string | null): number[] => {
  const numbers: number[] = [];
  if (array === null || array === '{}') return numbers;
  for (let at = 1; at < array.length; ) {
    const from = at;
    let value = 0;
    let digit = array.charCodeAt(at) - 48;
    while (digit >= 0 && digit <= 9) {
      value = 10 * value + digit;
      digit = array.charCodeAt(++at) - 48;
    }
    if (array[at] !== ',' && array[at] !== '}') {
      while (array[at] !== ',' && array[at] !== '}') at++;
      value = Number(array.slice(from, at));
    }
    numbers.push(value);
    at++;
  }
  return numbers;
};
const valuesOf = (array: string | null): (string | null)[] =>
  array === null ? [] : (JSON.parse(array) as (string | null)[]);

/** Labels by the number of the record; a record may have several, and those without one are left out. */
export const labelPairs = ({ numbers, values }: LabelColumns): [n: number, label: string][] => {
  const labels = valuesOf(values);
  return numbersOf(numbers).flatMap((n, i): [number, string][] => {
    const label = labels[i] ?? null;
    return label === null ? [] : [[n, label]];
  });
};

/** Scores in the order of their records: the database gives them in any, and signs that are drawn fall on them in order. */
const inOrder = (columns: ScoreColumns, numbers: number[]): Scores => {
  const values = numbersOf(columns.values);
  if (numbers.every((n, i) => i === 0 || numbers[i - 1]! < n)) return { ...columns, numbers, values };
  const order = numbers.map((_, i) => i).sort((a, b) => numbers[a]! - numbers[b]!);
  return { ...columns, numbers: order.map((i) => numbers[i]!), values: order.map((i) => values[i]!) };
};

const unitsOf = (runId: string, columns: RecordColumns): Map<number, Unit> => {
  const [testsets, testcases, revisions] = [columns.testsets, columns.testcases, columns.revisions].map(
    numbersOf,
  ) as [number[], number[], number[]];
  const units = new Map<number, Unit>();
  for (const [i, n] of numbersOf(columns.numbers).entries()) {
    const testset = testsets[i]!;
    if (Number.isNaN(testset)) {
      units.set(n, { index: 0, key: `record ${runId}-${n}`, testcaseId: null, revision: null });
    } else {
      const testcaseId = `${testset}-${testcases[i]!}`;
      units.set(n, { index: 0, key: testcaseId, testcaseId, revision: revisions[i]! });
    }
  }
  return units;
};

/**
 * Testcases that one run, or one of several, met at more than one revision. Only then are revisions told apart within a
 * run; else two runs could not be told that a testcase changed between them.
 */
const mixedTestcases = (runs: Map<number, Unit>[]): Set<string> => {
  const mixed = new Set<string>();
  for (const units of runs) {
    if (new Set([...units.values()].map(({ revision }) => revision)).size < 2) continue;
    const seen = new Map<string, number | null>();
    for (const { key, revision } of units.values()) {
      const before = seen.get(key);
      if (before === undefined) seen.set(key, revision);
      else if (before !== revision) mixed.add(key);
    }
  }
  return mixed;
};

/** Gives equal units the same index, and returns their names by index. */
const nameUnits = (runs: Map<number, Unit>[]): string[] => {
  const indexes = new Map<string, number>();
  for (const units of runs) {
    for (const unit of units.values()) {
      const index = indexes.get(unit.key);
      unit.index = index ?? indexes.size;
      if (index === undefined) indexes.set(unit.key, unit.index);
    }
  }
  return [...indexes.keys()];
};

/** The name of a testcase that statistics speak of. */
export const nameOf = (names: string[], testcase: TestcaseId): string => names[Number(testcase)]!;

/** Reads the columns of runs that are looked at together: a testcase is then the same unit in each of them. */
export const readRuns = (runs: RunColumns[]): RunScores[] => {
  const units = runs.map(({ runId, records }) => unitsOf(runId, records));
  const mixed = mixedTestcases(units);
  for (const unit of mixed.size > 0 ? units.flatMap((map) => [...map.values()]) : []) {
    if (mixed.has(unit.key)) unit.key = `${unit.key} revision ${unit.revision}`;
  }
  const names = nameUnits(units);
  // The metrics of a run are mostly scored together: then their columns of numbers are the same text.
  const parsed = new Map<string | null, number[]>();
  const numbersOnce = (text: string | null) => {
    const numbers = parsed.get(text) ?? numbersOf(text);
    parsed.set(text, numbers);
    return numbers;
  };
  return runs.map(({ runId, groups, scores }, i) => ({
    runId,
    units: units[i]!,
    names,
    groups: new Map(groups ? labelPairs(groups) : []),
    groupedBy: groups?.fields ?? null,
    scores: scores.map((columns) => inOrder(columns, numbersOnce(columns.numbers))),
  }));
};

const missingOf = new Map<number, Missing>(
  Object.entries(missingCodes).map(([state, code]) => [code, state as Missing]),
);

/** Whether a score passes: a boolean has no threshold and passes when true. */
export const passes = (value: number, { passingThreshold }: Pick<Scores, 'passingThreshold'>): boolean =>
  value >= (passingThreshold ?? 1);

/** Which number of a score is looked at: itself, or whether it passes. */
export type Measure = 'score' | 'pass';

/**
 * The observations of one configuration. A score of a record that was not there yet when the records were read is left out.
 */
export function* observationsOf(run: RunScores, scores: Scores, measure: Measure): Generator<Observation> {
  const { numbers, values } = scores;
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i]!;
    const unit = run.units.get(n);
    if (!unit) continue;
    const value = values[i]!;
    yield {
      testcase: unit.index,
      revision: unit.revision,
      group: run.groups.size > 0 ? (run.groups.get(n) ?? null) : null,
      score: value < 0 ? missingOf.get(value)! : measure === 'pass' ? passes(value, scores) : value,
    };
  }
}
