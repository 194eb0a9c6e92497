import type { Client, Run, Watched } from '../../client/src/main.ts';
import { outcomeOf } from '../../client/src/run-outcome.ts';
import { countOf } from './figures.ts';

/** Describes the status of a run. A run that ended with errors, or without scores, says so. */
export const statusText = (run: Run, progress: Watched['progress']): string => {
  const { ended, withoutScore, metrics } = outcomeOf(run, progress);
  const errors = countOf(progress.numErrors, 'error');
  if (ended === 'failed') return `failed with ${errors}`;
  if (ended === 'withErrors') return `completed with ${errors}`;
  if (ended === 'nothingScored') return 'completed, nothing scored';
  if (ended === 'partlyUnscored')
    return `completed, ${withoutScore} of ${countOf(metrics, 'metric')} without a score`;
  return run.status.replaceAll('_', ' ');
};

/** Describes the errors of calls that the service makes, each once with the number of calls that have it. */
export const callErrors = async (client: Client, runId: string): Promise<string[]> => {
  const { errors } = (await client.getRunDetails(runId)).executions;
  return errors.map(({ state, error, numExecutions, maxAttempts }) => {
    const attempt = state === 'pending' && maxAttempts > 0 ? `, attempt ${maxAttempts + 1}` : '';
    return `${countOf(numExecutions, 'call')} ${state === 'pending' ? `waiting${attempt}` : 'failed'}: ${error}`;
  });
};
