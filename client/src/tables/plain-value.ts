import { numberOf } from '../written-number.ts';

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Lists of numbers, in Arrow. */
const isNumbers = (value: unknown): value is Iterable<number | bigint> =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/** Converts integers of 64 bits (bigint), times (Date) and bytes (arrays) of Parquet and Arrow to JSON values. */
export const plainValue = (value: unknown): unknown => {
  if (typeof value === 'bigint') return numberOf(String(value));
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return base64(value);
  if (isNumbers(value)) return Array.from(value, plainValue);
  if (Array.isArray(value)) return value.map(plainValue);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainValue(item)]));
};
