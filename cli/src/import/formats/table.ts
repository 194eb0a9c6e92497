import type { JsonObject } from '../../../../client/src/main.ts';
import { type ColumnType, inType, typesOf } from '../../../../client/src/tables/column-types.ts';
import { exactColumn } from '../../../../client/src/tables/exact-cells.ts';
import { type Meaning, meaningsOf, unusedAnswers, withParts } from '../../../../client/src/tables/meaning.ts';
import { type Table, tableOf } from '../../../../client/src/tables/table.ts';
import { CliError } from '../../errors.ts';
import { countOf } from '../../figures.ts';
import { callSpan } from '../call-span.ts';
import { type Content, requireWhole } from '../content.ts';
import {
  type Import,
  isObject,
  numberIn,
  type Row,
  rowId,
  type ScoreValue,
  scoreValue,
  textOf,
} from '../rows.ts';

const named = ['inputs', 'expected', 'outputs', 'scores'] as const;

/** The columns of each part, as the options name them. */
export type Columns = { [part in (typeof named)[number]]?: string[] } & {
  id?: string | undefined;
  /** The types of columns that the user names. */
  types?: ReadonlyMap<string, ColumnType>;
};

const scoreOf = (value: unknown): { value: ScoreValue; reasoning?: string } => {
  if (!isObject(value)) return { value: scoreValue(value) };
  const reasoning = textOf(value.reasoning ?? value.comment ?? value.explanation);
  return { value: scoreValue(value.score ?? value.value), ...(reasoning !== undefined && { reasoning }) };
};

/** The columns with an id; the first one present counts. Rows of one `example_id` are trials of a case. */
const idColumns = ['id', 'example_id', 'record_id'];

/** Seconds that the system took, in tables of LangSmith's experiments. */
const secondsColumn = 'execution_time';

type Read = {
  table: Table;
  meanings: ReadonlyMap<string, Meaning>;
  types: ReadonlyMap<string, ColumnType>;
  columns: Columns;
  writtenMs: number;
};

const rowOf = (
  item: JsonObject,
  index: number,
  { table, meanings, types, columns, writtenMs }: Read,
): Row => {
  const parts: Record<'inputs' | 'expected' | 'outputs' | 'metadata', JsonObject> = {
    inputs: {},
    expected: {},
    outputs: {},
    metadata: {},
  };
  const scores: Row['scores'] = [];
  const typed = (column: string, value: unknown): unknown =>
    value === undefined || value === '' ? '' : inType(value, types.get(column)!, table.isText);
  const own = table.columns[0] === exactColumn ? [exactColumn] : idColumns;
  const seconds = 'example_id' in item ? numberIn(Number(textOf(item[secondsColumn]))) : undefined;
  const idColumn = columns.id ?? own.find((name) => name in item);
  for (const [column, { part, name }] of meanings) {
    const value = item[column];
    if (column === idColumn || (columns.id === undefined && column === 'example_id')) continue;
    if (column === secondsColumn && seconds !== undefined) continue;
    // An empty cell of a text table is an empty answer. In other forms it is a missing value.
    if (value === undefined && !(part === 'outputs' && table.isText)) continue;
    if (part === 'scores') scores.push({ name, ...scoreOf(value) });
    else parts[part === 'id' ? 'metadata' : part][name] = typed(column, value);
  }
  const error = textOf(item.error);
  const isFailed =
    error !== undefined && Object.values(parts.outputs).every((value) => value === '' || value === null);
  if (isFailed) parts.outputs = { error };
  const id = (idColumn === undefined ? undefined : textOf(item[idColumn])) ?? rowId(index);
  const caseId = (columns.id === undefined ? textOf(item.example_id) : undefined) ?? id;
  return {
    id,
    caseId,
    run: '',
    ...parts,
    error: isFailed ? error : undefined,
    scores: isFailed ? scores.map(({ name }) => ({ name, value: null })) : scores,
    ...(seconds !== undefined && {
      trace: [callSpan({ name: 'call', startMs: writtenMs, endMs: writtenMs + seconds * 1_000 })],
    }),
  };
};

const isAnswered = ({ outputs, scores }: Row): boolean =>
  scores.length > 0 || Object.values(outputs).some((value) => value !== '' && value !== null);

/** Returns what the columns hold. The options win, also where a named column holds a whole part. */
const meaningsWith = (table: Table, columns: Columns, isPublished: boolean): Map<string, Meaning> => {
  const meanings = meaningsOf(table.columns, isPublished);
  for (const part of named) {
    for (const name of columns[part] ?? []) {
      for (const column of table.columns) {
        if (column === name) meanings.set(column, { part, name });
        else if (column.startsWith(`${name}.`))
          meanings.set(column, { part, name: column.slice(name.length + 1) });
      }
    }
  }
  // With inputs named, the other columns that say nothing are no inputs.
  if (columns.inputs?.length) {
    for (const [column, { part, name }] of meanings)
      if (part === 'inputs' && name === column && !columns.inputs.includes(column))
        meanings.set(column, { part: 'metadata', name });
  }
  for (const column of unusedAnswers(table, meanings)) meanings.delete(column);
  return meanings;
};

/** Returns the types of the columns: those that the user names, else those that their values have. */
const typesWith = (
  table: Table,
  meanings: ReadonlyMap<string, Meaning>,
  given: ReadonlyMap<string, ColumnType>,
): Map<string, ColumnType> => {
  for (const [column, type] of given) {
    const odd = table.rows.findIndex(
      (row) => row[column] !== undefined && !isInType(row[column], type, table.isText),
    );
    if (odd >= 0) throw new CliError(`Line ${table.lines[odd]}: ${column} is not of the type ${type}.`);
  }
  return new Map([...typesOf(table, meanings), ...given]);
};

const isInType = (value: unknown, type: ColumnType, isText: boolean): boolean => {
  try {
    const read = inType(value, type, isText);
    return read !== undefined && !Number.isNaN(read);
  } catch {
    return false;
  }
};

const requireColumns = (table: Table, columns: Columns): void => {
  const wanted = [
    ...(columns.id === undefined ? [] : [columns.id]),
    ...named.flatMap((part) => columns[part] ?? []),
    ...(columns.types?.keys() ?? []),
  ];
  const present = new Set(table.columns);
  const absent = wanted.filter((name) => !present.has(name));
  if (absent.length > 0)
    throw new CliError(
      `There is no column ${absent.join(', ')}.`,
      `The file has: ${[...present].join(', ')}`,
    );
};

const yesOrNo = /^(true|false|yes|no|pass|fail|0|1)$/i;

/** Says how columns that only say yes or no become metrics of a table that names no score. */
const scoresHint = ({ rows }: Table, columns: readonly string[]): string => {
  const found = columns.filter((column) => rows.every((row) => yesOrNo.test(String(row[column]))));
  if (found.length === 0) return '';
  const options = found.map((column) => `--scores ${/\W/.test(column) ? `'${column}'` : column}`).join(' ');
  return `; with ${options} it counts as a score`;
};

/**
 * Reads any other table or list: delimited text, JSON, JSON lines, XLSX or Parquet. Throws if a named column is missing, or no
 * column holds inputs.
 */
export const readTable = (content: Content, columns: Columns): Import => {
  const given = content.table ?? tableOf(content.items.map((value, i) => ({ value, line: i + 1 })));
  if (given.rows.length === 0)
    throw new CliError(
      'No rows found. A table has its column names in the first line and a row in each other line.',
    );
  requireWhole(given);
  requireColumns(given, columns);
  const table = withParts(given);
  const meanings = meaningsWith(table, columns, content.dataset !== undefined);
  const types = typesWith(table, meanings, columns.types ?? new Map());
  const { writtenMs } = content;
  const rows = table.rows.map((item, i) => rowOf(item, i, { table, meanings, types, columns, writtenMs }));
  const isUnknown =
    content.dataset === undefined &&
    [...meanings.values()].every(({ part, isGuess }) => isGuess || part === 'id');
  if (isUnknown || rows.every(({ inputs }) => Object.keys(inputs).length === 0)) {
    const next = `Name the columns with --inputs, --expected, --outputs and --scores. The file has: ${table.columns.join(', ')}`;
    throw new CliError('No column holds the inputs of the system.', next);
  }
  const { name, dataset } = content;
  const isRun = rows.some(isAnswered);
  const others = [...meanings].filter(([, { part, isGuess }]) => part === 'metadata' && isGuess);
  const names = others.map(([column]) => column);
  const isScored = [...meanings.values()].some(({ part }) => part === 'scores');
  const hint = isScored ? '' : scoresHint(table, names);
  const kept = `${countOf(names.length, 'column')} of no part kept as metadata: ${names.join(', ')}${hint}`;
  return {
    tool: dataset === undefined ? 'table' : 'Hugging Face',
    id: dataset ?? content.digest,
    name,
    // Questions alone become a testset and no run.
    systems: new Map(isRun ? [['', { name, config: {} }]] : []),
    rows: isRun ? rows : rows.map((row) => ({ ...row, outputs: {} })),
    notes: [...table.notes, ...(others.length > 0 ? [kept] : [])],
  };
};
