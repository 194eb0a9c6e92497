import { requireCells } from './bounds.ts';
import { type Table, tableOfGrid } from './table.ts';

export type Sheets = { names: string[]; sheet: string };

/**
 * Returns a date as ISO text without a zone, because a spreadsheet has none. A spreadsheet keeps days as fractions, so that a time
 * is off by less than a hundredth of a second. Day 0 is a time without a date.
 */
const isoOf = (date: Date): string => {
  const [day, time] = new Date(Math.round(date.getTime() / 10) * 10)
    .toISOString()
    .slice(0, -1)
    .split('T') as [string, string];
  const clock = time.replace(/\.000$/, '');
  if (day === '1899-12-30' || day === '1899-12-31') return clock;
  return clock === '00:00:00' ? day : `${day}T${clock}`;
};

const plain = (cell: unknown): unknown => (cell instanceof Date ? isoOf(cell) : cell);

/** A row or a cell with its attributes, and the address among these. */
const place = /<(?:[^\s<>/:]+:)?(?:c|row)(\s(?:[^>"']|"[^"]*"|'[^']*')*)>/g;
const addressIn = /\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/;

/** Returns the number of a column: A is 1, AA is 27. */
const columnOf = (letters: string): number =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Throws for a sheet whose cells reach further than fits. One cell far below makes all rows above it. */
const requireModestSheet = (path: string, xml: Uint8Array): void => {
  const text = new TextDecoder().decode(xml);
  let [rows, columns, cells] = [0, 0, 0];
  for (const [, attributes] of text.matchAll(place)) {
    const [, double, single] = addressIn.exec(attributes!) ?? [];
    const address = double ?? single;
    cells++;
    if (address === undefined) continue;
    const [, letters, row] = /^([A-Z]{0,9})(\d{1,12})$/.exec(address) ?? [];
    if (row === undefined) throw new Error(`${path} has a cell with the address '${address.slice(0, 40)}'.`);
    rows = Math.max(rows, Number(row));
    columns = Math.max(columns, columnOf(letters!));
  }
  requireCells(Math.max(rows, cells / Math.max(columns, 1)), columns, path);
};

/** Returns the same spreadsheet, uncompressed. Throws if it decompresses to more than fits, or has more cells. */
const modest = async (bytes: Uint8Array): Promise<ArrayBuffer> => {
  const [{ unzip }, { zipSync }] = await Promise.all([import('./zip.ts'), import('fflate')]);
  const files = unzip(bytes);
  for (const [path, xml] of files)
    if (path.startsWith('xl/worksheets/') && path.endsWith('.xml')) requireModestSheet(path, xml);
  return zipSync(Object.fromEntries(files), { level: 0 }).buffer as ArrayBuffer;
};

/** Reads a sheet of an XLSX file: the named one, else the first that has rows. */
export const readSheet = async (bytes: Uint8Array, wanted: string | undefined): Promise<Table & Sheets> => {
  const { default: readXlsx } = await import('read-excel-file/universal');
  const sheets = await readXlsx(await modest(bytes), { trim: false });
  const names = sheets.map(({ sheet }) => sheet);
  const chosen =
    wanted === undefined
      ? (sheets.find(({ data }) => data.length > 1) ?? sheets[0])
      : sheets.find(({ sheet }) => sheet === wanted);
  if (!chosen) throw new Error(`It has no sheet '${wanted}'. Its sheets: ${names.join(', ')}`);
  const grid = chosen.data.map((cells, i) => ({ cells: cells.map(plain), line: i + 1 }));
  const table = tableOfGrid(grid, { isText: false, mayBeShort: true });
  const others = names.filter((name) => name !== chosen.sheet);
  if (others.length > 0 && wanted === undefined)
    table.notes.push(`Sheet '${chosen.sheet}' is read. Others: ${others.join(', ')}`);
  return { ...table, names, sheet: chosen.sheet };
};
