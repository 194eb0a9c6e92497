import { seededRandom } from '../../src/engine/statistics/random.ts';
import type { Connection, Connections } from '../../src/platform/db/connections.ts';
import type { Database, Pool } from '../../src/platform/db/database.ts';
import { isUnavailable } from '../../src/platform/db/database.ts';
import { lookUpTogether, readAlone, readInSession } from '../../src/platform/db/reads.ts';
import { batchesOn, beginWith, transactionsOn } from '../../src/platform/db/transactions.ts';
import type { JobDeps } from '../../src/platform/jobs/work.ts';
import { type Machine, runOn } from './clocks.ts';
import type { SimulatedDatabase } from './database.ts';
import {
  type Chance,
  chanceOf,
  drawBreak,
  drawFaults,
  drawLatency,
  type FaultKind,
  type Faults,
  noFaults,
  slowMs,
} from './faults.ts';

/** What a process of the service runs on. */
export type Place = { db: Database; log: JobDeps['log']; name: string };

/** What schedules run: the rows at the beginning, the processes, and what must hold. */
export type World = {
  /** Starts the workers of a process. Called again after a crash. */
  start: (place: Place) => void;
  /** Called after each transaction that may have written. Throws if something is wrong. */
  check: (sql: Pool) => Promise<void>;
  /** Whether all work has ended, and when the next is due, in ms since 1970 of the database. */
  progress: (sql: Pool) => Promise<{ isDone: boolean; nextDueMs: number | null }>;
  /** Throws if the end is wrong. */
  end: (sql: Pool) => Promise<void>;
};

/** What a world may use of the simulation. */
export type Simulation = {
  sql: Pool;
  chance: Chance;
  /** The faults that happen now; none after the end of the faults. */
  faults: () => Faults;
  /** Number of faults so far. */
  numFaults: () => number;
  noteFault: () => void;
  /** The true time, in ms since 1970. */
  now: () => number;
  /** Does something at a later time. `machine`: not if that has crashed by then. */
  later: (ms: number, label: string, work: () => void | Promise<void>) => void;
  note: (line: string) => void;
};
export type OpenWorld = (simulation: Simulation) => Promise<World>;

export type Outcome = {
  seed: number;
  /** Undefined if all held. */
  failure: string | undefined;
  trace: string[];
  events: number;
  faults: number;
};

type Event = {
  at: number;
  order: number;
  of?: Process;
  life?: number;
  isTimer: boolean;
  label: string;
  work: () => void | Promise<void>;
};
type Process = {
  name: string;
  life: number;
  isUp: boolean;
  stalledUntil: number;
  skewMs: number;
  machine: Machine;
};

const startMs = Date.UTC(2027, 0, 4, 7, 58);
/** The faults end after so many events. */
const faultyEvents = { least: 40, most: 300 };
/** Virtual time after the last fault until all work must have ended: deliveries take up to three days. */
const longestMs = 5 * 24 * 3_600_000;
const mostEvents = 30_000;
/** Without anything due for so long, time jumps. */
const idleMs = 30_000;
/** Most that a clock is wrong. */
export const longestSkewMs = 300_000;
const withinSkew = (ms: number) => Math.max(-longestSkewMs, Math.min(longestSkewMs, ms));

/** Throws unless a promise of the service holds. */
export const requireThat = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs one schedule. The same seed gives the same events, in this version of the code. */
export const runSchedule = async (
  database: SimulatedDatabase,
  openWorld: OpenWorld,
  seed: number,
  without: readonly FaultKind[] = [],
): Promise<Outcome> => {
  const chance = chanceOf(seededRandom(seed));
  const trace: string[] = [];
  let [now, order, events, faultCount, dbOffsetMs] = [startMs, 0, 0, 0, 0];
  let queue: Event[] = [];
  let faults = drawFaults(chance);
  for (const kind of without) faults[kind] = 0;
  let failure: string | undefined;
  let hasWritten = true;
  const note = (line: string) => void trace.push(`${((now - startMs) / 1_000).toFixed(3)} ${line}`);
  const noteFault = (line: string) => {
    faultCount++;
    note(`FAULT ${line}`);
  };
  const fail = (error: unknown) => {
    failure ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
  };
  const add = (ms: number, event: Omit<Event, 'at' | 'order'>): Event => {
    const added = { ...event, at: now + Math.max(0, ms), order: order++ };
    queue.push(added);
    return added;
  };
  const machineOf = (clock: () => number, of?: Process): Machine => {
    const own = chanceOf(seededRandom(chance.integer(0, 2 ** 31 - 1)));
    return {
      now: () => Math.floor(clock()),
      monotonic: () => now - startMs,
      random: own.number,
      after: (ms, ring) => {
        const event = add(ms, {
          ...(of && { of, life: of.life }),
          isTimer: true,
          label: 'timer',
          work: ring,
        });
        return () => {
          queue = queue.filter((one) => one !== event);
        };
      },
    };
  };
  const databaseMachine = machineOf(() => now + dbOffsetMs);
  const { sql, wire } = database;

  /** Waits until the transaction has settled. One that waits for something outside itself would hang the embedded engine. */
  const settled = async (work: Promise<unknown>): Promise<void> => {
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

  const latency = (): number => {
    const ms = drawLatency(chance, faults);
    if (ms >= slowMs) noteFault(`a message takes ${ms.toFixed()} ms`);
    return ms;
  };

  const shared: Connection = { sql, reader: undefined, untilLost: (work) => work, end: () => {} };
  const connectionsOf = (process: Process): Connections => ({
    use: (_tenant, work) => {
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const { life } = process;
      const crashes = chance.is(faults.crash / 4);
      const run = async () => {
        const broken = drawBreak(chance, faults);
        if (broken) noteFault(`${process.name} ${JSON.stringify(broken)}`);
        wire.breakNext(broken);
        const done = runOn(process.machine, () => work(shared));
        await settled(done);
        hasWritten ||= wire.hasWritten;
        wire.breakNext(undefined);
        const answer = await done.then(
          (value) => () => resolve(value as never),
          (error) => () => reject(error),
        );
        if (crashes) return crash(process);
        add(latency(), {
          of: process,
          life,
          isTimer: false,
          label: 'answer',
          work: answer,
        });
      };
      add(latency(), { of: process, life, isTimer: false, label: 'ask', work: run });
      return promise;
    },
    load: () => ({ running: 0, waiting: 0 }),
    close: async () => {},
  });

  const logOf = (process: Process): JobDeps['log'] => {
    const say = ({ err }: { err?: unknown }, text: string) => {
      note(`${process.name} log: ${text}: ${(err as Error | undefined)?.message}`);
      if (err && !isUnavailable(err)) fail(err);
    };
    return { error: say, warn: say, info: () => {}, debug: () => {} } as unknown as JobDeps['log'];
  };

  const databaseOf = (process: Process): Database => {
    const connections = connectionsOf(process);
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

  let world: World | undefined;
  const start = (process: Process) => {
    process.isUp = true;
    note(`${process.name} starts`);
    runOn(process.machine, () =>
      world!.start({ db: databaseOf(process), log: logOf(process), name: process.name }),
    );
  };
  const crash = (process: Process) => {
    if (!process.isUp) return;
    noteFault(`${process.name} crashes`);
    process.isUp = false;
    process.life++;
    queue = queue.filter((event) => event.of !== process);
    add(chance.between(100, 120_000), { isTimer: false, label: 'restart', work: () => start(process) });
  };
  const processes = Array.from({ length: chance.integer(2, 3) }, (_, i): Process => {
    const process: Process = {
      name: `P${i + 1}`,
      life: 0,
      isUp: false,
      stalledUntil: 0,
      skewMs: 0,
      machine: undefined!,
    };
    process.skewMs = faults.clock > 0 ? chance.between(-90_000, 90_000) : 0;
    process.machine = machineOf(() => now + process.skewMs, process);
    return process;
  });

  /** Faults that come by time, and not with a message. */
  const trouble = () => {
    if (faults === noFaults) return;
    const process = chance.one(processes);
    if (chance.is(faults.crash * 3)) crash(process);
    if (chance.is(faults.stall * 3)) {
      const ms = chance.between(1_000, 180_000);
      noteFault(`${process.name} stands still for ${ms.toFixed()} ms`);
      process.stalledUntil = now + ms;
    }
    if (chance.is(faults.stall / 2)) {
      const ms = chance.between(600_000, 3 * 3_600_000);
      noteFault(`all processes stand still for ${ms.toFixed()} ms`);
      for (const one of processes) one.stalledUntil = now + ms;
    }
    if (chance.is(faults.clock * 3)) {
      const step = chance.between(-120_000, 120_000);
      noteFault(`the clock of ${process.name} steps by ${step.toFixed()} ms`);
      process.skewMs = withinSkew(process.skewMs + step);
    }
    if (chance.is(faults.clock)) {
      const step = chance.between(-60_000, 60_000);
      noteFault(`the clock of the database steps by ${step.toFixed()} ms`);
      dbOffsetMs = withinSkew(dbOffsetMs + step);
    }
    add(chance.between(1_000, 20_000), { isTimer: false, label: 'trouble', work: trouble });
  };
  const healAfter = chance.integer(faultyEvents.least, faultyEvents.most);
  const heal = () => {
    note('no more faults');
    faults = noFaults;
    for (const process of processes) process.stalledUntil = now;
  };

  /** Takes the next event. Time jumps if nothing but timers is left, and nothing is due. */
  let nextDue: number | null = null;
  const next = async (): Promise<Event | undefined> => {
    const isIdle = queue.every(({ isTimer, label }) => isTimer || label === 'trouble');
    if (isIdle && nextDue !== null && nextDue > now + idleMs) now = nextDue - chance.between(0, 5_000);
    let first: Event | undefined;
    for (const event of queue)
      if (!first || event.at < first.at || (event.at === first.at && event.order < first.order))
        first = event;
    return first;
  };

  /** Does one event. Returns whether there are more. */
  const step = async (): Promise<boolean> => {
    const event = await next();
    if (!event) return false;
    queue.splice(queue.indexOf(event), 1);
    now = Math.max(now, event.at);
    const { of } = event;
    if (of && (event.life !== of.life || !of.isUp)) return true;
    if (of && of.stalledUntil > now) {
      queue.push({ ...event, at: of.stalledUntil });
      return true;
    }
    events++;
    if (events === healAfter) heal();
    if (of && event.label !== 'timer') note(`${of.name} ${event.label}`);
    await (of ? runOn(of.machine, () => event.work()) : event.work());
    await turn();
    await turn();
    if (of && !hasWritten) return true;
    hasWritten = false;
    await world!.check(sql);
    const { isDone, nextDueMs } = await world!.progress(sql);
    nextDue = nextDueMs === null ? null : nextDueMs - dbOffsetMs;
    return !(isDone && faults === noFaults);
  };

  const onRejection = (error: unknown) => fail(error);
  process.on('unhandledRejection', onRejection);
  try {
    await database.startOn(databaseMachine);
    shared.reader = undefined;
    const simulation: Simulation = {
      sql,
      chance,
      faults: () => faults,
      numFaults: () => faultCount,
      noteFault: () => void faultCount++,
      now: () => now,
      later: (ms, label, work) => void add(ms, { isTimer: false, label, work }),
      note,
    };
    world = await runOn(databaseMachine, () => openWorld(simulation));
    for (const process of processes) start(process);
    add(1_000, { isTimer: false, label: 'trouble', work: trouble });
    let healedAt: number | undefined;
    while (failure === undefined && (await step())) {
      if (faults === noFaults) healedAt ??= now;
      if (events > mostEvents) throw new Error(`Not done after ${events} events.`);
      if (healedAt !== undefined && now > healedAt + longestMs)
        throw new Error('Not done five days after the last fault.');
    }
    if (failure === undefined) await world.end(sql);
  } catch (error) {
    fail(error);
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  return { seed, failure, trace, events, faults: faultCount };
};
