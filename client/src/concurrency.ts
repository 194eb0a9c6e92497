/**
 * Calls `work` for each item, at most `limit` at a time, and returns the results in the order of the items. After the first
 * failure, of `work` or of the list, it starts nothing new, waits for running work, and throws that failure.
 */
export const mapConcurrently = async <Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const underWay = new Set<Promise<void>>();
  let index = 0;
  try {
    for await (const item of items) {
      if (failures.length > 0) break;
      const at = index++;
      const one: Promise<void> = work(item)
        .then(
          (result) => {
            results[at] = result;
          },
          (error: unknown) => {
            failures.push(error);
          },
        )
        .finally(() => underWay.delete(one));
      underWay.add(one);
      if (underWay.size >= limit) await Promise.race(underWay);
    }
  } catch (error) {
    failures.push(error);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  return results;
};
