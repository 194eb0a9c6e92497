import type { Database } from '../db/database.ts';

/**
 * Used while there is nothing to do. Long, because own writes and hints of other processes wake at once; only jobs that wait for a time are
 * found late.
 */
const idlePollMs = 10_000;
/** Used if work of other processes is found only by polling. */
const deafPollMs = 2_000;

/** Returns the longest time between two looks for work. The embedded database has no other process. */
export const longestPollMs =
  ({ engine, hints }: Database) =>
  (): number =>
    engine === 'embedded' || hints?.areHeard() ? idlePollMs : deafPollMs;
