import { type Database, isDeadlock } from '../../platform/db/database.ts';
import { retry } from '../../platform/db/retry.ts';
import { ApiError } from '../../platform/errors.ts';
import { groupWrites } from '../../platform/group-writes.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Sender, senderOf } from './audit-creates.ts';
import { createRecords, type NewRecord } from './create-records.ts';

type Create = { scope: Scope; runId: bigint; item: NewRecord };

/** Puts creates of the same sender side by side: their numbers, which follow each other, make one entry of the audit log. */
const bySender = (creates: Create[]): Create[][] => [
  ...Map.groupBy(creates, ({ scope }) => senderOf(scope)).values(),
];

/** Returns which of the numbers that are taken together belong to each sender. */
const sendersOf = (groups: Create[][]): Sender[] => {
  let last = -groups.flat().length;
  return groups.map((creates) => {
    const first = last + 1;
    last += creates.length;
    return { scope: creates[0]!.scope, first, last };
  });
};

/** Single creates into one run that arrive together are written together, in one batch. */
export const groupCreates = (db: Database, now?: () => number) => {
  const write = async (creates: Create[]): Promise<(string | ApiError)[]> => {
    const { scope, runId } = creates[0]!;
    const senders = bySender(creates);
    const ordered = senders.flat();
    const items = ordered.map(({ item }) => item);
    const create = () => db.batch(scope, (tx) => createRecords(tx, scope, runId, items, sendersOf(senders)));
    const outcomes = await retry(isDeadlock, create);
    const outcomeOf = new Map(ordered.map((each, i) => [each, outcomes[i]!]));
    return creates.map((each) => {
      const outcome = outcomeOf.get(each)!;
      return outcome instanceof ApiError ? outcome : outcome.body;
    });
  };
  const grouped = groupWrites({ write, now });
  return (scope: Scope, runId: bigint, item: NewRecord): Promise<string> =>
    grouped(`${scope.organizationId} ${runId}`, { scope, runId, item });
};
