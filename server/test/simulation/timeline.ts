import type { Machine } from './clocks.ts';

/** A process of the service. */
export type Process = {
  name: string;
  /** Rises with each crash, so that what an earlier life began does not go on. */
  life: number;
  isUp: boolean;
  stalledUntil: number;
  skewMs: number;
  machine: Machine;
};

export type Event = {
  at: number;
  order: number;
  /** The process in which it happens, and the life in which it was begun. */
  of?: Process;
  life?: number;
  isTimer: boolean;
  label: string;
  work: () => void | Promise<void>;
};

/** The virtual time of a schedule, its events, and the trace of what happened. */
export type Timeline = {
  /** The true time, in ms since 1970. */
  now: () => number;
  /** Milliseconds since the start. */
  elapsed: () => number;
  /** Adds an event that happens after `ms`. */
  add: (ms: number, event: Omit<Event, 'at' | 'order'>) => Event;
  cancel: (event: Event) => void;
  /** Cancels all events of a process. */
  cancelOf: (process: Process) => void;
  postpone: (event: Event, until: number) => void;
  /** Whether nothing but timers and troubles is left. */
  isIdle: () => boolean;
  jumpTo: (ms: number) => void;
  /** Takes the next event, whose time it then is. */
  take: () => Event | undefined;
  note: (line: string) => void;
  noteFault: (line?: string) => void;
  trace: string[];
  numFaults: () => number;
};

/** The label of events that bring faults. Time does not wait for them. */
export const trouble = 'trouble';

export const openTimeline = (startMs: number): Timeline => {
  const trace: string[] = [];
  let [now, order, faults] = [startMs, 0, 0];
  let queue: Event[] = [];
  const note = (line: string) => void trace.push(`${((now - startMs) / 1_000).toFixed(3)} ${line}`);
  return {
    now: () => now,
    elapsed: () => now - startMs,
    add: (ms, event) => {
      const added = { ...event, at: now + Math.max(0, ms), order: order++ };
      queue.push(added);
      return added;
    },
    cancel: (event) => {
      queue = queue.filter((one) => one !== event);
    },
    cancelOf: (process) => {
      queue = queue.filter(({ of }) => of !== process);
    },
    postpone: (event, until) => void queue.push({ ...event, at: until }),
    isIdle: () => queue.every(({ isTimer, label }) => isTimer || label === trouble),
    jumpTo: (ms) => {
      now = ms;
    },
    take: () => {
      let first: Event | undefined;
      for (const event of queue)
        if (!first || event.at < first.at || (event.at === first.at && event.order < first.order))
          first = event;
      if (!first) return undefined;
      queue.splice(queue.indexOf(first), 1);
      now = Math.max(now, first.at);
      return first;
    },
    note,
    noteFault: (line) => {
      faults++;
      if (line !== undefined) note(`FAULT ${line}`);
    },
    trace,
    numFaults: () => faults,
  };
};
