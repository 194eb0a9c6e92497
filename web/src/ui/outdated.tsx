import { useState } from 'react';
import { Button } from './button.tsx';
import { useDraft } from './local-storage.ts';

const ordered = (_key: string, value: unknown): unknown => {
  if (value instanceof Set) return [...value].sort();
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};
/** The same text for equal values, in whatever order their members are. */
const textOf = (values: unknown): string => JSON.stringify(values, ordered);

export const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

/** What a form was filled from has been changed elsewhere: the user takes that, or keeps what they wrote. */
export type Outdated = { take: () => void; keep: () => void } | undefined;

/**
 * Notices that what is stored is no longer what a form was filled from, and not what the form says either. `take` fills the form
 * with what is stored.
 */
export const useOutdated = <Values,>(
  stored: Values,
  values: Values,
  take: (stored: Values) => void,
): Outdated => {
  const now = textOf(stored);
  const [start, setStart] = useState(now);
  if (start === now) return undefined;
  const keep = () => setStart(now);
  if (textOf(values) === now) {
    keep();
    return undefined;
  }
  return {
    keep,
    take: () => {
      keep();
      take(stored);
    },
  };
};

type Kept<Draft> = { draft: Draft; start: string };

/**
 * A draft of a change of what is `stored`. It keeps in the browser what it was begun from, so a draft of yesterday notices a change
 * of today.
 */
export const useDraftOf = <Draft,>(
  name: string,
  stored: unknown,
): [Draft | undefined, (draft: Draft | undefined) => void, Outdated] => {
  const [kept, setKept] = useDraft<Kept<Draft>>(name);
  const now = textOf(stored);
  const set = (draft: Draft | undefined) =>
    setKept(draft === undefined ? undefined : { draft, start: kept?.start ?? now });
  const isOutdated = kept !== undefined && kept.start !== now;
  const outdated = isOutdated
    ? { take: () => setKept(undefined), keep: () => setKept({ ...kept, start: now }) }
    : undefined;
  return [kept?.draft, set, outdated];
};

/** Says that what is edited was changed elsewhere, and asks whose version stays. */
export const OutdatedNote = ({ outdated, now }: { outdated: Outdated; now?: string }) =>
  outdated && (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-md border border-warn/40 bg-warn-wash px-3 py-2"
    >
      <span className="min-w-0 flex-1">
        This was changed elsewhere while you edited it.
        {now !== undefined && (
          <>
            {' '}
            It now says: <bdi className="break-words">{now === '' ? 'nothing' : `“${now}”`}</bdi>
          </>
        )}
      </span>
      <Button onClick={outdated.take}>Show the change</Button>
      <Button onClick={outdated.keep}>Keep mine</Button>
    </div>
  );
