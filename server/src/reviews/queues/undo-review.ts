import { requireProject } from '../../evaluation/projects/queries.ts';
import { lockRecord } from '../../evaluation/records/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { reclaimScore } from './claims.ts';
import {
  copyReviewers,
  findLastReview,
  findTask,
  lockScore,
  type ReviewKey,
  restoreOwnReview,
  undoReview,
} from './queries.ts';
import { findFilter, type QueueFilter, requireFound } from './queue-filter.ts';
import { settleScore, unsettleScore } from './settle.ts';

/** Finds the member's last review and locks its record and score. Returns none when there is nothing to undo. */
const lockLastReview = async (tx: Sql, scope: Scope, projectId: bigint, filter: QueueFilter) => {
  const [last] = await findLastReview(tx, scope, projectId, filter);
  if (!last) return undefined;
  await lockRecord(tx, scope, last);
  const [score] = await lockScore(tx, scope, last);
  return score && { last, score };
};

/**
 * Undoes the member's last review. A review that it had replaced counts again; without one, the member has the score claimed
 * again. The score follows the remaining reviews or, if they are too few, returns to its state before any review settled it.
 */
export const undoLastReview = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  filter: QueueFilter,
): Promise<string> => {
  await requireProject(tx, scope, projectId);
  requireFound(filter, await findFilter(tx, scope, projectId, filter));
  const locked = await lockLastReview(tx, scope, projectId, filter);
  if (!locked) return '{"review":null}';
  const { last, score } = locked;
  const key: ReviewKey = last;
  const undone = await undoReview(tx, scope, key, last.id);
  if (undone.count === 0) throw conflict('Another request has just undone this review.', { id: last.id });
  const restored = await restoreOwnReview(tx, scope, key);
  await copyReviewers(tx, scope, key);
  // A score that has come through the score endpoint since then stays.
  if (score.state === 'pending' || score.byReviews) {
    const isSettled = await settleScore(tx, scope, key, score);
    if (!isSettled) await unsettleScore(tx, scope, key);
  }
  if (restored.count === 0) await reclaimScore(tx, scope, key);
  const [task] = await findTask(tx, scope, key);
  return `{"review":${task!.body}}`;
};
