import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiList, apiQuery } from '../api.ts';
import type { Me } from '../types.ts';

export const meQuery = { ...apiQuery('getMe'), staleTime: 60_000 };

/** The signed-in member. For components below the shell, which waits until the member is known. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** What the signed-in member may do. The API enforces it; the pages hide what it would refuse. */
export const useMay = (): { write: boolean; administer: boolean } => {
  const { role } = useMe().user;
  return { write: role !== 'viewer', administer: role === 'admin' };
};

export const membersQuery = { ...apiList('listMembers'), staleTime: 60_000 };

/** Names of members by id. Members who were removed have none. */
export const useNames = (): ((userId: string | null) => string) => {
  const { data } = useQuery(membersQuery);
  return useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]));
    return (userId) => (userId && names.get(userId)) || 'Former member';
  }, [data]);
};
