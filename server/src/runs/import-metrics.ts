import type { Scope } from '../auth.ts';
import type { Sql } from '../db/database.ts';
import { bodyOf, one } from '../http.ts';
import { requireImportOf } from '../projects/queries.ts';
import { appendRunMetrics, findRun, lockRun, lockRunMetrics } from './queries.ts';
import { pinMetrics } from './start-run.ts';

/**
 * Gives a run that is being imported its metrics, with the configurations current now, and no scores: which records have one,
 * or wait for one, is said by the scores that are imported. Again it changes nothing. Throws notFound for a metric of another
 * project, conflict for a run of a project that is imported.
 */
export const importMetrics = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  metricIds: string[],
): Promise<string> => {
  const projectId = await requireImportOf(tx, scope, runId);
  one(await lockRun(tx, scope, runId), 'run', String(runId));
  const metrics = await pinMetrics(tx, scope, projectId, metricIds);
  await lockRunMetrics(tx, runId);
  await appendRunMetrics(tx, scope, runId, metrics);
  return bodyOf(await findRun(tx, scope, runId), 'run', String(runId));
};
