import { WrittenNumber } from '../../../../../client/src/written-number.ts';
import type { Column } from './columns.ts';
import { type ExportRow, textOf } from './row.ts';

// A spreadsheet executes a cell that begins like a formula; a quote before it makes it text.
const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d/.test(text) ? `'${text}` : text;

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean' || value instanceof WrittenNumber)
    return String(value);
  const text = typeof value === 'string' ? harmless(value) : textOf(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Writes rows as CSV, with a header. */
export async function* writeCsv(
  columns: Column[],
  pages: AsyncIterable<ExportRow[]>,
): AsyncGenerator<string> {
  yield `${columns.map(({ name }) => cellOf(name)).join(',')}\r\n`;
  for await (const rows of pages)
    yield rows.map((row) => `${columns.map(({ name }) => cellOf(row[name])).join(',')}\r\n`).join('');
}

/** Writes rows as JSON lines, where numbers keep their digits. */
export async function* writeLines(pages: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
