import { apiList, asWritten } from '../../api.ts';

export const testsetsQuery = (projectId: string) => ({
  ...apiList('listTestsets', projectId),
  staleTime: 60_000,
});

/** Testsets with the number of their testcases. */
export const testsetDetailsQuery = (projectId: string) => apiList('listTestsetDetails', projectId);

export const testcasesQuery = (testsetId: string) => asWritten.apiPages('listTestcases', testsetId);
