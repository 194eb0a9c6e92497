/**
 * What `make` makes, made when it is first asked for and then kept. A failure is not kept: it may have been the machine's bad
 * moment, and the next to ask tries again.
 */
export const makeOnce = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};
