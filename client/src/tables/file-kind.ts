import { unicodeOf } from './encoding.ts';

/** Kind of a file by its content, because its name can be wrong. */
export type FileKind = 'text' | 'sheet' | 'parquet' | 'arrow' | 'gzip' | 'zip';

const csv = 'Save the table as CSV, TSV, JSON, JSONL, XLSX, Parquet or Arrow and import that.';
/** First bytes of files that hold no rows, and what to do with each. */
const others: [bytes: string, what: string, then: string][] = [
  ['%PDF-', 'a PDF', `A PDF has pages, not rows. ${csv}`],
  ['\x89PNG', 'a PNG image', `An image has no rows. ${csv}`],
  ['\xff\xd8\xff', 'a JPEG image', `An image has no rows. ${csv}`],
  ['GIF8', 'a GIF image', `An image has no rows. ${csv}`],
  [
    '\xd0\xcf\x11\xe0',
    'a file of old Microsoft Office (such as .xls)',
    'Open it in Excel and save it as XLSX or CSV.',
  ],
  ['BZh', 'compressed with bzip2', 'Decompress it and import the file in it.'],
  ['\x28\xb5\x2f\xfd', 'compressed with zstd', 'Decompress it and import the file in it.'],
  ['7z\xbc\xaf', 'a 7z archive', 'Extract it and import one of the files in it.'],
  ['Rar!', 'a RAR archive', 'Extract it and import one of the files in it.'],
  ['SQLite format 3', 'an SQLite database', 'Export a table of it as CSV and import that.'],
  ['FEA1', 'a Feather file of version 1', 'Write the table as Feather of version 2, Arrow or Parquet.'],
];
const inZip: [name: string, what: string, then: string][] = [
  ['word/', 'a Word document', 'Copy its table into a spreadsheet, save that as CSV or XLSX, and import it.'],
  ['ppt/', 'a PowerPoint presentation', csv],
  [
    'application/vnd.oasis.opendocument',
    'an OpenDocument file',
    'Open it in its program and save it as XLSX or CSV.',
  ],
];

const latin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
const refuse = (name: string, what: string, then: string): Error => new Error(`${name} is ${what}. ${then}`);

/** Contents of a zip: the names are at the start of each file in it and in the list at its end. */
const namesInZip = (bytes: Uint8Array): string =>
  latin1(bytes.subarray(0, 64_000)) + latin1(bytes.subarray(-64_000));

/** Throws for a zip; the error says what to do. */
export const refuseZip = (name: string, bytes: Uint8Array): never => {
  const names = namesInZip(bytes);
  const found = inZip.find(([inside]) => names.includes(inside));
  throw found
    ? refuse(name, found[1], found[2])
    : refuse(name, 'a ZIP archive', 'Extract it and import one of the files in it.');
};

/** Returns the kind of a file by its content. Throws for a file without rows; the error says what to do. */
export const kindOf = (name: string, bytes: Uint8Array): FileKind => {
  const head = bytes.subarray(0, 4_000);
  const start = String.fromCharCode(...head.subarray(0, 16));
  if (start.startsWith('PAR1')) return 'parquet';
  // A stream of Arrow begins with the mark of its first message.
  if (start.startsWith('ARROW1') || start.startsWith('\xff\xff\xff\xff')) return 'arrow';
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06'))
    return namesInZip(bytes).includes('xl/') ? 'sheet' : 'zip';
  const other = others.find(([bytes]) => start.startsWith(bytes));
  if (other) throw refuse(name, other[1], other[2]);
  if (unicodeOf(bytes) === undefined && head.includes(0)) {
    const line = head.subarray(0, head.indexOf(0)).filter((byte) => byte === 0x0a).length + 1;
    throw refuse(name, 'not text', `Line ${line} has bytes that no text has. ${csv}`);
  }
  return 'text';
};
