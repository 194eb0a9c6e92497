import { numberOf } from '../written-number.ts';
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

/** Decompresses what hyparquet cannot: it knows only Snappy and no compression. */
export type Compressors = Record<string, (bytes: Uint8Array) => Uint8Array>;

/** Returns the rows of a Parquet file. */
export const readParquet = async (bytes: Uint8Array, compressors: Compressors = {}): Promise<Table> => {
  const { parquetReadObjects } = await import('hyparquet');
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors });
  return tableOf(rows.map((row, i) => ({ value: plain(row), line: i + 1 })));
};
