import type { FastifyBaseLogger } from 'fastify';

/** Snapshots of the database, taken every few seconds by those who may have to look back. */
export type Snapshots = {
  /** What was committed at `at` or a little earlier; undefined when none so old is kept. */
  before: (at: number) => string | undefined;
  /** Takes one now, and goes on taking them. */
  start: () => Promise<void>;
  stop: () => void;
};

type SnapshotOptions = {
  read: () => Promise<string>;
  log: FastifyBaseLogger;
  now: () => number;
  everyMs: number;
  /** How far back one will be asked for. */
  keptMs: number;
};

/**
 * Keeps what a look back needs. When a row was written says nothing of when it was committed, and no clock does: only a snapshot
 * that was taken before tells what could not be seen then. Kept in this process: any other has its own.
 */
export const keepSnapshots = ({ read, log, now, everyMs, keptMs }: SnapshotOptions): Snapshots => {
  /** Oldest first; `at`: when it was there, so what is in it was committed earlier. */
  const kept: { at: number; snapshot: string }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const take = async (): Promise<void> => {
    try {
      const snapshot = await read();
      kept.push({ at: now(), snapshot });
      while (kept.length > 1 && kept[1]!.at <= now() - keptMs) kept.shift();
    } catch (error) {
      log.warn(
        { err: error },
        'no snapshot for changes could be taken; an earlier one serves, which tells more',
      );
    }
    if (!stopped) timer = setTimeout(take, everyMs).unref();
  };

  return {
    before: (at) => kept.findLast((each) => each.at <= at)?.snapshot,
    start: () => {
      clearTimeout(timer);
      return take();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
