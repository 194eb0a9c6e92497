/** Maximum number of attempts. */
const maxAttempts = 4;

/** Calls `work`, and calls it again while `passes` says that its error is temporary. A call that throws must have no effect. */
export const retry = async <T>(passes: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !passes(error)) throw error;
    }
  }
};
