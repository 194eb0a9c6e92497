import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { TestcaseLabels } from './queries.ts';

/** Most fields whose slices are tested, and most values of such a field. */
const maxFields = 20;
const maxValues = 50;
/** Longer values are prose, not labels. */
const maxLength = 100;

/**
 * Returns the fields of a testset's inputs and metadata that divide its testcases into slices: those with 2 to 50 values, one row each, as
 * `metadata.<field>` or `inputs.<field>`. Text with \u0000 is left out, because PostgreSQL's text cannot hold it. Reads testcase_pkey.
 */
export const findSliceFields = (sql: Sql, scope: Scope, testsetIds: string[]) => sql<TestcaseLabels[]>`
  select "testsetId", field, numbers, values
  from (
    select testset.id::text as "testsetId",
      case when entry.key = any(testset.input_fields) then 'inputs.' else 'metadata.' end || entry.key as field,
      array_agg(testcase.n)::text as numbers, json_agg(entry.value #>> '{}')::text as values
    from testset
    join testcase on testcase.testset_id = testset.id and testcase.organization_id = ${scope.organizationId}
      and position('\\u0000' in testcase.json_data::text) = 0
    cross join lateral json_each(testcase.json_data) entry
    where testset.id = any(${testsetIds}::bigint[]) and testset.organization_id = ${scope.organizationId}
      and (entry.key = any(testset.input_fields) or entry.key = any(testset.metadata_fields))
      and json_typeof(entry.value) in ('string', 'number', 'boolean') and length(entry.value::text) <= ${maxLength}
    group by testset.id, entry.key
    having count(distinct entry.value #>> '{}') between 2 and ${maxValues}) found
  order by "testsetId", field
  limit ${maxFields}`;
