import { WrittenNumber } from '../../../../../client/src/written-number.ts';
import { type ExportRow, firstColumns } from './row.ts';

export type Kind = 'number' | 'boolean' | 'text';
export type Column = { name: string; kind: Kind };

const order = ['tags', 'inputs', 'expected', 'outputs', 'scores', 'reasoning'];
const places: ReadonlyMap<string, number> = new Map([
  ...firstColumns.map((name, i): [string, number] => [name, i]),
  ...order.map((part, i): [string, number] => [part, firstColumns.length + i]),
]);

/** Columns are sorted by their part, and within a part as they are met. */
const placeOf = (name: string): number => places.get(name.split('.', 1)[0]!) ?? places.size;

/** Whether a double holds the number: an integer of 16 digits and 1e400 stay text. */
const isDouble = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (!(value instanceof WrittenNumber)) return false;
  const number = value.valueOf();
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
};

const kindOf = (value: unknown): Kind => {
  if (typeof value === 'boolean') return 'boolean';
  return isDouble(value) ? 'number' : 'text';
};

/** Collects the columns of rows, each with the kind that all its values have, else text. */
export const collectColumns = () => {
  const kinds = new Map<string, Kind | undefined>(firstColumns.map((name) => [name, 'text']));
  return {
    count: () => kinds.size,
    add: (row: ExportRow): void => {
      for (const name in row) {
        const value = row[name];
        const known = kinds.get(name);
        if (known === 'text') continue;
        if (value === null || value === undefined) {
          if (!kinds.has(name)) kinds.set(name, undefined);
          continue;
        }
        const kind = kindOf(value);
        kinds.set(name, known === undefined || known === kind ? kind : 'text');
      }
    },
    columns: (): Column[] =>
      [...kinds]
        .map(([name, kind = 'text']): Column => ({ name, kind }))
        .sort((a, b) => placeOf(a.name) - placeOf(b.name)),
  };
};
