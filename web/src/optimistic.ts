import type { QueryClient } from '@tanstack/react-query';

/** The key of the mutations that update what is shown before the service has stored it. */
export const optimisticKey = ['optimistic'];

export const isWriting = (queries: QueryClient): boolean =>
  queries.isMutating({ mutationKey: optimisticKey }) > 0;

/** Resolves when no optimistic mutation is pending: a read before that would undo what is shown. */
export const untilStored = (queries: QueryClient): Promise<void> =>
  new Promise((resolve) => {
    if (!isWriting(queries)) return resolve();
    const stop = queries.getMutationCache().subscribe(() => {
      if (isWriting(queries)) return;
      stop();
      resolve();
    });
  });
