import type { Fragment, Sql } from './database.ts';

/** A time with all its digits: what came in one millisecond stays in its order. */
export const exactTime = (sql: Sql, time: Fragment): Fragment =>
  sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
