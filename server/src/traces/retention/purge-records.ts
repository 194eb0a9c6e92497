import type { Sql } from '../../platform/db/database.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { recordIdOf } from '../../platform/http/ids.ts';
import {
  deleteBrokenSimulations,
  deleteEmptyRuns,
  deleteOldRecords,
  findBusyTraces,
  findOldRecords,
} from './queries.ts';

/** Records that one transaction deletes: some 50 ms with five scores each, for which writers of these records wait. */
export const purgeBatch = 500;

/**
 * Deletes some of the records that are older than their projects keep them, with their scores and traces, and runs that are left
 * empty. Returns the number of records; if it is `most`, there may be more. Must run as the service itself, which sees every
 * organization. Skips records that others write at the moment.
 */
export const purgeRecords = async (tx: Sql, most = purgeBatch): Promise<number> => {
  const old = await findOldRecords(tx, most);
  // Once a pass, since it looks at every old run.
  if (old.length < most) await deleteBrokenSimulations(tx, most);
  if (old.length === 0) return 0;
  const busy = new Set((await findBusyTraces(tx, old)).map(recordIdOf));
  const free = old.filter((record) => !busy.has(recordIdOf(record)));
  let count = 0;
  for (const [organizationId, records] of Map.groupBy(free, (record) => record.organizationId)) {
    const owner = { organizationId };
    const deleted = await deleteOldRecords(tx, owner, records);
    count += deleted.length;
    await deleteEmptyRuns(tx, owner, [...new Set(deleted.map(({ runId }) => runId))]);
    for (const [projectId, { length }] of Map.groupBy(deleted, (record) => record.projectId))
      await insertAuditEvent(tx, owner, {
        operation: 'purgeRecords',
        resource: 'Records',
        projectId,
        details: { count: length },
      });
  }
  return count;
};
