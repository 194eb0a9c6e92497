import { lockMetric, updateMetricRow } from '../../evaluation/metrics/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { one } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { markAdopted } from './queries.ts';
import { readTrials, within } from './read-trials.ts';
import type { Adoption } from './schema.ts';

/** Fewest labelled records of each kind for an anchor. */
const fewest = 2;

/**
 * Makes a candidate the configuration of its metric, and keeps what the trial found: it anchors rates across the switch. Throws 409 when
 * the trial has adopted one or the metric has changed since, 400 while verdicts are pending, and for a candidate that the trial does not
 * speak for unless `evenIfNotShown`.
 */
export const adoptCandidate = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  n: number,
  { metricConfigId, evenIfNotShown = false }: Adoption,
): Promise<string> => {
  const current = one(await lockMetric(tx, scope, metricId), 'metric', String(metricId));
  const trial = one(await readTrials(within(tx), scope, metricId, { n, limit: 1 }), 'trial', String(n));
  if (trial.adopted) throw conflict('This trial has adopted a candidate.', { ...trial.adopted });
  if (trial.metricConfigId !== current.configId)
    throw conflict(
      'The metric has changed since this trial. Pin its records again and start another trial.',
      {
        currentConfigId: current.configId,
      },
    );
  const candidate = one(
    trial.candidates.filter((one) => one.metricConfigId === metricConfigId),
    'candidate of the trial',
    metricConfigId,
  );
  const { equivalence, agreement } = candidate;
  if (!equivalence || !agreement) throw invalid('', 'must wait: verdicts of the trial are pending');
  const { passedByPeople, failedByPeople } = equivalence;
  if (passedByPeople.n < fewest || failedByPeople.n < fewest)
    throw invalid(
      '/metricConfigId',
      `needs ${fewest} labelled records that people pass and ${fewest} that they fail: without them rates cannot be anchored`,
    );
  const shown =
    trial.kind === 'succession' ? equivalence.verdict === 'equivalent' : agreement.verdict === 'better';
  if (!shown && !evenIfNotShown)
    throw invalid(
      '/metricConfigId',
      `is not shown to be a successor (${trial.kind === 'succession' ? equivalence.sentence : agreement.sentence}); evenIfNotShown adopts it all the same`,
    );
  await markAdopted(tx, scope, metricId, {
    n,
    configId: metricConfigId,
    evidence: JSON.stringify(equivalence),
  });
  await updateMetricRow(tx, scope, metricId, { current_config_id: metricConfigId });
  const [adopted] = await readTrials(within(tx), scope, metricId, { n, limit: 1 });
  return JSON.stringify(adopted);
};
