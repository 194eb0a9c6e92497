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

/** At most this many records are counted. */
const mostToReview = 100;

/**
 * Number of records of table `project` that wait for the member's score, as the queue gives them out: reviews that are reserved for the people to
 * whom a record is assigned are not for others. Reads the start of each queue in score_pending.
 */
const numToReview = (sql: Sql, scope: Scope) => sql`(
  select least(count(distinct (waiting.run_id, waiting.n)), ${mostToReview})::integer
  from metric join metric_config config on config.metric_id = metric.id and config.organization_id = project.organization_id
    and config.eval_type = 'human' and config.span_search is null
  cross join lateral (
    select s.run_id, s.n from score s
    where s.metric_config_id = config.id and s.state = 'pending' and s.organization_id = ${scope.organizationId}
      and (s.reviewed_by is null or ${scope.memberId}::uuid <> all(s.reviewed_by))
      and (exists (
          select from record_assignment mine
          where mine.run_id = s.run_id and mine.n = s.n and mine.assignee_id = ${scope.memberId}
            and mine.organization_id = ${scope.organizationId})
        or (select count(*) from record_assignment theirs
          where theirs.run_id = s.run_id and theirs.n = s.n and theirs.organization_id = ${scope.organizationId}
            and not coalesce(theirs.assignee_id = any(s.reviewed_by), false))
          < metric.reviewers - coalesce(cardinality(s.reviewed_by), 0))
    order by s.run_id, s.n
    limit ${mostToReview}) waiting
  where metric.project_id = project.id and metric.organization_id = project.organization_id and metric.deleted_at is null)`;

/** The access as JSON text without the closing brace, the name of the project, and what it is used for. */
export type FoundProject = {
  body: string;
  name: string;
  isReviewed: boolean;
  isWatched: boolean;
  numToReview: number;
};

export const findProjectAccess = (sql: Sql, scope: Scope, projectId: bigint) => sql<FoundProject[]>`
  select ${accessJson(sql)} as body, project.name, ${isReviewed(sql)} as "isReviewed", ${isWatched(sql)} as "isWatched",
    ${numToReview(sql, scope)} as "numToReview"
  from project
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
