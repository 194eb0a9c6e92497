import { CliError } from '../errors.ts';
import { countOf } from '../figures.ts';

/** Splits a CSV text (RFC 4180) into rows of cells. Skips a byte order mark and empty lines. */
const csvCells = (text: string): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const endRow = () => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; ) {
        const quote = text.indexOf('"', at);
        if (quote === -1) throw new CliError(`A quoted cell after row ${rows.length} does not end.`);
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
    } else {
      const start = at;
      while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at++;
      cell = text.slice(start, at);
    }
    row.push(cell);
    if (text[at] === ',') {
      at++;
      if (at === text.length) row.push('');
      continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    endRow();
  }
  if (row.length > 0) endRow();
  return rows;
};

/** Returns the rows of a CSV text as objects. The first row holds the keys. Throws if a row has another number of cells. */
export const parseCsv = (text: string): Record<string, string>[] => {
  const [headers, ...rows] = csvCells(text);
  if (!headers) return [];
  return rows.map((row, i) => {
    if (row.length !== headers.length) {
      throw new CliError(
        `Row ${i + 2} has ${countOf(row.length, 'cell')}, the header row has ${headers.length}.`,
      );
    }
    return Object.fromEntries(headers.map((header, column) => [header, row[column]!]));
  });
};
