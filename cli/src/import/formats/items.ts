import type { JsonObject } from '../../../../client/src/main.ts';
import { parseLoosely } from '../../../../client/src/written-number.ts';
import type { Content } from '../content.ts';
import { type Import, isObject, type Row } from '../rows.ts';

/** Returns the objects of an export: a list, JSON lines, or a list or one object under one of these keys. */
export const itemsOf = ({ items, value }: Content, ...keys: string[]): JsonObject[] => {
  if (items.length > 0) return items;
  const [found] = keys
    .map((key) => (isObject(value) ? value[key] : undefined))
    .filter((one) => one !== undefined);
  return Array.isArray(found) ? found.filter(isObject) : isObject(found) ? [found] : [];
};

/** Returns the strings of a list, else an empty list. */
export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : [];

/** Parses the text of a JSON object or list, because tables keep them as text. Returns any other value as it is. */
export const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseLoosely(value);
  } catch {
    return value;
  }
};

/** Returns the import of a file that holds one run of one system. */
export const singleRun = (tool: string, content: Content, rows: Row[], system: string): Import => ({
  tool,
  id: content.digest,
  name: content.name,
  systems: new Map([['', { name: system, config: {} }]]),
  rows,
  notes: [],
});
