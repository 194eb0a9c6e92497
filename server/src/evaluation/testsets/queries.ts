import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Issue } from '../../platform/errors.ts';
import type { TestcaseKey } from '../../platform/http/ids.ts';
import { type Cut, cutToPage, type PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { members, type Picker, picker, type RawJson } from '../../platform/json/json.ts';
import { isKept } from '../deletions/queries.ts';
import { dataOf, keepPast, rowsAt } from './past-queries.ts';
import type { TestsetSettingsUpdate } from './schema.ts';
import type { TestcaseSearch } from './search-testcases.ts';

const fieldMapping = (sql: Sql) => sql`json_build_object(
  'inputs', testset.input_fields, 'expected', testset.expected_fields, 'metadata', testset.metadata_fields)`;

const testsetJson = (sql: Sql) => sql`
  json_build_object(
    'id', testset.id::text, 'name', testset.name, 'description', testset.description, 'jsonSchema', testset.json_schema,
    'fieldMapping', ${fieldMapping(sql)})::text`;

/** The testset of `run` as JSON, without the schema of its testcases; null without a testset. */
export const testsetOfRun = (sql: Sql, scope: Scope) => sql`(
  select json_build_object('id', testset.id::text, 'name', testset.name, 'fieldMapping', ${fieldMapping(sql)})
  from testset where testset.id = run.testset_id and testset.organization_id = ${scope.organizationId})`;

export const listTestsets = (sql: Sql, scope: Scope, projectId: bigint, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${testsetJson(sql)} as body, testset.id::text as key, -testset.id as place
    from testset
    where testset.organization_id = ${scope.organizationId} and testset.project_id = ${projectId} and testset.id < ${before}
      and ${isKept(sql, scope, 'testset')}
    order by testset.id desc
    limit ${count}`,
  );

/** Lists testsets with the number of their testcases. `ListedTestset` in schema.ts describes them. */
export const listTestsetDetails = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  before: string,
  count: number,
) =>
  cutToPage(
    sql,
    sql`
    select json_build_object('id', testset.id::text, 'name', testset.name, 'description', testset.description,
        'fieldMapping', ${fieldMapping(sql)}, 'createdAt', iso_time(testset.created_at), 'numTestcases', (
          select count(*) from testcase
          where testcase.testset_id = testset.id and testcase.organization_id = ${scope.organizationId}))::text as body,
      testset.id::text as key, -testset.id as place
    from testset
    where testset.organization_id = ${scope.organizationId} and testset.project_id = ${projectId} and testset.id < ${before}
      and ${isKept(sql, scope, 'testset')}
    order by testset.id desc
    limit ${count}`,
  );

export const findTestset = (sql: Sql, scope: Scope, testsetId: bigint) => sql<{ body: string }[]>`
  select ${testsetJson(sql)} as body
  from testset
  where testset.organization_id = ${scope.organizationId} and testset.id = ${testsetId}`;

/** Values of columns. A missing field stays as it is. */
export type TestsetColumns = {
  name?: string;
  description?: string;
  jsonSchema?: RawJson;
  inputs?: string[];
  expected?: string[];
  metadata?: string[];
};

export const insertTestset = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  testset: Required<TestsetColumns>,
) => tx<{ body: string }[]>`
  insert into testset (organization_id, project_id, name, description, json_schema, input_fields, expected_fields,
    metadata_fields, created_by)
  values (${scope.organizationId}, ${projectId}, ${testset.name}, ${testset.description}, ${testset.jsonSchema}::text::json,
    ${testset.inputs}::text[], ${testset.expected}::text[], ${testset.metadata}::text[], ${scope.memberId})
  returning ${testsetJson(tx)} as body`;

export const updateTestset = (tx: Sql, scope: Scope, testsetId: bigint, changes: TestsetColumns) => tx<
  { body: string }[]
>`
  update testset set
    name = coalesce(${changes.name ?? null}::text, name),
    description = coalesce(${changes.description ?? null}::text, description),
    json_schema = coalesce(${changes.jsonSchema ?? null}::text::json, json_schema),
    input_fields = coalesce(${changes.inputs ?? null}::text[], input_fields),
    expected_fields = coalesce(${changes.expected ?? null}::text[], expected_fields),
    metadata_fields = coalesce(${changes.metadata ?? null}::text[], metadata_fields)
  where organization_id = ${scope.organizationId} and id = ${testsetId}
  returning ${testsetJson(tx)} as body`;

const settingsJson = (sql: Sql) =>
  sql`json_build_object('groupingField', grouping_field, 'splitRules', split_rules)::text as body`;

export const findTestsetSettings = (sql: Sql, scope: Scope, testsetId: bigint) => sql<{ body: string }[]>`
  select ${settingsJson(sql)} from testset where organization_id = ${scope.organizationId} and id = ${testsetId}`;

export const updateTestsetSettings = (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  { groupingField, splitRules }: TestsetSettingsUpdate,
) => tx<{ body: string }[]>`
  update testset set grouping_field = ${groupingField === undefined ? tx`grouping_field` : groupingField},
    split_rules = ${splitRules === undefined ? tx`split_rules` : tx`${JSON.stringify(splitRules)}::text::json`}
  where organization_id = ${scope.organizationId} and id = ${testsetId}
  returning ${settingsJson(tx)}`;

/** Settings of a testset for its testcases. */
export type TestcaseRules = { jsonSchema: RawJson; inputFields: string[]; expectedFields: string[] };

export const findTestcaseRules = (sql: Sql, scope: Scope, testsetId: bigint) => sql<TestcaseRules[]>`
  select json_schema::text as "jsonSchema", input_fields as "inputFields", expected_fields as "expectedFields"
  from testset
  where organization_id = ${scope.organizationId} and id = ${testsetId}`;

type MappedFields = Omit<TestcaseRules, 'jsonSchema'>;
type Testcase = {
  key: string;
  testsetId: bigint;
  jsonData: RawJson;
  validationErrors: RawJson | null;
  split: string | null;
  tags: string[];
};
/** Only the first row of a page has the mapped fields. */
type TestcaseRow = Testcase & Cut & { [fields in keyof MappedFields]: string[] | null };

const testcaseColumns = (sql: Sql) => sql`
  testcase.n::text as key, testcase.testset_id as "testsetId", testcase.json_data::text as "jsonData",
  testcase.validation_errors::text as "validationErrors", testcase.split, testcase.tags,
  testset.input_fields as "inputFields", testset.expected_fields as "expectedFields"`;

/** Returns a testcase as JSON text. Inputs and expected are picked here, because PostgreSQL can't read `\u0000`. */
const testcaseText = (row: Testcase, inputs: Picker, expected: Picker): string => {
  const fields = members(row.jsonData);
  return (
    `{"id":"${row.testsetId}-${row.key}","testsetId":"${row.testsetId}","jsonData":${row.jsonData}` +
    `,"inputs":${inputs(fields)},"expected":${expected(fields)}` +
    `${row.split === null ? '' : `,"split":${JSON.stringify(row.split)}`}` +
    `${row.tags.length === 0 ? '' : `,"tags":${JSON.stringify(row.tags)}`}` +
    `${row.validationErrors === null ? '' : `,"validationErrors":${row.validationErrors}`}}`
  );
};

/** Returns testcases of one testset as JSON text. */
export const testcasePage = (rows: TestcaseRow[]): PageRow[] => {
  const inputs = picker(rows[0]?.inputFields ?? []);
  const expected = picker(rows[0]?.expectedFields ?? []);
  return rows.map((row) => ({ ...row, body: testcaseText(row, inputs, expected) }));
};

/** The testcases of a testset as they were at an edition, as a relation like testcase. */
export const testcasesAt = (sql: Sql, scope: Scope, testsetId: bigint, edition: number) => sql`(
  select member.organization_id, member.testset_id, member.n, member.validation_errors, member.split, member.tags,
    ${dataOf(sql, scope, testsetId, sql`member`, sql`member.json_data`)} as json_data
  from ${rowsAt(sql, scope, testsetId, edition)} member)`;

/**
 * Lists testcases of one testset, oldest first. Reads testcase_pkey (testset_id, n). `edition`: those of then. A search reads on until the
 * page is full.
 */
export const listTestcases = (
  sql: Sql,
  scope: Scope,
  testsetId: bigint,
  after: string,
  count: number,
  { maxBytes, edition, search }: { maxBytes?: number; edition?: number; search?: TestcaseSearch } = {},
) =>
  cutToPage<TestcaseRow>(
    sql,
    sql`
    select ${testcaseColumns(sql)}, testcase.n as place
    from ${edition === undefined ? sql`testcase` : testcasesAt(sql, scope, testsetId, edition)} testcase
    join testset on testset.id = testcase.testset_id
    where testcase.organization_id = ${scope.organizationId} and testcase.testset_id = ${testsetId} and testcase.n > ${after}
      ${search ? search(sql) : sql``}
    order by testcase.n
    limit ${count}`,
    // A mapping may have megabytes; repeated in each of a hundred rows it would exhaust the memory.
    {
      columns: sql`key, "testsetId", "jsonData", "validationErrors", split, tags,
        case when number = 1 then "inputFields" end as "inputFields",
        case when number = 1 then "expectedFields" end as "expectedFields"`,
      text: sql`"jsonData"`,
      ...(maxBytes !== undefined && { maxBytes }),
    },
  );

export const findTestcase = (sql: Sql, scope: Scope, { testsetId, n }: TestcaseKey) => sql<
  (Testcase & MappedFields)[]
>`
  select ${testcaseColumns(sql)}
  from testcase join testset on testset.id = testcase.testset_id
  where testcase.organization_id = ${scope.organizationId} and testcase.testset_id = ${testsetId} and testcase.n = ${n}`;

/** Takes the next `count` numbers of the testset, and the next edition. Returns the last number and the edition. */
export const takeTestcaseNumbers = (tx: Sql, scope: Scope, testsetId: bigint, count: number) => tx<
  { last: number; edition: number }[]
>`
  update testset set last_testcase_n = last_testcase_n + ${count}, edition = edition + 1
  where organization_id = ${scope.organizationId} and id = ${testsetId}
  returning last_testcase_n as last, edition`;

/** Takes the next edition of the testset, before its testcases are changed. Writers of one testset take turns from here. */
export const takeEdition = (tx: Sql, scope: Scope, testsetId: bigint) =>
  takeTestcaseNumbers(tx, scope, testsetId, 0);

/** The split and tags that a new testcase comes with. */
export type GivenMarks = { split?: string; tags?: string[] };

const errorsText = (errors: Issue[]): RawJson | null => (errors.length > 0 ? JSON.stringify(errors) : null);

export const insertTestcases = (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  { firstN, edition }: { firstN: number; edition: number },
  documents: RawJson[],
  errors: Issue[][],
  marks: readonly GivenMarks[] = [],
) => tx`
  insert into testcase (organization_id, testset_id, n, json_data, validation_errors, edition, data_edition, split, tags)
  select ${scope.organizationId}, ${testsetId}, ${firstN} + item.position - 1, item.data::json, item.errors::json,
    ${edition}::integer, ${edition}::integer, item.split, array(
      select tag collate "C" from json_array_elements_text(item.tags::json) tag order by 1)
  from ${rowsOf(
    tx,
    documents.map((data, i) => ({
      data,
      errors: errorsText(errors[i]!),
      split: marks[i]?.split,
      tags: marks[i]?.tags && JSON.stringify(marks[i].tags),
    })),
    { data: 'json text', errors: 'text', split: 'text', tags: 'text' },
    { as: 'item', place: 'position' },
  )}`;

/** Locks a testcase. Returns its data as text, and the names of the fields that a system or a metric reads. */
export const lockTestcase = (tx: Sql, scope: Scope, { testsetId, n }: TestcaseKey) => tx<
  { data: RawJson; fields: string[] }[]
>`
  select testcase.json_data::text as data, testset.input_fields || testset.expected_fields as fields
  from testcase
  join testset on testset.id = testcase.testset_id and testset.organization_id = ${scope.organizationId}
  where testcase.organization_id = ${scope.organizationId} and testcase.testset_id = ${testsetId} and testcase.n = ${n}
  for no key update of testcase`;

type Replacement = { data: RawJson; errors: Issue[]; isRevised: boolean; edition: number };

export const updateTestcase = (
  tx: Sql,
  scope: Scope,
  { testsetId, n }: TestcaseKey,
  { data, errors, isRevised, edition }: Replacement,
) => tx`
  with kept as (${keepPast(tx, scope, testsetId, edition, tx`old.n = ${n}`)})
  update testcase set json_data = ${data}::text::json, validation_errors = ${errorsText(errors)}::text::json,
    revision = ${isRevised ? tx`last_revision + 1` : tx`revision`},
    last_revision = last_revision + ${Number(isRevised)}::integer,
    edition = ${edition}::integer, data_edition = ${edition}::integer, updated_at = now()
  where organization_id = ${scope.organizationId} and testset_id = ${testsetId} and n = ${n}`;

/** Deletes testcases of one testset and returns the numbers of those that existed. */
export const deleteTestcases = (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  numbers: number[],
  edition: number,
) => tx<{ n: number }[]>`
  with kept as (${keepPast(tx, scope, testsetId, edition, tx`old.n = any(${numbers}::integer[])`)})
  delete from testcase
  where organization_id = ${scope.organizationId} and testset_id = ${testsetId} and n = any(${numbers}::integer[])
  returning n`;
