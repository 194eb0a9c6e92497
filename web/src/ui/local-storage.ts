import { useCallback, useState } from 'react';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { keptFiles } from './kept-files.ts';

// A browser may refuse to store anything (a full disk, a private window): the page then works without.
const read = (key: string): unknown => {
  try {
    return parseAsWritten(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};
const write = (key: string, value: unknown): void => {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The value is then lost with the page.
  }
};

/** State that this browser stores under a key. Undefined until it is set; setting undefined removes it. */
export const useLocalStorage = <T>(key: string): [T | undefined, (value: T | undefined) => void] => {
  const [held, setHeld] = useState(() => ({ key, value: read(key) as T | undefined }));
  const value = held.key === key ? held.value : (read(key) as T | undefined);
  const set = useCallback(
    (next: T | undefined) => {
      write(key, next);
      setHeld({ key, value: next });
    },
    [key],
  );
  return [value, set];
};

const prefix = 'draft ';

/** What the user writes and has not sent yet: a reload, another page or a crash does not lose it. Undefined without a draft. */
export const useDraft = <T>(name: string) => useLocalStorage<T>(prefix + name);

/** Returns a name for one attempt, such as in an Idempotency-Key. */
export const freshKey = (): string => Math.random().toString(36).slice(2, 10);

/**
 * Deletes the drafts of a deleted project, whose names are their kind and the ids of the project and the resource, as in `drafts 7 12`. With
 * `resourceId`, deletes those of that resource alone.
 */
export const deleteDraftsOf = (projectId: string, resourceId?: string): void => {
  const isOf = new RegExp(`^\\D+ ${projectId}${resourceId === undefined ? '( |$)' : ` ${resourceId}$`}`);
  for (const key of Object.keys(localStorage))
    if (key.startsWith(prefix) && isOf.test(key.slice(prefix.length))) localStorage.removeItem(key);
  if (resourceId === undefined) void keptFiles.remove(`first ${projectId} table`);
};

const ownerKey = 'drafts of';

/** Deletes every draft, as when a user signs out. */
export const deleteDrafts = (): void => {
  void keptFiles.clear();
  for (const key of Object.keys(localStorage))
    if (key.startsWith(prefix) || key === ownerKey) localStorage.removeItem(key);
};

/**
 * Deletes the drafts of anyone else: a session that ended by itself left them, and the next person at this browser would see, and send, what
 * another one thinks of a record.
 */
export const keepDraftsOf = (email: string): void => {
  const owner = read(ownerKey);
  if (owner === email) return;
  if (owner !== undefined) deleteDrafts();
  write(ownerKey, email);
};
