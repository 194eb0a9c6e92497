import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../api.ts';

/** What a run took, for each of its records; null when it is not known. */
export type Usage = {
  latencyMs: number | null;
  tokens: number | null;
  costUsd: number | null;
};

const perRecord = (sum: number | null, records: number): number | null =>
  sum === null || records === 0 ? null : sum / records;

/** What the calls of the system took in each run. Undefined until all are read. */
export const useUsage = (runIds: readonly string[]): Usage[] | undefined => {
  const summaries = useQueries({
    queries: runIds.map((id) => ({ ...apiQuery('getExecutionSummary', id), staleTime: 60_000 })),
  });
  if (summaries.some(({ isPending }) => isPending)) return undefined;
  return summaries.map(({ data }) => {
    if (!data || data.done === 0) return { latencyMs: null, tokens: null, costUsd: null };
    const { inputTokens, outputTokens, costUsd, medianLatencyMs, done } = data;
    const tokens = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
    return {
      latencyMs: medianLatencyMs,
      tokens: perRecord(tokens, done),
      costUsd: perRecord(costUsd, done),
    };
  });
};
