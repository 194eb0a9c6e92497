import { scaleOf } from '../../evaluation/metrics/scale.ts';
import { makerOf } from '../../evaluation/scores/made-by.ts';
import type { NoteReview } from '../../evaluation/scores/upsert-scores.ts';
import { scoreIssues, scoreValue } from '../../evaluation/scores/validate-score.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { deleteClaim } from './claims.ts';
import { copyReviewers, insertReview, lockScore, replaceOwnReview } from './queries.ts';

/**
 * Stores a score that was sent with its author's id as a review by the author, so that the agreement of reviewers counts each of them. A
 * score that does not fit its metric is not a review.
 */
export const noteReview: NoteReview = async (tx, author, key, { score, raw, madeBy }) => {
  const [stored] = await lockScore(tx, author, key);
  if (!stored || scoreIssues(scaleOf(stored), score).length > 0) return;
  await replaceOwnReview(tx, author, key);
  const value = scoreValue(scaleOf(stored), score);
  // The author gave it elsewhere, without seeing the score that is stored here: its state does not matter.
  await insertReview(tx, author, key, {
    id: newUuid(),
    score: raw,
    value,
    state: 'pending',
    madeBy: makerOf(author, madeBy),
  });
  await copyReviewers(tx, author, key);
  await deleteClaim(tx, author, key);
};
