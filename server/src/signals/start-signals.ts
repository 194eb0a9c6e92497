import type { FastifyBaseLogger } from 'fastify';
import { longestPollMs } from '../platform/jobs/idle.ts';
import { startLoops, type Worker } from '../platform/jobs/loops.ts';
import { type DeliverDeps, deliverDue } from './alerts/deliver.ts';
import { noteEvents } from './alerts/note-events.ts';
import { watchMonitors } from './alerts/watch-monitors.ts';
import { startDueSchedules } from './schedules/start-due.ts';

/** Alerts may be some seconds late, and an idle service leaves its database alone. */
const pollMs = 3_000;

/** A pass rate falls over hours, and a look reads the verdicts of 30 days. */
const watchMs = 60_000;

type SignalDeps = DeliverDeps & {
  log: FastifyBaseLogger;
  /** Called when a schedule has started something. */
  onStart: () => void;
};

/** Notes what alerts are about and sends it, and starts what is scheduled, in a loop. */
export const startSignals = (deps: SignalDeps): Worker => {
  let watchedAt = Number.NEGATIVE_INFINITY;
  return startLoops({
    count: 1,
    next: async () => {
      await noteEvents(deps.db);
      if (performance.now() - watchedAt >= watchMs) {
        watchedAt = performance.now();
        await watchMonitors(deps.db, new Date());
      }
      const hasMore = await deliverDue(deps);
      // Last, so that a schedule that fails holds up no alert.
      if (await startDueSchedules(deps.db, new Date())) deps.onStart();
      return hasMore;
    },
    failed: (error) =>
      deps.log.error({ err: error }, 'alerts were not sent or schedules not started; the next poll retries'),
    pollMs,
    longestPollMs: longestPollMs(deps.db),
  });
};
