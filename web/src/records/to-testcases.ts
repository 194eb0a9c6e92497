import { api } from '../api.ts';
import { type ColumnMapping, fieldMappingOf, schemaOf, type Type } from '../testsets/mapping.ts';
import type { Json, RecordDetail, Testcase, Testset } from '../types.ts';

const groups = ['inputs', 'expected', 'outputs'] as const;
type Group = (typeof groups)[number];

/** What becomes of a field of the records in the testset. */
export type FieldMapping = {
  group: Group;
  source: string;
  /** Its name in the testcase. */
  field: string;
  role: 'inputs' | 'expected' | 'none';
};

const typeOf = (values: readonly unknown[]): Type => {
  const types = new Set(
    values
      .filter((value) => value !== null && value !== undefined)
      .map((value) => (typeof value === 'bigint' ? 'number' : typeof value)),
  );
  const [only] = types;
  return types.size === 1 && (only === 'string' || only === 'number' || only === 'boolean') ? only : 'json';
};

/**
 * A first guess: inputs as they are, and what was expected. Where nothing was, the answers are offered as what is expected from
 * now on, for somebody to choose.
 */
export const guessFields = (records: readonly RecordDetail[], testset?: Testset): FieldMapping[] =>
  groups.flatMap((group) => {
    const sources = [...new Set(records.flatMap((record) => Object.keys(record[group])))];
    return sources.map((source) => {
      const known =
        testset && [...testset.fieldMapping.inputs, ...testset.fieldMapping.expected].includes(source);
      const role = group === 'outputs' || (testset && !known) ? 'none' : group;
      return { group, source, field: source, role };
    });
  });

/** Two sources of one name would overwrite each other; a field without a name can't be written. */
export const fieldProblem = (mapping: readonly FieldMapping[]): string | undefined => {
  const names = mapping.filter(({ role }) => role !== 'none').map(({ field }) => field.trim());
  if (names.length === 0) return 'Choose at least one field.';
  if (names.includes('')) return 'Give each field a name.';
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice && `Two fields become ${twice}. Give one of them another name.`;
};

const jsonDataOf = (record: RecordDetail, mapping: readonly FieldMapping[]): Json =>
  Object.fromEntries(
    mapping.flatMap(({ group, source, field, role }) => {
      const fields = record[group] as Json;
      return role === 'none' || !Object.hasOwn(fields, source) ? [] : [[field.trim(), fields[source]]];
    }),
  );

const columnsOf = (records: readonly RecordDetail[], mapping: readonly FieldMapping[]): ColumnMapping[] =>
  mapping
    .filter(({ role }) => role !== 'none')
    .map(({ group, source, field, role }) => ({
      column: `${group}.${source}`,
      field: field.trim(),
      role,
      type: typeOf(records.map((record) => (record[group] as Json)[source])),
    }));

/** What the API takes at once. */
const batch = 100;

export type Added = {
  testset: Testset;
  testcases: Testcase[];
  /** Those that were added but do not fit the testset's schema. */
  misfits: { recordId: string; problems: string[] }[];
};

/**
 * Makes testcases of records, in a testset that is there or a new one of that name: all of them or none. What was written is
 * taken back when a later part is refused.
 */
export const addToTestset = async (
  projectId: string,
  target: Testset | string,
  records: readonly RecordDetail[],
  mapping: readonly FieldMapping[],
): Promise<Added> => {
  const columns = columnsOf(records, mapping);
  const isNew = typeof target === 'string';
  const testset = isNew
    ? await api.post<Testset>(`/projects/${projectId}/testsets`, {
        name: target,
        description: '',
        jsonSchema: schemaOf(columns),
        fieldMapping: fieldMappingOf(columns),
      })
    : target;
  const testcases: Testcase[] = [];
  try {
    for (let i = 0; i < records.length; i += batch) {
      const items = records.slice(i, i + batch).map((record) => ({ jsonData: jsonDataOf(record, mapping) }));
      const made = await api.post<{ items: Testcase[] }>(`/testsets/${testset.id}/testcases`, { items });
      testcases.push(...made.items);
    }
  } catch (error) {
    if (isNew) await api.delete(`/testsets/${testset.id}`);
    else if (testcases.length > 0)
      await api.post('/testcases/bulk-delete', { ids: testcases.map(({ id }) => id) });
    throw error;
  }
  const misfits = testcases.flatMap(({ validationErrors }, i) =>
    validationErrors
      ? [
          {
            recordId: records[i]!.id,
            problems: validationErrors.map(({ path, message }) => `${path} ${message}`.trim()),
          },
        ]
      : [],
  );
  return { testset, testcases, misfits };
};
