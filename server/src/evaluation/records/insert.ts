import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { queueScores } from '../runs/queue-scores.ts';
import type { StoredScore } from '../scores/queries.ts';
import { auditCreates, type Sender } from './audit-creates.ts';
import { recordFields } from './queries.ts';
import { searchText } from './search-text.ts';

/** A record to insert. */
export type RecordRow = {
  /** Its number, counted from the last number that the run has assigned: 0 is that number, -1 the one before. See also `hasNumbers`. */
  n: number;
  testsetId: bigint | null;
  testcaseN: number | null;
  /** Null: the revision that the testcase has now. */
  testcaseRevision: number | null;
  inputs: RawJson;
  expected: RawJson;
  outputs: RawJson;
  otelLinkId: string | null;
  sessionId: string | null;
  /** When it happened, if that was before now. */
  happenedAt?: string | null;
  /** The configurations whose scores come with it; no pending score is inserted for them. */
  scoredConfigIds?: string[];
  /** Those scores, if they are inserted with it; otherwise the caller writes them. */
  brought?: Omit<StoredScore, 'n'>[];
};

/** The number of the record, null if its testcase is not in the run's project; `body` if the record existed before. */
export type InsertedRecord = { n: number | null; body: string | null };

/** Leaves out the pending scores of `created` whose verdicts come with their records: each would be written twice. */
const notScored = (tx: Sql, rows: RecordRow[], base: Fragment) => {
  const pairs = rows.flatMap(({ n, scoredConfigIds = [] }) => scoredConfigIds.map((id) => ({ n, id })));
  if (pairs.length === 0) return tx``;
  const ids = rows[0]!.scoredConfigIds ?? [];
  // The usual case: then no pair of a record and a metric of the run is looked at.
  if (rows.every(({ scoredConfigIds }) => scoredConfigIds?.join() === ids.join()))
    return tx`and config.id <> all(${ids}::text[]::uuid[])`;
  return tx`
    and (created.n - ${base}, config.id) not in (
      select * from ${rowsOf(tx, pairs, { n: 'integer', id: 'uuid' })})`;
};

/** SQL that inserts the scores that come with the records, as a part of insertRecords. */
const insertBrought = (
  tx: Sql,
  scope: Owner & Partial<Pick<Scope, 'memberId'>>,
  runId: bigint,
  rows: RecordRow[],
  base: Fragment,
) => {
  const scores = rows.flatMap(({ n, brought = [] }) => brought.map((score) => ({ ...score, n })));
  if (scores.length === 0) return tx``;
  const configIds = [...new Set(scores.map(({ configId }) => configId))];
  return tx`,
  brought as (
    insert into score (organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, scored_by, made_by,
      sent)
    select ${scope.organizationId}, ${runId}, created.n, item.config_id, 'scored', item.score::json, item.value,
      item.validation_errors::json, ${scope.memberId ?? null}, item.made_by, item.config_id <> all(array(
        select id from metric_config
        where id = any(${configIds}::text[]::uuid[]) and organization_id = ${scope.organizationId} and eval_type = 'human'))
    from run cross join ${rowsOf(
      tx,
      scores,
      {
        n: 'integer',
        config_id: 'uuid',
        score: 'json text',
        value: 'double precision',
        validation_errors: 'text',
        made_by: 'text',
      },
      { as: 'item' },
    )}
    join created on created.n = ${base} + item.n
    where run.id = ${runId} and run.organization_id = ${scope.organizationId}
    order by created.n, item.config_id)`;
};

/** SQL that finds the revisions of testcases, as a part of insertRecords. */
const findRevisions = (tx: Sql, scope: Owner) => tx`
    left join lateral (
      select testcase.revision from testcase join testset on testset.id = testcase.testset_id
      where testcase.testset_id = item.testset_id and testcase.n = item.testcase_n and testset.project_id = run.project_id
        and testcase.organization_id = ${scope.organizationId} and testset.organization_id = ${scope.organizationId}
    ) testcase on true`;

/** SQL that returns the records of a run under their links, as the last part of insertRecords. */
const findLinked = (tx: Sql, scope: Owner, runId: bigint) => tx`
  select case when given.is_known then coalesce(created.n, twin.n, earlier.n) end as n, earlier.body
  from given
  left join created on created.n = given.n
  left join created twin on twin.otel_link_id = given.otel_link_id
  left join lateral (
    select r.n, ${recordFields(tx)} || '}' as body from record r
    where r.run_id = ${runId} and r.otel_link_id = given.otel_link_id and r.organization_id = ${scope.organizationId}
  ) earlier on true
  order by given.n`;

const recordColumns = {
  n: 'integer',
  testset_id: 'bigint',
  testcase_n: 'integer',
  testcase_revision: 'integer',
  inputs: 'json text',
  expected: 'json text',
  outputs: 'json text',
  content: 'json text',
  otel_link_id: 'text',
  session_id: 'text',
  happened_at: 'timestamptz',
} as const;

type Insertion = {
  /** These get entries in the audit log. */
  senders?: Sender[];
  /** Whether the numbers of the records are their own, and not counted from the last number of the run. */
  hasNumbers?: boolean;
};

/**
 * Inserts records under numbers that were taken before, and with each its search text and a pending score for each metric of
 * the run, except deleted metrics and those for which monitors draw. Returns a row for each in the order of their numbers.
 * A record with an unknown testcase is not inserted. If the run has a record with the same link, that record is
 * returned instead.
 */
export const insertRecords = (
  tx: Sql,
  scope: Owner & Partial<Pick<Scope, 'memberId'>>,
  runId: bigint,
  rows: RecordRow[],
  { senders = [], hasNumbers = false }: Insertion = {},
) => {
  const base = hasNumbers ? tx`0` : tx`run.last_record_n`;
  // A single create is planned and run for each part of the statement: what its record does not have is left out.
  const hasTestcases = rows.some(({ testsetId }) => testsetId !== null);
  const hasLinks = rows.some(({ otelLinkId }) => otelLinkId !== null);
  const revision = hasTestcases
    ? tx`coalesce(item.testcase_revision, testcase.revision)`
    : tx`item.testcase_revision`;
  return tx<InsertedRecord[]>`
  with given as (
    select run.organization_id, run.project_id, run.id as run_id, ${base} + item.n as n,
      item.testset_id, item.testcase_n, ${revision} as testcase_revision,
      item.testset_id is null or ${revision} is not null as is_known,
      item.inputs, item.expected, item.outputs, item.content, item.otel_link_id, item.session_id,
      least(item.happened_at, now()) as created_at
    from run cross join ${rowsOf(
      tx,
      rows.map((row) => ({
        happenedAt: null,
        ...row,
        content: searchText(row.inputs, row.expected, row.outputs),
      })),
      recordColumns,
      { as: 'item' },
    )}
    ${hasTestcases ? findRevisions(tx, scope) : tx``}
    where run.id = ${runId} and run.organization_id = ${scope.organizationId}),
  created as (
    insert into record (organization_id, project_id, run_id, n, testset_id, testcase_n, testcase_revision,
      inputs, expected, outputs, otel_link_id, session_id, created_at)
    select organization_id, project_id, run_id, n, testset_id, testcase_n, testcase_revision,
      inputs::json, expected::json, outputs::json, otel_link_id, session_id, created_at
    from given where is_known order by n
    on conflict (run_id, otel_link_id) where otel_link_id is not null do nothing
    returning n, otel_link_id),
  texts as (
    insert into record_text (organization_id, project_id, run_id, n, content)
    select organization_id, project_id, run_id, n, content from given join created using (n)),
  scores as (
    ${queueScores(
      tx,
      tx`
      select ${scope.organizationId}::bigint as organization_id, ${runId}::bigint as run_id, created.n, config.id as config_id,
        config.lane
      from created
      join run on run.id = ${runId} and run.organization_id = ${scope.organizationId}
      cross join run_metric
      join metric_config config on config.id = run_metric.metric_config_id and config.organization_id = ${scope.organizationId}
      join metric on metric.id = run_metric.metric_id and metric.organization_id = ${scope.organizationId}
        and metric.deleted_at is null
      where run_metric.run_id = ${runId} and run_metric.organization_id = ${scope.organizationId} and not run_metric.sampled
        ${notScored(tx, rows, base)}`,
    )})${insertBrought(tx, scope, runId, rows, base)}
  ${senders.length > 0 ? tx`, audited as (${auditCreates(tx, scope, runId, senders, base)})` : tx``}
  ${
    hasLinks
      ? findLinked(tx, scope, runId)
      : tx`select created.n, null as body from given left join created on created.n = given.n order by given.n`
  }`;
};
