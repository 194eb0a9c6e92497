import { apiList, apiQuery, keyOf } from '../../api.ts';
import type { SystemVersionDetails } from '../../types.ts';

export const systemsQuery = (projectId: string) => ({
  ...apiList('listSystems', projectId),
  staleTime: 60_000,
});

/** What a version is called: versions without a name have the end of their id. */
export const nameOfVersion = ({ name, id }: Pick<SystemVersionDetails, 'name' | 'id'>): string =>
  name || id.slice(-8);

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
