import { seededRandom } from '../../src/engine/statistics/random.ts';
import type { Connection, Connections } from '../../src/platform/db/connections.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { isUnavailable } from '../../src/platform/db/database.ts';
import { lookUpTogether, readAlone, readInSession } from '../../src/platform/db/reads.ts';
import { batchesOn, beginWith, transactionsOn } from '../../src/platform/db/transactions.ts';
import type { JobDeps } from '../../src/platform/jobs/work.ts';
import { type Machine, runOn } from './clocks.ts';
import type { SimulatedDatabase } from './database.ts';
import { type Chance, chanceOf, drawBreak, drawLatency, type Faults, slowMs } from './faults.ts';
import type { Process, Timeline } from './timeline.ts';
import type { Wire } from './wire.ts';

/** What a process of the service runs on. */
export type Place = { db: Database; log: JobDeps['log']; name: string };

/** One schedule under way. */
export type Schedule = {
  chance: Chance;
  timeline: Timeline;
  database: SimulatedDatabase;
  /** The faults that happen now. */
  faults: Faults;
  processes: Process[];
  /** How wrong the clock of the database is. */
  dbOffsetMs: number;
  /** Whether something may have been written since the last check, and the process and its life that wrote. */
  hasWritten: boolean;
  writer: string | undefined;
  /** The first thing that went wrong. */
  failure: string | undefined;
  /** Starts the workers of a process. */
  startWorkers: (place: Place) => void;
};

export const fail = (schedule: Schedule, error: unknown): void => {
  schedule.failure ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** A machine with its own chance, whose timers are events. */
export const machineOf = (
  { chance, timeline }: Pick<Schedule, 'chance' | 'timeline'>,
  clock: () => number,
  of?: Process,
): Machine => {
  const own = chanceOf(seededRandom(chance.integer(0, 2 ** 31 - 1)));
  return {
    now: () => Math.floor(clock()),
    monotonic: timeline.elapsed,
    random: own.number,
    after: (ms, ring) => {
      const life = of && { of, life: of.life };
      const event = timeline.add(ms, { ...life, isTimer: true, label: 'timer', work: ring });
      return () => timeline.cancel(event);
    },
  };
};

/** Most that the clock of a process is wrong: only the database's clock may count. */
export const longestProcessSkewMs = 3_600_000;

/** Draws two or three processes. */
export const drawProcesses = (schedule: Pick<Schedule, 'chance' | 'timeline' | 'faults'>): Process[] => {
  const { chance, timeline, faults } = schedule;
  return Array.from({ length: chance.integer(2, 3) }, (_, i): Process => {
    const process: Process = {
      name: `P${i + 1}`,
      life: 0,
      isUp: false,
      stalledUntil: 0,
      skewMs: faults.clock > 0 ? chance.between(-longestProcessSkewMs, longestProcessSkewMs) : 0,
      machine: undefined!,
    };
    process.machine = machineOf(schedule, () => timeline.now() + process.skewMs, process);
    return process;
  });
};

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Waits until the transaction has settled. One that waits for something outside itself would hang the embedded engine. */
const settled = async (wire: Wire, work: Promise<unknown>): Promise<void> => {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  work.then(end, end);
  for (let idle = 0, answered = -1; !isSettled; ) {
    await turn();
    idle = wire.answered === answered ? idle + 1 : 0;
    answered = wire.answered;
    if (idle > 2_000) throw new Error('A transaction waits for something other than its statements.');
  }
};

/** The way of a process to the database. A message and its answer take time, and other processes run in between. */
const connectionsOf = (schedule: Schedule, process: Process): Connections => {
  const { chance, timeline, database } = schedule;
  const { life } = process;
  const { sql, wire } = database;
  const shared: Connection = { sql, reader: undefined, uses: 0, untilLost: (work) => work, end: () => {} };
  const latency = (): number => {
    const ms = drawLatency(chance, schedule.faults);
    if (ms >= slowMs) timeline.noteFault(`a message takes ${ms.toFixed()} ms`);
    return ms;
  };
  return {
    use: (_tenant, work) => {
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const crashes = chance.is(schedule.faults.crash / 4);
      const run = async () => {
        const broken = drawBreak(chance, schedule.faults);
        if (broken) timeline.noteFault(`${process.name} ${JSON.stringify(broken)}`);
        wire.breakNext(broken);
        const done = runOn(process.machine, () => work(shared));
        await settled(wire, done);
        schedule.hasWritten ||= wire.hasWritten;
        schedule.writer = `${process.name}, life ${life}`;
        wire.breakNext(undefined);
        const answer = await done.then(
          (value) => () => resolve(value as never),
          (error) => () => reject(error),
        );
        if (crashes) return crash(schedule, process);
        timeline.add(latency(), { of: process, life, isTimer: false, label: 'answer', work: answer });
      };
      timeline.add(latency(), { of: process, life, isTimer: false, label: 'ask', work: run });
      return promise;
    },
    load: () => ({ running: 0, waiting: 0 }),
    close: async () => {},
  };
};

const databaseOf = (schedule: Schedule, process: Process): Database => {
  const connections = connectionsOf(schedule, process);
  const begin = beginWith({});
  return {
    engine: 'server',
    description: 'simulated',
    read: readAlone(connections, readInSession),
    lookUp: lookUpTogether(connections, readInSession),
    transaction: transactionsOn(connections, begin),
    batch: batchesOn(connections, begin),
    // Hints get lost, and nothing may depend on them.
    hints: { send: () => {}, hear: () => {}, areHeard: () => true },
    close: async () => {},
  };
};

/** A log that fails the schedule for any error that is not a fault of the database. */
const logOf = (schedule: Schedule, process: Process): JobDeps['log'] => {
  const say = ({ err }: { err?: unknown }, text: string) => {
    schedule.timeline.note(`${process.name} log: ${text}: ${(err as Error | undefined)?.message}`);
    if (err && !isUnavailable(err)) fail(schedule, err);
  };
  return { error: say, warn: say, info: () => {}, debug: () => {} } as unknown as JobDeps['log'];
};

export const start = (schedule: Schedule, process: Process): void => {
  process.isUp = true;
  schedule.timeline.note(`${process.name} starts`);
  runOn(process.machine, () =>
    schedule.startWorkers({
      db: databaseOf(schedule, process),
      log: logOf(schedule, process),
      name: process.name,
    }),
  );
};

/** Ends a process at once, and starts it again later. */
export const crash = (schedule: Schedule, process: Process): void => {
  const { chance, timeline } = schedule;
  if (!process.isUp) return;
  timeline.noteFault(`${process.name} crashes`);
  process.isUp = false;
  process.life++;
  timeline.cancelOf(process);
  const restart = () => start(schedule, process);
  timeline.add(chance.between(100, 120_000), { isTimer: false, label: 'restart', work: restart });
};
