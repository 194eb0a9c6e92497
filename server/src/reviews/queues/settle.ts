import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { ReviewKey } from './queries.ts';
import type { Reviewing } from './schema.ts';
import { makerOfReviews, settleCriteria } from './settle-criteria.ts';

/**
 * Sets the score of each record with enough current reviews. Under the rule `majority` the score is one of the reviews, with its reasoning:
 * the latest of those with the median value, where labels without an order need more than half; `settleCriteria` settles scores by criteria. `evidence` marks a score that reviews made; a score from elsewhere has none.
 * `which` filters the reviews, named `review`, and the scores, named `s`. It uses windows because PostgreSQL expects a handful of reviews
 * and took 36 s to join 10,000 of them with each other.
 */
const settleWhere = (
  tx: Sql,
  scope: Scope,
  { numReviewers, reviewRule }: Reviewing,
  which: { reviews: Fragment; scores: Fragment },
) => tx`
  with standing as (
    select review.*, count(*) over of_record as reviews,
      row_number() over (of_record order by case when config.labels is null then value else value - floor(value) end) as place,
      count(*) over (partition by run_id, n, metric_config_id, value) as agreeing,
      config.labels ->> 'ordered' is not distinct from 'false' as unordered,
      json_agg(member_id) over of_record as reviewer_ids,
      ${makerOfReviews(tx, tx`over of_record`)} as maker
    from review_score review
    join metric_config config on config.id = review.metric_config_id and config.organization_id = ${scope.organizationId}
    where review.organization_id = ${scope.organizationId} and review.stands and ${which.reviews}
    window of_record as (partition by run_id, n, metric_config_id)),
  enough as (
    select standing.*,
      max(value) filter (where place = (reviews + 1) / 2) over of_record as median,
      max(agreeing) over of_record * 2 > reviews as has_majority
    from standing
    where reviews >= ${numReviewers}
    window of_record as (partition by run_id, n, metric_config_id)),
  chosen as (
    select distinct on (run_id, n, metric_config_id) * from enough
    where ${reviewRule} = 'latest' or value = median and (has_majority or not unordered)
    order by run_id, n, metric_config_id, submitted_at desc, id desc)
  update score s set
    state = 'scored', score = chosen.score, value = chosen.value, validation_errors = null, reason = null,
    scored_by = chosen.member_id, made_by = chosen.maker, sent = false, updated_at = now(),
    evidence = json_build_object('rule', ${reviewRule}::text, 'reviewerIds', chosen.reviewer_ids)
  from chosen
  where s.run_id = chosen.run_id and s.n = chosen.n and s.metric_config_id = chosen.metric_config_id
    and s.organization_id = ${scope.organizationId} and ${which.scores}`;

/** Scores by criteria have a majority on each criterion, which the median of their shares is not. */
const withoutCriteria = (tx: Sql, scope: Scope) => tx`
  not exists (
    select from metric_config config
    where config.id = review.metric_config_id and config.organization_id = ${scope.organizationId} and config.criteria is not null)`;

/** Settles one score. Leaves it as it is while reviews are missing. Returns whether it has enough of them. */
export const settleScore = async (
  tx: Sql,
  scope: Scope,
  { runId, n, configId }: ReviewKey,
  { hasCriteria, ...settings }: Reviewing & { hasCriteria: boolean },
): Promise<boolean> => {
  const which = {
    reviews: tx`review.run_id = ${runId} and review.n = ${n} and review.metric_config_id = ${configId}`,
    scores: tx`s.run_id = ${runId}`,
  };
  if (hasCriteria && settings.reviewRule === 'majority')
    return (await settleCriteria(tx, scope, settings.numReviewers, which)) > 0;
  return (await settleWhere(tx, scope, settings, which)).count > 0;
};

/** Settles the pending scores of a metric that have enough reviews under its new settings. */
export const settlePending = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  settings: Reviewing,
): Promise<void> => {
  const ofMetric = tx`review.metric_config_id in (
    select id from metric_config
    where metric_id = ${metricId} and organization_id = ${scope.organizationId})`;
  const scores = tx`s.state = 'pending'`;
  const byCriteria = settings.reviewRule === 'majority';
  if (byCriteria) await settleCriteria(tx, scope, settings.numReviewers, { reviews: ofMetric, scores });
  await settleWhere(tx, scope, settings, {
    reviews: byCriteria ? tx`${ofMetric} and ${withoutCriteria(tx, scope)}` : ofMetric,
    scores,
  });
};

/** Restores the state of a score before reviews made it: a score from elsewhere, also one without a value, or pending. */
export const unsettleScore = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx`
  update score s set
    state = coalesce(before.state, 'pending'), score = before.score, value = before.value,
    validation_errors = before.validation_errors, reason = before.reason, scored_by = before.scored_by,
    made_by = before.made_by, evidence = before.evidence, updated_at = now()
  from (select) this left join lateral (
    select * from score_history history
    where history.run_id = ${runId} and history.n = ${n} and history.metric_config_id = ${configId}
      and history.organization_id = ${scope.organizationId} and field_text(history.evidence, 'rule') is null
    order by history.id desc
    limit 1) before on true
  where s.run_id = ${runId} and s.n = ${n} and s.metric_config_id = ${configId}
    and s.organization_id = ${scope.organizationId} and field_text(s.evidence, 'rule') is not null`;
