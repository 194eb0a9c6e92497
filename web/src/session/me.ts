import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, listAll } from '../api.ts';
import type { Me, Member } from '../types.ts';

export const meQuery = queryOptions({
  queryKey: ['/me'],
  queryFn: ({ signal }) => api.get<Me>('/me', {}, signal),
  staleTime: 60_000,
});

/** Who is signed in. Only below the shell, which waits for it. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** What the signed-in person may do; the API enforces it, the pages only don't offer the rest. */
export const useMay = (): { write: boolean; administer: boolean } => {
  const { role } = useMe().user;
  return { write: role !== 'viewer', administer: role === 'admin' };
};

export const membersQuery = queryOptions({
  queryKey: ['/members'],
  queryFn: ({ signal }) => listAll<Member>('/members', signal),
  staleTime: 60_000,
});

/** Names of members by their id; people who left have none. */
export const useNames = (): ((userId: string | null) => string) => {
  const { data } = useQuery(membersQuery);
  return useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]));
    return (userId) => (userId && names.get(userId)) || 'Former member';
  }, [data]);
};
