import type { Fragment, Sql } from '../db/database.ts';
import { fromNow, isDue, type JobTable } from './job.ts';

const isOpen = (sql: Sql, { open }: JobTable): Fragment => (open ? sql`and ${open(sql)}` : sql``);

/** The next parent after `after` that has jobs due; the first one without it. */
export const findDueParent = <Parent extends bigint | string>(
  sql: Sql,
  of: JobTable,
  after: Parent | undefined,
) => sql<{ id: Parent }[]>`
  select ${sql(of.parent)} as id from ${sql(of.table)}
  where ${isDue(sql)} ${isOpen(sql, of)} ${after === undefined ? sql`` : sql`and ${sql(of.parent)} > ${after}`}
  order by ${sql(of.parent)} limit 1`;

/**
 * Takes up to `limit` due jobs of a parent for `leaseMs`, the longest due first. Skips those that another worker is taking. It is part of a
 * `with`, and returns their rows.
 */
export const taking = (
  tx: Sql,
  of: JobTable,
  parent: bigint | string,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Fragment => tx`
  with due as (
    select ${tx(of.id)} as id from ${tx(of.table)}
    where ${tx(of.parent)} = ${parent} and ${isDue(tx)} ${isOpen(tx, of)}
    order by due_at, ${tx(of.id)}
    limit ${limit}
    for update skip locked)
  update ${tx(of.table)} job set due_at = ${fromNow(tx, leaseMs)}, fence = job.fence + 1
  from due
  where job.${tx(of.parent)} = ${parent} and job.${tx(of.id)} = due.id
  returning job.*`;

/** Returns a function that finds one parent after another, and begins again with the first. */
export const takeTurns = <Parent>(
  find: (after: Parent | undefined) => Promise<Parent | undefined>,
): (() => Promise<Parent | undefined>) => {
  let last: Parent | undefined;
  return async () => {
    const after = last;
    const next = await find(after);
    last = next ?? (after === undefined ? undefined : await find(undefined));
    return last;
  };
};
