import type { Sql } from '../../platform/db/database.ts';
import type { Role, Scope } from '../../platform/http/scope.ts';

const accessJson = (sql: Sql) => sql`
  left(json_build_object('restricted', project.restricted,
    'members', coalesce((
      select json_agg(json_build_object('userId', other.member_id, 'role', other.role) order by other.created_at, other.member_id)
      from project_member other
      where other.project_id = project.id and other.organization_id = project.organization_id), '[]'))::text, -1)`;

/** Returns the name of a project, and its access as JSON text without the closing brace. */
export const findProjectAccess = (sql: Sql, scope: Scope, projectId: bigint) => sql<
  { body: string; name: string }[]
>`
  select ${accessJson(sql)} as body, project.name from project
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
