import { pinMetrics } from '../../evaluation/metrics/pin-metrics.ts';
import {
  appendRunMetrics,
  findRun,
  insertPendingScores,
  lockRun,
  lockRunMetrics,
} from '../../evaluation/runs/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';

/**
 * Adds metrics to a run with their current configurations, and a pending score of each for every record. Adding a metric that the run
 * already has changes nothing. Throws notFound for a metric of another project.
 */
export const addMetrics = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  metricIds: string[],
): Promise<string> => {
  const { projectId } = requireOne(await lockRun(tx, scope, runId), 'run', String(runId));
  const metrics = await pinMetrics(tx, scope, projectId, metricIds);
  await lockRunMetrics(tx, runId);
  const added = await appendRunMetrics(tx, scope, runId, metrics);
  if (added.length > 0) {
    await insertPendingScores(
      tx,
      scope,
      runId,
      added.map(({ configId }) => configId),
    );
  }
  return bodyOf(await findRun(tx, scope, runId), 'run', String(runId));
};
