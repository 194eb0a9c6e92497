import { levelOfLook } from '../../engine/statistics/ledger.ts';
import { upsertSystemVersion } from '../../evaluation/systems/upsert-system.ts';
import { asTenant } from '../../platform/db/as-tenant.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { startRun } from '../../scoring/runs/start-run.ts';
import {
  findLookAt,
  findSealedLook,
  insertSealedLook,
  type LockedSeal,
  lockSeal,
  updateSeal,
} from './queries.ts';
import type { SealedLookCreate } from './schema.ts';
import { requireCallable } from './seal-testcases.ts';
import { vaultScope } from './vault.ts';

/** Starts a run of the sealed testcases in the vault. */
const startSealedRun = async (tx: Sql, vault: Scope, seal: LockedSeal, config: RawJson): Promise<bigint> => {
  const version = await upsertSystemVersion(tx, vault, seal.vaultSystemId, { config });
  const body = {
    metricIds: seal.metrics.map(({ vaultMetricId }) => vaultMetricId),
    testsetId: String(seal.vaultTestsetId),
    systemVersionId: JSON.parse(version).id as string,
    execute: true,
  };
  return BigInt(JSON.parse(await startRun(tx, vault, seal.vaultProjectId, body)).id);
};

/**
 * Looks at a version: the service calls it with the sealed testcases, in the vault. Takes a look of the budget, unless there was one at this
 * version. Returns the look as JSON text; a worker answers it. Throws 409 if the budget is spent.
 */
export const takeLook = async (
  tx: Sql,
  scope: Scope,
  sealId: string,
  { systemVersionId }: SealedLookCreate,
): Promise<string> => {
  const seal = requireOne(await lockSeal(tx, scope, sealId), 'sealed split', sealId);
  const shown = async (n: number) => bodyOf(await findSealedLook(tx, scope, sealId, n), 'look', String(n));
  const [known] = await findLookAt(tx, scope, sealId, uuidId('system version', systemVersionId));
  if (known) return shown(known.n);
  if (seal.state !== 'sealed' || seal.numLooks >= seal.maxLooks)
    throw conflict('The looks at this split are spent, and it opens. Seal another split.', { sealId });
  const { id, config } = await requireCallable(
    tx,
    scope,
    seal.projectId,
    systemVersionId,
    '/systemVersionId',
  );
  if (id === seal.baselineVersionId)
    throw conflict('This version is the baseline of the sealed split. Look at another version.', { sealId });
  const baseline = await requireCallable(
    tx,
    scope,
    seal.projectId,
    seal.baselineVersionId,
    '/baselineVersionId',
  );
  const vault = vaultScope(seal.vaultId);
  const { runId, baselineRunId } = await asTenant(tx, scope, vault, async () => ({
    baselineRunId: seal.vaultBaselineRunId ?? (await startSealedRun(tx, vault, seal, baseline.config)),
    runId: await startSealedRun(tx, vault, seal, config),
  }));
  const n = seal.numLooks + 1;
  await updateSeal(tx, scope, sealId, { baselineRunId });
  await insertSealedLook(tx, scope, {
    sealId,
    n,
    systemVersionId: id,
    level: levelOfLook(seal.alpha, n),
    vaultRunId: runId,
  });
  return shown(n);
};
