import { foldSentences, namesText } from '../../client/src/caveats.ts';
import type { Client, Run, RunDetail, Watched } from '../../client/src/main.ts';
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

/** Says once why metrics have no score for some records, and what to do then. */
export const missingNotes = ({ progress }: RunDetail): string[] => {
  const without = progress.metrics.filter(
    ({ reason, unscored, failed }) => reason !== null && unscored + failed > 0,
  );
  if (without.length === 0) return [];
  const said = foldSentences(
    without.map(({ metricName, reason }) => ({ of: metricName, sentence: reason! })),
  );
  return [
    ...said.map(({ of, sentence }) => `${namesText(of)}: without a score: ${sentence}`),
    'Correct the metric or the records, then score again: Retry failed scores on the page of the run.',
  ];
};

/** Describes the errors of calls that the service makes, each once with the number of calls that have it. */
export const callErrors = async (client: Client, runId: string): Promise<string[]> => {
  const { errors } = (await client.getRunDetails(runId)).executions;
  return errors.map(({ state, error, numExecutions, maxAttempts }) => {
    const attempt = state === 'pending' && maxAttempts > 0 ? `, attempt ${maxAttempts + 1}` : '';
    return `${countOf(numExecutions, 'call')} ${state === 'pending' ? `waiting${attempt}` : 'failed'}: ${error}`;
  });
};
