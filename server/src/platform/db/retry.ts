/** How often work is begun at most. */
const maxAttempts = 4;

/** Calls `work`, which must leave nothing behind when it throws, again while what it throws `passes` by itself. */
export const retry = async <T>(passes: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !passes(error)) throw error;
    }
  }
};
