import { useEffect, useRef } from 'react';

/** The description of a key for the sheet that lists the keys, and its handler. A handler that returns false leaves the key to the next layer. */
type Key = readonly [what: string, handle: (event: KeyboardEvent) => unknown];
/**
 * What keys do, by their name: a bare key as typed (`j`, `?`, `ArrowDown`, `Escape`), or `mod+k` for ⌘K on a Mac and Ctrl+K
 * elsewhere.
 */
export type KeyMap = Record<string, Key>;

type List = {
  /** What one entry of the list is called. */
  what: string;
  step: (by: 1 | -1) => void;
  /** What Enter does, in words. */
  opening: string;
  /** Returns false when there is nothing to open. */
  open: () => unknown;
};

/** Takes the focus from a link or a button that was pressed before, so that Enter opens the entry and does not press it again. */
const leave = ({ target }: KeyboardEvent): void => {
  (target as Element).closest<HTMLElement>('a,button')?.blur();
};

/** The keys with which every list is walked. Enter is left to a link or a button that has the focus. */
export const listKeys = ({ what, step, opening, open }: List): KeyMap => {
  const stepKey = (words: string, by: 1 | -1): Key => [
    words,
    (event) => {
      leave(event);
      step(by);
    },
  ];
  const next = stepKey(`Next ${what}`, 1);
  const previous = stepKey(`Previous ${what}`, -1);
  return {
    j: next,
    ArrowDown: next,
    k: previous,
    ArrowUp: previous,
    Enter: [opening, ({ target }) => (target as Element).closest('a,button') === null && open()],
  };
};

/** For a key that is only listed here: the element that has the focus listens to it. */
export const heardElsewhere = (): boolean => false;

const layers: { part: string; map: KeyMap }[] = [];

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role=dialog],[role=alertdialog],[role=menu],[role=listbox]') !== null;

const nameOf = (event: KeyboardEvent): string => {
  const key = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key;
  return event.metaKey || event.ctrlKey ? `mod+${key.toLowerCase()}` : key;
};

/** Bare keys yield to text fields and dialogs; the newest layer is asked first. */
const isTaken = (name: string, event: KeyboardEvent): boolean => {
  const isBare = !name.startsWith('mod+');
  if (isBare && (isEditable(event.target) || isInDialog(event.target))) return false;
  return layers.toReversed().some(({ map }) => {
    const key = map[name];
    return key !== undefined && key[1](event) !== false;
  });
};

/** The one listener. */
const onKeyDown = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const name = nameOf(event);
  const { activeElement } = document;
  if (isTaken(name, event)) event.preventDefault();
  // Escape leaves a field; a second one then belongs to the page.
  else if (name === 'Escape' && activeElement instanceof HTMLInputElement) activeElement.blur();
};

if (typeof window !== 'undefined') window.addEventListener('keydown', onKeyDown);

/** Listens to keys while the component is shown and `enabled`. `part`: what they belong to, a heading of the sheet. */
export const useKeys = (part: string, map: KeyMap, enabled = true): void => {
  const layer = useRef({ part, map });
  useEffect(() => {
    layer.current.map = map;
  });
  useEffect(() => {
    if (!enabled) return;
    const own = layer.current;
    layers.push(own);
    return () => {
      layers.splice(layers.indexOf(own), 1);
    };
  }, [enabled]);
};

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
/** How `mod` is written on this machine's keys. */
export const modKey = isMac ? '⌘' : 'Ctrl';

const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };
/** A key as it is written on a keyboard, or several that are held together, a space between them. */
const capsOf = (name: string): string => {
  if (name === 'mod+enter') return `${modKey} Enter`;
  if (name.startsWith('mod+')) return `${modKey} ${name.slice('mod+'.length).toUpperCase()}`;
  if (/^[A-Z]$/.test(name)) return `Shift ${name.toLowerCase()}`;
  return name === 'Escape' ? 'Esc' : (arrows[name] ?? name);
};

export type KeysOfPart = { part: string; rows: { what: string; keys: string[] }[] };

/** The keys that are listened to now, part by part; those that do the same stand together. */
export const keysNow = (): KeysOfPart[] => {
  const parts = new Map<string, Map<string, string[]>>();
  for (const { part, map } of layers) {
    const rows = parts.get(part) ?? new Map<string, string[]>();
    parts.set(part, rows);
    for (const [name, [what]] of Object.entries(map)) {
      const keys = rows.get(what) ?? [];
      if (!keys.includes(capsOf(name))) rows.set(what, [...keys, capsOf(name)]);
    }
  }
  return [...parts].map(([part, rows]) => ({
    part,
    rows: [...rows].map(([what, keys]) => ({ what, keys })),
  }));
};
