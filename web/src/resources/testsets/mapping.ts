import { type ColumnType, inType, typesOf } from '../../../../client/src/tables/column-types.ts';
import { exactColumn } from '../../../../client/src/tables/exact-cells.ts';
import { meaningsOf, type Part, unusedAnswers } from '../../../../client/src/tables/meaning.ts';
import {
  isMissing,
  mayBeLower,
  type ScoreValue,
  scoreKinds,
  scoreValue,
} from '../../../../client/src/tables/score-values.ts';
import type { Table } from '../../../../client/src/tables/table.ts';
import type { JsonObject, Metric, Testset } from '../../types.ts';

/** The uses of a column. `id` names the testcase that a row replaces. Answers of a system and scores make a run. */
export const roles = {
  inputs: 'Inputs',
  expected: 'Expected',
  outputs: 'Outputs',
  scores: 'Scores',
  metadata: 'Metadata',
  id: 'Id of the testcase',
  none: 'Leave out',
} as const;
export type Role = keyof typeof roles;

export const types = {
  string: 'Text',
  number: 'Number',
  boolean: 'True or false',
  json: 'JSON',
} as const satisfies Record<ColumnType, string>;

/** What the values of a score are. */
export type Scale = Metric['outputType'];
export type ColumnMapping = {
  column: string;
  field: string;
  role: Role;
  type: ColumnType;
  /** What the values are if they are scores; undefined until it is known. */
  scale?: Scale | undefined;
};

/** A score whose name may mean that less is better is left out until the user says what it is. */
const roleOfPart = (part: Part, column: string, isKnown: boolean): Role => {
  if (part === 'scores') return mayBeLower.test(column) ? 'none' : 'scores';
  if (part !== 'id') return part;
  if (isKnown) return 'id';
  return column === exactColumn ? 'none' : 'metadata';
};

const roleInTestset = (field: string, { fieldMapping }: Testset): Role | undefined =>
  (['inputs', 'expected', 'metadata'] as const).find((role) => fieldMapping[role].includes(field));

/** The score of a cell on a scale; undefined if it is not on it. */
const scoreOn = (scale: Scale, value: ScoreValue): JsonObject | undefined => {
  const score = scoreKinds[scale].toScore(value);
  const [found] = Object.values(score);
  if (typeof found !== 'number') return found === undefined ? undefined : score;
  const [low, high] = scale === 'int' ? [1, 5] : [0, 1];
  return found >= low && found <= high && (scale !== 'int' || Number.isInteger(found)) ? score : undefined;
};

const scales: readonly Scale[] = ['boolean', 'float', 'int'];

/** Guesses the scale of scores by all of their values; undefined if they are on none. */
const scaleOf = ({ rows }: Table, column: string): Scale | undefined => {
  const values = rows.map((row) => scoreValue(row[column])).filter((value) => !isMissing(value));
  return values.length === 0
    ? undefined
    : scales.find((scale) => values.every((value) => scoreOn(scale, value) !== undefined));
};

/** Guesses the use of every column from its name, its values and the testset that it goes into. */
export const guessMapping = (table: Table, testset?: Testset): ColumnMapping[] => {
  const meanings = meaningsOf(table.columns);
  const unused = unusedAnswers(table, meanings);
  const proposed = typesOf(table, new Map([...meanings].filter(([column]) => !unused.includes(column))));
  return [...meanings].map(([column, { part, name }]) => {
    const known = testset && (roleInTestset(column, testset) ? column : name);
    const role = known === undefined ? undefined : roleInTestset(known, testset!);
    return {
      column,
      field: role ? known! : name,
      role: role ?? (unused.includes(column) ? 'none' : roleOfPart(part, column, testset !== undefined)),
      type: proposed.get(column)!,
      scale: scaleOf(table, column),
    };
  });
};

/** A row as a testcase, with the answer of a system and its scores by the name of the metric, if it holds them. */
export type Mapped = {
  line: number;
  id: string | undefined;
  jsonData: JsonObject;
  outputs: JsonObject;
  scores: Record<string, JsonObject>;
};

/** A cell in the type of its column. Throws with the name of the column when it has another type. */
const typedCell = (value: unknown, { column, type }: ColumnMapping, isText: boolean): unknown => {
  let typed: unknown;
  try {
    typed = inType(value, type, isText);
  } catch {
    throw new Error(`${column} is not valid JSON`);
  }
  if (typed === undefined) throw new Error(`${column} is neither true nor false`);
  if (Number.isNaN(typed)) throw new Error(`${column} is not a number`);
  return typed;
};

const scoreOf = (cell: unknown, { column, scale }: ColumnMapping): JsonObject => {
  if (!scale) throw new Error(`${column} needs a type of score`);
  const score = scoreOn(scale, scoreValue(cell));
  if (!score) throw new Error(`${column} is not a score of its type`);
  return score;
};

/** A row as a testcase. Throws with the name of the column when a value has another type. */
export const mapRow = (
  row: JsonObject,
  line: number,
  mapping: readonly ColumnMapping[],
  isText: boolean,
): Mapped => {
  const mapped: Mapped = { line, id: undefined, jsonData: {}, outputs: {}, scores: {} };
  for (const each of mapping) {
    const { column, field, role } = each;
    // An empty cell of a text table is an empty answer, and no value elsewhere.
    const isEmptyAnswer = isText && role === 'outputs' && row[column] === undefined;
    const value = isEmptyAnswer ? '' : row[column];
    if (role === 'none' || value === undefined) continue;
    if (isText && value === '' && role !== 'outputs') continue;
    if (role === 'id') mapped.id = String(value);
    else if (role === 'scores') {
      if (!isMissing(scoreValue(value))) mapped.scores[field] = scoreOf(value, each);
    } else if (role === 'outputs') mapped.outputs[field] = value === '' ? '' : typedCell(value, each, isText);
    else mapped.jsonData[field] = typedCell(value, each, isText);
  }
  return mapped;
};

/** Whether a table holds what a system answered, or how it was scored: it is then a run too. */
export const holdsAnswers = (mapping: readonly ColumnMapping[]): boolean =>
  mapping.some(({ role }) => role === 'outputs' || role === 'scores');

/** The mapping of the testcases alone. */
export const withoutAnswers = (mapping: readonly ColumnMapping[]): ColumnMapping[] =>
  mapping.map((each) =>
    each.role === 'outputs' || each.role === 'scores' ? { ...each, role: 'none' as const } : each,
  );

const fieldsOf = (mapping: readonly ColumnMapping[], role: Role) =>
  mapping.filter((each) => each.role === role).map(({ field }) => field);

/** The field mapping of the testset. Existing fields keep their use unless a column changes it. */
export const fieldMappingOf = (mapping: readonly ColumnMapping[], before?: Testset['fieldMapping']) => {
  const named = new Set(mapping.map(({ field }) => field));
  const merge = (role: 'inputs' | 'expected' | 'metadata') => [
    ...(before?.[role] ?? []).filter((field) => !named.has(field)),
    ...fieldsOf(mapping, role),
  ];
  return { inputs: merge('inputs'), expected: merge('expected'), metadata: merge('metadata') };
};

/** A schema with the type of each field; no field is required. */
export const schemaOf = (mapping: readonly ColumnMapping[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    mapping
      .filter(({ role }) => role === 'inputs' || role === 'expected' || role === 'metadata')
      .map(({ field, type }) => [field, type === 'json' ? {} : { type }]),
  ),
});
