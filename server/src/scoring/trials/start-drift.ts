import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { findWatched, listAutomaticSets, lockPinnedMetric, type PinnedMetric } from './pinned-queries.ts';
import type { Starter } from './queries.ts';
import { startTrial } from './start-trial.ts';

const driftTrial = { kind: 'drift' as const, margin: null, seed: null };

/**
 * Starts a drift trial, whose candidate is the judge in use: it decides its pinned records again with its current configuration. The
 * metric must be locked with its pinned set. Returns the trial as JSON text.
 */
export const startDrift = async (
  tx: Sql,
  starter: Starter,
  metricId: bigint,
  pinned: PinnedMetric,
): Promise<string> => {
  const [watched] = await findWatched(tx, starter, metricId);
  const candidate = { how: 'current' as const, configId: pinned.configId, dueModels: watched!.servedLately };
  return startTrial(tx, starter, metricId, pinned, driftTrial, [{ ...candidate, label: 'a drift trial' }]);
};

/**
 * Starts all automatic drift trials that are due, and returns their number. When several processes try at the same time, the second waits
 * and finds nothing due. A trial that does not start does not stop the others, which belong to other organizations; `failed`
 * gets its error.
 */
export const startDueDrifts = async (db: Database, failed: (error: unknown) => void): Promise<number> => {
  let started = 0;
  for (const { organizationId, metricId } of await db.read(system, listAutomaticSets)) {
    const owner = { organizationId };
    const start = async (tx: Sql) => {
      const [pinned] = await lockPinnedMetric(tx, owner, metricId);
      const [watched] = await findWatched(tx, owner, metricId);
      if (!pinned || !watched?.due) return 0;
      await startDrift(tx, owner, metricId, pinned);
      return 1;
    };
    started += await db.transaction(owner, start).catch((error) => {
      failed(error);
      return 0;
    });
  }
  return started;
};
