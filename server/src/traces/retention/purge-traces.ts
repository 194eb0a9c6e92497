import type { Fragment, Sql } from '../../platform/db/database.ts';
import { type Deleted, settleRecords } from '../store/delete-traces.ts';
import { daysAgo } from './queries.ts';

/** Traces that one transaction deletes: others of the embedded engine wait for it, and a trace may have many spans. */
export const traceBatch = 100;

/** The traces that are older than their project keeps them, oldest first. Reads trace_created of each project. */
export const oldTraces = (sql: Sql): Fragment => sql`
  select old.id from (
    select project_id, ${daysAgo(sql, sql`trace_days`)} as traces_before from project_settings
    where trace_days is not null offset 0) settings
  cross join lateral (
    select trace.id from trace
    where trace.project_id = settings.project_id and trace.created_at < settings.traces_before
    order by trace.created_at limit ${traceBatch}) old
  limit ${traceBatch}`;

/**
 * Deletes the traces that are older than their project keeps them. Returns their number. Must run as the service itself, which sees
 * every organization.
 */
export const purgeTraces = async (tx: Sql): Promise<number> => {
  const deleted = await tx<(Deleted & { organizationId: bigint })[]>`
    delete from trace where id in (${oldTraces(tx)})
    returning project_id as "projectId", run_id as "runId", n, organization_id as "organizationId"`;
  for (const [organizationId, traces] of Map.groupBy(deleted, (trace) => trace.organizationId))
    await settleRecords(tx, { organizationId }, traces);
  return deleted.count;
};
