import type { Pool, Sql } from './database.ts';

/**
 * Names the tables that have at least four times the pages they had when the planner's statistics were made, of 8 KB each. Small
 * tables need none: reading all of one is quick.
 */
export const findGrown = (sql: Sql) => sql<{ name: string }[]>`
  select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and pg_relation_size(oid) / 8192 > 4 * relpages + 60`;

/** How often the sizes of tables are compared, while there are writes. */
const lookEveryMs = 2_000;

/**
 * Makes the planner's statistics of tables that grow quickly. Autovacuum makes them once a minute: until then, each page of a run
 * that was just sent would read the whole run. `look` reads as a request does; `openOwner` connects as the owner of the tables.
 */
export const keepPlannerStatistics = (look: () => Promise<{ name: string }[]>, openOwner: () => Pool) => {
  let hasWritten = false;
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
    if (!hasWritten) return;
    hasWritten = false;
    // What fails is tried after the next write; autovacuum and the doctor look at the tables too.
    working = working.then(analyze).catch(() => {});
  }, lookEveryMs).unref();
  return {
    noteWrite: () => {
      hasWritten = true;
    },
    close: () => {
      clearInterval(timer);
      return working;
    },
  };
};
