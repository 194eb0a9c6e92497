import { type Database, isDeadlock } from '../../platform/db/database.ts';
import { retry } from '../../platform/db/retry.ts';
import { ApiError } from '../../platform/errors.ts';
import { groupWrites } from '../../platform/group-writes.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type CreateOperation, type Sender, senderOf } from './audit-creates.ts';
import { createRecords, type NewRecord, type Outcome } from './create-records.ts';

type Create = { scope: Scope; runId: bigint; item: NewRecord; operation: CreateOperation };

/** Puts creates of the same sender side by side: their numbers, which follow each other, make one entry of the audit log. */
const bySender = (creates: Create[]): Create[][] => [
  ...Map.groupBy(creates, ({ scope, operation }) => `${operation} ${senderOf(scope)}`).values(),
];

const lengthOf = ({ item: { inputs, expected, outputs, brought = [] } }: Create): number =>
  inputs.length +
  expected.length +
  outputs.length +
  brought.reduce((sum, { score }) => sum + score.length, 0);

/** Returns which of the numbers that are taken together belong to each sender. */
const sendersOf = (groups: Create[][]): Sender[] => {
  let last = -groups.flat().length;
  return groups.map((creates) => {
    const first = last + 1;
    last += creates.length;
    return { scope: creates[0]!.scope, operation: creates[0]!.operation, first, last };
  });
};

const answerOf = ({ runId, operation }: Create, outcome: Outcome): string | ApiError => {
  if (outcome instanceof ApiError) return outcome;
  return operation === 'createRecord' ? outcome.body : `{"ids":["${runId}-${outcome.n}"]}`;
};

/**
 * Creates of one record each into one run that arrive together are written together, in one batch. Returns the answer of the
 * operation. Scores that a record brings along must be stored with it (`brought`).
 */
export const groupCreates = (db: Database, now?: () => number) => {
  const write = async (creates: Create[]): Promise<(string | ApiError)[]> => {
    const { scope, runId } = creates[0]!;
    const senders = bySender(creates);
    const ordered = senders.flat();
    const items = ordered.map(({ item }) => item);
    const create = () => db.batch(scope, (tx) => createRecords(tx, scope, runId, items, sendersOf(senders)));
    const outcomes = await retry(isDeadlock, create);
    const outcomeOf = new Map(ordered.map((each, i) => [each, outcomes[i]!]));
    return creates.map((each) => answerOf(each, outcomeOf.get(each)!));
  };
  const grouped = groupWrites({ write, lengthOf, now });
  return (scope: Scope, runId: bigint, item: NewRecord, operation: CreateOperation): Promise<string> => {
    // Scores that are inserted together name one member who gave them.
    const scorer = item.brought?.length ? scope.memberId : '';
    return grouped(`${scope.organizationId} ${runId} ${scorer}`, { scope, runId, item, operation });
  };
};
