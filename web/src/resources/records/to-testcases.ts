import { batches } from '../../../../client/src/bulk.ts';
import type { ColumnType } from '../../../../client/src/tables/column-types.ts';
import { WrittenNumber } from '../../../../client/src/written-number.ts';
import { api } from '../../api.ts';
import type { JsonObject, RecordDetail, Testcase, Testset } from '../../types.ts';
import { type ColumnMapping, fieldMappingOf, schemaOf } from '../testsets/mapping.ts';

const groups = ['inputs', 'expected', 'outputs'] as const;
type Group = (typeof groups)[number];

/** Source of a testcase: a record, or a span that reads like one. */
export type Case = Pick<RecordDetail, 'id' | 'inputs' | 'expected' | 'outputs'>;

/** The use of a field of the records in the testset. */
export type FieldMapping = {
  group: Group;
  source: string;
  /** Its name in the testcase. */
  field: string;
  role: 'inputs' | 'expected' | 'none';
};

const typeOf = (values: readonly unknown[]): ColumnType => {
  const types = new Set(
    values
      .filter((value) => value !== null && value !== undefined)
      .map((value) => (value instanceof WrittenNumber ? 'number' : typeof value)),
  );
  const [only] = types;
  return types.size === 1 && (only === 'string' || only === 'number' || only === 'boolean') ? only : 'json';
};

/** Guesses the use of each field: inputs and expected keep theirs; outputs are left out until the user chooses. */
export const guessFields = (records: readonly Case[], testset?: Testset): FieldMapping[] =>
  groups.flatMap((group) => {
    const sources = [...new Set(records.flatMap((record) => Object.keys(record[group])))];
    return sources.map((source) => {
      const known =
        testset && [...testset.fieldMapping.inputs, ...testset.fieldMapping.expected].includes(source);
      const role = group === 'outputs' || (testset && !known) ? 'none' : group;
      return { group, source, field: source, role };
    });
  });

/** What is wrong with the names of the fields. */
export const fieldProblem = (mapping: readonly FieldMapping[]): string | undefined => {
  const names = mapping.filter(({ role }) => role !== 'none').map(({ field }) => field.trim());
  if (names.length === 0) return 'Choose at least one field.';
  if (names.includes('')) return 'Give each field a name.';
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice && `Two fields are called ${twice}. Rename one of them.`;
};

const jsonDataOf = (record: Case, mapping: readonly FieldMapping[]): JsonObject =>
  Object.fromEntries(
    mapping.flatMap(({ group, source, field, role }) => {
      const fields = record[group] as JsonObject;
      return role === 'none' || !Object.hasOwn(fields, source) ? [] : [[field.trim(), fields[source]]];
    }),
  );

const columnsOf = (records: readonly Case[], mapping: readonly FieldMapping[]): ColumnMapping[] =>
  mapping
    .filter(({ role }) => role !== 'none')
    .map(({ group, source, field, role }) => ({
      column: `${group}.${source}`,
      field: field.trim(),
      role,
      type: typeOf(records.map((record) => (record[group] as JsonObject)[source])),
    }));

/** The most testcases in one request. */
const mostAtOnce = 100;

export type Added = {
  /** Whether the testset was made for them. */
  isNew: boolean;
  testset: Testset;
  testcases: Testcase[];
  /** The testcases that were added but break the schema of the testset. */
  misfits: { recordId: string; problems: string[] }[];
};

/**
 * Creates testcases from records in an existing testset or a new one of that name: all of them or none. It deletes what it has
 * written when a later part is refused.
 */
export const addToTestset = async (
  projectId: string,
  target: Testset | string,
  records: readonly Case[],
  mapping: readonly FieldMapping[],
): Promise<Added> => {
  const columns = columnsOf(records, mapping);
  const isNew = typeof target === 'string';
  const testset = isNew
    ? await api.createTestset(projectId, {
        name: target,
        description: '',
        jsonSchema: schemaOf(columns),
        fieldMapping: fieldMappingOf(columns),
      })
    : target;
  const testcases: Testcase[] = [];
  try {
    const items = records.map((record) => ({ jsonData: jsonDataOf(record, mapping) }));
    for (const batch of batches(items, mostAtOnce))
      testcases.push(...(await api.createTestcases(testset.id, { items: batch })).items);
  } catch (error) {
    if (isNew) await api.deleteTestset(testset.id);
    else if (testcases.length > 0) await api.deleteTestcases({ ids: testcases.map(({ id }) => id) });
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
  return { isNew, testset, testcases, misfits };
};

/** Takes back what addToTestset has written. */
export const removeAdded = async ({ isNew, testset, testcases }: Added): Promise<void> => {
  if (isNew) await api.deleteTestset(testset.id);
  else await api.deleteTestcases({ ids: testcases.map(({ id }) => id) });
};
