import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { timeIn } from '../../platform/db/time.ts';
import { ApiError } from '../../platform/errors.ts';
import { serviceScope } from '../../platform/http/scope.ts';
import { doubling, retryOf } from '../../platform/jobs/retry.ts';
import {
  type DueSchedule,
  delaySchedule,
  listDueSchedules,
  recordOutcome,
  type TakenSchedule,
  takeDueSchedule,
} from './queries.ts';
import { startTask } from './start-task.ts';
import { nextTime } from './times.ts';

/** A nightly run that begins at noon is not comparable with other nights, and costs money at an unexpected time. */
const lateMs = 3_600_000;

/** Retry after a failure of the service, until the time is too late. */
const backOff = doubling(Number.POSITIVE_INFINITY);

/** Whether something was started. */
type Started = boolean;

const startOne = async (db: Database, { organizationId, id }: DueSchedule, now: Date): Promise<Started> => {
  const scope = serviceScope(organizationId);
  /** The process may have stood still since it read the time. */
  const timeOf = async (tx: Sql) => new Date(Math.max(now.getTime(), (await timeIn(tx)).getTime()));
  /** Ends the time with a reason, if it is still due. */
  const skip = (reason: (due: TakenSchedule) => string): Promise<Started> =>
    db.transaction(scope, async (tx) => {
      const [due] = await takeDueSchedule(tx, scope, id, now);
      if (!due) return false;
      const next = nextTime(due, await timeOf(tx));
      await recordOutcome(tx, scope, due, { runId: null, error: reason(due), next });
      return false;
    });
  try {
    // The next time and the started run commit together, so that each time counts once.
    const outcome = await db.transaction(scope, async (tx) => {
      const [due] = await takeDueSchedule(tx, scope, id, now);
      if (!due) return 'taken';
      const at = await timeOf(tx);
      if (at.getTime() - due.nextAt!.getTime() > lateMs) return 'late';
      const runId = await startTask(tx, scope, due);
      await recordOutcome(tx, scope, due, { runId, error: null, next: nextTime(due, at) });
      return 'started';
    });
    if (outcome !== 'late') return outcome === 'started';
    return await skip(({ nextAt, attempts }) => {
      const why = attempts > 0 ? 'failed to start it' : 'did not run';
      return `The service ${why} at ${nextAt!.toISOString()}. A missed time is skipped.`;
    });
  } catch (error) {
    // An error that members can fix, such as a deleted testset, waits for the next time. Any other error is retried.
    if (error instanceof ApiError && error.code !== 'UNAVAILABLE') return skip(() => error.message);
    await db.transaction(scope, async (tx) => {
      const [due] = await takeDueSchedule(tx, scope, id, now);
      if (!due) return;
      const failed = { error: String(error), retryable: true };
      const { attempts, retryInMs } = retryOf(failed, due.attempts, backOff, Math.random);
      await delaySchedule(tx, scope, id, {
        attempts,
        until: new Date((await timeOf(tx)).getTime() + retryInMs!),
      });
    });
    throw error;
  }
};

/**
 * Starts the schedules that are due at a time of the database, and returns whether anything was started. A schedule that fails does not stop
 * the others.
 */
export const startDueSchedules = async (db: Database, now: Date): Promise<boolean> => {
  const failures: unknown[] = [];
  let started = false;
  for (const due of await db.read(system, (sql) => listDueSchedules(sql, now)))
    started = (await startOne(db, due, now).catch((error) => void failures.push(error))) || started;
  if (failures.length > 0) throw failures[0];
  return started;
};
