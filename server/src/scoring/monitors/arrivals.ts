import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { OnTraces } from '../../traces/store/arrived.ts';

const findMonitored = (tx: Sql, scope: Scope, projectIds: bigint[]) => tx`
  select from monitor
  where organization_id = ${scope.organizationId} and project_id = any(${projectIds.map(String)}::bigint[])
    and paused_at is null and deleted_at is null
  limit 1`;

/** Rows are written in one order, so that requests with traces of the same session do not deadlock. */
const debounce = (tx: Sql, scope: Scope, traceIds: bigint[]) => tx`
  insert into monitor_record (organization_id, run_id, n, monitor_id, due_at)
  select distinct on (trace.run_id, trace.n, monitor.id) ${scope.organizationId}, trace.run_id, trace.n, monitor.id,
    clock_timestamp() + monitor.settle_seconds * interval '1 second'
  from trace join monitor on monitor.project_id = trace.project_id
  where trace.id = any(${traceIds.map(String)}::bigint[]) and trace.run_id is not null
    and trace.organization_id = ${scope.organizationId} and monitor.organization_id = ${scope.organizationId}
    and monitor.paused_at is null and monitor.deleted_at is null
  order by trace.run_id, trace.n, monitor.id
  on conflict (run_id, n, monitor_id) do update set due_at = excluded.due_at`;

/**
 * Schedules the records of these traces for their monitors: each monitor looks at a record when no more spans have arrived for its settle
 * time. Must be called last in a transaction.
 */
export const noteArrivals: OnTraces = async (tx, scope, traces) => {
  if (traces.length === 0) return;
  const projectIds = [...new Set(traces.map(({ projectId }) => projectId))];
  if ((await findMonitored(tx, scope, projectIds)).count === 0) return;
  await debounce(
    tx,
    scope,
    traces.map(({ id }) => id),
  );
};
