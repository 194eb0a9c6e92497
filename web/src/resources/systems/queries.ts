import { apiList, apiQuery, keyOf } from '../../api.ts';

export const systemsQuery = (projectId: string) => ({
  ...apiList('listSystems', projectId),
  staleTime: 60_000,
});

/** The versions of a system, newest first, with labels and notes. */
export const versionsQuery = (systemId: string) => apiList('listSystemVersions', systemId);

/** The queries that a new version or a moved label makes out of date. */
export const systemQueries = (projectId: string, systemId: string) => [
  keyOf('listSystems', projectId),
  keyOf('getSystem', systemId),
  keyOf('listSystemVersions', systemId),
];

/** A version never changes. */
export const versionQuery = (systemVersionId: string) => ({
  ...apiQuery('getSystemVersion', systemVersionId),
  staleTime: Number.POSITIVE_INFINITY,
});
