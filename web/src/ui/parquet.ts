import { parquetWriteBuffer } from 'hyparquet-writer';
import { WrittenNumber } from '../../../client/src/written-number.ts';
import { cellText } from './csv.ts';

/** Whether the value is a number, or none, that a DOUBLE holds: an integer beyond its precision stays text. */
const isNumber = (value: unknown) =>
  value === undefined ||
  value === null ||
  typeof value === 'number' ||
  (value instanceof WrittenNumber && !/^-?\d{16,}$/.test(value.source));
const isBoolean = (value: unknown) => value === undefined || value === null || typeof value === 'boolean';

/** A Parquet file of rows: a column of numbers or booleans as such, everything else as text. Loaded on demand. */
export const toParquet = (rows: readonly Record<string, unknown>[]): ArrayBuffer => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columnData = names.map((name) => {
    const values = rows.map((row) => row[name] ?? null);
    if (values.every(isNumber)) {
      const data = values.map((value) => value?.valueOf() ?? null);
      return { name, data, type: 'DOUBLE' as const, nullable: true };
    }
    if (values.every(isBoolean)) return { name, data: values, type: 'BOOLEAN' as const, nullable: true };
    return {
      name,
      data: values.map((value) => (value === null ? null : cellText(value))),
      type: 'STRING' as const,
      nullable: true,
    };
  });
  return parquetWriteBuffer({ columnData });
};
