import { databaseTime } from '../../src/platform/db/time.ts';
import { newUuid } from '../../src/platform/http/ids.ts';
import { longestPollMs } from '../../src/platform/jobs/idle.ts';
import { startLoops } from '../../src/platform/jobs/loops.ts';
import { deleteSchedule, insertSchedule } from '../../src/signals/schedules/queries.ts';
import { startDueSchedules } from '../../src/signals/schedules/start-due.ts';
import { insertSystem } from './rows.ts';
import { requireThat, type Simulation, type World } from './scheduler.ts';
import { longestSkewMs } from './trouble.ts';

const hourMs = 3_600_000;
/** As docs/schedules.md says: a time is skipped if the service returns more than an hour late. */
const lateMs = hourMs;

type Row = {
  id: string;
  lastMs: number | null;
  lastRunId: bigint | null;
  lastError: string | null;
  nextMs: number;
  dueMs: number;
  attempts: number;
};

/** Two hourly schedules, which processes with different clocks start. */
export const openSchedules = async ({
  sql,
  chance,
  later,
  note,
  now,
  numFaults,
}: Simulation): Promise<World> => {
  const { scope, projectId, testsetId, systemId } = await insertSystem(sql, 1);
  const task = { kind: 'run' as const, testsetId: String(testsetId), systemId, metricIds: [] };
  const ids: string[] = [];
  for (const minute of [0, 30]) {
    const id = newUuid();
    const cron = `${minute} * * * *`;
    const nextAt = new Date(Math.ceil((now() - minute * 60_000) / hourMs) * hourMs + minute * 60_000);
    const schedule = {
      id,
      projectId,
      name: `at ${minute}`,
      cron,
      timeZone: 'UTC',
      task,
      paused: false,
      nextAt,
    };
    await insertSchedule(sql, scope, schedule);
    ids.push(id);
  }
  let deletedRuns: number | undefined;
  if (chance.is(0.2))
    later(chance.between(60_000, 3 * hourMs), 'delete', async () => {
      note('the second schedule is deleted');
      await deleteSchedule(sql, scope, ids[1]!);
      deletedRuns = await runsOf(ids[1]!);
    });
  const runsOf = async (id: string): Promise<number> => {
    const [found] = await sql<[{ n: number }]>`
      select count(*)::int as n from run where tags @> array[${`schedule:${id}`}]`;
    return found.n;
  };
  const rows = new Map<string, Row>();
  const started = new Map<string, number>();
  let ended = 0;

  const checkOutcome = (row: Row, before: Row): void => {
    const { id, lastMs, lastError, nextMs } = row;
    const lateBy = now() - lastMs!;
    note(
      `${row.lastRunId ? 'started' : 'skipped'} the time ${new Date(lastMs!).toISOString()} of ${id.slice(-4)}`,
    );
    ended++;
    requireThat(lastMs === before.nextMs, `a time of ${id.slice(-4)} was lost or repeated`);
    requireThat(nextMs > lastMs!, `the next time of ${id.slice(-4)} is not later than its last`);
    requireThat(
      nextMs > now() - 2 * longestSkewMs - 300_000,
      `missed times of ${id.slice(-4)} do not become one`,
    );
    if (lastError === null) {
      requireThat(row.lastRunId !== null, 'a time has neither a run nor a reason');
      requireThat(lateBy >= -longestSkewMs, `a run started ${-lateBy} ms early`);
      requireThat(lateBy <= lateMs + longestSkewMs + 300_000, `a run started ${lateBy} ms late`);
      started.set(id, (started.get(id) ?? 0) + 1);
    } else
      requireThat(lateBy > lateMs - longestSkewMs, `a time was skipped after ${lateBy} ms: ${lastError}`);
  };

  return {
    start: ({ db, log }) =>
      void startLoops({
        count: 1,
        next: async () => {
          await startDueSchedules(db, await databaseTime(db));
          return false;
        },
        failed: (error) => log.error({ err: error }, 'schedules not started'),
        pollMs: 3_000,
        longestPollMs: longestPollMs(db),
      }),
    check: async (session) => {
      const found = await session<Row[]>`
        select id, (extract(epoch from last_at) * 1000)::float8 as "lastMs", last_run_id as "lastRunId", last_error as "lastError",
          (extract(epoch from next_at) * 1000)::float8 as "nextMs", (extract(epoch from due_at) * 1000)::float8 as "dueMs", attempts
        from schedule order by id`;
      for (const row of found) {
        const before = rows.get(row.id);
        if (before && before.lastMs !== row.lastMs) checkOutcome(row, before);
        requireThat(
          row.dueMs - Math.max(now(), row.nextMs) <= 300_000 + longestSkewMs,
          'a retry waits too long',
        );
        requireThat(
          row.attempts <= 2 * numFaults() + 1,
          `${row.attempts} attempts after ${numFaults()} faults`,
        );
        rows.set(row.id, row);
        requireThat(
          (await runsOf(row.id)) === (started.get(row.id) ?? 0),
          'a time started two runs, or a run is lost',
        );
      }
    },
    progress: async (session) => {
      const [found] = await session<[{ nextDueMs: number | null }]>`
        select (extract(epoch from min(due_at)) * 1000)::float8 as "nextDueMs" from schedule`;
      return { isDone: ended >= 6, nextDueMs: found.nextDueMs };
    },
    end: async () => {
      if (deletedRuns !== undefined)
        requireThat((await runsOf(ids[1]!)) === deletedRuns, 'a deleted schedule started a run');
    },
  };
};
