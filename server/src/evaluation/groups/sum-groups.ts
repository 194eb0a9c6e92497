import type { Estimate } from '../../engine/statistics/estimate-schema.ts';
import { type CountedRow, type ValueRow, wordsOf } from '../../platform/search/value-groups.ts';
import type { ValueGroups } from './schema.ts';

type Summed = {
  most?: number | undefined;
  partial: boolean;
  words?: typeof wordsOf;
  /** Reads the pass rates of the groups with these keys. */
  rates?: ((keys: readonly (string | null)[]) => Promise<(key: string | null) => Estimate>) | undefined;
};

/** Adds up the groups of parts, keeps the largest, and gives each its rate. */
export const sumGroups = async (
  by: string,
  parts: readonly (readonly CountedRow[])[],
  { most = 20, partial, words = wordsOf, rates }: Summed,
): Promise<ValueGroups> => {
  const groups = new Map<string | null, ValueRow>();
  for (const { key, value, isCut, n } of parts.flat()) {
    if (n === 0) continue;
    const known = groups.get(key);
    if (known) Object.assign(known, { n: known.n + n, isCut: known.isCut || isCut });
    else groups.set(key, { key, value, isCut, n });
  }
  const largest = [...groups.values()].sort((a, b) => b.n - a.n || (String(a.key) < String(b.key) ? -1 : 1));
  const sum = (rows: readonly ValueRow[]) => rows.reduce((all, { n }) => all + n, 0);
  const shown = largest.slice(0, most);
  const rateOf = await rates?.(shown.map(({ key }) => key));
  return {
    by,
    n: parts.reduce((all, [first]) => all + (first?.total ?? 0), 0),
    partial,
    numOthers: sum(largest.slice(most)),
    manyValues: parts.some((rows) => (rows[0]?.values ?? 0) > rows.length),
    groups: shown.map(({ key, value, isCut, n }) => ({
      value,
      words: isCut ? null : words(by, value),
      n,
      passRate: rateOf?.(key) ?? null,
    })),
  };
};
