import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { scoreStatesText, scoresText } from '../scores/queries.ts';
import { readsBlind } from './blind.ts';
import type { Condition } from './condition.ts';
import { candidates, fits, type RecordFilter } from './filter.ts';
import type { RecordFilters } from './schema.ts';
import { searchedText } from './search-text.ts';

/** The members of record `r` as JSON text without the closing brace; free-form columns are passed as the text that was sent. */
export const recordFields = (sql: Sql) => sql`
  '{"id":"' || r.run_id || '-' || r.n || '","runId":"' || r.run_id || '"'
    || coalesce(',"testcaseId":"' || r.testset_id || '-' || r.testcase_n || '"', '')
    || ',"inputs":' || r.inputs::text || ',"expected":' || r.expected::text || ',"outputs":' || r.outputs::text`;

/** The revision of the testcase of record `r` now, as JSON text. */
const revisionNow = (sql: Sql, scope: Scope) => sql`coalesce((
  select testcase.revision::text from testcase
  where testcase.testset_id = r.testset_id and testcase.n = r.testcase_n
    and testcase.organization_id = ${scope.organizationId}), 'null')`;

/** The members of a record as lists show it, as JSON text. `blind` leaves out what others than the member said. */
export const recordDetail = (sql: Sql, scope: Scope, run: Fragment, blind?: Fragment) => sql`
  ${recordFields(sql)} || ',"scores":' || ${scoresText(sql, scope, run, blind)}
    || ',"scoreStates":' || ${scoreStatesText(sql, scope, run, blind)}
    || ${blind ? sql`',"blind":' || ${blind}::text || ',"currentTestcaseRevision":' || ${revisionNow(sql, scope)}` : sql`''`}
    || ',' || substr(json_build_object(
      'tags', (
        select coalesce(json_agg(t.text order by t.id), '[]') from record_tag t
        where t.run_id = ${run} and t.n = r.n and t.organization_id = ${scope.organizationId}),
      'assigneeUserIds', (
        select coalesce(json_agg(a.assignee_id order by a.id), '[]') from record_assignment a
        where a.run_id = ${run} and a.n = r.n and a.organization_id = ${scope.organizationId}),
      'annotationCounts', (
        select json_build_object('positive', count(*) filter (where a.rating), 'negative', count(*) filter (where not a.rating),
          'commented', count(*) filter (where a.comment <> ''))
        from annotation a where a.run_id = ${run} and a.n = r.n and a.organization_id = ${scope.organizationId}
          ${blind ? sql`and (a.member_id = ${scope.memberId} or not ${blind})` : sql``}),
      'measures', (
        select json_build_object('latencyMs', m.latency_ms, 'inputTokens', m.input_tokens, 'outputTokens', m.output_tokens,
          'costUsd', m.cost_usd, 'numErrors', m.num_errors, 'userId', m.user_id)
        from record_measure m where m.run_id = ${run} and m.n = r.n and m.organization_id = ${scope.organizationId}),
      'testcaseRevision', r.testcase_revision, 'otelLinkId', r.otel_link_id, 'sessionId', r.session_id,
      'originRecordId', r.origin_run_id || '-' || r.origin_n, 'createdAt', iso_time(r.created_at))::text, 2)`;

/**
 * One condition for each tag, so that the planner can begin with a tag: it finds a run's records with a rare tag in a millisecond instead
 * of 200.
 */
const carriesEach = (sql: Sql, scope: Scope, runId: bigint, tags: string[]) =>
  tags.reduce(
    (others, tag) => sql`${others} and exists (
      select from record_tag t
      where t.run_id = ${runId} and t.n = r.n and t.organization_id = ${scope.organizationId} and t.text = ${tag})`,
    sql``,
  );

/**
 * One page of a run's records with all their scores, oldest first: the records that have each of the tags.
 * Reads record_pkey (run_id, n), score_pkey and record_tag_text; each table is given the run.
 */
export const listRecords = (
  sql: Sql,
  scope: Scope,
  runId: bigint,
  tags: string[],
  after: string,
  count: number,
) =>
  cutToPage(
    sql,
    sql`
    select ${recordFields(sql)} || ',"scores":' || ${scoresText(sql, scope, sql`${runId}`)} || '}' as body, r.n::text as key,
      r.n as place
    from record r
    where r.run_id = ${runId} and r.organization_id = ${scope.organizationId} and r.n > ${after}
      ${carriesEach(sql, scope, runId, tags)}
    order by r.n
    limit ${count}`,
  );

/** Returns which of the ids that a filter names exist. */
export const findFilterIds = (
  sql: Sql,
  scope: Scope,
  { runId, metricId, assigneeUserId }: RecordFilters,
) => sql<{ run: boolean; metric: boolean; assignee: boolean }[]>`
  select
    exists (select from run where organization_id = ${scope.organizationId} and id = ${runId ?? null}::text::bigint) as run,
    exists (select from metric where organization_id = ${scope.organizationId} and id = ${metricId ?? null}::text::bigint) as metric,
    exists (select from member where organization_id = ${scope.organizationId} and id = ${assigneeUserId ?? null}::text::uuid)
      as assignee`;

/** A record's place among a project's, as text that begins a page or a slice. */
export const placeText = (sql: Sql) => sql`
  to_char(r.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || r.run_id || ' ' || r.n`;
/** The reverse of placeText. */
export const placeOf = (sql: Sql, place: string) => {
  const [createdAt = '', runId = '', n = ''] = place.split(' ');
  return sql`(${createdAt}::text::timestamptz, ${runId}::bigint, ${n}::integer)`;
};

/** The place before a project's first record: after every time. */
export const newestRecord = 'infinity 0 0';

/** Records after one place, newest first, up to and including another place, or to the last. */
export type Slice = { before: string; to: string | undefined };
export const inSlice = (sql: Sql, { before, to }: Slice) => sql`
  (r.created_at, r.run_id, r.n) < ${placeOf(sql, before)}
  ${to === undefined ? sql`` : sql`and (r.created_at, r.run_id, r.n) >= ${placeOf(sql, to)}`}`;

/** Up to `most` records of a project that have the text, in any order. Reads record_text_trigrams. */
export const findText = (sql: Sql, projectId: bigint, text: string, most: number) => sql<RecordKey[]>`
  select run_id as "runId", n from find_text(${projectId}, ${searchedText(text)}, ${most})`;

/** Up to `most` records of a project for which the condition may hold, in any order. */
export const findByCondition = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  find: NonNullable<Condition['find']>,
  most: number,
) => sql<RecordKey[]>`
  select run_id as "runId", n from (${find(sql, scope, projectId)}) found limit ${most}`;

/**
 * One page of a project's records across its runs, newest first, the first `skip` of them left out. Walks record_newest
 * (project_id, created_at, run_id, n) backwards and tests each row against the filter, so the cost of a page grows with the rows that it
 * skips; only the records of the page are read, by record_pkey.
 */
export const listProjectRecords = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  slice: Slice,
  count: number,
  skip = 0,
) =>
  cutToPage(
    sql,
    sql`
    select ${recordDetail(sql, scope, sql`r.run_id`)} as body, ${placeText(sql)} as key,
      row_number() over (order by found.created_at desc, found.run_id desc, found.n desc) as place
    from (
      select r.created_at, r.run_id, r.n from ${candidates(sql, filter)}
      where ${fits(sql, scope, projectId, filter)} and ${inSlice(sql, slice)}
      order by r.created_at desc, r.run_id desc, r.n desc
      limit ${count} offset ${skip}) found
    cross join lateral (
      select * from record
      where record.run_id = found.run_id and record.n = found.n and record.organization_id = ${scope.organizationId}
      offset 0) r`,
  );

/** Times of the project's first and last records, null without any. Reads record_newest from both ends. */
export const findRecordTimes = (sql: Sql, scope: Scope, projectId: bigint) => sql<
  { first: Date | null; last: Date | null }[]
>`
  select
    (select min(created_at) from record where organization_id = ${scope.organizationId} and project_id = project.id) as first,
    (select max(created_at) from record where organization_id = ${scope.organizationId} and project_id = project.id) as last
  from project
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

/**
 * Returns the position `count` records before a given one, newest first, among a project's records; no row when fewer are left.
 * Applies only the part of the filter that record_newest (project_id, created_at, run_id, n) and the run answer; reads no records.
 */
export const findSliceEnd = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  before: string,
  count: number,
) => sql<{ place: string }[]>`
  select ${placeText(sql)} as place from record r
  where ${fits(sql, scope, projectId, { ...filter, conditions: [] })}
    and (r.created_at, r.run_id, r.n) < ${placeOf(sql, before)}
  order by r.created_at desc, r.run_id desc, r.n desc
  limit 1 offset ${count - 1}`;

/**
 * Counts the records in a slice that fit the filter, in each interval of `millis` from `start` on, without empty ones. Reads record_newest
 * (project_id, created_at, run_id, n) once, and the records as far as the filter needs them.
 */
export const countProjectRecords = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  slice: Slice,
  start: Date,
  millis: number,
) => sql<{ since: Date; n: number }[]>`
  select date_bin(${millis}::double precision * interval '1 millisecond', r.created_at, ${start.toISOString()}::text::timestamptz) as since,
    count(*)::int as n
  from ${candidates(sql, filter)}
  where ${fits(sql, scope, projectId, filter)} and ${inSlice(sql, slice)}
  group by since`;

/** Finds a record as the member may read it: blind while a score from the queue is theirs to give. */
export const findRecord = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql<{ body: string }[]>`
  select ${recordDetail(sql, scope, sql`${runId}`, readsBlind(sql, scope, { runId, n }))} as body
  from record r
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}`;

/** Records by their keys, in any order. Reads record_pkey. */
export const findRecords = (sql: Sql, scope: Scope, keys: RecordKey[]) => sql<{ id: string; body: string }[]>`
  select r.run_id || '-' || r.n as id, ${recordDetail(sql, scope, sql`r.run_id`)} as body
  from ${rowsOf(sql, keys, { run_id: 'bigint', n: 'integer' })}
  join record r on r.run_id = given.run_id and r.n = given.n
  where r.organization_id = ${scope.organizationId}`;

/** Keeps the record from deletion until the commit. */
export const lockRecord = (tx: Sql, scope: Scope, { runId, n }: RecordKey) => tx<{ n: number }[]>`
  select n from record
  where run_id = ${runId} and n = ${n} and organization_id = ${scope.organizationId}
  for key share`;

/** Keeps spans from coming to a record that is about to be deleted. They lock the trace first, then its record. Reads trace_record. */
export const lockTracesOfRecord = (tx: Sql, scope: Scope, { runId, n }: RecordKey) => tx`
  select from trace
  where run_id = ${runId} and n = ${n} and organization_id = ${scope.organizationId}
  order by project_id, otel_id
  for update`;

/** Deletes the record with its scores, tags, assignments and annotations. */
export const deleteRecord = (tx: Sql, scope: Scope, { runId, n }: RecordKey) => tx`
  delete from record where run_id = ${runId} and n = ${n} and organization_id = ${scope.organizationId} returning n`;

/** The free-form parts of a record of the project, as text. */
export const findProjectRecord = (sql: Sql, scope: Scope, projectId: bigint, { runId, n }: RecordKey) => sql<
  { n: number; inputs: RawJson; outputs: RawJson; expected: RawJson }[]
>`
  select n, inputs::text as inputs, outputs::text as outputs, expected::text as expected
  from record
  where run_id = ${runId} and n = ${n} and organization_id = ${scope.organizationId} and project_id = ${projectId}`;
