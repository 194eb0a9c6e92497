import type { Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { recordFields } from './queries.ts';
import { searchText } from './search-text.ts';

/** A record to be made, as the statement takes it. */
export type RecordRow = {
  n: number;
  testsetId: bigint | null;
  testcaseN: number | null;
  testcaseRevision: number | null;
  inputs: RawJson;
  expected: RawJson;
  outputs: RawJson;
  otelLinkId: string | null;
  sessionId: string | null;
};

/**
 * Takes the next `count` numbers of the run and returns the last of them. Holds the run's row until the commit: creates in
 * one run take turns, which is why those that arrive together are written together.
 */
export const takeRecordNumbers = (tx: Sql, scope: Owner, runId: bigint, count: number) => tx<
  { last: number }[]
>`
  update run set last_record_n = last_record_n + ${count}
  where organization_id = ${scope.organizationId} and id = ${runId}
  returning last_record_n as last`;

export type TestcaseRevision = { testsetId: bigint; n: number; revision: number };

/** Of these testcases those that are of the run's project, with their revision now. */
export const findTestcaseRevisions = (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  testcases: { testsetId: bigint; n: number }[],
) => tx<TestcaseRevision[]>`
  select testcase.testset_id as "testsetId", testcase.n, testcase.revision
  from unnest(${testcases.map((testcase) => String(testcase.testsetId))}::bigint[], ${testcases.map((testcase) => testcase.n)}::integer[])
    as wanted (testset_id, n)
  join testcase on testcase.testset_id = wanted.testset_id and testcase.n = wanted.n
  join testset on testset.id = testcase.testset_id
  join run on run.project_id = testset.project_id
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}
    and testset.organization_id = ${scope.organizationId} and testcase.organization_id = ${scope.organizationId}`;

export type LinkedRecord = { otelLinkId: string; n: number; body: string };

/** The run's records that have one of these links. Reads record_otel_link. */
export const findLinkedRecords = (tx: Sql, scope: Scope, runId: bigint, links: string[]) => tx<
  LinkedRecord[]
>`
  select r.otel_link_id as "otelLinkId", r.n, ${recordFields(tx)} || '}' as body
  from record r
  where r.run_id = ${runId} and r.organization_id = ${scope.organizationId} and r.otel_link_id = any(${links}::text[])`;

/** Texts as one parameter: JSON and search texts hold no U+0001. The client's own array escapes each character that needs it. */
const textArray = (tx: Sql, texts: string[]) => tx`string_to_array(${texts.join('\u0001')}::text, E'\\x01')`;

/**
 * Inserts records and, with each, its search text and one pending score per metric configuration of the run, but for those
 * that monitors draw for and those of deleted metrics.
 * Their numbers count from `origin`: from 0, or from the last number of the run, which need not be known here then.
 */
export const insertRecords = (tx: Sql, scope: Owner, runId: bigint, rows: RecordRow[], origin = tx`0`) => tx`
  with item as (
    select run.organization_id, run.project_id, run.id as run_id, ${origin} + given.n as n, given.testset_id, given.testcase_n,
      given.testcase_revision, given.inputs, given.expected, given.outputs, coalesce(given.content, '') as content,
      given.otel_link_id, given.session_id
    from run cross join unnest(
      ${rows.map((row) => row.n)}::integer[], ${rows.map((row) => row.testsetId?.toString() ?? null)}::bigint[],
      ${rows.map((row) => row.testcaseN)}::integer[], ${rows.map((row) => row.testcaseRevision)}::integer[],
      ${textArray(
        tx,
        rows.map((row) => row.inputs),
      )}, ${textArray(
        tx,
        rows.map((row) => row.expected),
      )},
      ${textArray(
        tx,
        rows.map((row) => row.outputs),
      )},
      ${textArray(
        tx,
        rows.map(({ inputs, expected, outputs }) => searchText(inputs, expected, outputs)),
      )},
      ${rows.map((row) => row.otelLinkId)}::text[], ${rows.map((row) => row.sessionId)}::text[])
      as given (n, testset_id, testcase_n, testcase_revision, inputs, expected, outputs, content, otel_link_id, session_id)
    where run.id = ${runId} and run.organization_id = ${scope.organizationId}),
  created as (
    insert into record (organization_id, project_id, run_id, n, testset_id, testcase_n, testcase_revision,
      inputs, expected, outputs, otel_link_id, session_id)
    select organization_id, project_id, run_id, n, testset_id, testcase_n, testcase_revision,
      inputs::json, expected::json, outputs::json, otel_link_id, session_id
    from item
    returning n),
  texts as (
    insert into record_text (organization_id, project_id, run_id, n, content)
    select organization_id, project_id, run_id, n, content from item)
  insert into score (organization_id, run_id, n, metric_config_id, state, lane, due_at)
  select ${scope.organizationId}, ${runId}, created.n, config.id, 'pending', config.lane,
    case when config.lane is not null then now() end
  from created
  cross join run_metric
  join metric_config config on config.id = run_metric.metric_config_id and config.organization_id = ${scope.organizationId}
  join metric on metric.id = run_metric.metric_id and metric.organization_id = ${scope.organizationId}
    and metric.deleted_at is null
  where run_metric.run_id = ${runId} and run_metric.organization_id = ${scope.organizationId} and not run_metric.sampled`;

/** The same, to be sent right behind the statement that takes as many numbers: these are the numbers. */
export const insertNumberedRecords = (tx: Sql, scope: Owner, runId: bigint, rows: Omit<RecordRow, 'n'>[]) =>
  insertRecords(
    tx,
    scope,
    runId,
    rows.map((row, i) => ({ ...row, n: i + 1 - rows.length })),
    tx`run.last_record_n`,
  );
