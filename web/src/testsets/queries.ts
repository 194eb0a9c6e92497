import { queryOptions } from '@tanstack/react-query';
import { api, apiAsWritten, listAll, pagedQuery } from '../api.ts';
import type { Testcase, Testset } from '../types.ts';

export const testsetsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [`/projects/${projectId}/testsets`],
    queryFn: ({ signal }) => listAll<Testset>(`/projects/${projectId}/testsets`, signal),
    staleTime: 60_000,
  });

export const testsetQuery = (testsetId: string) =>
  queryOptions({
    queryKey: [`/testsets/${testsetId}`],
    queryFn: ({ signal }) => api.get<Testset>(`/testsets/${testsetId}`, {}, signal),
  });

export const testcasesQuery = (testsetId: string) =>
  pagedQuery<Testcase>(`/testsets/${testsetId}/testcases`, {}, 100, apiAsWritten);
