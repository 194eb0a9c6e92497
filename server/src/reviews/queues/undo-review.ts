import { requireProject } from '../../evaluation/projects/queries.ts';
import { lockRecord } from '../../evaluation/records/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { reclaimScore } from './claims.ts';
import { answerOf } from './next-review.ts';
import {
  copyReviewers,
  findLastReview,
  findSubmittedWith,
  lockScore,
  type ReviewedScore,
  type ReviewKey,
  restoreOwnReview,
  undoReview,
} from './queries.ts';
import { findFilter, type QueueFilter, requireFound } from './queue-filter.ts';
import { settleScore, unsettleScore } from './settle.ts';

type Locked = { last: ReviewKey & { id: string }; score: ReviewedScore };

/**
 * Finds the member's last review and those submitted with it, and locks their record and scores in the order in which they are submitted.
 * Returns none when there is nothing to undo. A metric that was deleted since keeps its review.
 */
const lockLastReviews = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  filter: QueueFilter,
): Promise<Locked[]> => {
  const [last] = await findLastReview(tx, scope, projectId, filter);
  if (!last) return [];
  await lockRecord(tx, scope, last);
  const others = filter.metricId === null ? await findSubmittedWith(tx, scope, last, last.id) : [];
  const locked: Locked[] = [];
  for (const each of [last, ...others].sort((a, b) => (a.configId < b.configId ? -1 : 1))) {
    const [score] = await lockScore(tx, scope, each);
    if (score) locked.push({ last: each, score });
  }
  return locked;
};

/**
 * Undoes one review. A review that it had replaced counts again; without one, the member has the score claimed again. The score follows the
 * remaining reviews or, if they are too few, returns to its state before any review settled it.
 */
const undoOne = async (tx: Sql, scope: Scope, { last, score }: Locked): Promise<void> => {
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
};

/** Undoes the member's last review, with those that were submitted together with it. */
export const undoLastReview = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  filter: QueueFilter,
): Promise<string> => {
  await requireProject(tx, scope, projectId);
  requireFound(filter, await findFilter(tx, scope, projectId, filter));
  const locked = await lockLastReviews(tx, scope, projectId, filter);
  for (const each of locked) await undoOne(tx, scope, each);
  const [first, ...others] = locked.map(({ last }) => last);
  return answerOf(
    tx,
    scope,
    first,
    others.map(({ configId }) => configId),
  );
};
