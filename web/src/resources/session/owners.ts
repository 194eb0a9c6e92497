import { useQuery } from '@tanstack/react-query';
import { apiList } from '../../api.ts';
import type { Owners } from '../../managed-table.tsx';
import { useMe } from './me.ts';

/** Who created the testsets, metrics or systems of a project. */
export const useOwners = (projectId: string, resource: 'testsets' | 'metrics' | 'systems'): Owners => {
  const { user } = useMe();
  const { data = [] } = useQuery({ ...apiList('listCreators', projectId, { resource }), staleTime: 60_000 });
  const creators = new Map(data.map((creator) => [creator.id, creator]));
  return {
    shared: data.some(({ createdByUserId }) => createdByUserId !== user.id),
    nameOf: ({ id }) => {
      const creator = creators.get(id);
      return creator && (creator.createdByName ?? 'Former member');
    },
    mine: ({ id }) => creators.get(id)?.createdByUserId === user.id,
  };
};
