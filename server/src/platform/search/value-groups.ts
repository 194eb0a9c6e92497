import { Type } from 'typebox';
import type { Fragment, Sql } from '../db/database.ts';

/** Longest value that is compared, in characters. */
export const longestValue = 200;
/** Most values that one statement returns: a field with more is an identifier, which no one picks from a list. */
export const mostValues = 1_000;
const maxGroups = 200;
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
  rateOf: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Metric, by id or name, whose pass rate each group gets.',
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

/** A value as a search has it: in quotes when it would be read as something else. */
export const writtenValue = (value: string): string =>
  /[\s"]|\.\.|^[<>~*]/.test(value) || value === '' ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;

/** The filter that finds a value; null if none does, as for a value of several lines. */
export const wordsOf = (by: string, value: string | null): string | null => {
  if (value === null) return `-${by}:*`;
  return /[\r\n]/.test(value) ? null : `${by}:${writtenValue(value)}`;
};

export type ValueRow = { key: string | null; value: string | null; isCut: boolean; n: number };
/** A value of a part, beside the number of its different values, of rows that fit and of rows that were read. */
export type CountedRow = ValueRow & { values: number; total: number; read: number; last: string | null };

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
        count(distinct ${sql(as)}.id)::integer as n, count(*) over ()::integer as values
      from found as ${sql(as)}
      left join lateral (${values}) entry on true
      where ${sql(as)}.fits
      group by 1 order by n desc, key limit ${mostValues})
  select counted.key, counted.value, coalesce(counted."isCut", false) as "isCut", coalesce(counted.n, 0) as n,
    coalesce(counted.values, 0) as values, whole.total, whole.read, whole.last
  from (
    select count(*) filter (where fits)::integer as total, count(*)::integer as read,
      (array_agg(place order by nth desc))[1] as last from found) whole
  left join counted on true`;
};
