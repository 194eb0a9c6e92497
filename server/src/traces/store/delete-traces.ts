import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { deleteLeftRecords } from './queries.ts';
import { refreshContents } from './refresh-contents.ts';
import { moveTags } from './trace-tags.ts';

/** A trace that was deleted, with the record that was made for it; null when it was linked. */
type Deleted = { projectId: bigint; runId: bigint | null; n: number | null };

/**
 * Deletes the records that were made for these traces alone, unless somebody has said something of them. Those of sessions
 * that have other traces keep nothing of the deleted ones.
 */
const settleRecords = async (
  tx: Sql,
  owner: Pick<Scope, 'organizationId'>,
  traces: Deleted[],
): Promise<void> => {
  const made = traces.flatMap(({ projectId, runId, n }) =>
    runId === null || n === null ? [] : [{ projectId, runId, n }],
  );
  const records = [...new Map(made.map((key) => [`${key.runId}-${key.n}`, key])).values()];
  if (records.length === 0) return;
  await deleteLeftRecords(tx, owner, records);
  await refreshContents(tx, owner, records);
  await moveTags(tx, owner, records);
};

/** Deletes a trace with its spans. Returns whether there was one. */
export const deleteTrace = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  traceId: string,
): Promise<boolean> => {
  const gone = await tx<Deleted[]>`
    delete from trace
    where organization_id = ${scope.organizationId} and project_id = ${projectId}
      and otel_id = ${`\\x${traceId}`}::text::bytea
    returning project_id as "projectId", run_id as "runId", n`;
  await settleRecords(tx, scope, gone);
  return gone.length > 0;
};

/** Traces that one purge deletes; the next goes on. */
const purgeBatch = 10_000;

/**
 * Deletes the traces that came longer ago than their project keeps them. For the service itself, which sees every
 * organization. Reads trace_created.
 */
export const purgeTraces = async (tx: Sql): Promise<number> => {
  const gone = await tx<(Deleted & { organizationId: bigint })[]>`
    delete from trace where id in (
      select trace.id from trace_settings settings
      join trace on trace.project_id = settings.project_id
      where trace.created_at < now() - settings.retention_days * interval '1 day'
      limit ${purgeBatch})
    returning project_id as "projectId", run_id as "runId", n, organization_id as "organizationId"`;
  for (const [organizationId, traces] of Map.groupBy(gone, (trace) => trace.organizationId))
    await settleRecords(tx, { organizationId }, traces);
  return gone.count;
};
