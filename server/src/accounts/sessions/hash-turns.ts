import { rateLimited } from '../../platform/errors.ts';

// Hashes and files share the four threads of libuv: two are left for attachments.
const maxRunning = 2;
/** At a quarter to one second a hash, the last in line waits some four seconds. */
const maxWaiting = 8;

let running = 0;
const waiting = new Set<() => void>();

const isFree = (left: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(enter);
      reject(left.reason);
    };
    const enter = () => {
      left.removeEventListener('abort', leave);
      resolve();
    };
    waiting.add(enter);
    left.addEventListener('abort', leave, { once: true });
  });

/**
 * Runs one hash of a password, at most two at a time in this process, in the order of their arrival. Throws 429 if eight wait
 * already, and the reason of `left` if the client goes before its turn.
 */
export const hashInTurn = async <T>(hash: () => Promise<T>, left: AbortSignal): Promise<T> => {
  left.throwIfAborted();
  if (running >= maxRunning) {
    if (waiting.size >= maxWaiting) throw rateLimited(5, 'people sign in at this moment');
    await isFree(left);
  } else running++;
  try {
    return await hash();
  } finally {
    const [next] = waiting;
    if (next) {
      // The turn passes on, so `running` stays.
      waiting.delete(next);
      next();
    } else running--;
  }
};
