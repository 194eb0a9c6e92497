import { tracesOf } from '../../evaluation/records/traces-of.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { placeInPack, type WithPack } from '../store/contents.ts';

/** A span without its content. Times are nanoseconds as text. */
export type SpanRow = {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  link: string | null;
  name: string;
  service: string;
  kind: number;
  operation: string | null;
  model: string | null;
  failed: boolean;
  start: string;
  end: string;
};

const columns = (sql: Sql) => sql`
  encode(trace.otel_id, 'hex') as "traceId", encode(span.span_id, 'hex') as "spanId",
  encode(span.parent_span_id, 'hex') as "parentSpanId", span.link, span.name, span.service, span.kind, span.operation,
  span.model, span.failed, span.start_ns::text as start, span.end_ns::text as end`;

/** Finds the link and the project of a record; no row when there is no such record. */
export const findLinkOfRecord = (sql: Sql, scope: Owner, { runId, n }: RecordKey) => sql<
  { link: string | null; projectId: bigint }[]
>`
  select otel_link_id as link, project_id as "projectId" from record
  where run_id = ${runId} and n = ${n} and organization_id = ${scope.organizationId}`;

/** A condition that holds for the wanted rows of `span`. */
export type SpansOf = (sql: Sql, scope: Owner) => Fragment;

/** The spans of the traces of a record. */
export const spansOfRecord =
  (key: RecordKey): SpansOf =>
  (sql, scope) =>
    sql`span.trace_id in ${tracesOf(sql, scope, key)}`;

export const spansOfTrace =
  (projectId: bigint, traceId: string): SpansOf =>
  (sql, scope) =>
    sql`span.trace_id in ${oneTrace(projectId, traceId)(sql, scope)}`;

/** Ids of traces, as a subquery. */
export type TracesOf = (sql: Sql, scope: Owner) => Fragment;

/** Reads the unique index of otel_id in a project. */
export const oneTrace =
  (projectId: bigint, traceId: string): TracesOf =>
  (sql, scope) =>
    sql`
    (select id from trace where project_id = ${projectId} and otel_id = ${`\\x${traceId}`}::text::bytea
      and organization_id = ${scope.organizationId})`;

/** Most bytes of the names of a tree's spans, with their services and models. */
const maxNameBytes = 4 * 1024 * 1024;

/** A span of a tree. `numFound` is the number of spans that were found, with those that are left out for their bytes. */
export type TreeRow = SpanRow & { numFound: number };

/**
 * Lists the first spans of traces by start, as long as their names stay within `maxNameBytes`. Where a clock of milliseconds lets a tool and the call that reads its answer begin
 * at once, the one that ends first comes first. Reads span_pkey for each of the traces.
 */
export const listSpansOf = (sql: Sql, scope: Owner, spans: SpansOf, count: number) => sql<TreeRow[]>`
  select "traceId", "spanId", "parentSpanId", link, name, service, kind, operation, model, failed, start, "end", "numFound"
  from (
    select *, (count(*) over ())::integer as "numFound", row_number() over () as place,
      sum(octet_length(name) + octet_length(service) + coalesce(octet_length(model), 0))
        over (rows between unbounded preceding and current row) as bytes
    from (
      select ${columns(sql)}
      from span join trace on trace.id = span.trace_id
      where ${spans(sql, scope)}
        and span.organization_id = ${scope.organizationId} and trace.organization_id = ${scope.organizationId}
      order by span.start_ns, span.end_ns, span.trace_id, span.span_id
      limit ${count}) first_spans) named
  where bytes <= ${maxNameBytes}::bigint
  order by place`;

/** A span whose content is read with `withPacks`. `bytes` is the length of the content. */
export type PlacedRow = WithPack & { traceId: string; bytes: number };

/**
 * Lists the spans of models, tools and agents by start: the first `count`, as long as the sum of their contents stays within `maxBytes`. For
 * `withPacks`.
 */
export const listSpokenOf = (
  sql: Sql,
  scope: Scope,
  spans: SpansOf,
  count: number,
  maxBytes: number,
): Fragment => sql`
  select encode(trace.otel_id, 'hex') as "traceId", encode(spoken.span_id, 'hex') as "spanId", in_trace, in_chunk, bytes, spoken.cost_usd as "costUsd"
  from (
    select *, sum(bytes) over (order by start_ns, trace_id, span_id) as bytes_until
    from (
      -- Sums up the first spans only: sorting a million took ten seconds.
      select span.trace_id, span.span_id, span.start_ns, ${placeInPack(sql)}, span.content_bytes as bytes, span.cost_usd
      from span
      where ${spans(sql, scope)} and span.operation in ('chat', 'tool', 'agent')
        and span.organization_id = ${scope.organizationId}
      order by span.start_ns, span.trace_id, span.span_id
      limit ${count}) first_spans) spoken
  join trace on trace.id = spoken.trace_id and trace.organization_id = ${scope.organizationId}
  where spoken.bytes_until <= ${maxBytes}
  order by spoken.start_ns, spoken.trace_id, spoken.span_id`;

/** Adds up the bytes of all that `listSpansOf` reads, and of the contents of `listSpokenOf`. */
export const sumBytes = (sql: Sql, spans: Fragment, spoken: Fragment) => sql<{ bytes: number }[]>`
  select (select coalesce(sum(octet_length(found::text)), 0)::integer from (${spans}) found)
    + (select coalesce(sum(bytes), 0)::integer from (${spoken}) found) as bytes`;

export type SpanDetailRow = SpanRow & {
  recordId: string | null;
  source: string;
  costUsd: number | null;
};

/**
 * The record of a span: the one that was made for its trace, else the newest record with the span's link or, if the span has
 * none, with a link of its trace. Reads trace_link_trace and record_project_link.
 */
const recordIdOf = (sql: Sql, scope: Scope) => sql`
  coalesce(trace.run_id || '-' || trace.n, (
    select r.run_id || '-' || r.n
    from trace_link link
    join record r on r.project_id = link.project_id and r.otel_link_id = link.link
      and r.organization_id = ${scope.organizationId}
    where link.trace_id = span.trace_id and link.link = coalesce(span.link, link.link)
      and link.organization_id = ${scope.organizationId}
    order by r.created_at desc, r.run_id desc limit 1))`;

/** Finds a span. For `withPacks`. */
export const findSpan = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  traceId: string,
  spanId: string,
): Fragment => sql`
  select ${columns(sql)}, ${recordIdOf(sql, scope)} as "recordId", ${placeInPack(sql)}, span.content_bytes as bytes,
    source.content::text as source, span.cost_usd as "costUsd"
  from trace join span on span.trace_id = trace.id join span_source source on source.id = span.source_id
  where trace.organization_id = ${scope.organizationId} and trace.project_id = ${projectId}
    and trace.otel_id = ${`\\x${traceId}`}::text::bytea and span.span_id = ${`\\x${spanId}`}::text::bytea
    and span.organization_id = ${scope.organizationId} and source.organization_id = ${scope.organizationId}`;

/** Filters of a search. Times are ISO 8601. */
export type SpanFilter = {
  traceId?: string;
  service?: string;
  name?: string;
  modelName?: string;
  root?: boolean;
  error?: boolean;
  minDurationMs?: number;
  maxDurationMs?: number;
  startedAfter?: string;
  startedBefore?: string;
};

/** The cursor that a search starts from: after every time. */
export const latestSpan = `9223372036854775807 9223372036854775807 ${'f'.repeat(16)}`;

/** The microseconds since 1970 of a time in ISO 8601. */
export const microseconds = (sql: Sql, time: string): Fragment =>
  sql`(extract(epoch from ${time}::text::timestamptz) * 1000000)::bigint`;

/**
 * Returns one page of a project's spans, latest start first. Walks span_start backwards (span_root for roots only) and tests
 * each row against the filter, so a page costs as much as it has to skip. With a trace id it reads only that trace.
 */
export const searchSpans = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: SpanFilter,
  before: string,
  count: number,
) => {
  const [start = '', traceId = '', spanId = ''] = before.split(' ');
  // A walk begins at its place, and tests the time of each span from there on.
  const place =
    before === latestSpan && filter.startedBefore !== undefined
      ? sql`(${microseconds(sql, filter.startedBefore)}, 0::bigint, ''::bytea)`
      : sql`(${start}::bigint, ${traceId}::bigint, ${`\\x${spanId}`}::text::bytea)`;
  const all = sql``;
  return sql<(SpanRow & { recordId: string | null; key: string })[]>`
    select ${columns(sql)}, ${recordIdOf(sql, scope)} as "recordId",
      span.start_us || ' ' || span.trace_id || ' ' || encode(span.span_id, 'hex') as key
    from span join trace on trace.id = span.trace_id
    where span.organization_id = ${scope.organizationId} and span.project_id = ${projectId}
      and trace.organization_id = ${scope.organizationId}
      and (span.start_us, span.trace_id, span.span_id) < ${place}
      ${
        filter.traceId === undefined
          ? all
          : sql`and span.trace_id = ${oneTrace(projectId, filter.traceId)(sql, scope)}`
      }
      ${filter.service === undefined ? all : sql`and span.service = ${filter.service}`}
      ${filter.name === undefined ? all : sql`and span.name = ${filter.name}`}
      ${filter.modelName === undefined ? all : sql`and span.model = ${filter.modelName}`}
      ${filter.root === undefined ? all : filter.root ? sql`and span.parent_span_id is null` : sql`and span.parent_span_id is not null`}
      ${filter.error === undefined ? all : sql`and span.failed = ${filter.error}`}
      ${filter.minDurationMs === undefined ? all : sql`and span.end_ns - span.start_ns >= ${String(filter.minDurationMs)}::text::numeric * 1000000`}
      ${filter.maxDurationMs === undefined ? all : sql`and span.end_ns >= span.start_ns and span.end_ns - span.start_ns <= ${String(filter.maxDurationMs)}::text::numeric * 1000000`}
      ${filter.startedAfter === undefined ? all : sql`and span.start_us >= ${microseconds(sql, filter.startedAfter)}`}
      ${filter.startedBefore === undefined ? all : sql`and span.start_us < ${microseconds(sql, filter.startedBefore)}`}
    order by span.start_us desc, span.trace_id desc, span.span_id desc
    limit ${count}`;
};
