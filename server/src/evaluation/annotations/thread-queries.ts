import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readsBlind } from '../records/blind.ts';

const replyJson = (sql: Sql) => sql`
  json_build_object('id', reply.id, 'annotationId', reply.annotation_id, 'comment', reply.comment,
    'userId', reply.member_id, 'createdAt', iso_time(reply.created_at), 'updatedAt', iso_time(reply.updated_at))`;

/** An annotation as a thread. Reads annotation_reply_pkey. */
const threadJson = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql`
  json_build_object('annotationId', annotation.id, 'resolvedAt', iso_time(annotation.resolved_at),
    'resolvedByUserId', annotation.resolved_by, 'replies', coalesce((
      select json_agg(${replyJson(sql)} order by reply.id) from annotation_reply reply
      where reply.run_id = ${runId} and reply.n = ${n} and reply.annotation_id = annotation.id
        and reply.organization_id = ${scope.organizationId}), '[]'))`;

/**
 * Returns one page of the annotations of a record that have replies or are resolved, as threads, oldest first. Reads
 * annotation_pkey and annotation_reply_pkey.
 */
export const listThreads = (sql: Sql, scope: Scope, key: RecordKey, after: string, count: number) =>
  cutToPage(
    sql,
    sql`
  select ${threadJson(sql, scope, key)}::text as body, annotation.id::text as key,
    row_number() over (order by annotation.id) as place
  from annotation
  where annotation.run_id = ${key.runId} and annotation.n = ${key.n}
    and annotation.organization_id = ${scope.organizationId} and annotation.id > ${after}::uuid
    and (annotation.member_id = ${scope.memberId} or not ${readsBlind(sql, scope, key)})
    and (annotation.resolved_at is not null or exists (
      select from annotation_reply reply
      where reply.run_id = ${key.runId} and reply.n = ${key.n} and reply.annotation_id = annotation.id
        and reply.organization_id = ${scope.organizationId}))
  order by annotation.id
  limit ${count}`,
  );

/** Resolves a thread or opens it again. A resolved thread keeps the person and the time of its resolution. */
export const resolveAnnotation = (
  tx: Sql,
  scope: Scope,
  key: RecordKey,
  annotationId: string,
  resolved: boolean,
) => tx<{ body: string }[]>`
  update annotation set
    resolved_at = case when ${resolved} then coalesce(resolved_at, now()) end,
    resolved_by = case when ${resolved} then coalesce(resolved_by, ${scope.memberId}::uuid) end
  where run_id = ${key.runId} and n = ${key.n} and id = ${annotationId}
    and organization_id = ${scope.organizationId}
  returning ${threadJson(tx, scope, key)}::text as body`;

/** Inserts a reply to an annotation; no row when there is no such annotation. */
export const insertReply = (
  tx: Sql,
  scope: Scope,
  { runId, n }: RecordKey,
  annotationId: string,
  { id, comment }: { id: string; comment: string },
) => tx<{ body: string }[]>`
  insert into annotation_reply as reply (id, organization_id, run_id, n, annotation_id, comment, member_id)
  select ${id}, annotation.organization_id, annotation.run_id, annotation.n, annotation.id, ${comment}, ${scope.memberId}
  from annotation
  where run_id = ${runId} and n = ${n} and id = ${annotationId} and organization_id = ${scope.organizationId}
  returning ${replyJson(tx)}::text as body`;

/** A reply to an annotation of a record. */
export type ReplyKey = { key: RecordKey; annotationId: string; id: string };

/** Reads annotation_reply_pkey. */
const isReply = (sql: Sql, scope: Scope, { key: { runId, n }, annotationId, id }: ReplyKey) => sql`
  run_id = ${runId} and n = ${n} and annotation_id = ${annotationId} and id = ${id}
  and organization_id = ${scope.organizationId}`;

/** Finds the author of a reply and locks it until the commit. */
export const lockReply = (tx: Sql, scope: Scope, reply: ReplyKey) => tx<{ memberId: string }[]>`
  select member_id as "memberId" from annotation_reply
  where ${isReply(tx, scope, reply)}
  for update`;

export const updateReply = (tx: Sql, scope: Scope, reply: ReplyKey, comment: string) => tx<
  { body: string }[]
>`
  update annotation_reply reply set comment = ${comment}, updated_at = now()
  where ${isReply(tx, scope, reply)}
  returning ${replyJson(tx)}::text as body`;

export const deleteReply = (tx: Sql, scope: Scope, reply: ReplyKey) =>
  tx`delete from annotation_reply where ${isReply(tx, scope, reply)}`;
