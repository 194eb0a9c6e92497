import type { QueryClient } from '@tanstack/react-query';

/** Key of the mutations that show a change before it is stored. */
export const shownAtOnce = ['shown at once'];

export const isStoring = (queries: QueryClient): boolean =>
  queries.isMutating({ mutationKey: shownAtOnce }) > 0;

/** Resolves when all that is shown is stored: what is read before that would take back what is shown already. */
export const untilStored = (queries: QueryClient): Promise<void> =>
  new Promise((resolve) => {
    if (!isStoring(queries)) return resolve();
    const stop = queries.getMutationCache().subscribe(() => {
      if (isStoring(queries)) return;
      stop();
      resolve();
    });
  });
