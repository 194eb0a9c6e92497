import { levelOfLook } from '../../engine/statistics/ledger.ts';
import type { Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { noteLook } from './note-look.ts';
import { findNumber, findRuns, storeGate } from './queries.ts';
import type { LookCreate } from './schema.ts';

/**
 * Registers the look of a gate, and returns the level at which it is tested, as JSON text. Throws 404 for a run that is not of the project of
 * this one.
 */
export const registerLook = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  { baselineRunIds, alpha, per, outcome }: LookCreate,
): Promise<string> => {
  const ids = baselineRunIds.map((id) => numericId('run', id));
  const runs = await findRuns(tx, scope, [runId, ...ids]);
  const run = runs.find(({ id }) => id === runId);
  if (!run) throw notFound('run', String(runId));
  const missing = ids.findIndex(
    (id) => !runs.some((one) => one.id === id && one.projectId === run.projectId),
  );
  if (missing !== -1) throw notFound('run', baselineRunIds[missing]!);
  const noted = await noteLook(tx, scope, { kind: 'gate', runId, baselineRunIds: ids, isTest: true });
  if (!noted)
    return JSON.stringify({ testsetId: run.testsetId, look: null, number: null, per, alpha, level: null });
  const { testsetId, n } = noted;
  const [{ number } = { number: 1 }] = await findNumber(tx, scope, { testsetId, n, per });
  const level = levelOfLook(alpha, number);
  await storeGate(tx, scope, { testsetId, n, runId }, { level, outcome: outcome ?? null });
  return JSON.stringify({ testsetId: String(testsetId), look: n, number, per, alpha, level });
};
