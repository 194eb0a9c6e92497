import { useSyncExternalStore } from 'react';
import { sayDeferred } from '../../ui/toast.tsx';

/** Ids of comments and views that were deleted on the page and may still be undone: they are not shown, and not yet deleted. */
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

const change = (ids: Iterable<string>): void => {
  hidden = new Set(ids);
  for (const listener of listeners) listener();
};
const reveal = (id: string): void => change([...hidden].filter((each) => each !== id));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Ids that are not to be shown. */
export const usePendingDeletions = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden);

/** Hides something at once and deletes it after some seconds without an undo. If the deletion is refused, it is shown again. */
export const deleteLater = (id: string, title: string, send: () => Promise<unknown>): void => {
  change([...hidden, id]);
  const show = () => reveal(id);
  sayDeferred(title, { commit: () => void send().then(show, show), undo: show });
};
