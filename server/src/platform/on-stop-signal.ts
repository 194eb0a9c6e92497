import { constants } from 'node:os';

/** A signal within this time is a repetition: npm passes on a signal that the terminal or systemd has already sent to all processes. */
const sameSignalMs = 1_000;

/** Calls `stop` at the first SIGINT or SIGTERM. A later one ends the process at once. */
export const onStopSignal = (stop: (signal: NodeJS.Signals) => Promise<void>): void => {
  let begunAt: number | undefined;
  const handle = (signal: 'SIGINT' | 'SIGTERM') => {
    if (begunAt === undefined) {
      begunAt = performance.now();
      void stop(signal);
    } else if (performance.now() - begunAt > sameSignalMs) process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
};
