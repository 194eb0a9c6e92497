import { requireModestText } from './bounds.ts';
import { exactColumn, readExactly } from './exact-cells.ts';
import { type Table, tableOfGrid } from './table.ts';

const delimiters = [',', ';', '\t', '|'] as const;
/** In no text that a person writes: a table of one column is split by it. */
const none = '\u001f';
/** Rows by which a delimiter is chosen. */
const looked = 50;

type Papa = typeof import('papaparse');

/** Line ends within quotes are those of a cell: Excel on an old Mac ended rows by CR alone, and lines in a cell by LF. */
const newlineOf = (text: string): '\n' | '\r' => {
  if (!text.includes('\r')) return '\n';
  // Every other part is within quotes. A regular expression would go as deep as a cell is long.
  return text.split('"').some((part, i) => i % 2 === 0 && part.includes('\n')) ? '\n' : '\r';
};

/** The line with which Excel names the delimiter of a file: `sep=;`. */
const namedDelimiter = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r)/i;

const isEmptyRow = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/**
 * Returns the delimiter that splits the most rows into as many cells as the header has, of at least two. Rows that differ count
 * against it. A header that none splits is one column.
 */
const delimiterOf = (papa: Papa, text: string, newline: '\n' | '\r'): string => {
  let best: { delimiter: string; even: number; columns: number } = { delimiter: none, even: -1, columns: 1 };
  for (const delimiter of delimiters) {
    const { data } = papa.parse<string[]>(text, { delimiter, newline, preview: looked });
    const [header, ...rows] = data.filter((cells) => !isEmptyRow(cells));
    const columns = header?.length ?? 0;
    if (columns < 2) continue;
    const even =
      rows.length === 0 ? 1 : rows.filter((cells) => cells.length === columns).length / rows.length;
    if (even > best.even || (even === best.even && columns > best.columns))
      best = { delimiter, even, columns };
  }
  return best.delimiter;
};

/** Rows may end with CR LF and with LF in one file: the CR is no part of the last cell. */
const withoutReturn = (cells: readonly string[]): string[] => {
  const last = cells.length - 1;
  return cells.map((cell, i) => (i === last && cell.endsWith('\r') ? cell.slice(0, -1) : cell));
};

/**
 * Reads delimited text: CSV, TSV, or with semicolons or pipes. Throws if quotes are torn, because nothing tells where the cell and
 * the rows after it end.
 */
export const readDelimited = async (given: string): Promise<Table> => {
  requireModestText(given, delimiters.join(''));
  const { default: papa } = await import('papaparse');
  const named = namedDelimiter.exec(given);
  const text = named ? given.slice(named[0].length) : given;
  const newline = newlineOf(text);
  const delimiter = named?.[1] ?? delimiterOf(papa, text, newline);
  const { data, errors } = papa.parse<string[]>(text, { delimiter, newline });
  const torn = errors.find(({ type }) => type === 'Quotes');
  if (torn) {
    const line = (torn.row ?? 0) + 1 + (named ? 1 : 0);
    throw new Error(
      torn.code === 'MissingQuotes'
        ? `Line ${line}: a cell begins with a quote that does not end. Write a quote within a cell twice.`
        : `Line ${line}: text stands after the closing quote of a cell. Write a quote within a cell twice.`,
    );
  }
  // A line counts as in a spreadsheet: a cell may have several lines of the text.
  const grid = data.map((cells, i) => ({ cells: withoutReturn(cells), line: i + 1 + (named ? 1 : 0) }));
  const table = tableOfGrid(grid, { isText: true, mayBeShort: false });
  return table.columns[0] === exactColumn ? readExactly(table) : table;
};
