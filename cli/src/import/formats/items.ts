import type { JsonObject } from '../../../../client/src/main.ts';
import type { Content } from '../content.ts';
import { type Import, isObject, type Row } from '../rows.ts';

/** Objects of an export: a list, JSON lines, a list or one object under one of these keys. */
export const itemsOf = ({ items, value }: Content, ...keys: string[]): JsonObject[] => {
  if (items.length > 0) return items;
  const [found] = keys
    .map((key) => (isObject(value) ? value[key] : undefined))
    .filter((one) => one !== undefined);
  return Array.isArray(found) ? found.filter(isObject) : isObject(found) ? [found] : [];
};

/** The texts of a list; anything else is none. */
export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : [];

/** A JSON text as its value, any other text as it is: tables keep objects as text. */
export const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** What a file holds that has one run, of one system. */
export const single = (tool: string, content: Content, rows: Row[], system: string): Import => ({
  tool,
  id: content.digest,
  name: content.name,
  systems: new Map([['', { name: system, config: {} }]]),
  rows,
  notes: [],
});
