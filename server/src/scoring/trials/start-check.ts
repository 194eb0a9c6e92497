import { copyRecords } from '../../evaluation/records/copy.ts';
import {
  insertPendingScores,
  insertRun,
  insertRunMetrics,
  updateRunNotes,
} from '../../evaluation/runs/queries.ts';
import { type Database, type Fragment, type Sql, system } from '../../platform/db/database.ts';
import { bodyOf, one } from '../../platform/http/http.ts';
import type { Owner } from '../../platform/http/scope.ts';
import {
  findServed,
  insertCheck,
  listAutomaticSets,
  lockPinnedMetric,
  type PinnedMetric,
  pinnedRecords,
  type Served,
} from './pinned-queries.ts';

/** Says why a check is due; null when none is. */
export const whyDue = ({ triedConfig, servedLately, tried }: Served): string | null => {
  if (!triedConfig) return 'its current configuration has not been checked';
  const unseen = servedLately.filter((model) => !tried.includes(model));
  return unseen.length > 0 ? `a model answers that has not been checked: ${unseen.join(', ')}` : null;
};

/** A configuration that decides the pinned records, or those that the seed holds out. */
export type Checked = {
  configId: string;
  models: string[];
  trial: { n: number; how: string } | null;
  seed: number | null;
  title: string;
  /** Selects further records to copy, behind the pinned ones. */
  further?: Fragment;
};

/** Starts a run of copies of the pinned records, which a configuration scores like any other run. Returns the check as JSON text. */
export const checkConfig = async (
  tx: Sql,
  scope: Owner,
  metricId: bigint,
  { projectId }: Pick<PinnedMetric, 'projectId'>,
  { configId, models, trial, seed, title, further }: Checked,
): Promise<string> => {
  const run = { kind: 'trial' as const, testsetId: null, systemVersionId: null, numExpectedRecords: null };
  const [made] = await insertRun(tx, scope, projectId, run);
  const runId = made!.id;
  await insertRunMetrics(tx, scope, runId, [{ metricId, configId }]);
  await copyRecords(tx, scope, runId, pinnedRecords(tx, scope, metricId, seed));
  if (further) await copyRecords(tx, scope, runId, further);
  const notes = `${title}: copies of its pinned records, decided again. It says nothing about a system.`;
  await updateRunNotes(tx, scope, runId, notes);
  // Before the scores: a worker that takes one must know that it is a check.
  const check = await insertCheck(tx, scope, { runId, metricId, configId, models, trial });
  await insertPendingScores(tx, scope, runId, [configId]);
  return bodyOf(check, 'drift check', '');
};

/** Starts a drift check: the judge decides its pinned records again with its current configuration. Throws 404 when nothing is pinned. */
export const startCheck = async (tx: Sql, scope: Owner, metricId: bigint): Promise<string> => {
  const metric = one(await lockPinnedMetric(tx, scope, metricId), 'pinned set', String(metricId));
  const [served] = await findServed(tx, scope, metricId);
  return checkConfig(tx, scope, metricId, metric, {
    configId: metric.configId,
    models: served?.servedLately ?? [],
    trial: null,
    seed: null,
    title: `Drift check of the metric “${metric.name}”`,
  });
};

/**
 * Starts all automatic checks that are due, and returns how many. When several processes try at the same time, the second waits
 * and finds nothing due. A check that fails does not stop the others, which belong to other organizations; its error is
 * thrown at the end.
 */
export const startDueChecks = async (db: Database): Promise<number> => {
  let started = 0;
  const failures: unknown[] = [];
  for (const { organizationId, metricId } of await db.read(system, listAutomaticSets)) {
    const owner = { organizationId };
    const start = async (tx: Sql) => {
      await lockPinnedMetric(tx, owner, metricId);
      const [served] = await findServed(tx, owner, metricId);
      if (!served || whyDue(served) === null) return 0;
      await startCheck(tx, owner, metricId);
      return 1;
    };
    started += await db.transaction(owner, start).catch((error) => {
      failures.push(error);
      return 0;
    });
  }
  if (failures.length > 0) throw failures[0];
  return started;
};
