import type { JsonObject } from '../types.ts';
import { parseAsWritten, WrittenNumber } from '../written-number.ts';
import type { Meaning } from './meaning.ts';
import type { Table } from './table.ts';

/** What the values of a column are. A column of several kinds is JSON if its cells are, else text. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'json';

const isNumber = (value: unknown): boolean => typeof value === 'number' || value instanceof WrittenNumber;

const isJson = (text: string): boolean => {
  if (!/^\s*[[{][\s\S]*[\]}]\s*$/.test(text)) return false;
  try {
    parseAsWritten(text);
    return true;
  } catch {
    return false;
  }
};

/** The type of values that are texts. 007 and +49 30 are identifiers, not numbers. */
const typeOfTexts = (given: readonly unknown[]): ColumnType => {
  const all = (test: (text: string) => boolean) => given.every((value) => test(String(value)));
  if (all((text) => text === 'true' || text === 'false')) return 'boolean';
  if (all((text) => /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text))) return 'number';
  return all(isJson) ? 'json' : 'string';
};

/** The type of values that have one. A column of several types keeps each value as it is. */
const typeOfValues = (given: readonly unknown[]): ColumnType => {
  if (given.every((value) => typeof value === 'string')) return 'string';
  if (given.every((value) => typeof value === 'boolean')) return 'boolean';
  return given.every(isNumber) ? 'number' : 'json';
};

const typeOf = (rows: readonly JsonObject[], column: string, isText: boolean): ColumnType => {
  const given = rows
    .map((row) => row[column])
    .filter((value) => value !== undefined && value !== null && !(isText && value === ''));
  if (given.length === 0) return isText ? 'string' : 'json';
  return isText ? typeOfTexts(given) : typeOfValues(given);
};

/** Returns the columns of answers beside those that say what is expected of them: by their name, or one beside one. */
const comparedColumns = (meanings: ReadonlyMap<string, Meaning>): [string, string][] => {
  const of = (part: Meaning['part']) => [...meanings].filter(([, meaning]) => meaning.part === part);
  const [outputs, expected] = [of('outputs'), of('expected')];
  if (outputs.length === 1 && expected.length === 1) return [[outputs[0]![0], expected[0]![0]]];
  return outputs.flatMap(([output, { name }]) =>
    expected.flatMap(([other, meaning]): [string, string][] =>
      meaning.name === name ? [[output, other]] : [],
    ),
  );
};

/**
 * Returns the type of each column, by all of its values: none of them then fails to convert. Every way into the service takes it from
 * here. An answer and what is expected of it have one type, or a right `4` would not equal an expected `4`.
 */
export const typesOf = (
  { rows, columns, isText }: Table,
  meanings: ReadonlyMap<string, Meaning>,
): Map<string, ColumnType> => {
  const types = new Map(columns.map((column) => [column, typeOf(rows, column, isText)]));
  if (!isText) return types;
  for (const pair of comparedColumns(meanings))
    if (types.get(pair[0]) !== types.get(pair[1])) for (const column of pair) types.set(column, 'string');
  return types;
};

const asText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Returns a value in the type of its column: NaN if it is no number, undefined if it is neither true nor false. Throws if it is no JSON. */
export const inType = (value: unknown, type: ColumnType, isText: boolean): unknown => {
  // A value that has a type keeps it, null and texts among other JSON too.
  if (!isText && (value === null || type === 'json')) return value;
  if (typeof value !== 'string') return type === 'string' && value !== null ? asText(value) : value;
  if (type === 'number' && value.trim() !== '')
    return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value.trim()) ? parseAsWritten(value.trim()) : Number(value);
  if (type === 'boolean')
    return /^(true|false)$/i.test(value.trim()) ? /^true$/i.test(value.trim()) : undefined;
  if (type === 'json') return parseAsWritten(value);
  return value;
};
