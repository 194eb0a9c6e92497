import { parseLoosely } from '../written-number.ts';
import { requireModestJson, requireModestText } from './bounds.ts';
import { isObject, type Problem, type Table, tableOf } from './table.ts';

export type JsonFile = { form: 'json'; value: unknown; table: Table } | { form: 'lines'; table: Table };

type Lines = { values: { value: unknown; line: number }[]; problems: Problem[] };

const linesOf = (text: string): Lines => {
  const found: Lines = { values: [], problems: [] };
  requireModestText(text, '');
  const lines = text.split(/\r?\n/);
  requireModestJson(lines);
  lines.forEach((line, i) => {
    if (line.trim() === '') return;
    try {
      found.values.push({ value: parseLoosely(line), line: i + 1 });
    } catch (error) {
      found.problems.push({ line: i + 1, message: `is not JSON: ${(error as Error).message}` });
    }
  });
  return found;
};

const ofLines = ({ values, problems }: Lines): JsonFile => {
  const table = tableOf(values);
  const all = [...table.problems, ...problems].toSorted((a, b) => a.line - b.line);
  return { form: 'lines', table: { ...table, problems: all } };
};

const holdsRows = (value: unknown): value is unknown[] => Array.isArray(value) && value.some(isObject);

/** The rows of a JSON value: of a list, of the first list of objects in an object, else the object itself. */
const ofValue = (value: unknown): JsonFile => {
  const list = isObject(value) ? (Object.values(value).find(holdsRows) ?? [value]) : value;
  const items: unknown[] = Array.isArray(list) ? list : [];
  return { form: 'json', value, table: tableOf(items.map((item, i) => ({ value: item, line: i + 1 }))) };
};

/**
 * Reads a JSON value or JSON lines, whatever the name says: many tools name JSON lines `.json`. Throws the error of the whole text
 * if no line of it is JSON either.
 */
export const readJson = (text: string, areLines: boolean): JsonFile => {
  if (areLines) {
    const lines = linesOf(text);
    if (lines.values.some(({ value }) => isObject(value)) || text.trim() === '') return ofLines(lines);
  }
  requireModestJson([text]);
  try {
    return ofValue(parseLoosely(text));
  } catch (error) {
    const lines = linesOf(text);
    if (!lines.values.some(({ value }) => isObject(value)))
      throw new Error(`It is not JSON: ${(error as Error).message}`);
    return ofLines(lines);
  }
};
