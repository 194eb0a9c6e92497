import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiAsWritten, type Page } from '../api.ts';
import { shownAtOnce } from '../shown-at-once.ts';
import type { Json, Testcase } from '../types.ts';
import { sayError } from '../ui/toast.tsx';
import { testcasesQuery } from './queries.ts';

type Testcases = InfiniteData<Page<Testcase>>;

/** Replaces the data of a testcase: shown at once, taken back in the service's words when it is refused. */
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
    mutationKey: shownAtOnce,
    mutationFn: ({ testcase: { id }, jsonData }: { testcase: Testcase; jsonData: Json }) =>
      apiAsWritten.put<Testcase>(`/testcases/${id}`, { jsonData }),
    onMutate: ({ testcase, jsonData }) => {
      // What is being read again, because of an earlier write, may not know of this one.
      void queries.cancelQueries({ queryKey });
      show(testcase.id, (each) => ({ ...each, jsonData: jsonData as Testcase['jsonData'] }));
    },
    onSuccess: (stored, { testcase }) => show(testcase.id, () => stored),
    onError: (error, { testcase }) => {
      show(testcase.id, () => testcase);
      sayError(error);
    },
  });
};
