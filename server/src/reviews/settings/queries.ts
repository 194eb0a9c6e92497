import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { peopleMetricOf } from '../../scoring/labels/queries.ts';
import type { Reviewing } from '../queues/schema.ts';

/** Returns the metric's settings as JSON text. */
export const findMetricSettings = (sql: Sql, scope: Scope, metricId: bigint) => sql<{ body: string }[]>`
  select json_build_object(
    'judgeRepeats', config.judge_repeats, 'juryModelNames', to_json(config.jury_models),
    'peopleMetricId', ${peopleMetricOf(sql, scope)}::text,
    'numReviewers', metric.reviewers, 'reviewRule', metric.review_rule)::text as body
  from metric join metric_config config on config.id = metric.current_config_id
  where metric.organization_id = ${scope.organizationId} and metric.id = ${metricId} and metric.deleted_at is null`;

export const updateReviewing = (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { numReviewers, reviewRule }: Reviewing,
) => tx`
  update metric set reviewers = ${numReviewers}, review_rule = ${reviewRule}
  where organization_id = ${scope.organizationId} and id = ${metricId}`;
