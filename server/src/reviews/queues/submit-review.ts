import { lockRecord } from '../../evaluation/records/queries.ts';
import { findConfigsOfRun, queueScore } from '../../evaluation/scores/queries.ts';
import { scoreIssues, scoreValue } from '../../evaluation/scores/validate-score.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid, invalidAll, notFound } from '../../platform/errors.ts';
import { bodyOf, one } from '../../platform/http/http.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { deleteClaim, skipScore } from './claims.ts';
import {
  copyReviewers,
  findReviewState,
  insertReview,
  lockScore,
  type ReviewedScore,
  type ReviewKey,
  replaceOwnReview,
} from './queries.ts';
import { settleScore } from './settle.ts';

export const recordId = ({ runId, n }: ReviewKey) => `${runId}-${n}`;

/**
 * Locks the score that a review is about, after its record: in the order in which deleting a record takes them. A record that
 * the metric has not waited for is queued on the way. Throws 404 for a record or configuration that is not there, 400 when
 * it is not for people to score.
 */
const lockForReview = async (tx: Sql, scope: Scope, key: ReviewKey): Promise<ReviewedScore> => {
  one(await lockRecord(tx, scope, key), 'record', recordId(key));
  const config = one(
    await findConfigsOfRun(tx, scope, key.runId, [key.configId]),
    'metric configuration',
    key.configId,
  );
  if (config.evalType !== 'human') throw invalid('', 'must be about a human metric: others are not reviewed');
  const [there] = await lockScore(tx, scope, key);
  if (there) return there;
  await queueScore(tx, scope, key.runId, key.n, key.configId);
  const [queued] = await lockScore(tx, scope, key);
  if (!queued) throw notFound('metric configuration', key.configId);
  return queued;
};

/**
 * Stores the member's score of a record in place of the one that they gave before, and settles the record's score once all its
 * reviewers have given theirs. Unlike a score from outside, one that does not fit its metric is refused.
 */
export const submitReview = async (
  tx: Sql,
  scope: Scope,
  key: ReviewKey,
  given: { score: Record<string, unknown>; raw: RawJson },
): Promise<string> => {
  const { state, outputType, reviewers, rule } = await lockForReview(tx, scope, key);
  const issues = scoreIssues(outputType, given.score);
  if (issues.length > 0) throw invalidAll(issues.map((issue) => ({ ...issue, path: `/score${issue.path}` })));
  await replaceOwnReview(tx, scope, key);
  const value = scoreValue(outputType, given.score);
  const [review] = await insertReview(tx, scope, key, { id: newUuid(), score: given.raw, value, state });
  await copyReviewers(tx, scope, key);
  await deleteClaim(tx, scope, key);
  await settleScore(tx, scope, key, { reviewers, rule });
  const body = bodyOf(await findReviewState(tx, scope, key), 'record', recordId(key));
  return `${body},"review":${review!.body}}`;
};

/** Puts a record behind all others for the member, and leaves it to others. */
export const skipReview = async (tx: Sql, scope: Scope, key: ReviewKey): Promise<string> => {
  await lockForReview(tx, scope, key);
  await skipScore(tx, scope, key);
  return '{"skipped":true}';
};
