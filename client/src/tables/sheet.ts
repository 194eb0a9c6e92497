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

/** Reads a sheet of an XLSX file: the named one, else the first that has rows. */
export const readSheet = async (bytes: Uint8Array, wanted: string | undefined): Promise<Table & Sheets> => {
  const { default: readXlsx } = await import('read-excel-file/universal');
  const sheets = await readXlsx(new Uint8Array(bytes).buffer, { trim: false });
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
