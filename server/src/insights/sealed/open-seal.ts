import type { FastifyBaseLogger } from 'fastify';
import { takeEdition } from '../../evaluation/testsets/queries.ts';
import { asTenant } from '../../platform/db/as-tenant.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { conflict } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { type Owner, type Scope, serviceScope } from '../../platform/http/scope.ts';
import { closeSeal, findSeal, type LockedSeal, listOpening, lockSeal, updateSeal } from './queries.ts';
import { type SealDeps, sealTestcases } from './seal-testcases.ts';
import { vaultScope } from './vault.ts';
import { deleteVaultProject, insertOpenedProject, moveTestcases } from './vault-queries.ts';

/** A project as a scope sees it. */
type ProjectPlace = { scope: Scope; projectId: bigint };
/** Copies a project into an empty one of another organization. The archive does, which is in a layer above. */
export type CopyProject = (from: ProjectPlace, to: ProjectPlace) => Promise<void>;

/** Returns the testcases of a seal to their testset, and deletes what the vault has. `split`: the one that they get; null: their own. */
const returnTestcases = async (
  tx: Sql,
  owner: Owner,
  seal: LockedSeal,
  { split, openedProjectId }: { split: string | null; openedProjectId: bigint | null },
): Promise<void> => {
  const [taken] = await takeEdition(tx, { ...serviceScope(owner.organizationId) }, seal.testsetId);
  await asTenant(tx, owner, system, async () => {
    const to = { organizationId: owner.organizationId, testsetId: seal.testsetId };
    await moveTestcases(tx, { from: seal.vaultTestsetId, to }, null, { edition: taken!.edition, split });
    await deleteVaultProject(tx, seal);
  });
  await closeSeal(tx, owner, seal.id, openedProjectId);
};

/**
 * Opens a sealed split. Without a look, its testcases return at once, as if they had not been sealed; else a worker copies the runs of its
 * looks first. Throws 409 if it opens already. Returns the seal as JSON text.
 */
export const openSeal = async (tx: Sql, scope: Scope, sealId: string): Promise<string> => {
  const seal = requireOne(await lockSeal(tx, scope, sealId), 'sealed split', sealId);
  if (seal.state !== 'sealed') throw conflict('This split opens already, or is open.', { sealId });
  if (seal.numLooks === 0) await returnTestcases(tx, scope, seal, { split: null, openedProjectId: null });
  else await updateSeal(tx, scope, sealId, { state: 'opening' });
  return bodyOf(await findSeal(tx, scope, sealId), 'sealed split', sealId);
};

export type SealedDeps = { db: Database; log: FastifyBaseLogger; copyProject: CopyProject; seal: SealDeps };

/** Draws and seals the next split from the traffic, with the same budget and baseline. If that fails, the log says why, and none is sealed. */
const sealNext = async (
  { db, log, seal: sealDeps }: SealedDeps,
  owner: Owner,
  seal: LockedSeal,
): Promise<void> => {
  const { alpha, margin, maxLooks, baselineVersionId, metrics, source, createdBy } = seal;
  const { size, days } = source.traffic!;
  const scope: Scope = { ...serviceScope(owner.organizationId), access: 'full', memberId: createdBy };
  const metricIds = metrics.map(({ metricId }) => metricId);
  const body = { alpha, margin, maxLooks, baselineVersionId, metricIds, traffic: { size, days } };
  await db
    .transaction(owner, (tx) => sealTestcases(sealDeps)(tx, scope, seal.testsetId, body))
    .catch((error) =>
      log.warn({ err: error, sealId: seal.id }, 'the next split was not drawn from the traffic'),
    );
};

/** Opens the splits whose budgets are spent. Returns how many. */
export const openSpent = async (deps: SealedDeps): Promise<number> => {
  const { db, copyProject } = deps;
  let opened = 0;
  for (const { organizationId, sealId } of await db.read(system, listOpening)) {
    const owner = { organizationId };
    const scope: Scope = { ...serviceScope(organizationId), access: 'full' };
    const begun = await db.transaction(owner, async (tx) => {
      const [seal] = await lockSeal(tx, owner, sealId);
      if (seal?.state !== 'opening') return undefined;
      // An attempt before this one may have made a part of it.
      const [project] = await insertOpenedProject(tx, owner, seal);
      return { seal, projectId: project!.id };
    });
    if (!begun) continue;
    const { seal, projectId } = begun;
    const vault = { scope: vaultScope(seal.vaultId), projectId: seal.vaultProjectId };
    await copyProject(vault, { scope, projectId });
    await db.transaction(owner, async (tx) => {
      const [still] = await lockSeal(tx, owner, sealId);
      if (still?.state === 'opening')
        await returnTestcases(tx, owner, still, { split: still.split, openedProjectId: projectId });
    });
    if (seal.source.traffic && seal.numLooks >= seal.maxLooks) await sealNext(deps, owner, seal);
    opened++;
  }
  return opened;
};
