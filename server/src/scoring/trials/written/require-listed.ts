import { conflict, notFound } from '../../../platform/errors.ts';
import { requireOne } from '../../../platform/http/http.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { findPinnedTrials, findSavedVerdicts, findTrial, type TrialKey } from '../queries.ts';
import { type Read, readPinnedTrials } from '../read-trials.ts';
import type { Written } from './queries.ts';

/**
 * Returns the candidate of an alignment of written prompts whose verdicts can be listed. Throws 404 for other trials and an unknown candidate,
 * and 409 for labels that are kept for the check: who reads them tunes on them.
 */
export const requireListed = async (
  read: Read,
  scope: Scope,
  key: TrialKey,
  metricConfigId: string | undefined,
): Promise<Written> => {
  const [found] = await read(scope, (sql) => findTrial(sql, scope, key));
  const [trial] =
    found && found.kind === 'alignment' ? await readPinnedTrials(read, scope, key.metricId, [found.id]) : [];
  if (!found || !trial || trial.split === null)
    throw notFound('rescoring or alignment of written prompts', String(key.n));
  if (trial.split === 'test')
    throw conflict(
      'The labels of this trial are kept for the check: who reads them tunes on them. Start an alignment with "split": "dev" and read its records.',
      {},
    );
  const edited = trial.candidates.filter(({ how }) => how === 'model');
  const candidate = requireOne(
    edited.filter((each) => metricConfigId === undefined || each.metricConfigId === metricConfigId),
    'candidate of the trial',
    metricConfigId ?? '',
  );
  if (candidate.runId === null)
    throw conflict('The run of this candidate was deleted. Start another trial.', {});
  const [row] = await read(scope, (sql) => findPinnedTrials(sql, scope, key.metricId, [found.id]));
  const [saved = null] = await read(scope, (sql) =>
    findSavedVerdicts(sql, scope, key.metricId, row!.metricHash),
  );
  return {
    metricId: key.metricId,
    candidate: { runId: candidate.runId, metricConfigId: candidate.metricConfigId },
    savedConfigId: trial.metricConfigId,
    saved,
  };
};
