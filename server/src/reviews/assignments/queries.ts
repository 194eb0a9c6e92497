import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { QueueFilter } from '../queues/queue-filter.ts';

const inRun = (sql: Sql, runId: bigint | null) => (runId === null ? sql`` : sql`and s.run_id = ${runId}`);

/** The records of a project that wait for people, each once. `from`: only by scores that this member has not given. Reads score_pending. */
const waiting = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  { metricId, runId }: QueueFilter,
  from: string | null,
) => sql`
  select distinct s.run_id, s.n
  from metric join metric_config config on config.metric_id = metric.id and config.organization_id = ${scope.organizationId}
  join score s on s.metric_config_id = config.id
  where metric.organization_id = ${scope.organizationId} and metric.project_id = ${projectId} and metric.deleted_at is null
    and config.eval_type = 'human' and (${metricId}::bigint is null or metric.id = ${metricId})
    and s.organization_id = ${scope.organizationId} and s.state = 'pending' ${inRun(sql, runId)}
    and (${from}::uuid is null or s.reviewed_by is null or ${from}::uuid <> all(s.reviewed_by))`;

/** Finds waiting records that no one is assigned to, or those of a member; oldest first. Locks them against their deletion. */
export const lockAssignable = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  filter: QueueFilter,
  from: string | null,
  count: number,
) => tx<RecordKey[]>`
  select r.run_id as "runId", r.n
  from record r join (${waiting(tx, scope, projectId, filter, from)}) waiting on waiting.run_id = r.run_id and waiting.n = r.n
  where r.organization_id = ${scope.organizationId} and (
    case when ${from}::uuid is null then not exists (
      select from record_assignment other
      where other.run_id = r.run_id and other.n = r.n and other.organization_id = ${scope.organizationId})
    else exists (
      select from record_assignment theirs
      where theirs.run_id = r.run_id and theirs.n = r.n and theirs.assignee_id = ${from}::uuid
        and theirs.organization_id = ${scope.organizationId}) end)
  order by r.run_id, r.n
  limit ${count}
  for key share of r`;

type Assigned = RecordKey & { id: string; assigneeId: string };

/** Assigns records. Returns the new assignments; a record that the person has already stays as it is. */
export const insertAssignments = (tx: Sql, scope: Scope, assigned: Assigned[]) => tx<
  { assigneeId: string }[]
>`
  insert into record_assignment (id, organization_id, run_id, n, assignee_id, assigned_by)
  select id, ${scope.organizationId}, run_id, n, assignee_id, ${scope.memberId}
  from ${rowsOf(tx, assigned, { id: 'uuid', run_id: 'bigint', n: 'integer', assignee_id: 'uuid' }, { as: 'given' })}
  on conflict (run_id, n, assignee_id) do nothing
  returning assignee_id as "assigneeId"`;

/** Removes a member's assignments of these records. */
export const deleteAssignments = (tx: Sql, scope: Scope, from: string, keys: RecordKey[]) => tx`
  delete from record_assignment theirs
  using ${rowsOf(tx, keys, { run_id: 'bigint', n: 'integer' }, { as: 'given' })}
  where theirs.run_id = given.run_id and theirs.n = given.n and theirs.assignee_id = ${from}
    and theirs.organization_id = ${scope.organizationId}`;

/** Ends a member's claims on these records, and puts the records behind all others for them. */
export const skipClaimed = (tx: Sql, scope: Scope, keys: RecordKey[]) => tx`
  update review_claim mine set expires_at = now(), skipped_at = clock_timestamp()
  from ${rowsOf(tx, keys, { run_id: 'bigint', n: 'integer' }, { as: 'given' })}
  where mine.run_id = given.run_id and mine.n = given.n and mine.member_id = ${scope.memberId}
    and mine.organization_id = ${scope.organizationId}`;
