import { parseLoosely } from '../written-number.ts';
import { requireModestJson, requireModestText } from './bounds.ts';
import { jsonFault } from './json-fault.ts';
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
      const { column, what, breaksOff } = jsonFault(line, error);
      const said = breaksOff ? 'breaks off' : 'is not JSON';
      found.problems.push({ line: i + 1, message: `${said} at column ${column}: ${what}` });
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

/** Returns the error of a JSON value that cannot be parsed: it says in which line, and what to do. */
export const brokenJson = (text: string, error: unknown): Error => {
  const { line, column, what, breaksOff } = jsonFault(text, error);
  return new Error(
    breaksOff
      ? `It breaks off in line ${line}, column ${column}: ${what}. Write or fetch it again.`
      : `It is not JSON. Line ${line}, column ${column}: ${what}. Mend it there, or write it again.`,
  );
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
    // A document of many lines that is broken may have a line that is an object by itself.
    const objects = lines.values.filter(({ value }) => isObject(value)).length;
    if (objects === 0 || objects < lines.problems.length) throw brokenJson(text, error);
    return ofLines(lines);
  }
};
