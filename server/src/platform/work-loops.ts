/** Loops that look for work. */
export type Worker = {
  /** Looks for work now instead of at the next poll. Only a hint. */
  wake: () => void;
  /** Polls as often as while there is work. */
  rouse: () => void;
  /** Gives unfinished work back and ends. */
  stop: () => Promise<void>;
};

export type LoopOptions = {
  /** Loops at the same time. */
  count: number;
  /**
   * Does the next piece of work; false when there is none. Calls `more` as soon as it knows that there is more than it takes:
   * another loop then looks too. Its signal is aborted when the worker stops.
   */
  next: (stopping: AbortSignal, more: () => void) => Promise<boolean>;
  /** Called with what `next` threw, before the pause until the next attempt. */
  failed: (error: unknown) => void;
  /** Time between two looks without a wake, while there is work. */
  pollMs?: number | undefined;
  /** The longest time between two looks. After each look that finds nothing the time doubles, so that an idle service costs little. */
  longestPollMs?: (() => number) | undefined;
};

const defaultPollMs = 1_000;
/**
 * Shortest time from one wake to the next, so that a thousand writes a second do not cause a thousand looks. It doubles each time a look
 * finds nothing: most writes leave nothing to do, and a look after each was a tenth of their cost.
 */
const wakeEveryMs = { least: 20, most: 160 };

/** Runs `next` in loops that sleep while there is nothing to do. */
export const startLoops = ({
  count,
  next,
  failed,
  pollMs = defaultPollMs,
  longestPollMs = () => pollMs,
}: LoopOptions): Worker => {
  const stopping = new AbortController();
  const sleepers = new Set<() => void>();
  /** A wake found every loop busy. The next loop that finds nothing looks again, because it may have looked before the wake. */
  let missed = false;
  let wakeTimer: NodeJS.Timeout | undefined;
  let wokenAt = Number.NEGATIVE_INFINITY;
  let everyMs = wakeEveryMs.least;

  const wakeOne = () => {
    const [sleeper] = sleepers;
    if (sleeper) sleeper();
    else missed = true;
  };

  let pollTimer: NodeJS.Timeout | undefined;
  let pollAt = 0;
  let pollInMs = pollMs;
  /** One timer for all that sleep: with one for each, sixteen idle loops asked the database four times a second. */
  const poll = () => {
    if (pollTimer) return;
    pollAt = performance.now() + pollInMs;
    pollTimer = setTimeout(() => {
      pollTimer = undefined;
      pollInMs = Math.max(pollMs, Math.min(pollInMs * 2, longestPollMs()));
      const [sleeper] = sleepers;
      sleeper?.();
      if (sleepers.size > 0) poll();
    }, pollInMs);
  };

  const rouse = () => {
    pollInMs = pollMs;
    if (pollTimer === undefined || pollAt - performance.now() <= pollMs) return;
    clearTimeout(pollTimer);
    pollTimer = undefined;
    poll();
  };

  const wake = () => {
    rouse();
    wakeTimer ??= setTimeout(
      () => {
        wakeTimer = undefined;
        wokenAt = performance.now();
        wakeOne();
      },
      Math.max(0, wokenAt + everyMs - performance.now()),
    );
  };

  const sleep = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        sleepers.delete(done);
        resolve();
      };
      sleepers.add(done);
      poll();
    });

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const found = await next(stopping.signal, wakeOne);
        everyMs = found ? wakeEveryMs.least : Math.min(everyMs * 2, wakeEveryMs.most);
        if (found) {
          rouse();
          continue;
        }
        if (!missed && !stopping.signal.aborted) await sleep();
        missed = false;
      } catch (error) {
        if (stopping.signal.aborted) return;
        failed(error);
        await sleep();
      }
    }
  };

  const loops = Array.from({ length: count }, loop);
  return {
    wake,
    rouse,
    stop: async () => {
      stopping.abort(new Error('the worker stops'));
      clearTimeout(wakeTimer);
      clearTimeout(pollTimer);
      for (const sleeper of sleepers) sleeper();
      await Promise.all(loops);
    },
  };
};
