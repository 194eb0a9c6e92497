import { queryOptions } from '@tanstack/react-query';
import { allOf, api, keyOf } from '../../api.ts';

/** Tags that a search or a picker offers: the service counts all tags of the project for each page of them. */
const mostOffered = 200;

/** The most used tags of a project. */
export const tagsQuery = (projectId: string) =>
  queryOptions({
    queryKey: keyOf('listProjectTags', projectId),
    queryFn: () => allOf(api.listProjectTags(projectId), mostOffered),
    staleTime: 60_000,
  });
