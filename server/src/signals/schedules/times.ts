import { Cron } from 'croner';
import { invalid } from '../../platform/errors.ts';

export type Times = { cron: string; timeZone: string };

/** A run costs money: a slip such as `* * * * *` must not start one each minute. */
const leastMs = 5 * 60_000;
/** Number of upcoming times whose gaps are checked. */
const checkedTimes = 100;

const read = ({ cron, timeZone }: Times): Cron => new Cron(cron, { timezone: timeZone, mode: '5-part' });

/** Returns the first time after `now`, or null. */
export const nextTime = (times: Times, now: Date): Date | null => read(times).nextRun(now);

/** Throws 400 for an expression or a time zone that has no times, or times that are too close. */
export const requireTimes = (times: Times, now: Date): void => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: times.timeZone });
  } catch {
    throw invalid('/timeZone', 'must be the IANA name of a time zone, such as Europe/Athens');
  }
  let found: Date[];
  try {
    found = read(times).nextRuns(checkedTimes, now);
  } catch (error) {
    throw invalid('/cron', `must be a cron expression of five fields: ${(error as Error).message}`);
  }
  if (found.length === 0) throw invalid('/cron', 'must have a time in the future');
  if (found.some((time, i) => i > 0 && time.getTime() - found[i - 1]!.getTime() < leastMs))
    throw invalid('/cron', 'must have at least 5 minutes between two times');
};
