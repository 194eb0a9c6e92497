import { requireProject } from '../../evaluation/projects/queries.ts';
import { lockRecord } from '../../evaluation/records/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { holdScore } from './claims.ts';
import { findNarrowing, type Narrowing, requireNarrowing } from './narrowing.ts';
import {
  copyReviewers,
  findLastReview,
  findTask,
  lockScore,
  type ReviewKey,
  restoreOwnReview,
  undoReview,
} from './queries.ts';
import { settleScore, unsettleScore } from './settle.ts';

/** The member's last review, with its record and score locked; none when it is not theirs to undo any more. */
const lockLastReview = async (tx: Sql, scope: Scope, projectId: bigint, narrowing: Narrowing) => {
  const [last] = await findLastReview(tx, scope, projectId, narrowing);
  if (!last) return undefined;
  await lockRecord(tx, scope, last);
  const [score] = await lockScore(tx, scope, last);
  return score && { last, score };
};

/**
 * Takes the member's last submission back. The one that they had replaced by it stands again; else the record is in their hand
 * once more. Its score becomes what the remaining reviews say; when they are too few, what it was before reviews made it.
 */
export const undoLastReview = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  narrowing: Narrowing,
): Promise<string> => {
  await Promise.all([
    requireProject(tx, scope, projectId),
    requireNarrowing(narrowing, findNarrowing(tx, scope, projectId, narrowing)),
  ]);
  const locked = await lockLastReview(tx, scope, projectId, narrowing);
  if (!locked) return '{"review":null}';
  const { last, score } = locked;
  const key: ReviewKey = last;
  const undone = await undoReview(tx, scope, key, last.id);
  if (undone.count === 0)
    throw conflict('This review has just been undone by another request.', { id: last.id });
  const restored = await restoreOwnReview(tx, scope, key);
  await copyReviewers(tx, scope, key);
  // A score that was given in another way since then stays.
  if (score.state === 'pending' || score.byReviews) {
    const settled = await settleScore(tx, scope, key, score);
    if (settled.count === 0) await unsettleScore(tx, scope, key);
  }
  if (restored.count === 0) await holdScore(tx, scope, key);
  const [task] = await findTask(tx, scope, key);
  return `{"review":${task!.body}}`;
};
