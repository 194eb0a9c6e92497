import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../platform/db/database.ts';
import { longestPollMs } from '../../platform/jobs/idle.ts';
import { startLoops, type Worker } from '../../platform/jobs/loops.ts';
import { decideDrifts } from './decide-drift.ts';
import { startDueDrifts } from './start-drift.ts';

const pollMs = 3_000;
/** A judge drifts over days, so a minute is soon enough to start a trial. */
const startMs = 60_000;

type DriftDeps = {
  db: Database;
  log: FastifyBaseLogger;
  /** Called when trials were started. */
  onStart: () => void;
};

/** Stores what drift trials found and starts those that are due, in a loop. */
export const startDriftWatch = ({ db, log, onStart }: DriftDeps): Worker => {
  let startedAt = Number.NEGATIVE_INFINITY;
  return startLoops({
    count: 1,
    next: async () => {
      await decideDrifts(db);
      if (performance.now() - startedAt >= startMs) {
        startedAt = performance.now();
        if ((await startDueDrifts(db)) > 0) onStart();
      }
      return false;
    },
    failed: (error) =>
      log.error({ err: error }, 'drift trials were not decided or started; the next poll retries'),
    pollMs,
    longestPollMs: longestPollMs(db),
  });
};
