import type { ExportRow } from './row.ts';

/**
 * Returns the records of a first reading, so that a second one can leave out others: a record that is committed late may have an
 * earlier time than those that were read, such as one of traces, and fields that no column holds. A bit for each number of a run.
 */
export const firstReading = () => {
  const runs = new Map<unknown, Uint8Array>();
  const numberOf = ({ id }: ExportRow): number => Number(String(id).split('-')[1]);
  const add = (row: ExportRow): void => {
    const n = numberOf(row);
    let bits = runs.get(row.run) ?? new Uint8Array(128);
    if (n >> 3 >= bits.length) {
      const longer = new Uint8Array(Math.max(2 * bits.length, (n >> 3) + 1));
      longer.set(bits);
      bits = longer;
    }
    bits[n >> 3]! |= 1 << (n & 7);
    runs.set(row.run, bits);
  };
  const has = (row: ExportRow): boolean => {
    const n = numberOf(row);
    return ((runs.get(row.run)?.[n >> 3] ?? 0) & (1 << (n & 7))) !== 0;
  };
  return { add, has };
};
