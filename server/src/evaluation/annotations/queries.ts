import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readsBlind } from '../records/blind.ts';
import { traceOfTest, tracesOf } from '../records/traces-of.ts';
import type { Stated } from '../scores/made-by.ts';
import type { AnnotationUpdate, Passage } from './schema.ts';

/**
 * An annotation as JSON. `passage`, `traceId` and the `madeBy` of a model are our own additions: an annotation without them has only the contract's
 * fields.
 */
const annotationJson = (sql: Sql) => sql`
  (left(json_build_object('id', annotation.id, 'recordId', annotation.run_id || '-' || annotation.n,
    'spanId', annotation.span_id, 'rating', annotation.rating, 'comment', annotation.comment,
    'userId', annotation.member_id, 'createdAt', iso_time(annotation.created_at))::text, -1)
    || coalesce(',"traceId":"' || annotation.otel_trace_id || '"', '')
    || coalesce(',"passage":' || annotation.passage::text, '')
    || case when annotation.made_by = 'model' then ',"madeBy":"model"' else '' end || '}')::json`;

/** Returns all annotations of a record that the member may read, oldest first; no row when there is no such record. Reads record_pkey and annotation_pkey. */
export const listAnnotations = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${annotationJson(sql)} order by annotation.id), '[]') from annotation
    where annotation.run_id = ${runId} and annotation.n = ${n}
      and annotation.organization_id = ${scope.organizationId}
      and (annotation.member_id = ${scope.memberId} or not ${readsBlind(sql, scope, { runId, n })})))::text as body
  from record r
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}`;

export const insertAnnotation = (
  tx: Sql,
  scope: Scope,
  { runId, n }: RecordKey,
  annotation: {
    id: string;
    /** The span that it is about. */
    span?: { traceId: string; spanId: string } | null;
    passage?: Passage | undefined;
    rating: boolean;
    comment: string;
    madeBy: Stated;
  },
) => tx<{ body: string }[]>`
  insert into annotation (id, organization_id, run_id, n, otel_trace_id, span_id, passage, rating, comment, member_id, made_by)
  values (${annotation.id}, ${scope.organizationId}, ${runId}, ${n}, ${annotation.span?.traceId ?? null},
    ${annotation.span?.spanId ?? null},
    ${annotation.passage === undefined ? null : JSON.stringify(annotation.passage)}::text::json, ${annotation.rating},
    ${annotation.comment}, ${scope.memberId}, ${annotation.madeBy})
  returning ${annotationJson(tx)}::text as body`;

/** Finds the author of an annotation and locks it until the commit. */
export const lockAnnotation = (tx: Sql, scope: Scope, { runId, n }: RecordKey, id: string) => tx<
  { memberId: string }[]
>`
  select member_id as "memberId" from annotation
  where run_id = ${runId} and n = ${n} and id = ${id} and organization_id = ${scope.organizationId}
  for update`;

export const updateAnnotation = (
  tx: Sql,
  scope: Scope,
  { runId, n }: RecordKey,
  id: string,
  changes: AnnotationUpdate,
) => tx<{ body: string }[]>`
  update annotation set ${tx(changes)}, updated_at = now()
  where run_id = ${runId} and n = ${n} and id = ${id} and organization_id = ${scope.organizationId}
  returning ${annotationJson(tx)}::text as body`;

export const deleteAnnotation = (tx: Sql, scope: Scope, { runId, n }: RecordKey, id: string) => tx`
  delete from annotation
  where run_id = ${runId} and n = ${n} and id = ${id} and organization_id = ${scope.organizationId}`;

/** Finds the spans of a record with this id, or of the trace in which its test ran: at most one in each trace. */
export const findRecordSpans = (sql: Sql, scope: Scope, key: RecordKey, spanId: string) => sql<
  { traceId: string; spanId: string }[]
>`
  select encode(trace.otel_id, 'hex') as "traceId", encode(span.span_id, 'hex') as "spanId"
  from span join trace on trace.id = span.trace_id and trace.organization_id = ${scope.organizationId}
  where span.trace_id in (select * from ${tracesOf(sql, scope, key)} traces union all
      select ${traceOfTest(sql, scope)} from record r
      where r.run_id = ${key.runId} and r.n = ${key.n} and r.organization_id = ${scope.organizationId})
    and span.span_id = ${`\\x${spanId}`}::text::bytea
    and span.organization_id = ${scope.organizationId}
  limit 2000`;
