import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Issue } from '../../platform/errors.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import { type Scope, serviceScope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { drawSql } from '../samples/draw.ts';

/** Lists the fresh testcases of a testset, newest first. Reads fresh_testcase_pkey. */
export const listFreshTestcases = (
  sql: Sql,
  scope: Scope,
  testsetId: bigint,
  before: string,
  count: number,
) =>
  cutToPage(
    sql,
    sql`
    select '{"number":' || n || ',"testsetId":"' || testset_id || '"'
        || coalesce(',"jsonData":' || json_data::text, '')
        || coalesce(',"validationErrors":' || validation_errors::text, '')
        || ',"inclusionProbability":' || coalesce(inclusion_probability::text, 'null')
        || ',"recordId":' || coalesce('"' || origin_run_id || '-' || origin_n || '"', 'null')
        || ',"runId":' || coalesce('"' || run_id || '"', 'null')
        || ',"testcaseId":' || coalesce('"' || testset_id || '-' || testcase_n || '"', 'null')
        || ',"createdAt":' || to_json(iso_time(created_at))::text || '}' as body,
      n::text as key, -n as place
    from fresh_testcase
    where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and n < ${before}::bigint
    order by n desc
    limit ${count}`,
  );

export type NewFresh = {
  data: RawJson;
  errors: Issue[];
  probability?: number;
  originRunId?: bigint;
  originN?: number;
};

/** Adds fresh testcases, and returns their numbers. No number is given twice, so that Undo deletes no other testcase. */
export const insertFresh = (tx: Sql, scope: Scope, testsetId: bigint, items: readonly NewFresh[]) => tx<
  { n: number }[]
>`
  with taken as (
    update testset set last_fresh_n = last_fresh_n + ${items.length}
    where id = ${testsetId} and organization_id = ${scope.organizationId}
    returning last_fresh_n)
  insert into fresh_testcase (organization_id, testset_id, n, json_data, validation_errors, inclusion_probability,
    origin_run_id, origin_n, created_by)
  select ${scope.organizationId}, ${testsetId}, taken.last_fresh_n - ${items.length} + item.position,
    item.data::json, item.errors::json, item.probability, item.origin_run_id, item.origin_n,
    ${scope.memberId === serviceScope(scope.organizationId).memberId ? null : scope.memberId}::uuid
  from taken cross join ${rowsOf(
    tx,
    items.map(({ data, errors, probability, originRunId, originN }) => ({
      data,
      errors: errors.length > 0 ? JSON.stringify(errors) : null,
      probability,
      originRunId,
      originN,
    })),
    {
      data: 'json text',
      errors: 'text',
      probability: 'double precision',
      origin_run_id: 'bigint',
      origin_n: 'integer',
    },
    { as: 'item', place: 'position' },
  )}
  order by item.position
  returning n`;

/** Deletes fresh testcases that wait, and returns the numbers of those that existed. */
export const deleteFresh = (tx: Sql, scope: Scope, testsetId: bigint, numbers: number[]) => tx<
  { n: number }[]
>`
  delete from fresh_testcase
  where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and n = any(${numbers}::integer[])
    and testcase_n is null
  returning n`;

/** Lists the first fresh testcases that wait and fit the schema. The caller has locked the testset. */
export const listWaiting = (tx: Sql, scope: Scope, testsetId: bigint, count: number) => tx<
  { n: number; data: RawJson }[]
>`
  select n, json_data::text as data from fresh_testcase
  where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and testcase_n is null
    and validation_errors is null
  order by n limit ${count}`;

/** Notes which run took fresh testcases, and as which testcases: those from `firstN` on, in the order of the numbers. */
export const noteTaken = (
  tx: Sql,
  scope: Scope,
  { testsetId, runId, firstN }: { testsetId: bigint; runId: bigint; firstN: number },
  numbers: number[],
) => tx`
  update fresh_testcase set run_id = ${runId}, testcase_n = ${firstN}::integer + taken.place::integer - 1, json_data = null
  from unnest(${numbers}::integer[]) with ordinality as taken (n, place)
  where fresh_testcase.testset_id = ${testsetId} and fresh_testcase.organization_id = ${scope.organizationId}
    and fresh_testcase.n = taken.n`;

export type FreshCounts = { numWaiting: number; numMisfits: number; numTaken: number };

/** Counts the fresh testcases of a testset. Reads fresh_testcase_pkey. */
export const countFresh = (sql: Sql, scope: Scope, testsetId: bigint) => sql<FreshCounts[]>`
  select count(*) filter (where testcase_n is null and validation_errors is null)::int as "numWaiting",
    count(*) filter (where testcase_n is null and validation_errors is not null)::int as "numMisfits",
    count(testcase_n)::int as "numTaken"
  from fresh_testcase where testset_id = ${testsetId} and organization_id = ${scope.organizationId}`;

/** Records of the traffic that a draw is from, at most. */
const mostRecords = 100_000;

export type DrawnRecord = {
  runId: bigint;
  n: number;
  inputs: RawJson;
  expected: RawJson;
  numRecords: number;
};

/**
 * Draws records of the traffic of a testset's project from which no fresh testcase was made yet. Reads record_newest, and the texts of the
 * drawn ones alone.
 */
export const drawTraffic = (
  sql: Sql,
  scope: Scope,
  testsetId: bigint,
  { count, days, seed }: { count: number; days: number; seed: number },
) => sql<DrawnRecord[]>`
  with frame as (
    select r.run_id, r.n
    from testset
    join record r on r.project_id = testset.project_id and r.organization_id = ${scope.organizationId}
      and r.created_at > now() - ${days}::integer * interval '1 day'
    join run on run.id = r.run_id and run.kind = 'traces' and run.organization_id = ${scope.organizationId}
    where testset.id = ${testsetId} and testset.organization_id = ${scope.organizationId} and not exists (
      select from fresh_testcase known
      where known.testset_id = ${testsetId} and known.organization_id = ${scope.organizationId}
        and known.origin_run_id = r.run_id and known.origin_n = r.n)
    order by r.created_at desc
    limit ${mostRecords}),
  drawn as (
    select run_id, n, count(*) over ()::int as of, ${drawSql(sql, seed, sql`'fresh ' || run_id || '-' || n`)} as draw
    from frame order by draw limit ${count})
  select drawn.run_id as "runId", drawn.n, r.inputs::text as inputs, r.expected::text as expected, drawn.of as "numRecords"
  from drawn join record r on r.run_id = drawn.run_id and r.n = drawn.n and r.organization_id = ${scope.organizationId}
  order by drawn.draw`;

/** Finds the fields that a draw fills. */
export const findDrawnFields = (sql: Sql, scope: Scope, testsetId: bigint) => sql<{ fields: string[] }[]>`
  select input_fields || expected_fields as fields from testset
  where id = ${testsetId} and organization_id = ${scope.organizationId}`;
