import type { Scope } from '../auth.ts';
import type { Sql } from '../db/database.ts';
import { newUuid, type RecordKey } from '../ids.ts';

const assignmentJson = (sql: Sql) => sql`
  json_build_object('id', assignment.id, 'recordId', assignment.run_id || '-' || assignment.n,
    'assigneeUserId', assignment.assignee_id, 'assignedByUserId', assignment.assigned_by,
    'createdAt', iso_time(assignment.created_at))`;

/** All assignments of a record, oldest first; no row when there is no such record. */
export const listAssignments = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${assignmentJson(sql)} order by assignment.id), '[]') from record_assignment assignment
    where assignment.run_id = ${runId} and assignment.n = ${n}
      and assignment.organization_id = ${scope.organizationId}))::text as body
  from record r
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}`;

/** Assigns a record; an assignment that is there already stays as it is. */
export const insertAssignment = (tx: Sql, scope: Scope, { runId, n }: RecordKey, assigneeId: string) => tx`
  insert into record_assignment (id, organization_id, run_id, n, assignee_id, assigned_by)
  values (${newUuid()}, ${scope.organizationId}, ${runId}, ${n}, ${assigneeId}, ${scope.memberId})
  on conflict do nothing`;

export const findAssignment = (sql: Sql, scope: Scope, { runId, n }: RecordKey, assigneeId: string) => sql<
  { body: string }[]
>`
  select ${assignmentJson(sql)}::text as body from record_assignment assignment
  where assignment.run_id = ${runId} and assignment.n = ${n} and assignment.assignee_id = ${assigneeId}
    and assignment.organization_id = ${scope.organizationId}`;

export const deleteAssignment = (tx: Sql, scope: Scope, { runId, n }: RecordKey, assigneeId: string) => tx`
  delete from record_assignment
  where run_id = ${runId} and n = ${n} and assignee_id = ${assigneeId} and organization_id = ${scope.organizationId}`;
