import { api, apiList, apiQuery } from '../api.ts';
import type { JsonObject, SystemVersion } from '../types.ts';

export const systemsQuery = (projectId: string) => ({
  ...apiList('listSystems', projectId),
  staleTime: 60_000,
});

/** A version never changes. */
export const versionQuery = (systemVersionId: string) => ({
  ...apiQuery('getSystemVersion', systemVersionId),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the version with this configuration of the system of that name. Creates what does not exist. */
export const upsertVersion = async (
  projectId: string,
  name: string,
  config: JsonObject,
): Promise<SystemVersion> => {
  const system = await api.upsertSystem(projectId, { name, config });
  return api.upsertSystemVersion(system.id, { config });
};
