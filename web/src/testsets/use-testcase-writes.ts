import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Page } from '../../../client/src/types.ts';
import { apiAsWritten } from '../api.ts';
import { optimisticKey } from '../optimistic.ts';
import type { JsonObject, Testcase } from '../types.ts';
import { sayError } from '../ui/toast.tsx';
import { testcasesQuery } from './queries.ts';

type Testcases = InfiniteData<Page<Testcase>>;

/** Replaces the data of a testcase by an optimistic update. */
export const useTestcaseWrites = (testsetId: string) => {
  const queries = useQueryClient();
  const { queryKey } = testcasesQuery(testsetId);
  const show = (id: string, change: (testcase: Testcase) => Testcase) =>
    queries.setQueryData<Testcases>(
      queryKey,
      (held) =>
        held && {
          ...held,
          pages: held.pages.map((page) => ({
            ...page,
            data: page.data.map((each) => (each.id === id ? change(each) : each)),
          })),
        },
    );
  return useMutation({
    mutationKey: optimisticKey,
    mutationFn: ({ testcase: { id }, jsonData }: { testcase: Testcase; jsonData: JsonObject }) =>
      apiAsWritten.updateTestcase(id, { jsonData }),
    onMutate: ({ testcase, jsonData }) => {
      // A read that an earlier write started would return the old value.
      void queries.cancelQueries({ queryKey });
      show(testcase.id, (each) => ({ ...each, jsonData }));
    },
    onSuccess: (stored, { testcase }) => show(testcase.id, () => stored),
    onError: (error, { testcase }) => {
      show(testcase.id, () => testcase);
      sayError(error);
    },
  });
};
