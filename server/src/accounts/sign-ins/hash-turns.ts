import { rateLimited } from '../../platform/errors.ts';
import { type Asker, limitTo, openLine } from '../../platform/turns.ts';

// Hashes and files share the four threads of libuv: two are left for attachments.
const maxRunning = 2;
/** At a quarter to one second a hash, the last in line waits some four seconds. */
const maxWaiting = 8;
const tooMany = 'people sign in at this moment';
/** Maximum number of hashes of one address that run or wait: a flood from one address leaves places for others. */
const atMostFour = limitTo(4, tooMany);

let running = 0;
const line = openLine<void>();

/**
 * Runs one hash of a password, at most two at a time in this process. The owner of a turn is the address; its signal aborts when the client
 * leaves. Throws 429 if eight wait already, or four of the same address run or wait, and the reason of the signal if the client goes before
 * its turn.
 */
export const hashInTurn = <T>(hash: () => Promise<T>, asker: Asker): Promise<T> =>
  atMostFour(asker.owner, async () => {
    asker.signal?.throwIfAborted();
    if (running >= maxRunning && line.size() >= maxWaiting) throw rateLimited(5, tooMany);
    if (running < maxRunning) running++;
    else await line.wait(asker);
    try {
      return await hash();
    } finally {
      // The next caller takes over the turn, so `running` stays the same.
      if (!line.admit()) running--;
    }
  });
