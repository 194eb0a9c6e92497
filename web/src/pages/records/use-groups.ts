import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiQuery } from '../../api.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import type { GroupsAsked } from '../../resources/search/grouped.tsx';
import type { GroupsQuery } from '../../resources/search/groups.ts';
import { quoteName } from '../../resources/search/search.ts';

const fresh = { staleTime: 60_000 };

/** The fields of the project's records, as a search names them. */
export const fieldsQuery = (projectId: string) => ({ ...apiQuery('listRecordFields', projectId), ...fresh });

/** Keys of the search that have few values. */
const keys = ['tag', 'model', 'version', 'run', 'source', 'error', 'user'];

/** What the records of a project can be filtered and grouped by: its scores, the fields and other facts. */
export const useGroupings = (projectId: string, enabled: boolean): readonly string[] => {
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled });
  const { data } = useQuery({ ...fieldsQuery(projectId), enabled });
  return [...metrics.map(({ name }) => `score.${quoteName(name)}`), ...keys, ...(data?.fields ?? [])];
};

/** Reads the groups of a search by a field. */
export const groupsQuery = (projectId: string, q: string, asked: GroupsAsked): GroupsQuery => ({
  ...apiQuery('groupProjectRecords', projectId, { ...asked, ...(q && { q }) }),
  ...fresh,
});

/** The same as a function of the field and the search. */
export const useGroupsOf = (projectId: string) =>
  useCallback(
    (by: string, q: string, newest?: number) =>
      groupsQuery(projectId, q, { by, most: 12, ...(newest !== undefined && { newest }) }),
    [projectId],
  );
