type Waiting = { bytes: number; enter: () => void };

/**
 * Lets tasks in, in turn, while there is a place and their bytes fit beside those inside. A task that alone is more than
 * fits goes in when nothing else is: what a body becomes when it is decoded is many times its size.
 */
export const openIntake = (places: number, maxBytes: number) => {
  const waiting: Waiting[] = [];
  let inside = 0;
  let insideBytes = 0;
  const hasRoom = (bytes: number) => inside === 0 || (inside < places && insideBytes + bytes <= maxBytes);
  const admit = () => {
    for (let next = waiting[0]; next && hasRoom(next.bytes); next = waiting[0]) {
      waiting.shift();
      inside++;
      insideBytes += next.bytes;
      next.enter();
    }
  };
  return async <T>(bytes: number, task: () => Promise<T>): Promise<T> => {
    await new Promise<void>((enter) => {
      waiting.push({ bytes, enter });
      admit();
    });
    try {
      return await task();
    } finally {
      inside--;
      insideBytes -= bytes;
      admit();
    }
  };
};
