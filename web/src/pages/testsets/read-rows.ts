import { numberOf, parseAsWritten } from '../../../../client/src/written-number.ts';
import type { JsonObject } from '../../types.ts';
import { decode, type Encoding } from './encoding.ts';
import { kindOf } from './file-kind.ts';

/**
 * The rows of a file or of pasted text, and the problems. A line number counts as an editor does for JSON lines, as a spreadsheet
 * does for a table, whose header is line 1, and by position for a JSON list.
 */
export type Rows = {
  rows: JsonObject[];
  lines: number[];
  problems: { line: number; message: string }[];
  /** The encoding in which a file that is not UTF-8 was read. */
  guessed?: Encoding;
};

const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const readLines = (text: string): Rows => {
  const found: Rows = { rows: [], lines: [], problems: [] };
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    try {
      const value: unknown = parseAsWritten(line);
      if (isObject(value)) {
        found.rows.push(value);
        found.lines.push(i + 1);
      } else found.problems.push({ line: i + 1, message: 'is not a JSON object' });
    } catch (error) {
      found.problems.push({ line: i + 1, message: (error as Error).message });
    }
  });
  return found;
};

const readJson = (text: string): Rows => {
  const value: unknown = parseAsWritten(text);
  const list = isObject(value) ? Object.values(value).find(Array.isArray) : value;
  if (!Array.isArray(list)) return { rows: isObject(value) ? [value] : [], lines: [1], problems: [] };
  const found: Rows = { rows: [], lines: [], problems: [] };
  for (const [i, item] of list.entries()) {
    if (isObject(item)) {
      found.rows.push(item);
      found.lines.push(i + 1);
    } else found.problems.push({ line: i + 1, message: 'is not a JSON object' });
  }
  return found;
};

const readDelimited = async (text: string): Promise<Rows> => {
  const { default: Papa } = await import('papaparse');
  const { data, errors, meta } = Papa.parse<JsonObject>(text, { header: true, skipEmptyLines: 'greedy' });
  // A single column has no delimiter, which is not an error.
  const real = errors.filter(({ code }) => code !== 'UndetectableDelimiter');
  const fields = new Set(meta.fields);
  return {
    lines: data.map((_, i) => i + 2),
    rows: data.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => fields.has(name)))),
    problems: real.map(({ row, message }) => ({ line: (row ?? 0) + 2, message })),
  };
};

const readSheet = async (file: File): Promise<Rows> => {
  const { readSheet } = await import('read-excel-file/browser');
  const [head = [], ...lines] = await readSheet(file);
  const names = head.map((cell) => String(cell ?? '').trim());
  const rows = lines
    .map((cells, i) => ({
      line: i + 2,
      row: Object.fromEntries(
        names.flatMap((name, j) => (name && cells[j] != null ? [[name, cells[j]]] : [])),
      ),
    }))
    .filter(({ row }) => Object.keys(row).length > 0);
  return { rows: rows.map(({ row }) => row), lines: rows.map(({ line }) => line), problems: [] };
};

/** The value with every bigint as a number: hyparquet returns all 64-bit integers as bigint. */
const withoutBigints = (value: unknown): unknown => {
  if (typeof value === 'bigint') return numberOf(String(value));
  if (Array.isArray(value)) return value.map(withoutBigints);
  if (!isObject(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutBigints(item)]));
};

const readParquet = async (file: File): Promise<Rows> => {
  const { parquetReadObjects } = await import('hyparquet');
  const rows = await parquetReadObjects({ file: await file.arrayBuffer() });
  return {
    lines: rows.map((_, i) => i + 1),
    rows: rows.map((row) => withoutBigints(row) as JsonObject),
    problems: [],
  };
};

/** Reads pasted text: JSON, JSON lines or the cells of a spreadsheet. */
export const readText = async (text: string): Promise<Rows> => {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return readDelimited(trimmed);
  try {
    return readJson(trimmed);
  } catch (error) {
    const lines = readLines(trimmed);
    // When no line is JSON, the error of the whole text is more useful.
    if (lines.rows.length === 0) throw error;
    return lines;
  }
};

/** Reads a file by its content: delimited text, JSON, JSON lines, XLSX or Parquet. Text that is not UTF-8 is read as `encoding`. */
export const readFile = async (file: File, encoding?: Encoding): Promise<Rows> => {
  const kind = await kindOf(file);
  if (kind === 'sheet') return readSheet(file);
  if (kind === 'parquet') return readParquet(file);
  const { text, guessed } = decode(new Uint8Array(await file.arrayBuffer()), encoding);
  return { ...(await readText(text)), ...(guessed && { guessed }) };
};
