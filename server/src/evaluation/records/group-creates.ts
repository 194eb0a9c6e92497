import { type Database, isDeadlock } from '../../platform/db/database.ts';
import { retry } from '../../platform/db/retry.ts';
import { ApiError } from '../../platform/errors.ts';
import { groupWrites } from '../../platform/group-writes.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Sender, senderOf } from './audit-creates.ts';
import { answerOf, type Create, createRecords, insertNewRecords, type NewRecord } from './create-records.ts';

type Sent = Create & { scope: Scope; runId: bigint };

/**
 * Whether a create is one record whose scores are inserted with it, as clients without a batch send it. Other creates are written alone:
 * several records are created all or none, a score may need more than one statement, and a link may belong to another answer.
 */
const isGrouped = ({ operation, records: [first, ...others] }: Create): boolean =>
  others.length === 0 &&
  (operation === 'createRecord' || first!.otelLinkId === null) &&
  (first!.brought !== undefined || !first!.scores?.length);

/** Orders creates by sender: the consecutive numbers of a sender make one entry of the audit log. */
const bySender = (creates: Sent[]): Sent[][] => [
  ...Map.groupBy(creates, ({ scope, operation }) => `${operation} ${senderOf(scope)}`).values(),
];

const lengthOf = (create: Sent): number => {
  const [{ inputs, expected, outputs, brought = [] }] = create.records as [NewRecord];
  if (!isGrouped(create)) return Number.POSITIVE_INFINITY;
  return (
    inputs.length +
    expected.length +
    outputs.length +
    brought.reduce((sum, { score }) => sum + score.length, 0)
  );
};

/** Returns the numbers of each sender among those that are taken together. */
const sendersOf = (groups: Sent[][]): Sender[] => {
  const sizes = groups.map((creates) => creates.reduce((sum, { records }) => sum + records.length, 0));
  let last = -sizes.reduce((sum, size) => sum + size, 0);
  return groups.map(([create], i) => {
    const first = last + 1;
    last += sizes[i]!;
    return { scope: create!.scope, operation: create!.operation, first, last };
  });
};

/** Writes creates of one record each in one batch. */
const writeTogether = async (db: Database, creates: Sent[]): Promise<(string | ApiError)[]> => {
  const { scope, runId } = creates[0]!;
  const senders = bySender(creates);
  const ordered = senders.flat();
  const records = ordered.flatMap((create) => create.records);
  const outcomes = await db.batch(scope, (tx) =>
    insertNewRecords(tx, scope, runId, records, sendersOf(senders)),
  );
  const outcomeOf = new Map(ordered.map((create, i) => [create, outcomes[i]!]));
  return creates.map((create) => {
    const outcome = outcomeOf.get(create)!;
    return outcome instanceof ApiError ? outcome : answerOf(create, runId, [outcome]);
  });
};

const writeAlone = async (db: Database, create: Sent): Promise<string[]> => {
  const { scope, runId } = create;
  return [
    await db.transaction(scope, (tx) => createRecords(tx, scope, runId, create, sendersOf([[create]]))),
  ];
};

/** Creates records, and returns the answer of the operation. Creates in one run that arrive together are written together. */
export const groupCreates = (db: Database, now?: () => number) => {
  const write = (creates: Sent[]): Promise<(string | ApiError)[]> =>
    retry(isDeadlock, () =>
      isGrouped(creates[0]!) ? writeTogether(db, creates) : writeAlone(db, creates[0]!),
    );
  const grouped = groupWrites({ write, lengthOf, now });
  return (scope: Scope, runId: bigint, create: Create): Promise<string> => {
    // Scores that are inserted together name one member who gave them, and sessions claim the files of one member.
    const isPersonal = create.records.some(({ brought, sessionId }) => brought?.length || sessionId !== null);
    const member = isPersonal ? scope.memberId : '';
    return grouped(`${scope.organizationId} ${runId} ${member}`, { scope, runId, ...create });
  };
};
