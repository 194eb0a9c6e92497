import type { Sql } from '../../platform/db/database.ts';
import { newUuid, type RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';

const assignmentJson = (sql: Sql) => sql`
  json_build_object('id', assignment.id, 'recordId', assignment.run_id || '-' || assignment.n,
    'assigneeUserId', assignment.assignee_id, 'assignedByUserId', assignment.assigned_by,
    'createdAt', iso_time(assignment.created_at))`;

/** Returns all assignments of a record, oldest first; no row when there is no such record. */
export const listAssignments = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${assignmentJson(sql)} order by assignment.id), '[]') from record_assignment assignment
    where assignment.run_id = ${runId} and assignment.n = ${n}
      and assignment.organization_id = ${scope.organizationId}))::text as body
  from record r
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}`;

/** Assigns a record and returns the assignment. An existing one is written unchanged, so that it can't be deleted before it is returned. */
export const upsertAssignment = (tx: Sql, scope: Scope, { runId, n }: RecordKey, assigneeId: string) => tx<
  { body: string }[]
>`
  insert into record_assignment as assignment (id, organization_id, run_id, n, assignee_id, assigned_by)
  values (${newUuid()}, ${scope.organizationId}, ${runId}, ${n}, ${assigneeId}, ${scope.memberId})
  on conflict (run_id, n, assignee_id) do update set assigned_by = assignment.assigned_by
  returning ${assignmentJson(tx)}::text as body`;

export const deleteAssignment = (tx: Sql, scope: Scope, { runId, n }: RecordKey, assigneeId: string) => tx`
  delete from record_assignment
  where run_id = ${runId} and n = ${n} and assignee_id = ${assigneeId} and organization_id = ${scope.organizationId}`;
