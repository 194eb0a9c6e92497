import { seededRandom } from '../../src/engine/statistics/random.ts';
import type { Pool } from '../../src/platform/db/database.ts';
import { runOn } from './clocks.ts';
import type { SimulatedDatabase } from './database.ts';
import { type Chance, chanceOf, drawFaults, type FaultKind, type Faults, noFaults } from './faults.ts';
import { drawProcesses, fail, machineOf, type Place, type Schedule, start, turn } from './processes.ts';
import { type Event, openTimeline } from './timeline.ts';
import { heal, troubleFrom } from './trouble.ts';

/** What schedules run: the rows at the beginning, the processes, and what must hold. */
export type World = {
  /** Starts the workers of a process. Called again after a crash. */
  start: (place: Place) => void;
  /**
   * Called after each transaction that may have written, with the life of the process that made it; without one after an event of the
   * world. Throws if something is wrong.
   */
  check: (sql: Pool, writer: string | undefined) => Promise<void>;
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
  /** Does something at a later time. */
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

const startMs = Date.UTC(2027, 0, 4, 7, 58);
/** The faults end after so many events. */
const faultyEvents = { least: 40, most: 300 };
/** Virtual time after the last fault until all work must have ended: deliveries take up to three days. */
const longestMs = 5 * 24 * 3_600_000;
const mostEvents = 30_000;
/** Without anything due for so long, time jumps. */
const idleMs = 30_000;

/** Throws unless a promise of the service holds. */
export const requireThat = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};

const simulationOf = (schedule: Schedule): Simulation => {
  const { database, chance, timeline } = schedule;
  return {
    sql: database.sql,
    chance,
    faults: () => schedule.faults,
    numFaults: timeline.numFaults,
    noteFault: () => timeline.noteFault(),
    now: timeline.now,
    later: (ms, label, work) => void timeline.add(ms, { isTimer: false, label, work }),
    note: timeline.note,
  };
};

/** Whether the event can't happen: its process has crashed, or stands still, and then it happens later. */
const isHeldUp = ({ timeline }: Schedule, event: Event): boolean => {
  const { of, life } = event;
  if (!of) return false;
  if (life !== of.life || !of.isUp) return true;
  if (of.stalledUntil <= timeline.now()) return false;
  timeline.postpone(event, of.stalledUntil);
  return true;
};

const happen = async ({ timeline }: Schedule, { of, label, work }: Event): Promise<void> => {
  if (of && label !== 'timer') timeline.note(`${of.name} ${label}`);
  await (of ? runOn(of.machine, () => work()) : work());
  await turn();
  await turn();
};

/** Throws if a promise of the world does not hold. Returns whether all work has ended after the last fault, and when the next is due. */
const look = async (schedule: Schedule, world: World, { of }: Event) => {
  const { sql } = schedule.database;
  schedule.hasWritten = false;
  await world.check(sql, of && schedule.writer);
  const { isDone, nextDueMs } = await world.progress(sql);
  return {
    isDone: isDone && schedule.faults === noFaults,
    nextDue: nextDueMs === null ? null : nextDueMs - schedule.dbOffsetMs,
  };
};

/** Does one event after the other until all work has ended after the last fault. Returns their number. */
const happenAll = async (schedule: Schedule, world: World, healAfter: number): Promise<number> => {
  const { timeline, chance } = schedule;
  let [events, nextDue, healedAt]: [number, number | null, number | undefined] = [0, null, undefined];
  while (schedule.failure === undefined) {
    // Time jumps if nothing but timers is left, and nothing is due.
    if (nextDue !== null && nextDue > timeline.now() + idleMs && timeline.isIdle())
      timeline.jumpTo(nextDue - chance.between(0, 5_000));
    const event = timeline.take();
    if (!event) break;
    if (isHeldUp(schedule, event)) continue;
    if (++events === healAfter) heal(schedule);
    await happen(schedule, event);
    if (!event.of || schedule.hasWritten) {
      const { isDone, nextDue: next } = await look(schedule, world, event);
      if (isDone) break;
      nextDue = next;
    }
    if (schedule.faults === noFaults) healedAt ??= timeline.now();
    requireThat(events <= mostEvents, `Not done after ${events} events.`);
    const sinceMs = timeline.now() - (healedAt ?? timeline.now());
    requireThat(sinceMs <= longestMs, 'Not done five days after the last fault.');
  }
  return events;
};

const open = (database: SimulatedDatabase, seed: number, without: readonly FaultKind[]): Schedule => {
  const chance = chanceOf(seededRandom(seed));
  const faults = drawFaults(chance);
  for (const kind of without) faults[kind] = 0;
  return {
    chance,
    timeline: openTimeline(startMs),
    database,
    faults,
    processes: [],
    dbOffsetMs: 0,
    hasWritten: true,
    writer: undefined,
    failure: undefined,
    startWorkers: () => {},
  };
};

/** Runs one schedule. The same seed gives the same events, in this version of the code. */
export const runSchedule = async (
  database: SimulatedDatabase,
  openWorld: OpenWorld,
  seed: number,
  without: readonly FaultKind[] = [],
): Promise<Outcome> => {
  const schedule = open(database, seed, without);
  const { chance, timeline } = schedule;
  const databaseMachine = machineOf(schedule, () => timeline.now() + schedule.dbOffsetMs);
  schedule.processes = drawProcesses(schedule);
  const healAfter = chance.integer(faultyEvents.least, faultyEvents.most);
  const onRejection = (error: unknown) => fail(schedule, error);
  process.on('unhandledRejection', onRejection);
  let events = 0;
  try {
    await database.startOn(databaseMachine);
    const world = await runOn(databaseMachine, () => openWorld(simulationOf(schedule)));
    schedule.startWorkers = world.start;
    for (const one of schedule.processes) start(schedule, one);
    troubleFrom(schedule, 1_000);
    events = await happenAll(schedule, world, healAfter);
    if (schedule.failure === undefined) await world.end(database.sql);
  } catch (error) {
    fail(schedule, error);
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  return { seed, failure: schedule.failure, trace: timeline.trace, events, faults: timeline.numFaults() };
};
