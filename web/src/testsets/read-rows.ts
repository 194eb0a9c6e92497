import type { Json } from '../types.ts';
import { parseAsWritten } from '../ui/exact-json.ts';

/**
 * Rows of a file or of pasted text, and what could not be read of it. Each has its line: of JSON lines as an editor counts them, of
 * a table as a spreadsheet does, the header being 1, and of a JSON list its place in it.
 */
export type Rows = { rows: Json[]; lines: number[]; problems: { line: number; message: string }[] };

const isObject = (value: unknown): value is Json =>
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
      } else found.problems.push({ line: i + 1, message: 'is no JSON object' });
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
    } else found.problems.push({ line: i + 1, message: 'is no JSON object' });
  }
  return found;
};

const readDelimited = async (text: string): Promise<Rows> => {
  const { default: Papa } = await import('papaparse');
  const { data, errors, meta } = Papa.parse<Json>(text, { header: true, skipEmptyLines: 'greedy' });
  // One column has no delimiter to find, which is no mistake.
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

const readParquet = async (file: File): Promise<Rows> => {
  const { parquetReadObjects } = await import('hyparquet');
  const rows = await parquetReadObjects({ file: await file.arrayBuffer() });
  // All 64-bit integers come as bigint, those as well that are numbers like others.
  const plain = (value: unknown) =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return {
    lines: rows.map((_, i) => i + 1),
    rows: rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    ),
    problems: [],
  };
};

/** Pasted text: JSON, JSON lines, or cells of a spreadsheet, whichever it looks like. */
export const readText = async (text: string): Promise<Rows> => {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return readDelimited(trimmed);
  try {
    return readJson(trimmed);
  } catch (error) {
    const lines = readLines(trimmed);
    // Where not one line is JSON, what the whole is missing says more.
    if (lines.rows.length === 0) throw error;
    return lines;
  }
};

/** A file, by the end of its name: csv, tsv, json, jsonl, xlsx, parquet. */
export const readFile = async (file: File): Promise<Rows> => {
  const extension = file.name.split('.').at(-1)?.toLowerCase();
  if (extension === 'xlsx') return readSheet(file);
  if (extension === 'parquet') return readParquet(file);
  return readText(await file.text());
};
