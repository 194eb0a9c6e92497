import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../platform/db/database.ts';
import { longestPollMs } from '../../platform/jobs/idle.ts';
import { startLoops, type Worker } from '../../platform/jobs/loops.ts';
import { startDueDrifts } from './start-drift.ts';
import { storeDrifts } from './store-drift.ts';

const pollMs = 3_000;
/** A judge drifts over days, so a minute is soon enough to start a trial. */
const startMs = 60_000;

type DriftDeps = {
  db: Database;
  log: FastifyBaseLogger;
  /** Called when trials were started. */
  onStart: () => void;
};

/**
 * Stores the results of drift trials, and starts the trials that are due. Each has its loop, so that neither stops when the other fails.
 */
export const startDriftWatch = ({ db, log, onStart }: DriftDeps): Worker => {
  const storing = startLoops({
    count: 1,
    next: async () => {
      await storeDrifts(db);
      return false;
    },
    failed: (error) =>
      log.error({ err: error }, 'what a drift trial found was not stored; the next poll retries'),
    pollMs,
    longestPollMs: longestPollMs(db),
  });
  const notStarted = (error: unknown) =>
    log.error({ err: error }, 'a drift trial that is due was not started; the service retries in a minute');
  const starting = startLoops({
    count: 1,
    next: async () => {
      if ((await startDueDrifts(db, notStarted)) > 0) onStart();
      return false;
    },
    failed: notStarted,
    pollMs: startMs,
  });
  return {
    wake: storing.wake,
    stop: async () => {
      await Promise.all([storing.stop(), starting.stop()]);
    },
  };
};
