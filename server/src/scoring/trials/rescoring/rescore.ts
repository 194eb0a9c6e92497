import { keepRun, lockRun, lockScoresOfRun } from '../../../evaluation/runs/queries.ts';
import { lockRecords } from '../../../evaluation/scores/queries.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { conflict, invalid, notFound } from '../../../platform/errors.ts';
import { requireOne } from '../../../platform/http/http.ts';
import { numericId, recordKey, uuidId } from '../../../platform/http/ids.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { endTrial, type TrialKey } from '../queries.ts';
import type { Adoption } from '../schema.ts';
import { countUnproposed, proposeAll, proposeSample } from './propose.ts';
import {
  deleteProposals,
  findConfigOfMetric,
  findMetricOfRun,
  findOpenRescoring,
  findRescoringKey,
  insertRescoring,
  keepCounts,
  type LockedRescoring,
  lockRescoring,
  markExtended,
} from './queries.ts';
import { replaceScores } from './replace-scores.ts';
import type { RescoringCreate, RescoringKey } from './schema.ts';

/** Returns the numbers of these records. Throws notFound for one that is not in the run. */
const readRecordIds = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  recordIds: string[],
): Promise<number[]> => {
  const keys = recordIds.map(recordKey);
  const numbers = keys.map(({ n }) => n);
  const found = new Set((await lockRecords(tx, scope, runId, numbers)).map(({ n }) => n));
  const missing = keys.findIndex((key) => key.runId !== runId || !found.has(key.n));
  if (missing >= 0) throw notFound('record', recordIds[missing]!);
  return numbers;
};

/**
 * Begins to re-score a metric of a run with its current configuration or the given one, on a sample first if one is asked for. Throws 409
 * while another rescoring of the metric in this run is open: both would replace the same scores, and a person would not adopt the
 * difference that they reviewed. Returns the number of the trial.
 */
export const beginRescoring = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  body: RescoringCreate,
): Promise<number> => {
  const runId = numericId('run', body.runId);
  const { lastRecordN } = requireOne(await lockRun(tx, scope, runId), 'run', body.runId);
  const metric = requireOne(await findMetricOfRun(tx, scope, runId, metricId), 'metric', String(metricId));
  const configId =
    body.metricConfigId === undefined
      ? metric.currentConfigId
      : uuidId('metric configuration', body.metricConfigId);
  const { lane, spans } = requireOne(
    await findConfigOfMetric(tx, scope, metricId, configId),
    'metric configuration',
    configId,
  );
  if (spans !== null)
    throw invalid('', 'must name a configuration that scores records: this one scores spans');
  const numbers = body.recordIds ? await readRecordIds(tx, scope, runId, body.recordIds) : null;
  const { pinnedConfigId } = metric;
  if (pinnedConfigId === null)
    throw invalid('/runId', 'must be a run of the metric: add the metric to the run first');
  if (lane === null) {
    const path = body.metricConfigId === undefined ? '' : '/metricConfigId';
    throw invalid(
      path,
      'must name a configuration by which code or a model scores: other scores are given by people or clients',
    );
  }
  const [open] = await findOpenRescoring(tx, scope, runId, metricId);
  if (open) {
    throw conflict('A rescoring of this metric in this run is open. Adopt or discard it first.', {
      trialNumber: open.n,
    });
  }
  const sample = body.sample ? { size: body.sample.size, seed: body.sample.seed ?? 1 } : null;
  const rescoring = { runId, metricId, pinnedConfigId, configId, numbers, sample };
  const key = await insertRescoring(tx, scope, rescoring);
  if (sample) await proposeSample(tx, scope, key, sample);
  else await proposeAll(tx, scope, key, lastRecordN);
  return key.n;
};

type OpenRescoring = LockedRescoring & { lastRecordN: number };

/** Locks and returns the rescoring. Throws 404 if it does not exist, 409 if it has ended. */
const requireOpen = async (
  tx: Sql,
  scope: Scope,
  key: RescoringKey,
  lock: typeof lockRun | typeof keepRun = lockRun,
): Promise<OpenRescoring> => {
  const { lastRecordN } = requireOne(await lock(tx, scope, key.runId), 'run', String(key.runId));
  const rescoring = requireOne(await lockRescoring(tx, scope, key), 'rescoring', key.id);
  const { outcome } = rescoring;
  if (outcome !== null)
    throw conflict(`This rescoring is already ${outcome}. Start another rescoring.`, { state: outcome });
  return { ...rescoring, lastRecordN };
};

/** Proposes a score for every record that has none yet; called again for records that were added since. */
export const extendRescoring = async (tx: Sql, scope: Scope, key: RescoringKey): Promise<void> => {
  const { lastRecordN } = await requireOpen(tx, scope, key);
  await markExtended(tx, scope, key);
  await proposeAll(tx, scope, key, lastRecordN);
};

/** Locks a rescoring of a run until the commit. Throws 404 if the run has no such rescoring, 409 if it has ended. */
export const lockOpenRescoring = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  key: TrialKey,
): Promise<void> => {
  const found = await findRescoringKey(tx, scope, key);
  const ofRun = found.filter((rescoring) => rescoring.runId === runId);
  await requireOpen(tx, scope, requireOne(ofRun, 'rescoring', String(key.n)));
};

/**
 * Replaces the scores by the proposals. Throws 409 while some are pending or only the sample is proposed: the whole difference must be
 * reviewable before it is adopted. A large run takes seconds; records that arrive during them are scored by the configuration that
 * the run had before.
 */
export const adoptRescoring = async (
  tx: Sql,
  scope: Scope,
  key: RescoringKey,
  { metricConfigId }: Pick<Adoption, 'metricConfigId'>,
): Promise<void> => {
  const rescoring = await requireOpen(tx, scope, key, keepRun);
  if (metricConfigId !== undefined && metricConfigId !== rescoring.configId)
    throw notFound('candidate of the trial', metricConfigId);
  await lockScoresOfRun(tx, key.runId);
  if (rescoring.pending > 0) {
    throw conflict('Some proposals are pending. Wait for them, or cancel them.', {
      pending: rescoring.pending,
    });
  }
  if (!rescoring.extended && (await countUnproposed(tx, scope, key))[0]!.n > 0) {
    throw conflict('Only a sample is re-scored. Extend it to all records, or discard it.', {
      state: 'sampled',
    });
  }
  await replaceScores(tx, scope, key, rescoring);
};

/** Drops the proposals, including those under way. */
export const discardRescoring = async (tx: Sql, scope: Scope, key: RescoringKey): Promise<void> => {
  const { metricId, n } = await requireOpen(tx, scope, key);
  await keepCounts(tx, scope, key);
  await endTrial(tx, scope, { metricId, n }, null);
  await deleteProposals(tx, scope, key);
};
