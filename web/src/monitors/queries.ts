import { queryOptions } from '@tanstack/react-query';
import { listAll } from '../api.ts';
import type { Monitor } from '../types.ts';

export const monitorsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [`/projects/${projectId}/monitors`],
    queryFn: ({ signal }) => listAll<Monitor>(`/projects/${projectId}/monitors`, signal),
    // Traces go on arriving while somebody looks.
    refetchInterval: 15_000,
  });
