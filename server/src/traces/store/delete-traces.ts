import type { Sql } from '../../platform/db/database.ts';
import { recordIdOf } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { deleteUnusedRecords } from './queries.ts';
import { refreshContents } from './refresh-contents.ts';
import { dropTags } from './trace-tags.ts';

/** A deleted trace with the record that was made for it; null when it was linked. */
export type Deleted = { projectId: bigint; runId: bigint | null; n: number | null };

/**
 * Deletes the records that were made for these traces alone, unless someone has annotated, assigned, tagged, reviewed or scored them.
 * Records of sessions with other traces lose the data of the deleted traces.
 */
export const settleRecords = async (tx: Sql, owner: Owner, traces: Deleted[]): Promise<void> => {
  const withRecord = traces.flatMap(({ projectId, runId, n }) =>
    runId === null || n === null ? [] : [{ projectId, runId, n }],
  );
  const records = [...new Map(withRecord.map((key) => [recordIdOf(key), key])).values()];
  if (records.length === 0) return;
  await deleteUnusedRecords(tx, owner, records);
  await dropTags(tx, owner, records);
  await refreshContents(tx, owner, records);
};

/** Deletes a trace with its spans. Returns whether there was one. */
export const deleteTrace = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  traceId: string,
): Promise<boolean> => {
  const deleted = await tx<Deleted[]>`
    delete from trace
    where organization_id = ${scope.organizationId} and project_id = ${projectId}
      and otel_id = ${`\\x${traceId}`}::text::bytea
    returning project_id as "projectId", run_id as "runId", n`;
  await settleRecords(tx, scope, deleted);
  return deleted.length > 0;
};
