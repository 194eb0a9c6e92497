import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Where a project's spans begin: before every time. */
export const firstSpan = `-${'9'.repeat(20)} 0 ${'0'.repeat(16)}`;

/**
 * One page of a project's spans as they are stored, earliest start first. Walks span_start for their keys, and
 * reads the spans themselves for the page alone: a page costs the same wherever it is.
 */
export const exportSpans = (sql: Sql, scope: Scope, projectId: bigint, after: string, count: number) => {
  const [start = '', traceId = '', spanId = ''] = after.split(' ');
  return cutToPage(
    sql,
    sql`
    select '{"traceId":"' || encode(trace.otel_id, 'hex') || '","spanId":"' || encode(span.span_id, 'hex')
        || '","parentSpanId":' || coalesce('"' || encode(span.parent_span_id, 'hex') || '"', 'null')
        || ',"recordId":' || coalesce('"' || trace.run_id || '-' || trace.n || '"', 'null')
        || ',"name":' || to_json(span.name)::text || ',"kind":' || span.kind
        || ',"startTimeUnixNano":"' || span.start_ns || '","endTimeUnixNano":"' || span.end_ns
        || '","content":' || span.content::text || ',"source":' || source.content::text || '}' as body,
      span.start_ns || ' ' || span.trace_id || ' ' || encode(span.span_id, 'hex') as key,
      row_number() over (order by span.start_ns, span.trace_id, span.span_id) as place
    from (
      select span.trace_id, span.span_id from span
      where span.organization_id = ${scope.organizationId} and span.project_id = ${projectId}
        and (span.start_ns, span.trace_id, span.span_id)
          > (${start}::text::numeric, ${traceId}::bigint, ${`\\x${spanId}`}::text::bytea)
      order by span.start_ns, span.trace_id, span.span_id
      limit ${count}) found
    join span on span.trace_id = found.trace_id and span.span_id = found.span_id
      and span.organization_id = ${scope.organizationId}
    join trace on trace.id = span.trace_id and trace.organization_id = ${scope.organizationId}
    join span_source source on source.id = span.source_id and source.organization_id = ${scope.organizationId}`,
  );
};

/** Of these records those that are the project's, kept from deletion until the commit. */
export const lockProjectRecords = (tx: Sql, scope: Scope, projectId: bigint, records: RecordKey[]) => tx<
  RecordKey[]
>`
  select r.run_id as "runId", r.n
  from record r
  where r.organization_id = ${scope.organizationId} and r.project_id = ${projectId}
    and (r.run_id, r.n) in (
      select run_id, n
      from unnest(${records.map((record) => String(record.runId))}::bigint[], ${records.map((record) => record.n)}::integer[])
        as given (run_id, n))
  for key share of r`;

/** Of the tags that these records have, those that their traces carry are the traces'. */
export const markTraceTags = (tx: Sql, scope: Scope, tags: (RecordKey & { text: string })[]) => tx`
  update record_tag tag set source = 'otel', member_id = null
  from unnest(${tags.map((tag) => String(tag.runId))}::bigint[], ${tags.map((tag) => tag.n)}::integer[],
    ${tags.map((tag) => tag.text)}::text[]) as given (run_id, n, text)
  where tag.organization_id = ${scope.organizationId} and tag.run_id = given.run_id and tag.n = given.n and tag.text = given.text`;
