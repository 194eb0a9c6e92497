import { lockMetric, updateMetricRow } from '../../evaluation/metrics/queries.ts';
import { lockScoresOfRun } from '../../evaluation/runs/queries.ts';
import { cancelScores } from '../../evaluation/scores/requeue.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { endTrial, findBatteryVerdicts, findTrial, storeVerdict, type TrialKey } from './queries.ts';
import { readPinnedTrial, within } from './read-trials.ts';
import type { Adoption } from './schema.ts';

/** Minimum number of labelled records of each kind for an anchor. */
const fewest = 2;

/** Locks the metric and reads its trial. Throws 404 if there is none, and 409 if it was adopted or discarded. */
const requireOpen = async (tx: Sql, scope: Scope, key: TrialKey) => {
  const current = requireOne(await lockMetric(tx, scope, key.metricId), 'metric', String(key.metricId));
  const trial = await readPinnedTrial(within(tx), scope, key);
  if (trial.endedAt !== null)
    throw conflict(`This trial is already ${trial.state}. Start another trial.`, { state: trial.state });
  return { current, trial };
};

const readWritten = async (tx: Sql, scope: Scope, key: TrialKey): Promise<string> =>
  JSON.stringify(await readPinnedTrial(within(tx), scope, key));

/**
 * Throws 400 if a battery has cleared the judge in use and none has cleared its successor: a gate that asks for a battery would stop after
 * the switch (docs/decisions/0251).
 */
const requireBattery = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  current: string,
  candidate: string,
): Promise<void> => {
  const [found] = await findBatteryVerdicts(tx, scope, metricId, { current, candidate });
  if (found?.current !== 'clear' || found.candidate === 'clear') return;
  const what = found.candidate === null ? 'has no bias battery' : `is ${found.candidate} by its bias battery`;
  throw invalid(
    '/metricConfigId',
    `${what}, and the judge in use is clear: run dokima judge battery ${metricId} --config ${candidate} --start, or evenIfNotShown adopts it anyway`,
  );
};

/**
 * Makes a candidate the configuration of its metric, and stores the result of the trial, which anchors rates across the switch. Throws 409
 * when the trial has ended, the metric has changed since or the run of the candidate was deleted, 400 while verdicts are pending, and for a candidate that the trial does not
 * support, unless `evenIfNotShown`.
 */
export const adoptCandidate = async (
  tx: Sql,
  scope: Scope,
  key: TrialKey,
  { metricConfigId, evenIfNotShown = false }: Adoption,
): Promise<string> => {
  const { current, trial } = await requireOpen(tx, scope, key);
  if (metricConfigId === undefined) throw invalid('/metricConfigId', 'must name a candidate of the trial');
  if (trial.kind === 'drift')
    throw conflict(
      'A drift trial has no candidate to adopt, because it tries the judge in use. Discard it, or start a succession.',
      {},
    );
  if (trial.kind === 'battery')
    throw conflict('A battery has no candidate to adopt: it tests one judge. Discard it.', {});
  if (trial.split === 'dev')
    throw conflict(
      'A prompt cannot be adopted by the labels on which it was tuned. Start an alignment with "split": "test", which checks it on labels that were kept.',
      {},
    );
  if (trial.metricConfigId !== current.configId)
    throw conflict(
      'The metric has changed since this trial. Pin its records again and start another trial.',
      { currentConfigId: current.configId },
    );
  const candidate = requireOne(
    trial.candidates.filter((each) => each.metricConfigId === metricConfigId),
    'candidate of the trial',
    metricConfigId,
  );
  if (candidate.runId === null)
    throw conflict('The candidate cannot be adopted: its run was deleted. Start another trial.', {
      metricConfigId,
    });
  if (candidate.how === 'reference')
    throw invalid('/metricConfigId', 'must name an edited prompt: this one is saved');
  const { equivalence, agreement } = candidate;
  if (!equivalence || !agreement) throw invalid('', 'must wait: verdicts of the trial are pending');
  const { passedByPeople, failedByPeople } = equivalence;
  if (passedByPeople.n < fewest || failedByPeople.n < fewest)
    throw invalid(
      '/metricConfigId',
      `needs ${fewest} labelled records that people pass and ${fewest} that they fail: without them rates cannot be anchored`,
    );
  const { verdict, sentence } = trial.kind === 'succession' ? equivalence : agreement;
  if (verdict !== 'equivalent' && verdict !== 'better' && !evenIfNotShown)
    throw invalid(
      '/metricConfigId',
      `is not shown to be a successor (${sentence}); evenIfNotShown adopts it anyway`,
    );
  if (!evenIfNotShown) await requireBattery(tx, scope, key.metricId, current.configId, metricConfigId);
  await endTrial(tx, scope, key, { configId: metricConfigId, evidence: JSON.stringify(equivalence) });
  await updateMetricRow(tx, scope, key.metricId, { current_config_id: metricConfigId });
  return readWritten(tx, scope, key);
};

/** Ends a trial without a change of its metric, and cancels its pending verdicts. Throws 409 when it has ended. */
export const discardTrial = async (tx: Sql, scope: Scope, key: TrialKey): Promise<string> => {
  const { trial } = await requireOpen(tx, scope, key);
  for (const { runId, numPending } of trial.candidates) {
    if (runId === null || numPending === 0) continue;
    await lockScoresOfRun(tx, BigInt(runId));
    await cancelScores(tx, scope, BigInt(runId));
  }
  // The background job may not have read its last verdict yet.
  const [row] = trial.battery ? await findTrial(tx, scope, key) : [];
  if (row) await storeVerdict(tx, scope, row.id, JSON.stringify(trial.battery));
  await endTrial(tx, scope, key, null);
  return readWritten(tx, scope, key);
};
