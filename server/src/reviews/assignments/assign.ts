import { lockMember } from '../../accounts/members/queries.ts';
import { requireProject } from '../../evaluation/projects/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { newUuid, type RecordKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findFilter, type QueueFilter, requireFound } from '../queues/queue-filter.ts';
import { deleteAssignments, insertAssignments, lockAssignable, skipClaimed } from './queries.ts';
import { type AssignReviews, mostAssigned } from './schema.ts';

export type Assignment = {
  people: string[];
  numPerRecord: number;
  from: string | null;
  count: number;
};

/** Reads a request. Throws 400 for people who cannot each get their share, and when there is nothing to do. */
export const readAssignment = (body: AssignReviews): Assignment => {
  const people = body.userIds.map((id) => uuidId('user', id));
  const from = body.fromUserId === undefined ? null : uuidId('user', body.fromUserId);
  const numPerRecord = body.numPerRecord ?? 1;
  if (new Set(people).size < people.length) throw invalid('/userIds', 'must name each user once');
  if (people.length === 0 && from === null)
    throw invalid('/userIds', 'must not be empty without fromUserId: it says whose records become free');
  if (from !== null && people.includes(from))
    throw invalid('/userIds', 'must not have the user of fromUserId');
  if (people.length > 0 && numPerRecord > people.length)
    throw invalid('/numPerRecord', 'must not be larger than the number of users');
  return { people, numPerRecord, from, count: body.maxRecords ?? mostAssigned };
};

/** Deals the records out: each to the next people in turn, so that their numbers differ by one at most. */
const deal = (keys: RecordKey[], { people, numPerRecord }: Assignment) =>
  people.length === 0
    ? []
    : keys.flatMap((key, place) =>
        Array.from({ length: numPerRecord }, (_, i) => ({
          ...key,
          id: newUuid(),
          assigneeId: people[(place * numPerRecord + i) % people.length]!,
        })),
      );

/** Assigns waiting records of a queue to people, or takes them from a person. */
export const assignReviews = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  filter: QueueFilter,
  assignment: Assignment,
): Promise<string> => {
  const { people, from, count } = assignment;
  await requireProject(tx, scope, projectId);
  requireFound(filter, await findFilter(tx, scope, projectId, filter));
  for (const id of [...people, ...(from === null ? [] : [from])].sort())
    requireOne(await lockMember(tx, scope, id), 'user', id);
  const keys = await lockAssignable(tx, scope, projectId, filter, from, count);
  if (from !== null && keys.length > 0) await deleteAssignments(tx, scope, from, [...keys]);
  const dealt = deal([...keys], assignment);
  const added = dealt.length > 0 ? await insertAssignments(tx, scope, dealt) : [];
  const numOf = new Map<string, number>();
  for (const { assigneeId } of added) numOf.set(assigneeId, (numOf.get(assigneeId) ?? 0) + 1);
  return JSON.stringify({
    numRecords: keys.length,
    people: people.map((userId) => ({ userId, numRecords: numOf.get(userId) ?? 0 })),
  });
};

/** Gives back the member's assigned records that wait for their score, or one of them: they are then for anyone. */
export const leaveReviews = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  filter: QueueFilter,
  record: RecordKey | undefined,
): Promise<string> => {
  await requireProject(tx, scope, projectId);
  requireFound(filter, await findFilter(tx, scope, projectId, filter));
  const all = await lockAssignable(tx, scope, projectId, filter, scope.memberId, mostAssigned);
  const keys = record ? all.filter(({ runId, n }) => runId === record.runId && n === record.n) : [...all];
  if (keys.length > 0) {
    await deleteAssignments(tx, scope, scope.memberId, keys);
    // Else the claim would bring it back at once.
    await skipClaimed(tx, scope, keys);
  }
  return `{"numRecords":${keys.length}}`;
};
