import { apiList, asWritten, keyOf } from '../../api.ts';

export const testsetsQuery = (projectId: string) => ({
  ...apiList('listTestsets', projectId),
  staleTime: 60_000,
});

/** Testsets with the number of their testcases. */
export const testsetDetailsQuery = (projectId: string) => apiList('listTestsetDetails', projectId);

/** The lists that a new, changed or deleted testset makes out of date. */
export const testsetLists = (projectId: string) => [
  keyOf('listTestsets', projectId),
  keyOf('listTestsetDetails', projectId),
];

/** The testcases of a testset; `q`: those that a search finds. */
export const testcasesQuery = (testsetId: string, q = '') =>
  q === ''
    ? asWritten.apiPages('listTestcases', testsetId)
    : asWritten.apiPages('listTestcases', testsetId, { q });
