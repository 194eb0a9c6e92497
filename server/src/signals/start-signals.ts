import { databaseTime } from '../platform/db/time.ts';
import { longestPollMs } from '../platform/jobs/idle.ts';
import { startLoops, type Worker } from '../platform/jobs/loops.ts';
import { type JobDeps, startJobs } from '../platform/jobs/work.ts';
import { type DeliverDeps, deliveryWork } from './alerts/deliver.ts';
import { noteEvents } from './alerts/note-events.ts';
import { noteScores } from './alerts/note-scores.ts';
import { watchMonitors } from './alerts/watch-monitors.ts';
import { watchTraffic } from './alerts/watch-traffic.ts';
import { startDueSchedules } from './schedules/start-due.ts';

/** Alerts may be some seconds late, and an idle service leaves its database alone. */
const pollMs = 3_000;

/** Long, because a pass rate falls over hours, and a look reads the verdicts of 30 days. */
const watchMs = 60_000;

/** A look reads all scores of a run in which many records changed. */
const scoresMs = 15_000;

type SignalDeps = DeliverDeps &
  Pick<JobDeps, 'log'> & {
    /** Called when a schedule has started something. */
    onStart: () => void;
  };

/** Notes and sends the events of alerts, and starts due schedules, in loops. */
export const startSignals = (deps: SignalDeps): Worker => {
  const { db, log, onStart } = deps;
  const deliveries = startJobs({ db, log, pollMs }, deliveryWork(deps));
  let watchedAt = Number.NEGATIVE_INFINITY;
  let scoresReadAt = Number.NEGATIVE_INFINITY;
  const watching = startLoops({
    count: 1,
    next: async () => {
      if (await noteEvents(db)) deliveries.wake('soon');
      if (performance.now() - scoresReadAt >= scoresMs) {
        scoresReadAt = performance.now();
        if (await noteScores(db)) deliveries.wake('soon');
      }
      if (performance.now() - watchedAt >= watchMs) {
        watchedAt = performance.now();
        const now = await databaseTime(db);
        await watchMonitors(db, now);
        await watchTraffic(db, now);
      }
      // Last, so that a schedule that fails holds up no alert.
      if (await startDueSchedules(db, await databaseTime(db))) onStart();
      return false;
    },
    failed: (error) =>
      log.error({ err: error }, 'events were not noted or schedules not started; the next poll retries'),
    pollMs,
    longestPollMs: longestPollMs(db),
  });
  return {
    wake: (when) => {
      watching.wake(when);
      deliveries.wake(when);
    },
    stop: async () => {
      await Promise.all([watching.stop(), deliveries.stop()]);
    },
  };
};
