import type { Sql } from '../../platform/db/database.ts';
import type { Role, Scope } from '../../platform/http/scope.ts';

const accessJson = (sql: Sql) => sql`
  left(json_build_object('restricted', project.restricted,
    'members', coalesce((
      select json_agg(json_build_object('userId', other.member_id, 'role', other.role) order by other.created_at, other.member_id)
      from project_member other
      where other.project_id = project.id and other.organization_id = project.organization_id), '[]'))::text, -1)`;

/** Whether people have something to score or to compare in table `project`. */
const isReviewed = (sql: Sql) => sql`(
  exists (select from metric join metric_config config on config.id = metric.current_config_id
      and config.organization_id = project.organization_id
    where metric.project_id = project.id and metric.organization_id = project.organization_id and metric.deleted_at is null
      and config.eval_type = 'human')
  or exists (select from preference_study study
    where study.project_id = project.id and study.organization_id = project.organization_id))`;

/** Whether traces arrive in table `project`, or something watches for them. */
const isWatched = (sql: Sql) => sql`(
  exists (select from trace where trace.project_id = project.id and trace.organization_id = project.organization_id)
  or exists (select from monitor where monitor.project_id = project.id and monitor.organization_id = project.organization_id)
  or exists (select from alert where alert.project_id = project.id and alert.organization_id = project.organization_id))`;

/** The access as JSON text without the closing brace, the name of the project, and what it is used for. */
export type FoundProject = { body: string; name: string; isReviewed: boolean; isWatched: boolean };

export const findProjectAccess = (sql: Sql, scope: Scope, projectId: bigint) => sql<FoundProject[]>`
  select ${accessJson(sql)} as body, project.name, ${isReviewed(sql)} as "isReviewed", ${isWatched(sql)} as "isWatched" from project
  where organization_id = ${scope.organizationId} and id = ${projectId}`;

export const updateRestricted = (tx: Sql, scope: Scope, projectId: bigint, restricted: boolean) => tx`
  update project set restricted = ${restricted} where organization_id = ${scope.organizationId} and id = ${projectId}`;

export const upsertProjectMember = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  memberId: string,
  role: Role,
) => tx`
  insert into project_member (project_id, member_id, organization_id, role)
  values (${projectId}, ${memberId}, ${scope.organizationId}, ${role})
  on conflict (project_id, member_id) do update set role = excluded.role`;

export const deleteProjectMember = (tx: Sql, scope: Scope, projectId: bigint, memberId: string) => tx`
  delete from project_member
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and member_id = ${memberId}`;
