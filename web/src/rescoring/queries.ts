import { queryOptions } from '@tanstack/react-query';
import { api, type Page, pagedQuery } from '../api.ts';
import type { JudgeBudget, MetricVersion, Rescoring, RescoringChange } from '../types.ts';

/** One that goes on is looked at again; one that waits for a higher budget is not going on. */
const liveMs = 1_500;
const isLive = ({ status, stoppedBy }: Rescoring): boolean => status === 'running' && stoppedBy === null;

export const rescoringPath = (runId: string, id: string): string => `/runs/${runId}/rescorings/${id}`;

export const rescoringQuery = (runId: string, id: string) =>
  queryOptions({
    queryKey: [rescoringPath(runId, id)],
    queryFn: ({ signal }) => api.get<Rescoring>(rescoringPath(runId, id), {}, signal),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) ? liveMs : false),
  });

/** The newest rescorings of a run. */
export const rescoringsQuery = (runId: string) =>
  queryOptions({
    queryKey: [`/runs/${runId}/rescorings`],
    queryFn: ({ signal }) => api.get<Page<Rescoring>>(`/runs/${runId}/rescorings`, { limit: 20 }, signal),
    refetchInterval: ({ state }) => (state.data?.data.some(isLive) ? liveMs * 2 : false),
  });

export const changesQuery = (runId: string, id: string, change?: string) =>
  pagedQuery<RescoringChange>(`${rescoringPath(runId, id)}/changes`, { change }, 50);

export const judgeBudgetQuery = (runId: string) =>
  queryOptions({
    queryKey: [`/runs/${runId}/judge-budget`],
    queryFn: ({ signal }) => api.get<JudgeBudget>(`/runs/${runId}/judge-budget`, {}, signal),
    refetchInterval: ({ state }) =>
      state.data && state.data.numWaiting > 0 && !state.data.isStopped ? liveMs * 3 : false,
  });

/** The newest configurations of a metric. */
export const versionsQuery = (metricId: string) =>
  queryOptions({
    queryKey: [`/metrics/${metricId}/versions`, 'newest'],
    queryFn: ({ signal }) =>
      api.get<Page<MetricVersion>>(`/metrics/${metricId}/versions`, { limit: 100 }, signal),
  });
