import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Role, Scope } from '../../platform/http/scope.ts';

/** A project as the member sees it. */
export type FoundAccess = {
  projectId: bigint;
  restricted: boolean;
  /** The role that the project gives to the member. */
  grant: Role | null;
};

/** Finds projects by their keys. `projects` selects their ids. */
export const findAccess = (sql: Sql, scope: Scope, projects: Fragment) => sql<FoundAccess[]>`
  select project.id as "projectId", project.restricted, own.role as "grant"
  from project
  left join project_member own on own.project_id = project.id and own.member_id = ${scope.memberId}
    and own.organization_id = ${scope.organizationId}
  where project.organization_id = ${scope.organizationId} and project.id in (${projects})`;

const ownRoles = (sql: Sql, scope: Scope, roles: readonly Role[]) => sql`
  exists (select from project_member own where own.project_id = project.id and own.member_id = ${scope.memberId}
    and own.organization_id = ${scope.organizationId} and own.role = any(${roles}::text[]))`;

const anyRole: readonly Role[] = ['viewer', 'annotator', 'member', 'admin'];

/** Whether the member sees table `project`. */
export const maySee = (sql: Sql, scope: Scope): Fragment =>
  scope.isLimited ? sql`(not project.restricted or ${ownRoles(sql, scope, anyRole)})` : sql`true`;

/** Whether the member may write in table `project`. */
export const mayWrite = (sql: Sql, scope: Scope): Fragment => {
  if (!scope.isLimited) return sql`true`;
  const byRole = scope.role === 'member' ? sql`not project.restricted` : sql`false`;
  return sql`(${byRole} or ${ownRoles(sql, scope, ['member', 'admin'])})`;
};

/** Finds whether the member may write in any project. */
export const findAnyWriting = (sql: Sql, scope: Scope) => sql<{ mayWrite: boolean }[]>`
  select ${scope.role === 'member'} or exists (
    select from project_member where member_id = ${scope.memberId} and organization_id = ${scope.organizationId}
      and role in ('member', 'admin')) as "mayWrite"`;

/** Whether a record is in a queue of reviews: it has a score of a human metric. */
export const isInQueue = (sql: Sql, scope: Scope, { runId, n }: { runId: bigint; n: number }) => sql<
  { isInQueue: boolean }[]
>`
  select exists (
    select from score
    join metric_config config on config.id = score.metric_config_id and config.organization_id = ${scope.organizationId}
    where score.run_id = ${runId} and score.n = ${n} and score.organization_id = ${scope.organizationId}
      and config.eval_type = 'human') as "isInQueue"`;
