import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { CriterionFacts } from './criterion-facts.ts';
import { fieldText, missingCodes, type ScoreColumns } from './queries.ts';

/** A criterion's verdicts as the scores of a boolean metric of its own, with its facts beside them. */
type Row = Omit<ScoreColumns, 'own' | 'draw' | 'spans' | 'criterion'> &
  Omit<CriterionFacts, 'id'> & {
    criterionId: string;
    ofMetricId: string;
    /** Number of criteria that have verdicts, also those beyond the rows. */
    numCriteria: number;
  };

/** Most criteria of an answer: first those of the metric, then those of testcases with the most verdicts. HealthBench has 48,562. */
export const mostCriteria = 1_000;

/** Puts the facts of the criterion together. */
export const criterionOf = ({
  criterionId,
  ofMetricId,
  text,
  weight,
  mustPass,
  numVoted,
  numSplit,
  numCriteria: _,
  ...columns
}: Row) => ({
  ofMetricId,
  columns: { ...columns, criterion: { id: criterionId, text, weight, mustPass, numVoted, numSplit } },
});

/**
 * Returns the verdicts on a metric's criteria in a run, one row for each configuration and criterion, in the form of the scores of a boolean
 * metric: all statistics of metrics hold for it. A score without verdicts is missing for each criterion of the metric itself. Reads one range
 * of score, with the raw scores, and the evidence of those that have no value; where testcases bring criteria, also their records.
 */
export const findCriterionColumns = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint) => sql<Row[]>`
    with config as (
      select config.*, metric.name as metric_name
      from metric_config config
      join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
      where config.organization_id = ${scope.organizationId} and config.metric_id = ${metricId} and config.criteria is not null),
    item as (
      select config.id as config_id, item ->> 'id' as id, item ->> 'text' as text, (item ->> 'weight')::float8 as weight,
        (item ->> 'mustPass')::boolean as must_pass, place
      from config cross join json_array_elements(config.criteria -> 'items') with ordinality as items (item, place)),
    -- What the testcases of the run call a criterion that only they have. The same id with several texts has none.
    own as (
      select entry ->> 'id' as id, min(entry ->> 'text') as text
      from record r
      cross join lateral (select (${fieldText(sql, sql`r.expected`, sql`'criteria'`)})::json as criteria offset 0) brought
      cross join lateral json_array_elements(case when json_typeof(criteria) = 'array' then criteria else '[]' end) entry
      where r.run_id = ${runId} and r.organization_id = ${scope.organizationId}
        and exists (select from config where (config.criteria ->> 'fromExpected')::boolean)
        and json_typeof(entry) = 'object' and json_typeof(entry -> 'id') = 'string'
      group by entry ->> 'id'
      having count(distinct entry ->> 'text') = 1),
    given as (
      select s.n, s.metric_config_id as config_id, s.state, verdicts
      from score s
      cross join lateral (
        select coalesce(${fieldText(sql, sql`s.score`, sql`'criteria'`)}, ${fieldText(sql, sql`s.evidence`, sql`'criteria'`)})::json as verdicts offset 0) of_score
      where s.run_id = ${runId} and s.organization_id = ${scope.organizationId}
        and s.metric_config_id in (select id from config)),
    said as (
      select given.n, given.config_id, verdict ->> 'id' as id,
        case verdict ->> 'met' when 'true' then 1 when 'false' then 0 else ${missingCodes.unscored}::float8 end as value,
        (verdict ->> 'yes')::int as yes, (verdict ->> 'of')::int as votes
      from given cross join lateral json_array_elements(
        case when json_typeof(given.verdicts) = 'array' then given.verdicts else '[]' end) verdict
      union all
      select given.n, given.config_id, item.id, case given.state
          when 'pending' then ${missingCodes.pending}::float8
          when 'failed' then ${missingCodes.failed}::float8
          else ${missingCodes.unscored}::float8 end, null, null
      from given join item on item.config_id = given.config_id
      where given.verdicts is null or json_typeof(given.verdicts) <> 'array' or json_array_length(given.verdicts) = 0),
    -- The texts are rows of the same grouping: a join with own, whose size PostgreSQL cannot know, took 21 s for 2,000 verdicts.
    tallied as (
      select config_id, id, array_agg(n) filter (where n is not null) as numbers, array_agg(value) filter (where n is not null) as values,
        count(*) filter (where votes > 1)::int as voted, count(*) filter (where votes > 1 and yes between 1 and votes - 1)::int as split,
        count(n) as verdicts, max(text) as text
      from (
        select config_id, id, n, value, yes, votes, null as text from said
        union all
        select config.id, own.id, null, null, null, null, own.text from own cross join config) verdict
      group by config_id, id
      having count(n) > 0)
    select config.id as "configId", ${metricId}::text || '/' || tallied.id as "metricId", ${metricId}::text as "ofMetricId",
      tallied.id as "criterionId", config.metric_name || ' › ' || tallied.id as "metricName", config.eval_type as "evalType",
      'boolean' as "outputType", null::text as labels, null::float8 as "passingThreshold",
      exists (
        select from run_metric
        where run_metric.run_id = ${runId} and run_metric.metric_config_id = config.id
          and run_metric.organization_id = ${scope.organizationId}) as pinned,
      numbers::text, values::text,
      null::float8 as "costUsd", null::float8 as "inputTokens", null::float8 as "outputTokens", null::int as priced,
      null::text as misfits, coalesce(item.text, tallied.text) as text, item.weight, item.must_pass as "mustPass",
      voted as "numVoted", split as "numSplit", count(*) over ()::int as "numCriteria"
    from tallied
    join config on config.id = tallied.config_id
    left join item on item.config_id = tallied.config_id and item.id = tallied.id
    order by item.place is null, config.id, item.place, verdicts desc, tallied.id
    limit ${mostCriteria}`;
