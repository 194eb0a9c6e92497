import { useSyncExternalStore } from 'react';
import { base } from './base.ts';

/**
 * Whether the service can be reached. A request or a stream that gets no answer is a reason to ask: only when the service does not
 * answer `/healthz` either, the pages say that the connection is lost. Then they ask again until it answers.
 */
let isLost = false;
let isAsking = false;
const watchers = new Set<() => void>();
const returns = new Set<() => void>();

const everyMs = 2_000;
const patienceMs = 5_000;

const answers = (): Promise<boolean> =>
  fetch(`${base}/healthz`, { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

const set = (lost: boolean): void => {
  if (lost === isLost) return;
  isLost = lost;
  for (const watch of watchers) watch();
  if (!lost) for (const back of [...returns]) back();
};

const ask = async (): Promise<void> => {
  const isThere = await answers();
  set(!isThere);
  if (!isThere) setTimeout(ask, everyMs);
  else isAsking = false;
};

/** Reports that something got no answer. */
export const doubtConnection = (): void => {
  if (isAsking) return;
  isAsking = true;
  void ask();
};

/** Calls back each time the service answers again. Returns how to stop. */
export const onReturn = (back: () => void): (() => void) => {
  returns.add(back);
  return () => void returns.delete(back);
};

const watch = (onChange: () => void): (() => void) => {
  watchers.add(onChange);
  window.addEventListener('offline', doubtConnection);
  return () => {
    watchers.delete(onChange);
    window.removeEventListener('offline', doubtConnection);
  };
};

/** Whether the connection to the service is lost. */
export const useIsLost = (): boolean => useSyncExternalStore(watch, () => isLost);
