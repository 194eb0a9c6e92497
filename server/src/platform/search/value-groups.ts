import { type Static, Type } from 'typebox';
import type { Fragment, Sql } from '../db/database.ts';
import { named } from '../named-schema.ts';

/** Longest value that is compared, in characters. */
const longestValue = 200;
/** Most values that one statement returns: a field with more is an identifier, which no one picks from a list. */
const mostValues = 1_000;
const maxGroups = 100;
export const mostNewest = 100_000;

export const groupsQuery = {
  newest: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostNewest,
      default: mostNewest,
      description:
        'Maximum number to read, newest first, 1 to 100000; `partial` says when some are left out.',
    }),
  ),
  most: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxGroups,
      default: 20,
      description: `Maximum number of groups, 1 to ${maxGroups}: the largest.`,
    }),
  ),
};

export const ValueGroups = named(
  'ValueGroups',
  Type.Object(
    {
      by: Type.String({ description: 'What is grouped by.' }),
      n: Type.Integer({ description: 'Number of traces or runs that were counted.' }),
      partial: Type.Boolean({
        description: 'Whether older ones were left out: each count is then of the newest.',
      }),
      numOthers: Type.Integer({
        description: 'Number with other values. One with several values, such as tags, counts once for each.',
      }),
      groups: Type.Array(
        Type.Object({
          value: Type.Union([Type.String(), Type.Null()], {
            description:
              'The value, at most 200 characters; null for those without one. Values that differ only in case are one group where the search finds them together.',
          }),
          words: Type.Union([Type.String(), Type.Null()], {
            description: 'Filter of the search that finds the group; null if none does.',
          }),
          n: Type.Integer({ description: 'Number with the value.' }),
        }),
        { description: 'The groups, largest first.' },
      ),
    },
    { description: 'Number of traces or runs by the value of a field.' },
  ),
);
export type ValueGroups = Static<typeof ValueGroups.schema>;

/** A value as a search has it: in quotes when it would be read as something else. */
export const writtenValue = (value: string): string =>
  /[\s"]|\.\.|^[<>~*]/.test(value) || value === '' ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;

/** The filter that finds a value; null if none does, as for a value of several lines. */
export const wordsOf = (by: string, value: string | null): string | null => {
  if (value === null) return `-${by}:*`;
  return /[\r\n]/.test(value) ? null : `${by}:${writtenValue(value)}`;
};

export type ValueRow = { key: string | null; value: string | null; isCut: boolean; n: number };
type CountedRow = ValueRow & { total: number; read: number; last: string | null };

/** What is counted: rows of a table, and the values that each has. */
type Counted = {
  /** Selects `id`, `nth` in the order, the `place` to go on from, and whether the row `fits`. */
  found: Fragment;
  /** Name of the row in `values`. */
  as: 'run' | 'trace';
  /** Selects each `value` of the row. */
  values: Fragment;
  /** Whether values that differ only in case are different, as for the search. */
  isExact?: boolean;
};

/** Counts rows by their value, the most frequent first, each with the number of rows that were read and of those that fit. */
export const countValues = (sql: Sql, { found, as, values, isExact = false }: Counted) => {
  const value = sql`left(entry.value, ${longestValue})`;
  return sql<CountedRow[]>`
  with found as materialized (${found}),
    counted as (
      select ${isExact ? value : sql`lower(${value})`} as key, min(${value}) as value,
        coalesce(bool_or(length(entry.value) > ${longestValue}), false) as "isCut",
        count(distinct ${sql(as)}.id)::integer as n
      from found as ${sql(as)}
      left join lateral (${values}) entry on true
      where ${sql(as)}.fits
      group by 1 order by n desc, key limit ${mostValues})
  select counted.key, counted.value, coalesce(counted."isCut", false) as "isCut", coalesce(counted.n, 0) as n,
    whole.total, whole.read, whole.last
  from (
    select count(*) filter (where fits)::integer as total, count(*)::integer as read,
      (array_agg(place order by nth desc))[1] as last from found) whole
  left join counted on true`;
};

/** Adds up the groups of parts, and keeps the largest. */
export const sumGroups = (
  by: string,
  parts: readonly (readonly CountedRow[])[],
  {
    most = 20,
    partial,
    words = wordsOf,
  }: { most?: number | undefined; partial: boolean; words?: typeof wordsOf },
): ValueGroups => {
  const groups = new Map<string | null, ValueRow>();
  for (const { key, value, isCut, n } of parts.flat()) {
    if (n === 0) continue;
    const known = groups.get(key);
    if (known) Object.assign(known, { n: known.n + n, isCut: known.isCut || isCut });
    else groups.set(key, { key, value, isCut, n });
  }
  const largest = [...groups.values()].sort((a, b) => b.n - a.n || (String(a.key) < String(b.key) ? -1 : 1));
  const sum = (rows: readonly ValueRow[]) => rows.reduce((all, { n }) => all + n, 0);
  return {
    by,
    n: parts.reduce((all, [first]) => all + (first?.total ?? 0), 0),
    partial,
    numOthers: sum(largest.slice(most)),
    groups: largest
      .slice(0, most)
      .map(({ value, isCut, n }) => ({ value, words: isCut ? null : words(by, value), n })),
  };
};
