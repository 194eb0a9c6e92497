import { WrittenNumber } from './written-number.ts';

/** Whether two JSON values are equal; the order of an object's keys says nothing. */
export const sameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (a instanceof WrittenNumber || b instanceof WrittenNumber)
    return JSON.stringify(a) === JSON.stringify(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
};
