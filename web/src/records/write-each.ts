// Few at a time: the service answers each when it is committed, and others are waiting too.
const atOnce = 4;

export type Written = { done: string[]; errors: Error[] };

/** Sends a write for each of many ids, few at a time and all of them: one that is refused keeps no other back. */
export const writeEach = async (
  ids: readonly string[],
  send: (id: string) => Promise<unknown>,
  onProgress: (finished: number) => void,
): Promise<Written> => {
  const waiting = ids.values();
  const written: Written = { done: [], errors: [] };
  const work = async () => {
    // One iterator for all who work: each id is taken once.
    for (const id of waiting) {
      try {
        await send(id);
        written.done.push(id);
      } catch (error) {
        written.errors.push(error as Error);
      }
      onProgress(written.done.length + written.errors.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return written;
};
