/** Loops that look for work. */
export type Worker = {
  /** Makes the loops look for work now, or poll at the interval for busy times. Only a hint. */
  wake: (when?: 'now' | 'soon') => void;
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
  /** Called with the error of `next`, before the pause until the next attempt. */
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

/** Calls `ring` after a wake, at most once in the shortest time between two. */
const limitWakes = (ring: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  let rungAt = Number.NEGATIVE_INFINITY;
  let everyMs = wakeEveryMs.least;
  return {
    wake: () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          rungAt = performance.now();
          ring();
        },
        Math.max(0, rungAt + everyMs - performance.now()),
      );
    },
    looked: (found: boolean) => {
      everyMs = found ? wakeEveryMs.least : Math.min(everyMs * 2, wakeEveryMs.most);
    },
    stop: () => clearTimeout(timer),
  };
};

/**
 * Calls `ring` at growing intervals while a loop sleeps. All loops share one timer: with one timer each, sixteen idle loops asked the
 * database four times a second.
 */
const startPolls = (
  ring: () => void,
  isNeeded: () => boolean,
  { pollMs, longestPollMs }: { pollMs: number; longestPollMs: () => number },
) => {
  let timer: NodeJS.Timeout | undefined;
  let ringAt = 0;
  let everyMs = pollMs;
  const start = () => {
    if (timer) return;
    ringAt = performance.now() + everyMs;
    timer = setTimeout(() => {
      timer = undefined;
      everyMs = Math.max(pollMs, Math.min(everyMs * 2, longestPollMs()));
      ring();
      if (isNeeded()) start();
    }, everyMs);
  };
  return {
    start,
    /** Resets the interval to its shortest. */
    often: () => {
      everyMs = pollMs;
      if (timer === undefined || ringAt - performance.now() <= pollMs) return;
      clearTimeout(timer);
      timer = undefined;
      start();
    },
    stop: () => clearTimeout(timer),
  };
};

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
  const wakeOne = () => {
    const [sleeper] = sleepers;
    if (sleeper) sleeper();
    else missed = true;
  };
  const wakes = limitWakes(wakeOne);
  const polls = startPolls(
    () => [...sleepers][0]?.(),
    () => sleepers.size > 0,
    { pollMs, longestPollMs },
  );

  const sleep = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        sleepers.delete(done);
        resolve();
      };
      sleepers.add(done);
      polls.start();
    });

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const found = await next(stopping.signal, wakeOne);
        wakes.looked(found);
        if (found) {
          polls.often();
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
    wake: (when = 'now') => {
      polls.often();
      if (when === 'now') wakes.wake();
    },
    stop: async () => {
      stopping.abort(new Error('the worker stops'));
      wakes.stop();
      polls.stop();
      for (const sleeper of sleepers) sleeper();
      await Promise.all(loops);
    },
  };
};
