import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiQuery } from '../../api.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import type { GroupsAsked } from '../../resources/search/grouped.tsx';
import type { GroupsQuery } from '../../resources/search/groups.ts';
import { quoteName } from '../../resources/search/search.ts';

const fresh = { staleTime: 60_000 };

/** Facts of a trace that have few values. */
const keys = ['service', 'name', 'model', 'error', 'user', 'session', 'tag'];

/** What traces can be filtered and grouped by: their facts, and the scores and fields of their records. */
export const useTraceGroupings = (projectId: string, enabled: boolean): readonly string[] => {
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled });
  const { data } = useQuery({ ...apiQuery('listRecordFields', projectId), ...fresh, enabled });
  return [...keys, ...metrics.map(({ name }) => `score.${quoteName(name)}`), ...(data?.fields ?? [])];
};

/** Reads the groups of a search by a field. */
export const traceGroupsQuery = (projectId: string, q: string, asked: GroupsAsked): GroupsQuery => ({
  ...apiQuery('groupProjectTraces', projectId, { ...asked, ...(q && { q }) }),
  ...fresh,
});

/** The same as a function of the field and the search. */
export const useTraceGroupsOf = (projectId: string) =>
  useCallback(
    (by: string, q: string, newest?: number) =>
      traceGroupsQuery(projectId, q, { by, most: 12, ...(newest !== undefined && { newest }) }),
    [projectId],
  );
