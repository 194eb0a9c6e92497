import type { Example } from '../../engine/templates/examples-text.ts';
import { valueOfScore } from '../../evaluation/scores/queries.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';

/** Most examples in a prompt. */
const maxExamples = 5;
/** Longest example in characters. A longer one is left out: half a record would mislead. */
const maxExampleLength = 2000;
/** Number of the newest scores of a configuration that are considered. */
const considered = 50;

type Question = { organizationId: bigint; inputs: string };

/**
 * Finds records that people scored by a metric, newest first: of runs before `runId`, with scores from before that run, so that all records
 * of a run are judged by the same examples. No example has the inputs of the judged record, no two have equal inputs, and none has a label
 * that the metric no longer gives. `own` selects the metric's id, its output type and its labels. Reads score_by_person.
 */
const examplesOf = (sql: Sql, own: Fragment, runId: bigint, { organizationId, inputs }: Question) => sql<
  Example[]
>`
  with own as (${own}),
  newest as (
    select given.*
    from own
    join metric_config config on config.metric_id = own.metric_id and config.output_type = own.output_type
    cross join lateral (
      select run_id, n, score ->> 'reasoning' as reasoning,
        ${valueOfScore(sql)}::text as value, (
          select string_agg(field_text(verdict, 'id') || ': ' || case verdict ->> 'met' when 'true' then 'met' else 'not met' end
            || coalesce(' (' || nullif(field_text(verdict, 'reason'), '') || ')', ''), '; ' order by place)
          from json_array_elements(case when json_typeof(score -> 'criteria') = 'array' then score -> 'criteria' end)
            with ordinality as said (verdict, place)) as criteria
      from score
      where score.organization_id = ${organizationId} and score.metric_config_id = config.id and score.run_id < ${runId}
        and score.scored_by is not null and not score.sent and score.made_by is distinct from 'model' and score.state = 'scored' and score.value is not null
        and (own.labels is null or (own.labels -> 'items')::jsonb ? (score ->> 'categoryScore'))
        and score.updated_at < coalesce(
          (select created_at from run where id = ${runId} and organization_id = ${organizationId}), 'infinity')
      order by score.run_id desc, score.n desc
      limit ${considered}) given
    where config.organization_id = ${organizationId}),
  distinct_inputs as (
    select distinct on (record.inputs::text) newest.*, record.inputs::text as inputs, record.expected::text as expected,
      record.outputs::text as outputs
    from newest join record using (run_id, n)
    where record.organization_id = ${organizationId} and record.inputs::text <> ${inputs}
    order by record.inputs::text, newest.run_id desc, newest.n desc)
  select inputs, expected, outputs, value, reasoning, criteria
  from distinct_inputs
  where length(inputs) + length(expected) + length(outputs) + length(coalesce(reasoning, ''))
    + length(coalesce(criteria, '')) <= ${maxExampleLength}
  order by run_id desc, n desc
  limit ${maxExamples}`;

/** Finds the examples for a record of a run. */
export const findExamples = (sql: Sql, question: Question & { configId: string; runId: bigint }) => {
  const { organizationId, configId, runId } = question;
  const own = sql`
    select metric_id, output_type, labels from metric_config where id = ${configId} and organization_id = ${organizationId}`;
  return examplesOf(sql, own, runId, question);
};

/** Above every id of a run. */
const afterAllRuns = 2n ** 63n - 1n;

/** Finds the examples that a run which starts now would show. */
export const findExamplesNow = (
  sql: Sql,
  question: Question & { projectId: bigint; metricId: bigint; outputType: string; labels: object | null },
) => {
  const { organizationId, projectId, metricId, outputType, labels } = question;
  const own = sql`
    select id as metric_id, ${outputType}::text as output_type, ${labels && JSON.stringify(labels)}::text::json as labels
    from metric
    where id = ${metricId} and project_id = ${projectId} and organization_id = ${organizationId}`;
  return examplesOf(sql, own, afterAllRuns, question);
};
