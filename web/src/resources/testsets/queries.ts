import { apiList, asWritten } from '../../api.ts';

export const testsetsQuery = (projectId: string) => ({
  ...apiList('listTestsets', projectId),
  staleTime: 60_000,
});

export const testcasesQuery = (testsetId: string) => asWritten.apiPages('listTestcases', testsetId);
