import type { OutputType } from '../../evaluation/metrics/schema.ts';
import { readsBlind } from '../../evaluation/records/blind.ts';
import type { ScoreKey } from '../../evaluation/resources.ts';
import { madeBy, makerOf, replacedMadeBy, type Stated } from '../../evaluation/scores/made-by.ts';
import { passed } from '../../evaluation/scores/queries.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { asText } from '../../platform/db/text.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { takenAway } from '../../platform/jobs/settle.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { SpanId } from '../../traces/read/scored-spans.ts';
import type { Lease, Outcome } from '../queue/queries.ts';
import type { RolledUp, SpanOutcome } from './roll-up.ts';

/** A score of a span as JSON text, in the words of a record's score. `s` is the row of span_score. */
const spanScoreText = (sql: Sql) => sql`
  json_build_object(
    'recordId', s.run_id || '-' || s.n, 'traceId', encode(s.otel_trace_id, 'hex'), 'spanId', encode(s.span_id, 'hex'),
    'metricId', metric.id::text, 'metricName', metric.name, 'metricConfigId', s.metric_config_id, 'state', s.state,
    'passed', ${passed(sql)}, 'score', s.score, 'reason', s.reason, 'validationErrors', s.validation_errors,
    'scoredByUserId', s.scored_by, 'madeBy', ${madeBy(sql)}, 'updatedAt', iso_time(s.updated_at))`;

const joined = (sql: Sql, scope: Scope) => sql`
  join metric_config config on config.id = s.metric_config_id and config.organization_id = ${scope.organizationId}
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}`;

/** Finds the scores of a record's spans as a JSON array. A member who reads the record blind sees only their own. Reads span_score_pkey. */
export const listSpanScores = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql<{ body: string }[]>`
  select coalesce((
    select json_agg(${spanScoreText(sql)} order by s.metric_config_id, s.otel_trace_id, s.span_id)
    from span_score s ${joined(sql, scope)}
    where s.run_id = ${runId} and s.n = ${n} and s.organization_id = ${scope.organizationId}
      and (s.scored_by is not distinct from ${scope.memberId}::uuid or not ${readsBlind(sql, scope, { runId, n })})
  ), '[]')::text as body
  from record r
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}`;

export type SpanScoreKey = ScoreKey & { spanId: string; traceId?: string | undefined };

/** The verdicts that span score `s` replaced, newest first, as a JSON array. Reads span_score_history_record. */
const historyText = (sql: Sql, scope: Scope, isShown: (scoredBy: Fragment) => Fragment) => sql`
  coalesce((
    select json_agg(json_build_object('state', h.state, 'score', h.score, 'reason', h.reason, 'scoredByUserId', h.scored_by,
      'madeBy', ${replacedMadeBy(sql)}, 'evidence', h.evidence, 'scoredAt', iso_time(h.scored_at), 'replacedAt', iso_time(h.replaced_at)) order by h.id desc)
    from span_score_history h
    where h.run_id = s.run_id and h.n = s.n and h.metric_config_id = s.metric_config_id and h.otel_trace_id = s.otel_trace_id
      and h.span_id = s.span_id and h.organization_id = ${scope.organizationId} and ${isShown(sql`h.scored_by`)}), '[]')`;

/**
 * Finds the scores of spans with this id, with their evidence and the verdicts that they replaced: two if two traces of the record have
 * one and none is named. Reads span_score_pkey.
 */
export const findSpanScores = (
  sql: Sql,
  scope: Scope,
  { runId, n, configId, spanId, traceId }: SpanScoreKey,
) => {
  const isShown = (scoredBy: Fragment) =>
    sql`(${scoredBy} is not distinct from ${scope.memberId}::uuid or not ${readsBlind(sql, scope, { runId, n })})`;
  return sql<{ body: string }[]>`
    select left(${spanScoreText(sql)}::text, -1) || ',"evidence":' || coalesce(s.evidence::text, 'null') || ',"history":'
      || ${historyText(sql, scope, isShown)}::text || '}' as body
    from span_score s ${joined(sql, scope)}
    where s.run_id = ${runId} and s.n = ${n} and s.metric_config_id = ${configId} and s.organization_id = ${scope.organizationId}
      and s.span_id = decode(${spanId}, 'hex') and ${isShown(sql`s.scored_by`)}
      ${traceId === undefined ? sql`` : sql`and s.otel_trace_id = decode(${traceId}, 'hex')`}
    order by s.otel_trace_id
    limit 2`;
};

/** Locks a record until the commit, so that scores of its spans count in one order. */
export const lockForSpans = (tx: Sql, scope: Scope, { runId, n }: RecordKey) => tx<{ projectId: bigint }[]>`
  select project_id as "projectId" from record
  where run_id = ${runId} and n = ${n} and organization_id = ${scope.organizationId}
  for no key update`;

export type GivenSpanScore = SpanId & {
  score: RawJson;
  value: number | null;
  validationErrors: RawJson | null;
  /** Who made it, if the sender says so. */
  madeBy: Stated | undefined;
};

/** Stores a score of a span that a member gave, in place of an earlier one. */
export const upsertSpanScore = (
  tx: Sql,
  scope: Scope,
  { runId, n, configId }: ScoreKey,
  { traceId, spanId, score, value, validationErrors, madeBy: said }: GivenSpanScore,
) => tx`
  insert into span_score (organization_id, run_id, n, metric_config_id, otel_trace_id, span_id, state, score, value,
    validation_errors, scored_by, in_session, made_by)
  values (${scope.organizationId}, ${runId}, ${n}, ${configId}, decode(${traceId}, 'hex'), decode(${spanId}, 'hex'), 'scored',
    ${score}::text::json, ${value}, ${validationErrors}::text::json, ${scope.memberId}, ${scope.signInId !== null},
    ${makerOf(scope, said)})
  on conflict (run_id, n, metric_config_id, otel_trace_id, span_id) do update set
    state = excluded.state, score = excluded.score, value = excluded.value, validation_errors = excluded.validation_errors,
    reason = null, scored_by = excluded.scored_by, in_session = excluded.in_session, made_by = excluded.made_by, evidence = null, content_hash = null,
    updated_at = now()`;

/** Lists the scores of a record's spans by one configuration, with the hash of the span that a worker scored. */
export const listSpanOutcomes = (sql: Sql, owner: Owner, { runId, n, configId }: ScoreKey) => sql<
  (SpanOutcome & { hash: string | null; isGiven: boolean })[]
>`
  select encode(otel_trace_id, 'hex') as "traceId", encode(span_id, 'hex') as "spanId", state, value, score ->> 'reasoning' as reasoning,
    reason, encode(content_hash, 'hex') as hash, scored_by is not null as "isGiven"
  from span_score
  where run_id = ${runId} and n = ${n} and metric_config_id = ${configId} and organization_id = ${owner.organizationId}`;

/** Stores the score of a record that follows from its spans. A score that a worker is making stays pending, and is made again. */
export const upsertRolledUp = (
  tx: Sql,
  scope: Scope,
  { runId, n, configId }: ScoreKey,
  { state, score, value, reason }: RolledUp,
) => tx`
  insert into score (organization_id, run_id, n, metric_config_id, state, score, value, reason)
  values (${scope.organizationId}, ${runId}, ${n}, ${configId}, ${state}, ${score}::text::json, ${value},
    ${reason === null ? null : asText(reason)})
  on conflict (run_id, n, metric_config_id) do update set
    state = case when score.state = 'pending' and score.lane is not null then 'pending' else excluded.state end,
    score = case when score.state = 'pending' and score.lane is not null then null else excluded.score end,
    value = case when score.state = 'pending' and score.lane is not null then null else excluded.value end,
    reason = case when score.state = 'pending' and score.lane is not null then null else excluded.reason end,
    ${takenAway(tx, 'score')}, updated_at = now()`;

/** A span's outcome by a worker. */
export type MadeSpanScore = SpanId &
  Pick<Outcome, 'state' | 'score' | 'value' | 'reason' | 'evidence' | 'usage'> & { hash: string };

/**
 * Writes the outcome of a span while the worker holds the lease and the record's score is pending as it was claimed. A score that a
 * person gave stays.
 */
export const writeSpanOutcome = (
  tx: Sql,
  lease: Lease,
  {
    organizationId,
    n,
    configId,
    fence,
  }: { organizationId: bigint; n: number; configId: string; fence: number },
  { traceId, spanId, hash, state, score, value, reason, evidence, usage }: MadeSpanScore,
) => tx`
  insert into span_score as given (organization_id, run_id, n, metric_config_id, otel_trace_id, span_id, state, score, value, reason,
    evidence, content_hash, cost_usd, input_tokens, output_tokens)
  select ${organizationId}, ${lease.runId}, ${n}, ${configId}::uuid, decode(${traceId}, 'hex'), decode(${spanId}, 'hex'), ${state},
    ${score}::text::json, ${value}, ${reason === null ? null : asText(reason)}, ${evidence}::text::json, decode(${hash}, 'hex'),
    ${usage?.costUsd ?? null}, ${usage?.inputTokens ?? null}, ${usage?.outputTokens ?? null}
  where exists (select from score_lease where run_id = ${lease.runId} and id = ${lease.id})
    and exists (
      select from score
      where run_id = ${lease.runId} and n = ${n} and metric_config_id = ${configId} and fence = ${fence} and state = 'pending')
  on conflict (run_id, n, metric_config_id, otel_trace_id, span_id) do update set
    state = excluded.state, score = excluded.score, value = excluded.value, validation_errors = null, reason = excluded.reason,
    evidence = excluded.evidence, content_hash = excluded.content_hash, updated_at = now(),
    cost_usd = coalesce(given.cost_usd + excluded.cost_usd, excluded.cost_usd, given.cost_usd),
    input_tokens = coalesce(given.input_tokens + excluded.input_tokens, excluded.input_tokens, given.input_tokens),
    output_tokens = coalesce(given.output_tokens + excluded.output_tokens, excluded.output_tokens, given.output_tokens)
  where given.scored_by is null`;

/** Deletes the scores of workers on spans that the search no longer chooses: a span may have been sent again with another name. */
export const deleteUnchosen = (
  tx: Sql,
  owner: Owner,
  { runId, n, configId }: ScoreKey,
  chosen: SpanId[],
) => tx`
  delete from span_score
  where run_id = ${runId} and n = ${n} and metric_config_id = ${configId} and organization_id = ${owner.organizationId}
    and scored_by is null
    and (otel_trace_id, span_id) not in (
      select * from ${rowsOf(
        tx,
        chosen.map(({ traceId, spanId }) => ({ traceId, spanId })),
        { trace_id: 'bytea', span_id: 'bytea' },
      )})`;

/** Finds the project of a run. */
export const findProjectOfRun = (sql: Sql, owner: Owner, runId: bigint) => sql<{ projectId: bigint }[]>`
  select project_id as "projectId" from run where id = ${runId} and organization_id = ${owner.organizationId}`;

/** A human metric that scores spans, as a form of a span needs it. */
export type PeopleMetric = {
  metricId: string;
  metricName: string;
  metricConfigId: string;
  outputType: OutputType;
  search: string;
};

/** Finds the human metrics of the record's project that score spans, oldest first. */
export const listPeopleMetrics = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql<PeopleMetric[]>`
  select metric.id::text as "metricId", metric.name as "metricName", config.id as "metricConfigId",
    config.output_type as "outputType", config.span_search as search
  from record r
  join metric on metric.project_id = r.project_id and metric.organization_id = ${scope.organizationId}
    and metric.deleted_at is null
  join metric_config config on config.id = metric.current_config_id and config.organization_id = ${scope.organizationId}
    and config.span_search is not null and config.eval_type = 'human'
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}
  order by metric.id`;
