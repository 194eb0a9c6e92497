import type { Pool, Sql } from './database.ts';

/**
 * Names the tables whose planner's statistics are far behind: at least four times the pages of 8 KB that they had then, or four times the
 * rows. Rows that a transaction was still writing count as pages only: with so many pages without a row, the planner expects none anywhere
 * and takes any index. A vacuum then counts these rows, but knows none of their values: so a table is behind too when three quarters of
 * its rows were written since. Small tables need no statistics, because reading all of one is quick.
 */
export const findGrown = (sql: Sql) => sql<{ name: string }[]>`
  select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and (pg_relation_size(oid) / 8192 > 4 * relpages + 60
      or pg_stat_get_live_tuples(oid) > 4 * greatest(reltuples, 0) + 1000
      or pg_relation_size(oid) / 8192 > 60
        and pg_stat_get_mod_since_analyze(oid) > 0.75 * pg_stat_get_live_tuples(oid) + 1000)`;

const tickMs = 2_000;
/** The ticks after a write at which the sizes of tables are compared. PostgreSQL may count a transaction's rows ten seconds after its end. */
const looksAfterWrite = [1, 6];

/**
 * Makes the planner's statistics of tables that grow quickly. Autovacuum makes them once a minute: until then, each page of a run
 * that was just sent would read the whole run. `look` reads as a request does; `openOwner` connects as the owner of the tables.
 */
export const keepPlannerStatistics = (look: () => Promise<{ name: string }[]>, openOwner: () => Pool) => {
  let ticksSinceWrite = Number.POSITIVE_INFINITY;
  let working = Promise.resolve();
  const analyze = async () => {
    const grown = await look();
    if (grown.length === 0) return;
    const owner = openOwner();
    try {
      for (const { name } of grown) await owner`analyze ${owner(name)}`;
    } finally {
      await owner.end();
    }
  };
  const timer = setInterval(() => {
    ticksSinceWrite += 1;
    if (!looksAfterWrite.includes(ticksSinceWrite)) return;
    // A failure is retried at the next look; autovacuum and the doctor look at the tables too.
    working = working.then(analyze).catch(() => {});
  }, tickMs).unref();
  return {
    noteWrite: () => {
      ticksSinceWrite = 0;
    },
    close: () => {
      clearInterval(timer);
      return working;
    },
  };
};
