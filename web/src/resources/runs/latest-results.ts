import { useQuery } from '@tanstack/react-query';
import { type Answer, apiQuery } from '../../api.ts';

type Trends = Answer<'listTrends'>;
/** What a metric found in a run. */
export type Result = Omit<Trends['metrics'][number], 'points'> & Trends['metrics'][number]['points'][number];

/** Runs that are looked at: older results are on the pages of their runs. */
export const mostRuns = 50;

/** The results of the latest runs with scores, the newest first; undefined while they are read, or if they are not `needed`. */
export const useLatestResults = (projectId: string, needed = true): Result[] | undefined => {
  const { data } = useQuery({
    ...apiQuery('listTrends', projectId, { scored: true, judges: true, limit: mostRuns }),
    staleTime: 60_000,
    enabled: needed,
  });
  return data?.metrics
    .flatMap(({ points, ...metric }) => points.map((point) => ({ ...metric, ...point })))
    .filter(({ passRate }) => passRate.estimate !== null)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || Number(b.runId) - Number(a.runId));
};

/** The results of the newest run among these. */
export const ofNewestRun = (results: readonly Result[]): Result[] =>
  results.filter(({ runId }) => runId === results[0]?.runId);
