import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { errorText } from './error-text.ts';

const manager = Toast.createToastManager();

/** Shows a short message that something is done. The same message again extends its time. */
export const say = (title: string): void => {
  manager.add({ id: `said ${title}`, title });
};

/** How often each error that is still shown has occurred. */
const timesSaid = new Map<string, number>();
/** Shows an error until it is closed. The same error again is counted in its message. */
export const sayError = (error: Error): void => {
  const message = errorText(error);
  const times = (timesSaid.get(message) ?? 0) + 1;
  timesSaid.set(message, times);
  manager.add({
    id: `error ${message}`,
    title: times > 1 ? `${message} (${times} times)` : message,
    type: 'error',
    timeout: 0,
    priority: 'high',
    onClose: () => timesSaid.delete(message),
  });
};

const progressMs = 500;
/** Shows the progress of a long operation until it is closed. */
export const sayProgress = (): { update: (title: string) => void; close: () => void } => {
  let id: string | undefined;
  let toldAt = performance.now();
  return {
    update: (title) => {
      if (performance.now() - toldAt < progressMs) return;
      toldAt = performance.now();
      if (id === undefined) id = manager.add({ title, timeout: 0 });
      else manager.update(id, { title });
    },
    close: () => id !== undefined && manager.close(id),
  };
};

const undoMs = 6_000;
/** Actions that the page shows and has not sent yet, because they can be undone. */
const waiting = new Set<() => void>();
if (typeof window !== 'undefined')
  window.addEventListener('pagehide', () => {
    for (const commit of waiting) commit();
  });

const undoable = (toast: { title: string; type?: string; timeout: number }, undo: () => void): void => {
  const id: string = manager.add({
    ...toast,
    actionProps: {
      children: 'Undo',
      onClick: () => {
        manager.close(id);
        undo();
      },
    },
  });
};

/** Offers to undo something that is stored already. */
export const sayUndo = (title: string, undo: () => void): void => undoable({ title, timeout: undoMs }, undo);

/** Says until it is closed that something was done in part, and offers to undo that part. */
export const sayUnfinished = (title: string, undo: (() => void) | undefined): void => {
  if (undo) undoable({ title, type: 'error', timeout: 0 }, undo);
  else sayError(new Error(title));
};

/**
 * Offers to take something back for some seconds, and does it (`commit`) only then, or when the page is left: so undoing it
 * brings back the very same thing.
 */
export const sayDeferred = (title: string, { commit, undo }: { commit: () => void; undo: () => void }) => {
  const settle = (act: () => void) => {
    if (waiting.delete(once)) act();
  };
  const once = () => settle(commit);
  waiting.add(once);
  const id: string = manager.add({
    title,
    timeout: undoMs,
    actionProps: {
      children: 'Undo',
      onClick: () => {
        settle(undo);
        manager.close(id);
      },
    },
    onClose: once,
  });
};

const Toasts = () => {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`flex items-start gap-2 rounded-md border bg-surface px-3 py-2 shadow-lg ${toast.type === 'error' ? 'border-fail/50 text-fail' : ''}`}
    >
      <Toast.Title className="min-w-0 flex-1 break-words font-normal" />
      {toast.actionProps && (
        <Toast.Action className="-my-1 h-7 shrink-0 rounded-md border px-2 font-medium text-accent hover:bg-hover" />
      )}
      <Toast.Close render={<IconButton icon={X} label="Dismiss" className="-my-1 -mr-1.5" />} />
    </Toast.Root>
  ));
};

export const ToastProvider = ({ children }: { children: ReactNode }) => (
  <Toast.Provider toastManager={manager} timeout={4000}>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex max-md:bottom-16 w-[min(360px,calc(100vw-32px))] flex-col gap-2">
        <Toasts />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);
