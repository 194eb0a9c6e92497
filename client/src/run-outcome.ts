import type { Watched } from './run-and-evaluate.ts';

/** How a run ended: `completed` means that every metric has a score and nothing failed. */
export type RunOutcome = {
  ended: 'unfinished' | 'completed' | 'withErrors' | 'failed' | 'nothingScored' | 'partlyUnscored';
  /** Metrics without a score for which no score is awaited. */
  withoutScore: number;
  /** Metrics with scores, given or not. */
  metrics: number;
};

type Counts = Pick<Watched['run'], 'status' | 'numRecords'>;

/**
 * Returns how a run ended. The status of a run is `completed` once nothing is awaited, even if it has no records or scores; this function
 * tells these cases apart. A run without any record or score has failed if there were errors.
 */
export const outcomeOf = (
  { status, numRecords }: Counts,
  { numErrors, metrics }: Pick<Watched['progress'], 'numErrors' | 'metrics'>,
): RunOutcome => {
  const scoredOf = new Map<string, number>();
  for (const { metricId, scored, invalid } of metrics)
    scoredOf.set(metricId, (scoredOf.get(metricId) ?? 0) + scored - invalid);
  const withoutScore = [...scoredOf.values()].filter((scored) => scored === 0).length;
  const counts = { withoutScore, metrics: scoredOf.size };
  if (status !== 'completed') return { ended: 'unfinished', ...counts };
  const nothing = scoredOf.size > 0 && withoutScore === scoredOf.size;
  if (numErrors > 0) return { ended: numRecords === 0 || nothing ? 'failed' : 'withErrors', ...counts };
  const ended = nothing ? 'nothingScored' : withoutScore > 0 ? 'partlyUnscored' : 'completed';
  return { ended, ...counts };
};
