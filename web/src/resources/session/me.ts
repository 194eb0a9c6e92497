import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { apiList, apiQuery } from '../../api.ts';
import type { Me, ProjectAccess } from '../../types.ts';

export const meQuery = { ...apiQuery('getMe'), staleTime: 60_000 };

/** The signed-in member. For components below the shell, which waits until the member is known. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

type Right = ProjectAccess['rights'][number];

export type May = {
  read: boolean;
  review: boolean;
  write: boolean;
  /** Administers the organization. */
  administer: boolean;
  /** Administers the project of the page. */
  administerProject: boolean;
};

/** The name of a project, and who may do what in it. */
export const accessQuery = (projectId: string | undefined) => ({
  ...apiQuery('getProjectAccess', projectId ?? ''),
  enabled: projectId !== undefined,
  staleTime: 60_000,
});

/**
 * What the signed-in member may do in the project of the page or, on other pages, in the organization. The API enforces it; the pages
 * hide what it would refuse.
 */
export const useMay = (): May => {
  const { user, rights: ownRights } = useMe();
  const { projectId } = useParams({ strict: false });
  const { data: access } = useQuery(accessQuery(projectId));
  const rights = (projectId !== undefined && access?.rights) || ownRights;
  const has = (right: Right) => rights.includes(right);
  return {
    read: has('read'),
    review: has('review'),
    write: has('write'),
    administer: user.role === 'admin',
    administerProject: has('admin'),
  };
};

export const membersQuery = { ...apiList('listMembers'), staleTime: 60_000 };

/** Names of members by id. Members who were removed have none; one who may only review knows no name but their own. */
export const useNames = (): ((userId: string | null) => string) => {
  const { user } = useMe();
  const { data } = useQuery({ ...membersQuery, enabled: useMay().read });
  return useMemo(() => {
    const names = new Map((data ?? [user]).map(({ id, name }) => [id, name]));
    return (userId) => (userId && names.get(userId)) || (data ? 'Former member' : 'Another member');
  }, [data, user]);
};
