import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resident memory below which garbage may stay. */
const enoughBytes = 350 * 1024 * 1024;

/** Returns the function that collects all garbage of this process, if it has much memory. It takes 50 to 100 ms. */
export const garbageCollector = (): (() => void) => {
  // The flag adds `gc` to contexts that are made after it. This one alone gets it.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => {
    if (process.memoryUsage.rss() > enoughBytes) collect();
  };
};
