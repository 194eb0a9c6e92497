import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';

/** Latency, tokens and cost of a run for each of its records; null if unknown. */
export type Usage = {
  latencyMs: number | null;
  tokens: number | null;
  costUsd: number | null;
};

/** Returns the usage of each run, by calls of the service and by traces. Undefined until all are read. */
export const useUsage = (runIds: readonly string[]): Usage[] | undefined => {
  const summaries = useQueries({
    queries: runIds.map((id) => ({ ...apiQuery('getRunDetails', id), staleTime: 60_000 })),
  });
  if (summaries.some(({ isPending }) => isPending)) return undefined;
  return summaries.map(({ data }) => ({
    latencyMs: data?.executions.measured.medianLatencyMs ?? null,
    tokens: data?.executions.measured.tokensPerRecord ?? null,
    costUsd: data?.executions.measured.costUsdPerRecord ?? null,
  }));
};
