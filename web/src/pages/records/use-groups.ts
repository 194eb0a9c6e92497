import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiQuery } from '../../api.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import type { Groups, GroupsQuery } from '../../resources/search/groups.ts';
import { quoteName } from '../../resources/search/search.ts';
import type { RecordGroups } from '../../types.ts';

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

const toGroups = ({ numRecords, groups, ...rest }: RecordGroups): Groups => ({
  ...rest,
  n: numRecords,
  groups: groups.map(({ numRecords: n, ...group }) => ({ ...group, n })),
});

/** Reads the groups of a search by a field; `rateOf`: the metric whose pass rate each gets. */
export const groupsQuery = (
  projectId: string,
  by: string,
  q: string,
  more: { rateOf?: string | undefined; most?: number; newest?: number | undefined } = {},
): GroupsQuery => ({
  ...apiQuery('groupProjectRecords', projectId, {
    by,
    ...(q && { q }),
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
  }),
  ...fresh,
  select: toGroups,
});

/** The same as a function of the field and the search. */
export const useGroupsOf = (projectId: string) =>
  useCallback(
    (by: string, q: string, newest?: number) => groupsQuery(projectId, by, q, { most: 12, newest }),
    [projectId],
  );
