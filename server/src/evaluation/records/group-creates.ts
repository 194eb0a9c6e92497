import { type Database, isDeadlock } from '../../platform/db/database.ts';
import { retry } from '../../platform/db/retry.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Sender, senderOf } from './audit-creates.ts';
import { createRecords, type NewRecord } from './create-records.ts';

type Waiting = {
  scope: Scope;
  item: NewRecord;
  resolve: (body: string) => void;
  reject: (error: unknown) => void;
};

/** Largest group that is written at once: more would make the first of them wait too long. */
const maxGroup = 250;
/** Longest wait for those who were answered to ask again, as a part of the time that writing took. */
const gatherShare = 0.5;
/** And at most: a write takes long when another transaction holds its run, and the next creates need not wait for that. */
const longestGatherMs = 50;

/** Single creates into one run that wait for being written. */
type Queue = {
  waiting: Waiting[];
  /** The next write waits until so many wait, then `gathered` is called. */
  wanted: number;
  gathered: () => void;
};

/** Resolves when so many wait, or after `maxMs`. */
const gather = async (queue: Queue, wanted: number, maxMs: number): Promise<void> => {
  if (queue.waiting.length >= wanted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxMs);
  Object.assign(queue, { wanted, gathered: resolve });
  await promise;
  clearTimeout(timer);
};

/** Puts creates of the same sender side by side: their numbers, which follow each other, make one entry of the audit log. */
const bySender = (group: Waiting[]): Waiting[][] => [
  ...Map.groupBy(group, ({ scope }) => senderOf(scope)).values(),
];

/** Returns which of the numbers that are taken together belong to each sender. */
const sendersOf = (groups: Waiting[][]): Sender[] => {
  let last = -groups.flat().length;
  return groups.map((creates) => {
    const first = last + 1;
    last += creates.length;
    return { scope: creates[0]!.scope, first, last };
  });
};

/**
 * Group commit: single creates that arrive while their run is being written wait and are then written together, in one batch
 * with one commit. Each create gets its own outcome, after that commit. After a group the next write waits a little until half
 * as many ask again: else every second commit would be for the first of them alone.
 */
export const groupCreates = (db: Database, now: () => number = () => performance.now()) => {
  const queues = new Map<string, Queue>();

  const writeTogether = async (scope: Scope, runId: bigint, group: Waiting[]): Promise<void> => {
    try {
      const senders = bySender(group);
      const items = senders.flat().map(({ item }) => item);
      const write = () => db.batch(scope, (tx) => createRecords(tx, scope, runId, items, sendersOf(senders)));
      const outcomes = await retry(isDeadlock, write);
      senders.flat().forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i]!;
        if (outcome instanceof ApiError) reject(outcome);
        else resolve(outcome.body);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const drain = async (name: string, queue: Queue, scope: Scope, runId: bigint): Promise<void> => {
    while (queue.waiting.length > 0) {
      const group = queue.waiting.splice(0, maxGroup);
      const begun = now();
      await writeTogether(scope, runId, group);
      const waitMs = Math.min(longestGatherMs, (now() - begun) * gatherShare);
      if (group.length > 1) await gather(queue, Math.ceil(group.length / 2), waitMs);
    }
    queues.delete(name);
  };

  return (scope: Scope, runId: bigint, item: NewRecord): Promise<string> =>
    new Promise((resolve, reject) => {
      const name = `${scope.organizationId} ${runId}`;
      const queue = queues.get(name) ?? { waiting: [], wanted: 0, gathered: () => {} };
      queue.waiting.push({ scope, item, resolve, reject });
      if (queue.waiting.length === queue.wanted) queue.gathered();
      if (queues.has(name)) return;
      queues.set(name, queue);
      void drain(name, queue, scope, runId);
    });
};
