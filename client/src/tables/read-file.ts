import { readArrow } from './arrow.ts';
import { maxBytes, requireBytes } from './bounds.ts';
import { joined } from './bytes.ts';
import { readDelimited } from './delimited.ts';
import { decode, type Encoding, lineOfFault } from './encoding.ts';
import { kindOf, refuseZip } from './file-kind.ts';
import { readJson } from './json-rows.ts';
import { type Compressors, readParquet } from './parquet.ts';
import { readSheet } from './sheet.ts';
import type { Table } from './table.ts';

/** A file that was read. Every way into the service reads tables here, so that one file gives the same rows everywhere. */
export type TableFile = {
  form: 'json' | 'lines' | 'delimited' | 'sheet' | 'parquet' | 'arrow';
  table: Table;
  /** The value of a JSON file. */
  value?: unknown;
  /** The sheets of a spreadsheet, and the one that was read. */
  sheets?: string[];
  sheet?: string;
};

export type ReadOptions = {
  /** The encoding of text that is not Unicode. */
  encoding?: Encoding | undefined;
  sheet?: string | undefined;
  compressors?: Compressors;
};

/** Text in an encoding that the bytes do not show. */
export class UnknownEncoding extends Error {
  constructor(bytes: Uint8Array) {
    super(
      `It is not UTF-8 in line ${lineOfFault(bytes, 'utf-8')}, and its bytes do not say which encoding it has.`,
    );
  }
}

/** Reads text: JSON, JSON lines, CSV or the cells of a spreadsheet. The name tells a table from JSON that is broken. */
export const readText = async (name: string, text: string): Promise<TableFile> => {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const areLines = ending === 'jsonl' || ending === 'ndjson';
  const isTable = ending === 'csv' || ending === 'tsv' || ending === 'tab' || ending === 'psv';
  if (!isTable && (areLines || ending === 'json' || /^\s*[[{]/.test(text))) return readJson(text, areLines);
  return { form: 'delimited', table: await readDelimited(text) };
};

/** Decompresses gzip. Throws for a file that is damaged, cut, or larger than fits. */
export const gunzip = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error('It is compressed with gzip, and damaged or not complete.');
    });
    if (done) return joined(chunks);
    length += value.length;
    if (length > maxBytes) await reader.cancel();
    requireBytes(length);
    chunks.push(value);
  }
};

/**
 * Reads the rows of a file by its content: delimited text, JSON, JSON lines, XLSX, Parquet or Arrow, also compressed with gzip. Throws
 * `UnknownEncoding` for text that is not Unicode if no encoding is given.
 */
export const readFile = async (
  name: string,
  bytes: Uint8Array,
  options: ReadOptions = {},
): Promise<TableFile> => {
  requireBytes(bytes.length);
  const kind = kindOf(name, bytes);
  if (kind === 'gzip') return readFile(name.replace(/\.gz$/i, ''), await gunzip(bytes), options);
  if (kind === 'zip') return refuseZip(name, bytes);
  if (kind === 'parquet') return { form: 'parquet', table: await readParquet(bytes, options.compressors) };
  if (kind === 'arrow') return { form: 'arrow', table: await readArrow(bytes) };
  if (kind === 'sheet') {
    const { names, sheet, ...table } = await readSheet(bytes, options.sheet);
    return { form: 'sheet', table, sheets: names, sheet };
  }
  const text = decode(bytes, options.encoding);
  if (text === undefined) throw new UnknownEncoding(bytes);
  return readText(name, text);
};
