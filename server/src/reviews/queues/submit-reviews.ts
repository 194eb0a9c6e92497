import type { Sql } from '../../platform/db/database.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { type RecordKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { elements, freeForm, members, type RawJson } from '../../platform/json/json.ts';
import { skipScore } from './claims.ts';
import { findOwnReviews } from './queries.ts';
import type { ReviewsSubmit } from './schema.ts';
import { type GivenReview, lockForReview, submitReview } from './submit-review.ts';

/** The reviews of a record that are submitted together, and the configurations by which it is skipped. */
export type ReviewBatch = {
  reviews: (GivenReview & { configId: string })[];
  skipped: string[];
  replace: boolean;
};

/** Reads the reviews of a request. Throws 400 for a configuration that is named twice, and for a request of nothing. */
export const readBatch = (body: ReviewsSubmit, raw: RawJson): ReviewBatch => {
  const texts = elements(members(raw).get('reviews')!);
  const reviews = body.reviews.map(({ metricConfigId, score, madeBy }, i) => ({
    configId: uuidId('metric configuration', metricConfigId),
    score: score as GivenReview['score'],
    madeBy,
    raw: freeForm(texts[i]!, ['score'], `/reviews/${i}`).score!,
  }));
  const skipped = (body.skip ?? []).map((id) => uuidId('metric configuration', id));
  const all = [...reviews.map(({ configId }) => configId), ...skipped];
  if (all.length === 0) throw invalid('/reviews', 'must not be empty when nothing is skipped');
  if (new Set(all).size < all.length) throw invalid('/reviews', 'must name each configuration once');
  return { reviews, skipped, replace: body.replace ?? true };
};

/**
 * Stores the member's reviews of one record and skips others, all or none. Every score is locked first, in one order for all reviewers. The
 * reviews get one time, by which they are undone together.
 */
export const submitReviews = async (
  tx: Sql,
  scope: Scope,
  record: RecordKey,
  { reviews, skipped, replace }: ReviewBatch,
): Promise<string> => {
  const keyOf = (configId: string) => ({ runId: record.runId, n: record.n, configId });
  const reviewed = reviews.map(({ configId }) => configId);
  for (const configId of [...reviewed, ...skipped].sort()) await lockForReview(tx, scope, keyOf(configId));
  const own = replace ? [] : await findOwnReviews(tx, scope, record, reviewed);
  if (own.length > 0)
    throw conflict('You have already scored this record by some of these metrics.', {
      metricConfigIds: own.map(({ configId }) => configId),
    });
  const [now] = await tx<{ at: string }[]>`select clock_timestamp()::text as at`;
  const bodies: string[] = [];
  for (const [i, { configId, ...given }] of reviews.entries())
    bodies.push(
      await submitReview(tx, scope, keyOf(configId), given, { path: `/reviews/${i}`, at: now!.at }),
    );
  for (const configId of skipped) await skipScore(tx, scope, keyOf(configId));
  return `{"data":[${bodies.join(',')}]}`;
};
