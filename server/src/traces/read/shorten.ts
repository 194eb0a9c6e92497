import { WrittenNumber } from '../../../../client/src/written-number.ts';
import type { Json } from '../conventions/attribute.ts';

/** Sentences that say what was cut. */
export type Cuts = string[];

/** Cuts a text that is longer than `limit` characters: keeps its beginning and its end, and says in between how much is missing. */
export const shortened = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const missing = text.length - 2 * half;
  // A half may begin or end within a surrogate pair.
  const [head, tail] = [text.slice(0, half), text.slice(-half)].map((part) => part.toWellFormed());
  return `${head} [cut: ${missing} of ${text.length} characters] ${tail}`;
};

/** Shortens each text in a JSON value, and counts those that were too long. */
export const shortenedJson = (value: Json, limit: number): { value: Json; count: number } => {
  let count = 0;
  const walk = (item: Json): Json => {
    if (typeof item === 'string') {
      if (item.length <= limit) return item;
      count++;
      return shortened(item, limit);
    }
    if (Array.isArray(item)) return item.map(walk);
    if (item === null || typeof item !== 'object' || item instanceof WrittenNumber) return item;
    // fromEntries defines what it is given, `__proto__` too.
    return Object.fromEntries(Object.entries(item).map(([key, child]) => [key, walk(child)]));
  };
  return { value: walk(value), count };
};

/**
 * Keeps as many items as fit into `limit` characters: half of that from the beginning, the rest from the end, and in between a
 * notice when items are left out. Items are counted from 1.
 */
export const fitted = (
  items: string[],
  limit: number,
  notice: (from: number, to: number) => string,
): { kept: string[]; cut: { from: number; to: number } | null } => {
  // With the comma that follows.
  const sizes = items.map(({ length }) => length + 1);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= limit) return { kept: items, cut: null };
  let used = 0;
  let head = 0;
  for (; head < items.length && used + sizes[head]! <= limit / 2; head++) used += sizes[head]!;
  let tail = items.length;
  for (; tail > head && used + sizes[tail - 1]! <= limit; tail--) used += sizes[tail - 1]!;
  const cut = { from: head + 1, to: tail };
  return { kept: [...items.slice(0, head), notice(cut.from, cut.to), ...items.slice(tail)], cut };
};
