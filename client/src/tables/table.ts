import type { JsonObject } from '../types.ts';
import { WrittenNumber } from '../written-number.ts';
import { requireColumns } from './bounds.ts';

export type Problem = { line: number; message: string };

/**
 * The rows of a table, and what is wrong with others. A line number counts as an editor does for JSON lines, as a spreadsheet does
 * for a table, whose header is line 1, and by position for a JSON list.
 */
export type Table = {
  /** An empty cell is no member of its row. */
  rows: JsonObject[];
  /** The line of each row. */
  lines: number[];
  /** Rows that are left out, and why. */
  problems: Problem[];
  /** What the reader changed, in words. */
  notes: string[];
  /** The names of the columns in their order, also of those without a value. */
  columns: string[];
  /** Whether all values are texts, so that `4` may mean a number. */
  isText: boolean;
};

/** Whether the value is a JSON object. A number that is kept as it is written is none. */
export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof WrittenNumber);

/** Returns the table of a list of JSON values. */
export const tableOf = (values: readonly { value: unknown; line: number }[]): Table => {
  const table: Table = { rows: [], lines: [], problems: [], notes: [], columns: [], isText: false };
  const columns = new Set<string>();
  for (const { value, line } of values) {
    if (!isObject(value)) {
      table.problems.push({ line, message: 'is not a JSON object' });
      continue;
    }
    for (const name of Object.keys(value)) columns.add(name);
    table.rows.push(value);
    table.lines.push(line);
  }
  return { ...table, columns: [...columns] };
};

/** Names the columns. A name that is there twice gets a number, and a column with values but without a name its position. */
const namesOf = (
  header: readonly string[],
  isUsed: (column: number) => boolean,
  notes: string[],
): string[] => {
  const names: string[] = [];
  const given = new Set(header.map((name) => name.trim()));
  header.forEach((written, i) => {
    const name = written.trim();
    if (name !== '' && !names.includes(name)) names.push(name);
    else if (name === '' && !isUsed(i)) names.push('');
    else {
      const base = name === '' ? `column ${i + 1}` : name;
      let free = name === '' ? base : `${base} 2`;
      for (let n = 2; given.has(free) || names.includes(free); n++) free = `${base} ${n}`;
      names.push(free);
      notes.push(
        name === ''
          ? `Column ${i + 1} has no name; it is read as '${free}'.`
          : `Two columns are named '${name}'; the later one is read as '${free}'.`,
      );
    }
  });
  return names;
};

const isEmpty = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');

/**
 * Returns the table of a grid of cells, whose first row that is not empty is the header. Rows and columns without a value are left
 * out. A row with more values than the header has columns is a problem.
 */
export const tableOfGrid = (
  grid: readonly { cells: readonly unknown[]; line: number }[],
  { isText, mayBeShort }: { isText: boolean; mayBeShort: boolean },
): Table => {
  const [head, ...body] = grid.filter(({ cells }) => !cells.every(isEmpty));
  const table: Table = { rows: [], lines: [], problems: [], notes: [], columns: [], isText };
  if (!head) return table;
  const header = head.cells.map((cell) => String(cell ?? ''));
  while (header.at(-1)?.trim() === '') header.pop();
  const used = new Set(body.flatMap(({ cells }) => cells.flatMap((cell, i) => (isEmpty(cell) ? [] : [i]))));
  requireColumns(header.length);
  const names = namesOf(header, (column) => used.has(column), table.notes);
  for (const { cells, line } of body) {
    const isTooLong = cells.slice(names.length).some((cell) => !isEmpty(cell));
    if (isTooLong || (!mayBeShort && cells.length < names.length)) {
      table.problems.push({
        line,
        message: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header has ${header.length}`,
      });
      continue;
    }
    const members = names.flatMap((name, i) => {
      const cell = cells[i];
      return name === '' || cell === undefined || cell === null || cell === '' ? [] : [[name, cell] as const];
    });
    table.rows.push(Object.fromEntries(members));
    table.lines.push(line);
  }
  return { ...table, columns: names.filter((name) => name !== '') };
};
