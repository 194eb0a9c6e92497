import type { ClaimedScore, Outcome } from './queries.ts';

/** Returns the outcome of one more attempt at a claimed score: `result`, and nothing where it names nothing. */
export const outcomeOfAttempt = (
  { n, configId, fence, attempts }: ClaimedScore,
  result: Pick<Outcome, 'state'> & Partial<Outcome>,
): Outcome => ({
  n,
  configId,
  fence,
  attempts: attempts + 1,
  score: null,
  value: null,
  reason: null,
  retryInMs: null,
  evidence: null,
  inputHash: null,
  usage: null,
  ...result,
});
