import { type Database, system } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { serviceScope } from '../alerts/note-events.ts';
import { type DueSchedule, endTime, listDueSchedules, takeDueSchedule } from './queries.ts';
import { startTask } from './start-task.ts';
import { nextTime } from './times.ts';

/** A nightly run that begins at noon compares with no other night, and costs what no one expects then. */
const lateMs = 3_600_000;

/** Whether something was started. */
type Started = boolean;

const startOne = async (db: Database, { organizationId, id }: DueSchedule, now: Date): Promise<Started> => {
  const scope = serviceScope(organizationId);
  /** Ends the time with a reason, if it is still due. */
  const skip = (reason: (at: Date) => string): Promise<Started> =>
    db.transaction(scope, async (tx) => {
      const [due] = await takeDueSchedule(tx, scope, id, now);
      if (due)
        await endTime(tx, scope, due, { runId: null, error: reason(due.nextAt!), next: nextTime(due, now) });
      return false;
    });
  try {
    // The next time and what is started commit together, so that each time counts once.
    const outcome = await db.transaction(scope, async (tx) => {
      const [due] = await takeDueSchedule(tx, scope, id, now);
      if (!due) return 'taken';
      if (now.getTime() - due.nextAt!.getTime() > lateMs) return 'late';
      const runId = await startTask(tx, scope, due);
      await endTime(tx, scope, due, { runId, error: null, next: nextTime(due, now) });
      return 'started';
    });
    if (outcome !== 'late') return outcome === 'started';
    return await skip(
      (at) => `The service did not run at ${at.toISOString()}. A missed time is not made up for.`,
    );
  } catch (error) {
    // What its members can mend, such as a testset that was deleted, waits for the next time. Anything else is tried again.
    if (!(error instanceof ApiError) || error.code === 'UNAVAILABLE') throw error;
    return skip(() => error.message);
  }
};

/** Starts what is due and returns whether anything was started. A schedule that fails does not stop the others. */
export const startDueSchedules = async (db: Database, now: Date): Promise<boolean> => {
  const failures: unknown[] = [];
  let started = false;
  for (const due of await db.read(system, (sql) => listDueSchedules(sql, now)))
    started = (await startOne(db, due, now).catch((error) => void failures.push(error))) || started;
  if (failures.length > 0) throw failures[0];
  return started;
};
