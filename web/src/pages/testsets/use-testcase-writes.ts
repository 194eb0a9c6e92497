import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { DokimaError } from '../../../../client/src/errors.ts';
import { etagOf } from '../../../../client/src/etags.ts';
import type { Page } from '../../../../client/src/types.ts';
import { apiAsWritten } from '../../api.ts';
import { onReturn } from '../../connection.ts';
import { optimisticKey } from '../../optimistic.ts';
import { testcasesQuery } from '../../resources/testsets/queries.ts';
import type { Testcase } from '../../types.ts';
import { errorText } from '../../ui/error-text.ts';
import { textOf, withField } from './field-text.ts';
import { type KeptEdit, useKeptEdits } from './kept-edits.ts';

type Testcases = InfiniteData<Page<Testcase>>;
type Edit = { testcase: Testcase; field: string; text: string };

/** Whether the service could not answer, so that the same request may succeed later. */
const isAway = (error: Error): boolean =>
  error instanceof DokimaError && (error.status === undefined || error.status >= 500);

/** Whether the testcase was changed between the read and the write of an edit. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof DokimaError && error.code === 'PRECONDITION_FAILED';

/** Stores an edit in the testcase as it is now. Throws when someone else has changed the same field, unless `anyway`. */
const store = async ({ id, field, text, before }: KeptEdit, anyway: boolean): Promise<Testcase> => {
  const now = await apiAsWritten.getTestcase(id);
  const current = textOf(now.jsonData[field]);
  if (!anyway && current !== before && current !== text)
    throw new Error('Someone else has changed this field since.');
  const body = { jsonData: withField(now.jsonData, field, text) };
  try {
    return await apiAsWritten.updateTestcase(id, body, { ifMatch: etagOf(now) });
  } catch (error) {
    if (isOvertaken(error)) return store({ id, field, text, before }, anyway);
    throw error;
  }
};

/** Returns the function that changes a testcase where it is shown. */
const showIn =
  (queries: QueryClient, queryKey: QueryKey) =>
  (id: string, change: (testcase: Testcase) => Testcase): void => {
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
  };

/**
 * Edits one field of a testcase by an optimistic update. An edit that the service cannot store now is kept in this browser and
 * sent when the service answers again; one that it refuses is kept until the user decides.
 */
export const useTestcaseWrites = (testsetId: string) => {
  const queries = useQueryClient();
  const { queryKey } = testcasesQuery(testsetId);
  const edits = useKeptEdits(testsetId);
  const show = showIn(queries, queryKey);
  const write = useMutation({
    mutationKey: optimisticKey,
    // One after the other: two fields of one testcase are two writes of the whole.
    scope: { id: `testcases of ${testsetId}` },
    // Without a connection it fails at once and is kept, instead of waiting in memory.
    networkMode: 'always',
    mutationFn: ({ testcase: { id, jsonData }, field, text }: Edit) =>
      store({ id, field, text, before: textOf(jsonData[field]) }, false),
    onMutate: ({ testcase, field, text }) => {
      // A read that an earlier write started would return the old value.
      void queries.cancelQueries({ queryKey });
      edits.drop({ id: testcase.id, field });
      show(testcase.id, (each) => ({ ...each, jsonData: withField(each.jsonData, field, text) }));
    },
    onSuccess: (stored, { testcase }) => show(testcase.id, () => stored),
    onError: (error, { testcase, field, text }) => {
      show(testcase.id, () => testcase);
      edits.keep({
        id: testcase.id,
        field,
        text,
        before: textOf(testcase.jsonData[field]),
        ...(!isAway(error) && { problem: errorText(error) }),
      });
    },
  });

  const send = async (edit: KeptEdit, anyway: boolean): Promise<void> => {
    try {
      const stored = await store(edit, anyway);
      edits.drop(edit);
      show(edit.id, () => stored);
    } catch (error) {
      const { problem: _before, ...rest } = edit;
      edits.keep(isAway(error as Error) ? rest : { ...rest, problem: errorText(error as Error) });
    }
  };
  // One after the other: two fields of one testcase are two writes of the whole.
  const sendWaiting = async (): Promise<void> => {
    for (const edit of edits.now()) if (edit.problem === undefined) await send(edit, false);
  };
  const latest = useRef(sendWaiting);
  useEffect(() => {
    latest.current = sendWaiting;
  });
  useEffect(() => {
    void latest.current();
    return onReturn(() => void latest.current());
  }, []);
  return {
    write: write.mutate,
    kept: edits.kept,
    sendAnyway: (edit: KeptEdit) => void send(edit, true),
    drop: edits.drop,
  };
};
