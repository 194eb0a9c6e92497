import { ApiError } from './errors.ts';

/** Largest group that is written at once: in a larger group the first writes would wait too long. */
const maxGroup = 250;
/** The same in characters: a group is one statement, which must fit into memory many times. */
const maxGroupLength = 8_000_000;
/** Longest wait for further requests of the clients that were answered, as a part of the time of the write. */
const gatherShare = 0.5;
/** The wait ends when so many of the clients wait again. */
const gatheredShare = 0.75;
/** Upper limit of that wait: a write takes long if another transaction holds its rows, and the next write need not wait for that. */
const longestGatherMs = 50;

type Waiting<Item> = { item: Item; resolve: (body: string) => void; reject: (error: unknown) => void };

/** Writes to one place that wait. */
type Queue<Item> = {
  waiting: Waiting<Item>[];
  /** The next write waits until this many writes wait, then `gathered` is called. */
  wanted: number;
  gathered: () => void;
};

type GroupOptions<Item> = {
  /** Writes a group in one transaction, and returns the outcome of each item in their order. */
  write: (items: Item[]) => Promise<(string | ApiError)[]>;
  /** Items with the same key are written one after the other. Default: all go together. */
  keyOf?: (item: Item) => string;
  /** Number of characters of an item that are written. Default: negligible. */
  lengthOf?: (item: Item) => number;
  now?: (() => number) | undefined;
};

/** Resolves when this many writes wait, or after `maxMs`. */
const gather = async <Item>(queue: Queue<Item>, wanted: number, maxMs: number): Promise<void> => {
  if (queue.waiting.length >= wanted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxMs);
  Object.assign(queue, { wanted, gathered: resolve });
  await promise;
  clearTimeout(timer);
};

/** Takes the next group: the first of each key, as many as fit and at least one. */
const takeGroup = <Item>(
  queue: Queue<Item>,
  { keyOf, lengthOf = () => 0 }: GroupOptions<Item>,
): Waiting<Item>[] => {
  let length = 0;
  const tooMany = queue.waiting.findIndex(({ item }, i) => {
    length += lengthOf(item);
    return i > 0 && (i === maxGroup || length > maxGroupLength);
  });
  const next = queue.waiting.splice(0, tooMany === -1 ? maxGroup : tooMany);
  if (!keyOf) return next;
  const seen = new Set<string>();
  const { group = [], later = [] } = Object.groupBy(next, ({ item }) => {
    const key = keyOf(item);
    if (seen.has(key)) return 'later';
    seen.add(key);
    return 'group';
  });
  queue.waiting.unshift(...later);
  return group;
};

/**
 * Group commit: single writes that arrive while their place is being written wait and are then written together, with one commit.
 * Each gets its own outcome, after that commit. The next write waits a little until most of those who wrote or wait have arrived;
 * otherwise the clients would fall into two halves that take turns, and each commit would be for one half.
 */
export const groupWrites = <Item>(options: GroupOptions<Item>) => {
  const { write, now = () => performance.now() } = options;
  const queues = new Map<string, Queue<Item>>();

  const writeGroup = async (group: Waiting<Item>[]): Promise<void> => {
    try {
      const outcomes = await write(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i]!;
        if (outcome instanceof ApiError) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const drain = async (place: string, queue: Queue<Item>): Promise<void> => {
    while (queue.waiting.length > 0) {
      const group = takeGroup(queue, options);
      const begun = now();
      await writeGroup(group);
      const waitMs = Math.min(longestGatherMs, (now() - begun) * gatherShare);
      // Those who were answered are likely to write again, and those who wait already would leave them to the next commit.
      const company = group.length + queue.waiting.length;
      if (company > 1) await gather(queue, Math.min(maxGroup, Math.ceil(company * gatheredShare)), waitMs);
    }
    queues.delete(place);
  };

  return (place: string, item: Item): Promise<string> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(place) ?? { waiting: [], wanted: 0, gathered: () => {} };
      queue.waiting.push({ item, resolve, reject });
      if (queue.waiting.length === queue.wanted) queue.gathered();
      if (queues.has(place)) return;
      queues.set(place, queue);
      void drain(place, queue);
    });
};
