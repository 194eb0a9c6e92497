import { useInfiniteQuery } from '@tanstack/react-query';
import { apiPages } from '../../api.ts';
import type { Case } from '../../resources/proposals/propose.ts';

/** The newest record of the project as a case: its fields are those that a metric can read. */
export const useNewestCase = (projectId: string): Case | undefined => {
  const { data } = useInfiniteQuery(apiPages('listProjectRecords', projectId));
  const record = data?.pages[0]?.data[0];
  if (!record) return undefined;
  const { inputs, expected, outputs } = record;
  const fields = {
    inputs: Object.keys(inputs),
    expected: Object.keys(expected),
    outputs: Object.keys(outputs),
  };
  return { fields, first: { inputs, expected, outputs } };
};
