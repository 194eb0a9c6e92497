import { rateLimited } from '../../platform/errors.ts';

/** Who asks for a hash: their address, and a signal that aborts when they leave. */
export type Asker = { address: string; left: AbortSignal };

// Hashes and files share the four threads of libuv: two are left for attachments.
const maxRunning = 2;
/** At a quarter to one second a hash, the last in line waits some four seconds. */
const maxWaiting = 8;
/** Maximum number of hashes of one address that run or wait: a flood from one address leaves places for others. */
const maxOfAddress = 4;

let running = 0;
const waiting = new Set<() => void>();
const ofAddress = new Map<string, number>();

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

const count = (address: string, more: 1 | -1): void => {
  const now = (ofAddress.get(address) ?? 0) + more;
  if (now === 0) ofAddress.delete(address);
  else ofAddress.set(address, now);
};

const inLine = async <T>(hash: () => Promise<T>, left: AbortSignal): Promise<T> => {
  if (running < maxRunning) running++;
  else await isFree(left);
  try {
    return await hash();
  } finally {
    const [next] = waiting;
    if (next) {
      // The next caller takes over the turn, so `running` stays the same.
      waiting.delete(next);
      next();
    } else running--;
  }
};

/**
 * Runs one hash of a password, at most two at a time in this process, in the order of their arrival. Throws 429 if eight wait
 * already, or four of the same address run or wait, and the reason of `left` if the client goes before its turn.
 */
export const hashInTurn = async <T>(hash: () => Promise<T>, { address, left }: Asker): Promise<T> => {
  left.throwIfAborted();
  const isFull = running >= maxRunning && waiting.size >= maxWaiting;
  if (isFull || (ofAddress.get(address) ?? 0) >= maxOfAddress)
    throw rateLimited(5, 'people sign in at this moment');
  count(address, 1);
  try {
    return await inLine(hash, left);
  } finally {
    count(address, -1);
  }
};
