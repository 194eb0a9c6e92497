import { isKept } from '../../evaluation/deletions/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { ReportLinkCreate } from './schema.ts';

/** Maximum number of links of a project that have not ended. */
export const maxLinks = 100;

const linkJson = (sql: Sql) => sql`
  json_build_object('id', link.id, 'projectId', link.project_id::text, 'name', link.name,
    'runs', link.comparison->'runs', 'measure', link.comparison->'measure', 'userId', link.member_id,
    'numUses', link.num_uses, 'lastUsedAt', iso_time(link.last_used_at), 'createdAt', iso_time(link.created_at),
    'expiresAt', iso_time(link.expires_at))`;

/** Returns the links of a project that have not ended, newest first, and whether they are allowed. Reads report_link_project. */
export const listLinks = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select json_build_object('data', (
      select coalesce(json_agg(${linkJson(sql)} order by link.created_at desc, link.id), '[]') from report_link link
      where link.organization_id = ${scope.organizationId} and link.project_id = project.id and link.expires_at > now()),
    'allowed', organization.report_links)::text as body
  from project join organization on organization.id = project.organization_id
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

/** Counts the links that have not ended. */
export const countLinks = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ n: number }[]>`
  select count(*)::int as n from report_link
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and expires_at > now()`;

export const areLinksAllowed = (tx: Sql, { organizationId }: Owner) => tx<{ allowed: boolean }[]>`
  select report_links as allowed from organization where id = ${organizationId}`;

/** Counts these runs in the project, without those that are being deleted. */
export const countRuns = (tx: Sql, scope: Owner, projectId: bigint, runIds: bigint[]) => tx<{ n: number }[]>`
  select count(*)::int as n from run
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and id = any(${runIds.map(String)}::text[]::bigint[])
    and ${isKept(tx, scope, 'run')}`;

type New = { hash: Buffer; runIds: bigint[]; body: ReportLinkCreate };

/** Inserts a link, and deletes those of the project that have ended. */
export const insertLink = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { hash, runIds, body: { name, days = 14, ...comparison } }: New,
) => tx<{ body: string }[]>`
  with ended as (
    delete from report_link
    where organization_id = ${scope.organizationId} and project_id = ${projectId} and expires_at <= now())
  insert into report_link as link (id, organization_id, project_id, member_id, hash, name, run_ids, comparison, expires_at)
  values (${newUuid()}, ${scope.organizationId}, ${projectId}, ${scope.memberId}, ${hash}, ${name}, ${runIds.map(String)}::text[]::bigint[],
    ${JSON.stringify(comparison)}::text::json, now() + ${days}::int * interval '1 day')
  returning ${linkJson(tx)}::text as body`;

export const findLink = (sql: Sql, scope: Scope, linkId: string) => sql<{ body: string }[]>`
  select ${linkJson(sql)}::text as body from report_link link
  where link.organization_id = ${scope.organizationId} and link.id = ${linkId}`;

export const deleteLink = (tx: Sql, scope: Scope, linkId: string) => tx`
  delete from report_link where organization_id = ${scope.organizationId} and id = ${linkId} returning id`;

export type UsableLink = {
  id: string;
  organizationId: bigint;
  projectId: bigint;
  memberId: string;
  runIds: bigint[];
  name: string;
  projectName: string;
  expiresAt: string;
  comparison: Omit<ReportLinkCreate, 'name' | 'days'>;
};

/**
 * Notes the use of the link with this hash and returns it, if its time has not ended, the organization allows links, and its author may still
 * read the project. Run in the tenant of the service, since the hash alone says which organization it is. Reads report_link_hash_key.
 */
export const useLink = (tx: Sql, hash: Buffer) => tx<UsableLink[]>`
  update report_link link set num_uses = num_uses + 1, last_used_at = now()
  from organization, project, member
  where link.hash = ${hash} and link.expires_at > now()
    and organization.id = link.organization_id and organization.report_links
    and project.id = link.project_id and project.organization_id = link.organization_id
    and not exists (
      select from deletion
      where deletion.organization_id = link.organization_id and deletion.root = 'project' and deletion.id = link.project_id)
    and member.id = link.member_id and member.organization_id = link.organization_id and member.active
    and (member.role = 'admin' or not project.restricted and member.role in ('member', 'viewer') or exists (
      select from project_member own
      where own.project_id = project.id and own.member_id = member.id and own.organization_id = link.organization_id
        and own.role in ('admin', 'member', 'viewer')))
  returning link.id, link.organization_id as "organizationId", link.project_id as "projectId", link.member_id as "memberId",
    link.run_ids as "runIds", link.name, coalesce(project.name, '') as "projectName", iso_time(link.expires_at) as "expiresAt", link.comparison`;
