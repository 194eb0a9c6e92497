/**
 * What a file may hold. A few megabytes can decompress to gigabytes, and a cell can name a row far below; more than this is refused
 * before it fills the memory of a page or a command.
 */
export const maxBytes = 256 * 2 ** 20;
/** Rows of delimited text, and its cells. */
const maxRows = 3_000_000;
export const maxCells = 10_000_000;
/** Columns, as in a sheet of Excel. */
export const maxColumns = 16_384;
/** Values of a JSON text, and their levels. */
const maxValues = 20_000_000;
const maxDepth = 1_000;

/** A file that holds more than fits. The message says how much, and what to do. */
export class TooLarge extends Error {}

/** Returns the error of a file that its library cannot read. Most libraries say what they met in words for programmers: it stands in brackets. */
export const unreadable = (file: string, error: unknown): Error => {
  if (error instanceof TooLarge) return error;
  const met = error instanceof Error ? error.message : String(error);
  return new Error(
    `It is ${file} that is damaged, not complete or in a form that is not read (${met}). Fetch it again, or save the table as CSV.`,
  );
};

export const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

const split = 'Split it into several files.';

/** Throws for a file of more bytes than fit, before they are read. */
export const requireBytes = (bytes: number, most = maxBytes): void => {
  if (bytes > most) throw new TooLarge(`It holds more than ${megabytes(most)}. ${split}`);
};

/** Throws for a table with more columns than a spreadsheet has. */
export const requireColumns = (columns: number): void => {
  if (columns > maxColumns)
    throw new TooLarge(`It has ${columns.toLocaleString('en')} columns. A table has at most 16,384.`);
};

/** Throws for a grid of more cells than fit. Empty cells count, because a sheet is read with them. */
export const requireCells = (rows: number, columns: number, what = 'It'): void => {
  requireColumns(columns);
  if (rows * columns <= maxCells) return;
  const size = `${rows.toLocaleString('en')} rows and ${columns.toLocaleString('en')} columns`;
  throw new TooLarge(`${what} has ${size}. A table has at most 10 million cells. ${split}`);
};

/** Throws for delimited text of more rows or cells than fit, by any of the delimiters, before it is split. */
export const requireModestText = (text: string, delimiters: string): void => {
  const counts = new Uint32Array(128);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) counts[code]!++;
  }
  const of = (character: string): number => counts[character.charCodeAt(0)]!;
  if (Math.max(of('\n'), of('\r')) > maxRows)
    throw new TooLarge(`It has more than 3 million lines. ${split}`);
  if (Array.from(delimiters).some((delimiter) => of(delimiter) > maxCells))
    throw new TooLarge(`It has more than 10 million cells. ${split}`);
};

/** Returns the place of the quote that ends a string, or the end of the text. */
export const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
};

/** Returns the number of values in a JSON text. Throws for more levels than fit. */
const countValues = (text: string): number => {
  let values = 1;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === 0x22) i = endOfString(text, i);
    else if (character === 0x2c) values++;
    else if (character === 0x5b || character === 0x7b) {
      values++;
      if (++depth > maxDepth) throw new TooLarge('It nests lists and objects deeper than 1,000 levels.');
    } else if (character === 0x5d || character === 0x7d) depth--;
  }
  return values;
};

/** Throws for JSON texts of more values or more levels than fit, before they are parsed. */
export const requireModestJson = (texts: readonly string[]): void => {
  let values = 0;
  for (const text of texts) {
    values += countValues(text);
    if (values > maxValues) throw new TooLarge(`It has more than 20 million values. ${split}`);
  }
};
