type Waiting = { bytes: number; enter: () => void };

/**
 * Returns the function that runs tasks in the order they come: at most `places` at a time, and only while their bytes together
 * stay within `maxBytes`. A task that is larger than `maxBytes` runs alone: a decoded body is many times its size.
 */
export const openIntake = (places: number, maxBytes: number) => {
  const waiting: Waiting[] = [];
  let running = 0;
  let runningBytes = 0;
  const hasRoom = (bytes: number) => running === 0 || (running < places && runningBytes + bytes <= maxBytes);
  const admit = () => {
    for (let next = waiting[0]; next && hasRoom(next.bytes); next = waiting[0]) {
      waiting.shift();
      running++;
      runningBytes += next.bytes;
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
      running--;
      runningBytes -= bytes;
      admit();
    }
  };
};
