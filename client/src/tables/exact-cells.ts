import type { JsonObject } from '../types.ts';
import { parseAsWritten } from '../written-number.ts';
import type { Table } from './table.ts';

/**
 * The column with the id of a testcase in tables that Dokima writes. Where it comes first, each cell is JSON, or a text that could
 * not be mistaken for JSON, so that a table comes back equal: `4` is a number, `"4"` a text, `null` and `""` are what they say.
 */
export const exactColumn = 'dokima.id';

// A spreadsheet runs a cell that begins like a formula. As JSON it begins with a quote.
const isHarmless = (text: string): boolean => !/^[=+\-@\t\r]/.test(text);
// Characters that a reader of text tables or of UTF-8 would change.
const hasOdd = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufeff]|\r$/.test(text) || !text.isWellFormed();

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Returns the cell of a value: a plain text as it is, anything else as JSON. Undefined is an empty cell. */
export const exactCell = (value: unknown): string => {
  if (value === undefined) return '';
  const isPlain =
    typeof value === 'string' && value.trim() !== '' && isHarmless(value) && !hasOdd(value) && !isJson(value);
  return isPlain ? value : JSON.stringify(value);
};

type Mapping = { inputs: readonly string[]; expected: readonly string[]; metadata: readonly string[] };

/** Returns testcases as rows that `readFile` reads back equal: the id, then each field under the part that it belongs to. */
export const exactRows = (
  testcases: readonly { id: string; jsonData: JsonObject }[],
  mapping: Mapping,
): JsonObject[] => {
  const columnOf = (field: string): string => {
    const part = (['inputs', 'expected', 'metadata'] as const).find((one) => mapping[one].includes(field));
    return part ? `${part}.${field}` : field;
  };
  return testcases.map(({ id, jsonData }) => ({
    [exactColumn]: id,
    ...Object.fromEntries(Object.entries(jsonData).map(([field, value]) => [columnOf(field), value])),
  }));
};

const valueIn = (cell: unknown): unknown => {
  try {
    return parseAsWritten(String(cell));
  } catch {
    return cell;
  }
};

/** Returns the table with the values that its cells were written from. */
export const readExactly = (table: Table): Table => ({
  ...table,
  isText: false,
  rows: table.rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, name === exactColumn ? cell : valueIn(cell)]),
    ),
  ),
});
