import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { ReviewKey } from './queries.ts';
import type { Reviewing } from './schema.ts';

/**
 * Sets the score of each record with enough current reviews. Under the rule `majority` the score is one of the reviews, with its reasoning:
 * the latest of those with the median value. `evidence` marks a score that reviews made; a score from elsewhere has none.
 * `which` filters the reviews, named `review`, and the scores, named `s`. It uses windows because PostgreSQL expects a handful
 * of reviews and took 36 s to join 10,000 of them with each other.
 */
const settleWhere = (
  tx: Sql,
  scope: Scope,
  { numReviewers, reviewRule }: Reviewing,
  which: { reviews: Fragment; scores: Fragment },
) => tx`
  with standing as (
    select review.*, count(*) over of_record as reviews, row_number() over (of_record order by value) as place,
      json_agg(member_id) over of_record as reviewer_ids
    from review_score review
    where review.organization_id = ${scope.organizationId} and review.stands and ${which.reviews}
    window of_record as (partition by run_id, n, metric_config_id)),
  enough as (
    select standing.*,
      max(value) filter (where place = (reviews + 1) / 2) over (partition by run_id, n, metric_config_id) as median
    from standing
    where reviews >= ${numReviewers}),
  chosen as (
    select distinct on (run_id, n, metric_config_id) * from enough
    where ${reviewRule} = 'latest' or value = median
    order by run_id, n, metric_config_id, submitted_at desc, id desc)
  update score s set
    state = 'scored', score = chosen.score, value = chosen.value, validation_errors = null, reason = null,
    scored_by = chosen.member_id, sent = false, updated_at = now(),
    evidence = json_build_object('rule', ${reviewRule}::text, 'reviewerIds', chosen.reviewer_ids)
  from chosen
  where s.run_id = chosen.run_id and s.n = chosen.n and s.metric_config_id = chosen.metric_config_id
    and s.organization_id = ${scope.organizationId} and ${which.scores}`;

/** Settles one score. Leaves it as it is while reviews are missing. */
export const settleScore = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey, settings: Reviewing) =>
  settleWhere(tx, scope, settings, {
    reviews: tx`review.run_id = ${runId} and review.n = ${n} and review.metric_config_id = ${configId}`,
    scores: tx`s.run_id = ${runId}`,
  });

/** Settles the pending scores of a metric that have enough reviews under its new settings. */
export const settlePending = (tx: Sql, scope: Scope, metricId: bigint, settings: Reviewing) =>
  settleWhere(tx, scope, settings, {
    reviews: tx`review.metric_config_id in (
      select id from metric_config
      where metric_id = ${metricId} and organization_id = ${scope.organizationId})`,
    scores: tx`s.state = 'pending'`,
  });

/** Restores the state of a score before reviews made it: a score from elsewhere, or pending. */
export const unsettleScore = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx`
  update score s set
    state = coalesce(before.state, 'pending'), score = before.score, value = before.value,
    validation_errors = before.validation_errors, reason = before.reason, scored_by = before.scored_by, evidence = null,
    updated_at = now()
  from (select) this left join lateral (
    select * from score_history history
    where history.run_id = ${runId} and history.n = ${n} and history.metric_config_id = ${configId}
      and history.organization_id = ${scope.organizationId} and history.evidence is null
    order by history.id desc
    limit 1) before on true
  where s.run_id = ${runId} and s.n = ${n} and s.metric_config_id = ${configId}
    and s.organization_id = ${scope.organizationId} and s.evidence is not null`;
