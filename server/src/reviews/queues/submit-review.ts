import { storedCriteria } from '../../evaluation/metrics/criteria.ts';
import { scaleOf } from '../../evaluation/metrics/scale.ts';
import { lockRecord } from '../../evaluation/records/queries.ts';
import { makerOf, type Stated } from '../../evaluation/scores/made-by.ts';
import {
  findConfigsOfRun,
  findExpected,
  queueScore,
  type ScoringConfig,
} from '../../evaluation/scores/queries.ts';
import { scoreByCriteria } from '../../evaluation/scores/score-criteria.ts';
import { requireRecordMetric } from '../../evaluation/scores/upsert-scores.ts';
import { scoreIssues, scoreValue } from '../../evaluation/scores/validate-score.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid, invalidAll, notFound } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, recordIdOf } from '../../platform/http/ids.ts';
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

/**
 * Locks the record and then the score that a review is about, in the same order as the deletion of a record. Makes the score
 * when the record has none for this configuration. Throws 404 for an unknown record or configuration, 400 when its metric
 * is not a human one.
 */
export const lockForReview = async (
  tx: Sql,
  scope: Scope,
  key: ReviewKey,
): Promise<ReviewedScore & { config: ScoringConfig }> => {
  requireOne(await lockRecord(tx, scope, key), 'record', recordIdOf(key));
  const config = requireOne(
    await findConfigsOfRun(tx, scope, key.runId, [key.configId]),
    'metric configuration',
    key.configId,
  );
  if (config.evalType !== 'human') throw invalid('', 'must name a human metric: only those are reviewed');
  requireRecordMetric(config);
  const [score] = await lockScore(tx, scope, key);
  if (score) return { ...score, config };
  await queueScore(tx, scope, key.runId, key.n, key.configId);
  const [queued] = await lockScore(tx, scope, key);
  if (!queued) throw notFound('metric configuration', key.configId);
  return { ...queued, config };
};

export type GivenReview = { score: Record<string, unknown>; raw: RawJson; madeBy?: Stated | undefined };

/** A score as it is stored: that of a metric with criteria is made of their verdicts. Throws 400 unless each has one. */
const storedForm = async (
  tx: Sql,
  scope: Scope,
  { runId, n }: ReviewKey,
  config: ScoringConfig,
  given: GivenReview,
  path: string,
) => {
  const criteria = storedCriteria(config.criteria);
  if (!criteria) return given;
  const [record] = criteria.fromExpected ? await findExpected(tx, scope, runId, [n]) : [];
  const made = scoreByCriteria(criteria, record?.expected ?? '{}', given);
  if ('raw' in made) return made;
  throw invalid(`${path}/score/criteria`, `has no score: ${made.reason}. Skip the record`);
};

/**
 * Stores the member's review in place of an earlier one, and settles the score if it has enough reviews. Throws 400 for a
 * score that does not fit the metric.
 */
export const submitReview = async (
  tx: Sql,
  scope: Scope,
  key: ReviewKey,
  sent: GivenReview,
  /** `path`: where the score is in the request. `at`: the time of reviews that are submitted together. */
  { path = '', at = null }: { path?: string; at?: string | null } = {},
): Promise<string> => {
  const { state, numReviewers, reviewRule, hasCriteria, config } = await lockForReview(tx, scope, key);
  const given = await storedForm(tx, scope, key, config, sent, path);
  const issues = scoreIssues(scaleOf(config), given.score);
  if (issues.length > 0)
    throw invalidAll(issues.map((issue) => ({ ...issue, path: `${path}/score${issue.path}` })));
  await replaceOwnReview(tx, scope, key);
  const value = scoreValue(scaleOf(config), given.score);
  const madeBy = makerOf(scope, sent.madeBy);
  const made = { id: newUuid(), score: given.raw, value, state, madeBy, at };
  const [review] = await insertReview(tx, scope, key, made);
  await copyReviewers(tx, scope, key);
  await deleteClaim(tx, scope, key);
  await settleScore(tx, scope, key, { numReviewers, reviewRule, hasCriteria });
  const body = bodyOf(await findReviewState(tx, scope, key), 'record', recordIdOf(key));
  return `${body},"review":${review!.body}}`;
};

/** Puts a score behind all others for the member, and ends the member's claim. */
export const skipReview = async (tx: Sql, scope: Scope, key: ReviewKey): Promise<string> => {
  await lockForReview(tx, scope, key);
  await skipScore(tx, scope, key);
  return '{"skipped":true}';
};
