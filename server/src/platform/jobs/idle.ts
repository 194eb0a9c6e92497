import type { Database } from '../db/database.ts';

/** While nothing is to do. Long, because own writes and hints of others wake at once; only what waits for a time is found late. */
const idlePollMs = 10_000;
/** Where work of other processes is found only by polling. */
const deafPollMs = 2_000;

/** Returns the longest time between two looks for work. The embedded database has no other process. */
export const longestPollMs =
  ({ engine, hints }: Database) =>
  (): number =>
    engine === 'embedded' || hints?.areHeard() ? idlePollMs : deafPollMs;
