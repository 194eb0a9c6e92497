import type { Sql } from '../../platform/db/database.ts';
import { exactTime } from '../../platform/db/times.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { MetricImport } from './transfer-schema.ts';

/** One page of a project's metrics with all their configurations, deleted ones too, oldest first. Reads metric_project. */
export const exportMetrics = (sql: Sql, scope: Scope, projectId: bigint, after: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select json_build_object('id', metric.id::text, 'name', metric.name, 'description', metric.description,
        'reviewers', metric.reviewers, 'rule', metric.review_rule, 'createdAt', ${exactTime(sql, sql`metric.created_at`)},
        'deletedAt', ${exactTime(sql, sql`metric.deleted_at`)}, 'versions', (
          select json_agg(json_build_object('id', config.id, 'evalType', config.eval_type, 'outputType', config.output_type,
            'guidelines', config.guidelines, 'promptTemplate', config.prompt_template,
            'evalModelName', config.eval_model_name, 'temperature', config.temperature,
            'passingThreshold', config.passing_threshold, 'judgeRepeats', config.judge_repeats,
            'createdAt', ${exactTime(sql, sql`config.created_at`)}) order by config.id)
          from metric_config config
          where config.metric_id = metric.id and config.organization_id = ${scope.organizationId}))::text as body,
      metric.id::text as key, row_number() over (order by metric.id) as place
    from metric
    where metric.organization_id = ${scope.organizationId} and metric.project_id = ${projectId}
      and metric.id > ${after}::text::bigint
    order by metric.id
    limit ${count}`,
  );

/** Gives a metric that was just made, and its configurations, the times and settings that they had elsewhere. */
export const noteOrigins = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { createdAt, reviewers, rule }: Pick<MetricImport, 'createdAt' | 'reviewers' | 'rule'>,
  versions: { ids: string[]; times: string[] },
): Promise<void> => {
  await tx`
    update metric set created_at = ${createdAt}::text::timestamptz, reviewers = ${reviewers}, review_rule = ${rule}
    where organization_id = ${scope.organizationId} and id = ${metricId}`;
  await tx`
    update metric_config set created_at = item.at::timestamptz
    from unnest(${versions.ids}::uuid[], ${versions.times}::text[]) as item (id, at)
    where organization_id = ${scope.organizationId} and metric_config.id = item.id`;
};
