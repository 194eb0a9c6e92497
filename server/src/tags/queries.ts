import type { Scope } from '../auth.ts';
import type { Sql } from '../db/database.ts';
import { newUuid, type RecordKey } from '../ids.ts';

const tagJson = (sql: Sql) => sql`
  json_build_object('id', tag.id, 'recordId', tag.run_id || '-' || tag.n, 'text', tag.text, 'source', tag.source,
    'userId', tag.member_id, 'createdAt', iso_time(tag.created_at))`;

/** All tags of a record, oldest first; no row when there is no such record. */
export const listTags = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${tagJson(sql)} order by tag.id), '[]') from record_tag tag
    where tag.run_id = ${runId} and tag.n = ${n} and tag.organization_id = ${scope.organizationId}))::text as body
  from record r
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}`;

/** Tags a record; a tag that it carries already stays as it is. */
export const insertTag = (tx: Sql, scope: Scope, { runId, n }: RecordKey, text: string) => tx`
  insert into record_tag (id, organization_id, run_id, n, text, source, member_id)
  values (${newUuid()}, ${scope.organizationId}, ${runId}, ${n}, ${text}, 'user', ${scope.memberId})
  on conflict do nothing`;

export const findTag = (sql: Sql, scope: Scope, { runId, n }: RecordKey, text: string) => sql<
  { body: string }[]
>`
  select ${tagJson(sql)}::text as body from record_tag tag
  where tag.run_id = ${runId} and tag.n = ${n} and tag.text = ${text} and tag.organization_id = ${scope.organizationId}`;

export const deleteTag = (tx: Sql, scope: Scope, { runId, n }: RecordKey, text: string) => tx`
  delete from record_tag
  where run_id = ${runId} and n = ${n} and text = ${text} and organization_id = ${scope.organizationId}`;
