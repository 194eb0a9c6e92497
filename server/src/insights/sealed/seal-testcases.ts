import { attachmentIds } from '../../engine/models/media.ts';
import { noModel } from '../../engine/models/provider.ts';
import { pinMetrics } from '../../evaluation/metrics/pin-metrics.ts';
import {
  findMetric,
  insertMetric,
  insertMetricConfig,
  laneOf,
  lockMetric,
} from '../../evaluation/metrics/queries.ts';
import { findProjectVersion } from '../../evaluation/runs/queries.ts';
import { upsertSystem } from '../../evaluation/systems/upsert-system.ts';
import { listChosen } from '../../evaluation/testsets/mark-queries.ts';
import { eraseFromSnapshots } from '../../evaluation/testsets/past-queries.ts';
import { deleteTestcases, takeEdition } from '../../evaluation/testsets/queries.ts';
import { readTestcaseSearch } from '../../evaluation/testsets/search-testcases.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, testcaseKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { readSystemConfig } from '../../scoring/executions/system-config.ts';
import { drawTraffic, type Sealing } from './draw-traffic.ts';
import { findSeal, insertSeal, type SealMetric } from './queries.ts';
import { maxSealed, type SealCreate } from './schema.ts';
import { inVault } from './vault.ts';
import {
  copyTestset,
  findSealable,
  forgetAnswers,
  insertVaultProject,
  moveTestcases,
} from './vault-queries.ts';

/** Returns the configuration of a version that the service can call. Throws 400 for one that only its owner's code runs. */
export const requireCallable = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  id: string,
  path: string,
): Promise<{ id: string; config: RawJson }> => {
  const versionId = uuidId('system version', id);
  const found = await findProjectVersion(tx, scope, projectId, versionId);
  const { config } = requireOne(found, 'system version', id);
  const system = readSystemConfig(config);
  if ('problem' in system)
    throw invalid(
      path,
      `must be a version that the service calls: ${system.problem}. A system that only your code runs would see the sealed testcases`,
    );
  return { id: versionId, config };
};

/** Copies metrics by their content. Throws 400 for one that needs people or uploads: they would see the testcases. */
const copyMetrics = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  ids: string[],
): Promise<((vault: Scope, vaultProjectId: bigint) => Promise<SealMetric>)[]> => {
  const pinned = await pinMetrics(tx, scope, projectId, ids);
  const copies = [];
  for (const [i, { metricId }] of pinned.entries()) {
    const { configId: _, ...config } = requireOne(
      await lockMetric(tx, scope, metricId),
      'metric',
      String(metricId),
    );
    const { name } = JSON.parse(bodyOf(await findMetric(tx, scope, metricId), 'metric', String(metricId)));
    const refuse = (why: string) => invalid(`/metricIds/${i}`, `must be scored by the service alone: ${why}`);
    if (laneOf(config) === null)
      throw refuse(`people or your code score “${name}”, who would see the testcases`);
    if (config.spans !== null) throw refuse(`“${name}” scores spans, which the calls of a look do not have`);
    if (config.evalModelName === noModel) throw refuse(`“${name}” has no model yet`);
    copies.push(async (vault: Scope, vaultProjectId: bigint): Promise<SealMetric> => {
      const copyId = newUuid();
      const [made] = await insertMetric(tx, vault, vaultProjectId, {
        name,
        description: null,
        configId: copyId,
      });
      await insertMetricConfig(tx, vault, made!.id, copyId, config);
      return {
        metricId: String(metricId),
        metricName: name,
        vaultMetricId: String(made!.id),
        difference: 0,
        bestRunId: null,
      };
    });
  }
  return copies;
};

/** Finds the testcases that are to be sealed. Throws 400 if there are too few or too many, or one with an attachment. */
const chooseTestcases = async (
  tx: Sql,
  scope: Scope,
  { testsetId, edition }: { testsetId: bigint; edition: number },
  { ids, q, share, seed = 1, unseen = false }: SealCreate,
): Promise<Sealing> => {
  const keys = ids?.map(testcaseKey);
  const other = keys?.findIndex((key) => key.testsetId !== testsetId) ?? -1;
  if (other >= 0) throw notFound('testcase', ids![other]!);
  const search = readTestcaseSearch(q);
  const chosen = { ids: keys?.map(({ n }) => n), search, share, seed };
  const found = await listChosen(tx, scope, testsetId, chosen, maxSealed + 1);
  const sealed = unseen ? found.filter(({ isSeen }) => !isSeen) : found;
  const missing = keys?.find(({ n }) => !found.some((testcase) => testcase.n === n));
  if (missing) throw notFound('testcase', `${testsetId}-${missing.n}`);
  if (sealed.length === 0)
    throw invalid('', `must choose testcases: ${unseen ? 'each that fits is in a record' : 'none fits'}`);
  if (sealed.length > maxSealed) throw invalid('', `must choose ${maxSealed} testcases at most`);
  const attaching = sealed.find(({ attaching }) => attaching && attachmentIds([attaching]).length > 0);
  if (attaching)
    throw invalid(
      '',
      `must choose testcases without attachments: testcase ${testsetId}-${attaching.n} names one, which members can still read`,
    );
  const numbers = sealed.map(({ n }) => n);
  return {
    numbers,
    numSeen: sealed.filter(({ isSeen }) => isSeen).length,
    source: { numIds: ids?.length ?? null, q: q ?? null, share: share ?? null, seed, unseen },
    bring: async ({ organizationId }, vaultTestsetId) => {
      await moveTestcases(
        tx,
        { from: testsetId, to: { organizationId, testsetId: vaultTestsetId } },
        numbers,
      );
      await deleteTestcases(tx, scope, testsetId, numbers, edition);
      await eraseFromSnapshots(tx, scope, testsetId, numbers);
    },
  };
};

const quarterOf = (at: Date) => `sealed-${at.getUTCFullYear()}-q${Math.floor(at.getUTCMonth() / 3) + 1}`;

/** Time and chance, which tests replay. */
export type SealDeps = { now: () => Date; newSeed: () => number };

/**
 * Seals testcases: moves them from their testset into the vault of the organization, or draws them from traffic, with copies of the metrics
 * and of the baseline. Their numbers stay theirs. Erases what snapshots and stored answers have of them. Returns the seal as JSON text.
 */
export const sealTestcases =
  ({ now, newSeed }: SealDeps) =>
  async (tx: Sql, scope: Scope, testsetId: bigint, body: SealCreate): Promise<string> => {
    const [taken] = await takeEdition(tx, scope, testsetId);
    if (!taken) throw notFound('testset', String(testsetId));
    const { projectId } = requireOne(await findSealable(tx, scope, testsetId), 'testset', String(testsetId));
    const baseline = await requireCallable(
      tx,
      scope,
      projectId,
      body.baselineVersionId,
      '/baselineVersionId',
    );
    const copies = await copyMetrics(tx, scope, projectId, body.metricIds);
    const { numbers, numSeen, source, bring } = body.traffic
      ? await drawTraffic(tx, scope, { projectId, testsetId, seed: newSeed() }, body.traffic)
      : await chooseTestcases(tx, scope, { testsetId, edition: taken.edition }, body);
    const made = await inVault(tx, scope, async (vault) => {
      const [project] = await insertVaultProject(tx, vault, projectId);
      const [testset] = await copyTestset(tx, vault, project!.id, testsetId);
      await bring(vault, testset!.id);
      const metrics: SealMetric[] = [];
      for (const copy of copies) metrics.push(await copy(vault, project!.id));
      const system = await upsertSystem(tx, vault, project!.id, { name: 'Sealed', config: baseline.config });
      return {
        metrics,
        vaultId: vault.organizationId,
        vaultProjectId: project!.id,
        vaultTestsetId: testset!.id,
        vaultSystemId: JSON.parse(system).id as string,
      };
    });
    await forgetAnswers(tx, scope, testsetId);
    const { alpha = 0.05, maxLooks = 20, margin = 0, split = quarterOf(now()) } = body;
    const sealId = newUuid();
    await insertSeal(tx, scope, {
      ...made,
      id: sealId,
      projectId,
      testsetId,
      split,
      source,
      numTestcases: numbers.length,
      numSeen,
      baselineVersionId: baseline.id,
      alpha,
      maxLooks,
      margin,
      createdBy: scope.memberId,
    });
    return bodyOf(await findSeal(tx, scope, sealId), 'sealed split', sealId);
  };
