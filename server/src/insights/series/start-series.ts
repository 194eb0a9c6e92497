import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../platform/db/database.ts';
import { longestPollMs } from '../../platform/jobs/idle.ts';
import { startLoops, type Worker } from '../../platform/jobs/loops.ts';
import { countDueHour } from './count-hours.ts';
import { markChangedHours } from './mark-hours.ts';

/** Reads count the latest records themselves when they are few, so a dashboard of a small project is never late. */
const pollMs = 5_000;
/** A run of some seconds is counted when it has ended, instead of twice. */
const firstAfterMs = 10_000;

/** Keeps the counts of hours in step with the records, in a loop: one hour at a time, so that others get their turn. */
export const startSeries = ({ db, log }: { db: Database; log: FastifyBaseLogger }): Worker =>
  startLoops({
    count: 1,
    next: async () => {
      await markChangedHours(db, firstAfterMs);
      return countDueHour(db);
    },
    failed: (error) =>
      log.error({ err: error }, 'records were not counted for dashboards; the next poll retries'),
    pollMs,
    longestPollMs: longestPollMs(db),
  });
