import { numberOf } from '../written-number.ts';
import { requireBytes, requireCells } from './bounds.ts';
import { type Table, tableOf } from './table.ts';

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Converts Parquet's integers of 64 bits (bigint), times (Date) and bytes (arrays) to JSON values. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return numberOf(String(value));
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
};

/** Decompresses what hyparquet cannot: it knows only Snappy and no compression. The length is the most that may come out. */
export type Compressors = Record<string, (bytes: Uint8Array, length: number) => Uint8Array>;

/** Returns compressors that throw before a file decompresses to more than fits. */
const bounded = (compressors: Compressors): Compressors => {
  let total = 0;
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, decompress]) => [
      codec,
      (bytes, length) => {
        total += length;
        requireBytes(total);
        return decompress(bytes, length);
      },
    ]),
  );
};

/** Returns the rows of a Parquet file. */
export const readParquet = async (bytes: Uint8Array, compressors: Compressors = {}): Promise<Table> => {
  const { parquetMetadata, parquetReadObjects, snappyUncompress } = await import('hyparquet');
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  requireCells(Number(metadata.num_rows), metadata.row_groups[0]?.columns.length ?? 0);
  const SNAPPY = (page: Uint8Array, length: number): Uint8Array => {
    const output = new Uint8Array(length);
    snappyUncompress(page, output);
    return output;
  };
  const rows = await parquetReadObjects({ file, metadata, compressors: bounded({ SNAPPY, ...compressors }) });
  return tableOf(rows.map((row, i) => ({ value: plain(row), line: i + 1 })));
};
