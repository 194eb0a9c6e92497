import type { Sql } from '../../platform/db/database.ts';
import { newUuid, type RecordKey } from '../../platform/http/ids.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';

const tagJson = (sql: Sql) => sql`
  json_build_object('id', tag.id, 'recordId', tag.run_id || '-' || tag.n, 'text', tag.text, 'source', tag.source,
    'userId', tag.member_id, 'createdAt', iso_time(tag.created_at))`;

/** Returns all tags of a record, oldest first; no row when there is no such record. */
export const listTags = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${tagJson(sql)} order by tag.id), '[]') from record_tag tag
    where tag.run_id = ${runId} and tag.n = ${n} and tag.organization_id = ${scope.organizationId}))::text as body
  from record r
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}`;

/** Adds a tag to a record and returns it. An existing tag is written unchanged, so that it can't be deleted before it is returned. */
export const upsertTag = (tx: Sql, scope: Scope, { runId, n }: RecordKey, text: string) => tx<
  { body: string }[]
>`
  insert into record_tag as tag (id, organization_id, run_id, n, text, source, member_id)
  values (${newUuid()}, ${scope.organizationId}, ${runId}, ${n}, ${text}, 'user', ${scope.memberId})
  on conflict (run_id, n, text) do update set source = tag.source
  returning ${tagJson(tx)}::text as body`;

export const deleteTag = (tx: Sql, scope: Scope, { runId, n }: RecordKey, text: string) => tx`
  delete from record_tag
  where run_id = ${runId} and n = ${n} and text = ${text} and organization_id = ${scope.organizationId}`;

/** The key before every tag, as `listProjectTags` orders them: a number of records and a text. */
export const mostUsedTag = `${2n ** 63n - 1n} `;

/** Lists the tags of a project's records, most used first. Reads run_project, then record_tag_text for each run. */
export const listProjectTags = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  after: string,
  count: number,
) => sql<PageRow[]>`
  select json_build_object('text', tag.text, 'numRecords', tag.n)::text as body, tag.n || ' ' || tag.text as key
  from (
    select t.text, count(*) as n
    from run join record_tag t on t.run_id = run.id and t.organization_id = ${scope.organizationId}
    where run.organization_id = ${scope.organizationId} and run.project_id = ${projectId}
    group by t.text) tag
  where (-tag.n, tag.text) > (-split_part(${after}, ' ', 1)::bigint, substr(${after}, strpos(${after}, ' ') + 1))
  order by -tag.n, tag.text limit ${count}`;
