import type { OutputType } from '../../evaluation/metrics/schema.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { evaluationEvent } from '../conventions/evaluation.ts';
import { detailsEvent } from '../conventions/understand.ts';
import type { AddedEvent } from '../store/add-events.ts';

/** An event with the place that it names. Without a trace it is found by the id of a response. */
export type EventRow = {
  id: string;
  projectId: bigint;
  /** Whether its trace may be in another project: its sender named none, and may write in all. */
  anywhere: boolean;
  name: string;
  traceId: string | null;
  spanId: string | null;
  responseId: string | null;
  content: string;
};

/** Days that an event waits for its trace. */
export const maxWaitDays = 7;

/** Deletes the events of these projects that have waited too long. */
export const deleteOldEvents = (tx: Sql, scope: Scope, projectIds: bigint[]) => tx<{ projectId: bigint }[]>`
  delete from waiting_event
  where organization_id = ${scope.organizationId} and project_id = any(${projectIds.map(String)}::bigint[])
    and created_at < now() - ${maxWaitDays}::integer * interval '1 day'
  returning project_id as "projectId"`;

/** Stores events, which wait for their traces. */
export const insertEvents = (tx: Sql, scope: Scope, rows: EventRow[]) => tx`
  insert into waiting_event (id, organization_id, project_id, anywhere, name, trace_id, span_id, response_id, content)
  select id, ${scope.organizationId}, project_id, anywhere, name, trace_id, span_id, response_id, content::json
  from ${rowsOf(tx, rows, {
    id: 'uuid',
    project_id: 'bigint',
    anywhere: 'boolean',
    name: 'text',
    trace_id: 'bytea',
    span_id: 'bytea',
    response_id: 'text',
    content: 'json text',
  })}`;

/** A waiting event whose trace is in this project. */
export type FoundEvent = {
  id: string;
  projectId: bigint;
  /** Whether it waited in another project. */
  hasMoved: boolean;
  content: string;
};
/** A waiting result and the record that it is about. */
export type FoundResult = FoundEvent & RecordKey;

const arrived = (sql: Sql, scope: Scope, traceIds: bigint[]) => sql`
  arrived as materialized (
    select trace.* from trace
    where trace.id = any(${traceIds.map(String)}::bigint[]) and trace.organization_id = ${scope.organizationId})`;

/** Whether an event of this name waits for the trace. */
const isOfTrace = (sql: Sql, scope: Scope, name: string) => sql`
  event.trace_id = trace.otel_id and (event.project_id = trace.project_id or event.anywhere) and event.name = ${name}
    and event.organization_id = ${scope.organizationId}`;

/** Takes the waiting details of calls whose spans are stored, oldest first. Reads the keys of trace, span and waiting_event (trace_id). */
export const takeDetails = (tx: Sql, scope: Scope, traceIds: bigint[]) => tx<(FoundEvent & AddedEvent)[]>`
  with ${arrived(tx, scope, traceIds)},
  found as materialized (
    select event.id, trace.project_id, event.project_id <> trace.project_id as moved, trace.id as trace_id, span.span_id,
      event.content::text as content, event.created_at
    from arrived trace
    join waiting_event event on ${isOfTrace(tx, scope, detailsEvent)}
    join span on span.trace_id = trace.id and span.span_id = event.span_id and span.organization_id = ${scope.organizationId}),
  taken as (
    delete from waiting_event where id in (select id from found) and organization_id = ${scope.organizationId})
  select id, project_id as "projectId", moved as "hasMoved", trace_id as "traceId", encode(span_id, 'hex') as "spanId", content from found
  order by created_at, id`;

/** The record of a trace, or those with the link of the span or, if it has none, of the trace. A span that ran a test has its own. */
const recordsOf = (sql: Sql, scope: Scope) => sql`
  select own.run_id, own.n from (${ofTest(sql, scope)}) own
  union all
  select found.run_id, found.n from (${ofTrace(sql, scope)}) found where not exists (${ofTest(sql, scope)})`;

const ofTest = (sql: Sql, scope: Scope) => sql`
  select r.run_id, r.n from record r
  where r.project_id = trace.project_id and r.organization_id = ${scope.organizationId}
    and r.otel_link_id = 'test:' || encode(trace.otel_id, 'hex') || ':' || encode(evaluated.span_id, 'hex')`;

const ofTrace = (sql: Sql, scope: Scope) => sql`
  select trace.run_id, trace.n where trace.run_id is not null
  union all
  select r.run_id, r.n from trace_link link
  join record r on r.project_id = link.project_id and r.otel_link_id = link.link and r.organization_id = ${scope.organizationId}
  where trace.run_id is null and link.trace_id = trace.id and link.organization_id = ${scope.organizationId}
    and link.link = coalesce(evaluated.link, link.link)`;

/**
 * Takes the waiting results of these traces whose records exist, oldest first: by the time when a score was given that moves with its trace. Reads the keys of trace, span and waiting_event (trace_id),
 * and span_response for results without a trace.
 */
export const takeResults = (tx: Sql, scope: Scope, traceIds: bigint[]) => tx<FoundResult[]>`
  with ${arrived(tx, scope, traceIds)},
  found as materialized (
    select event.id, trace.project_id, event.project_id <> trace.project_id as moved, event.content::text as content,
      event.created_at, r.run_id, r.n
    from arrived trace
    join waiting_event event on ${isOfTrace(tx, scope, evaluationEvent)}
    left join span evaluated on evaluated.trace_id = trace.id and evaluated.span_id = event.span_id
      and evaluated.organization_id = ${scope.organizationId}
    cross join lateral (${recordsOf(tx, scope)}) r
    where event.span_id is null or evaluated.span_id is not null
    union all
    select event.id, trace.project_id, false, event.content::text, event.created_at, r.run_id, r.n
    from waiting_event event
    join span evaluated on evaluated.project_id = event.project_id and evaluated.response_id = event.response_id
      and evaluated.organization_id = ${scope.organizationId}
    join arrived trace on trace.id = evaluated.trace_id
    cross join lateral (${recordsOf(tx, scope)}) r
    where event.trace_id is null and event.name = ${evaluationEvent} and event.organization_id = ${scope.organizationId}
      and event.project_id in (select project_id from arrived)),
  taken as (
    delete from waiting_event where id in (select id from found) and organization_id = ${scope.organizationId})
  select id, project_id as "projectId", moved as "hasMoved", content, run_id as "runId", n from found
  order by coalesce((content::json ->> 'at')::timestamptz, created_at), id, run_id, n`;

/** Returns which of these scores, which were given at these times, are older than those that the records have. Reads score_pkey. */
export const findOutdated = (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  items: { n: number; configId: string; at: string }[],
) => tx<{ n: number; configId: string }[]>`
  select s.n, s.metric_config_id as "configId"
  from ${rowsOf(tx, items, { n: 'integer', config_id: 'uuid', at: 'timestamptz' })}
  join score s on s.run_id = ${runId} and s.n = given.n and s.metric_config_id = given.config_id
    and s.organization_id = ${scope.organizationId}
  where s.state <> 'pending' and s.updated_at > given.at`;

/** Finds the traces that events name, by their ids or by the ids of responses. */
export const findTracesOfEvents = (tx: Sql, scope: Scope, rows: EventRow[]) => tx<
  { id: bigint; projectId: bigint }[]
>`
  select distinct found.id, found.project_id as "projectId"
  from ${rowsOf(
    tx,
    rows.map(({ projectId, traceId, responseId }) => ({ projectId, traceId, responseId })),
    { project_id: 'bigint', trace_id: 'bytea', response_id: 'text' },
  )}
  cross join lateral (
    select trace.id, trace.project_id from trace
    where trace.project_id = given.project_id and trace.otel_id = given.trace_id and trace.organization_id = ${scope.organizationId}
    union all
    select trace.id, trace.project_id from span join trace on trace.id = span.trace_id and trace.organization_id = ${scope.organizationId}
    where given.trace_id is null and span.project_id = given.project_id and span.response_id = given.response_id
      and span.organization_id = ${scope.organizationId}) found`;

/** Makes requests that look for a metric by its name take turns until the commit. */
export const lockMetricNames = (tx: Sql, projectId: bigint) => tx`
  select pg_advisory_xact_lock(hashtextextended(${`metrics of events ${projectId}`}::text, 0))`;

export type ClientMetric = { metricId: bigint; name: string; configId: string; outputType: OutputType };

/** Finds the metrics of a project whose scores clients send, by their names; of several with one name, the oldest. */
export const findClientMetrics = (tx: Sql, scope: Scope, projectId: bigint, names: string[]) => tx<
  ClientMetric[]
>`
  select distinct on (metric.name) metric.id as "metricId", metric.name, config.id as "configId",
    config.output_type as "outputType"
  from metric join metric_config config on config.id = metric.current_config_id and config.organization_id = ${scope.organizationId}
  where metric.organization_id = ${scope.organizationId} and metric.project_id = ${projectId} and metric.deleted_at is null
    and metric.name = any(${names}::text[]) and config.eval_type = 'heuristic' and config.lane is null and config.span_search is null
  order by metric.name, metric.id`;
