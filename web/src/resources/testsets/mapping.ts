import { type ColumnType, inType, typesOf } from '../../../../client/src/tables/column-types.ts';
import { exactColumn } from '../../../../client/src/tables/exact-cells.ts';
import { meaningsOf, type Part } from '../../../../client/src/tables/meaning.ts';
import type { Table } from '../../../../client/src/tables/table.ts';
import type { JsonObject, Testset } from '../../types.ts';

/** The uses of a column. `id` names the testcase that a row replaces. */
export const roles = {
  inputs: 'Inputs',
  expected: 'Expected',
  metadata: 'Metadata',
  id: 'Id of the testcase',
  none: 'Leave out',
} as const;
export type Role = keyof typeof roles;

export const types = {
  string: 'Text',
  number: 'Number',
  boolean: 'True or false',
  json: 'JSON',
} as const satisfies Record<ColumnType, string>;

export type ColumnMapping = { column: string; field: string; role: Role; type: ColumnType };

/** The role of a column by the part that it holds. A testset has no answers and no scores. */
const roleOfPart = (part: Part, isKnown: boolean, isExact: boolean): Role => {
  if (part === 'outputs' || part === 'scores') return 'none';
  if (part !== 'id') return part;
  if (isKnown) return 'id';
  return isExact ? 'none' : 'metadata';
};

const roleInTestset = (field: string, { fieldMapping }: Testset): Role | undefined =>
  (['inputs', 'expected', 'metadata'] as const).find((role) => fieldMapping[role].includes(field));

/** Guesses the use of every column from its name, its values and the testset that it goes into. */
export const guessMapping = (table: Table, testset?: Testset): ColumnMapping[] => {
  const meanings = meaningsOf(table.columns);
  const proposed = typesOf(table, meanings);
  return [...meanings].map(([column, { part, name }]) => {
    const known = testset && (roleInTestset(column, testset) ? column : name);
    const role = known === undefined ? undefined : roleInTestset(known, testset!);
    return {
      column,
      field: role ? known! : name,
      role: role ?? roleOfPart(part, testset !== undefined, column === exactColumn),
      type: proposed.get(column)!,
    };
  });
};

export type Mapped = { line: number; id: string | undefined; jsonData: JsonObject };

/** A row as a testcase. Throws with the name of the column when a value has another type. */
export const mapRow = (
  row: JsonObject,
  line: number,
  mapping: readonly ColumnMapping[],
  isText: boolean,
): Mapped => {
  const jsonData: JsonObject = {};
  let id: string | undefined;
  for (const { column, field, role, type } of mapping) {
    const value = row[column];
    if (role === 'none' || value === undefined || (isText && value === '')) continue;
    if (role === 'id') id = String(value);
    else {
      try {
        jsonData[field] = inType(value, type, isText);
      } catch {
        throw new Error(`${column} is not valid JSON`);
      }
      if (jsonData[field] === undefined) throw new Error(`${column} is neither true nor false`);
      if (Number.isNaN(jsonData[field])) throw new Error(`${column} is not a number`);
    }
  }
  return { line, id, jsonData };
};

const fieldsOf = (mapping: readonly ColumnMapping[], role: Role) =>
  mapping.filter((each) => each.role === role).map(({ field }) => field);

/** The field mapping of the testset. Existing fields keep their use unless a column changes it. */
export const fieldMappingOf = (mapping: readonly ColumnMapping[], before?: Testset['fieldMapping']) => {
  const named = new Set(mapping.map(({ field }) => field));
  const merge = (role: 'inputs' | 'expected' | 'metadata') => [
    ...(before?.[role] ?? []).filter((field) => !named.has(field)),
    ...fieldsOf(mapping, role),
  ];
  return { inputs: merge('inputs'), expected: merge('expected'), metadata: merge('metadata') };
};

/** A schema with the type of each field; no field is required. */
export const schemaOf = (mapping: readonly ColumnMapping[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    mapping
      .filter(({ role }) => role !== 'none' && role !== 'id')
      .map(({ field, type }) => [field, type === 'json' ? {} : { type }]),
  ),
});
