import { useCallback, useEffect, useRef, useState } from 'react';
import { parseExact } from '../../../client/src/written-number.ts';

// A browser may refuse to keep anything (a full disk, a private window): the page then works without.
const read = (key: string): unknown => {
  try {
    return parseExact(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};
const write = (key: string, value: unknown): void => {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // What can't be kept is still there until the page is left.
  }
};

/** State that this browser remembers under a key. Undefined until something is chosen; undefined forgets. */
export const useLocalStorage = <T>(key: string): [T | undefined, (value: T | undefined) => void] => {
  const [held, setHeld] = useState(() => ({ key, value: read(key) as T | undefined }));
  const value = held.key === key ? held.value : (read(key) as T | undefined);
  const keep = useCallback(
    (next: T | undefined) => {
      write(key, next);
      setHeld({ key, value: next });
    },
    [key],
  );
  return [value, keep];
};

const prefix = 'draft ';
const writeAfterMs = 250;

/**
 * What somebody is writing and has not sent: a reload, another page or a crash loses none of it. Undefined while there is no
 * draft; setting undefined ends it.
 */
export const useDraft = <T>(name: string): [T | undefined, (draft: T | undefined) => void] => {
  const key = prefix + name;
  const [held, setHeld] = useState(() => ({ key, value: read(key) as T | undefined }));
  const value = held.key === key ? held.value : (read(key) as T | undefined);
  // Written a moment after the last stroke: a long text is not made JSON of on every letter.
  const waiting = useRef<{ timer: number; flush: () => void }>(undefined);
  const flush = useCallback(() => waiting.current?.flush(), []);
  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);
  const set = useCallback(
    (next: T | undefined) => {
      setHeld({ key, value: next });
      clearTimeout(waiting.current?.timer);
      const store = () => {
        clearTimeout(waiting.current?.timer);
        waiting.current = undefined;
        write(key, next);
      };
      if (next === undefined) store();
      else waiting.current = { timer: window.setTimeout(store, writeAfterMs), flush: store };
    },
    [key],
  );
  return [value, set];
};

/** Forgets every draft, as when somebody signs out of a machine that others use. */
export const forgetDrafts = (): void => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
};
