import { useMutation, useQueryClient } from '@tanstack/react-query';
import { optimisticKey, untilStored } from '../../optimistic.ts';
import { sayError } from '../../ui/toast.tsx';
import {
  annotationsKey,
  type Change,
  recordKey,
  refreshRecord,
  remember,
  show,
  threadsKey,
} from './record-cache.ts';

type Write = { id: string; change: Change; send: () => Promise<unknown> };

/** Writes to a record, shown at once. A refused write is undone and its error shown. */
export const useOptimisticWrite = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: optimisticKey,
    mutationFn: ({ send }: Write) => send(),
    onMutate: async ({ id, change }) => {
      // A read that began before the write would undo what is shown.
      await Promise.all(
        [recordKey(id), annotationsKey(id), threadsKey(id)].map((queryKey) =>
          queries.cancelQueries({ queryKey }),
        ),
      );
      const undo = remember(queries, id);
      show(queries, id, change);
      return undo;
    },
    onError: (error, _write, undo) => {
      undo?.();
      sayError(error);
    },
    // Not awaited: a refused comment returns to its field at once, however long the next read takes.
    onSettled: (_data, _error, { id, change }) => {
      if (change.record) void refreshRecord(queries, id).catch(() => {});
      void untilStored(queries).then(() => {
        if (change.annotations) void queries.invalidateQueries({ queryKey: annotationsKey(id) });
        if (change.threads) void queries.invalidateQueries({ queryKey: threadsKey(id) });
      });
    },
  });
};

export type OptimisticWrite = Pick<ReturnType<typeof useOptimisticWrite>, 'mutate' | 'mutateAsync'>;
