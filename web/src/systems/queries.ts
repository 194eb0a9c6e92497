import { queryOptions } from '@tanstack/react-query';
import { api, listAll } from '../api.ts';
import type { Json, System, SystemVersion } from '../types.ts';

export const systemsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [`/projects/${projectId}/systems`],
    queryFn: ({ signal }) => listAll<System>(`/projects/${projectId}/systems`, signal),
    staleTime: 60_000,
  });

/** A version never changes. */
export const versionQuery = (systemVersionId: string) =>
  queryOptions({
    queryKey: [`/systems/versions/${systemVersionId}`],
    queryFn: ({ signal }) => api.get<SystemVersion>(`/systems/versions/${systemVersionId}`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The version of the system of that name that has this configuration, made when there is none. */
export const upsertVersion = async (
  projectId: string,
  name: string,
  config: Json,
): Promise<SystemVersion> => {
  const system = await api.post<System>(`/projects/${projectId}/systems`, { name, config });
  return api.post<SystemVersion>(`/systems/${system.id}/versions`, { config });
};
