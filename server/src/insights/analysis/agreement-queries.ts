import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { maxLabelledRuns, runsOf } from '../../scoring/labels/queries.ts';

/** Reviews in the order of their records. Each column is PostgreSQL's text of an array. */
export type ReviewColumns = {
  /** `<run>-<n>` */
  records: string | null;
  /** `<trace>-<span>`; null for reviews of records. */
  spans: string | null;
  /** `<testset>-<n>`, or NULL without a testcase. */
  testcases: string | null;
  reviewers: string | null;
  values: string | null;
  /** Whether the review is blind, as 1 and 0. */
  blind: string | null;
  /** JSON of the verdicts of each review, 1 or 0 by id of the criterion; null unless they are asked for. */
  criteria: string | null;
};

/** Maximum number of reviews that are read, from the newest runs. */
const maxReviews = 200_000;

/** Returns the current reviews by people for one configuration of a metric, in one run or all, on request with their verdicts on criteria. Reads review_score_metric. */
export const findReviewColumns = (
  sql: Sql,
  scope: Scope,
  configId: string,
  runId: bigint | null,
  withCriteria: boolean,
) => sql<ReviewColumns[]>`
  select array_agg(review.run_id || '-' || review.n order by review.run_id, review.n)::text as records, null::text as spans,
    array_agg(r.testset_id || '-' || r.testcase_n order by review.run_id, review.n)::text as testcases,
    array_agg(review.member_id order by review.run_id, review.n)::text as reviewers,
    array_agg(review.value order by review.run_id, review.n)::text as values,
    array_agg(review.blind::int order by review.run_id, review.n)::text as blind,
    ${
      withCriteria
        ? sql`json_agg((
            select json_object_agg(verdict ->> 'id', case verdict ->> 'met' when 'true' then 1 when 'false' then 0 end)
            from json_array_elements(case when json_typeof(review.score -> 'criteria') = 'array' then review.score -> 'criteria' end)
              verdict) order by review.run_id, review.n)::text`
        : sql`null::text`
    } as criteria
  from (
    select run_id, n, member_id, value, blind, score from review_score
    where metric_config_id = ${configId} and stands and made_by <> 'model' and organization_id = ${scope.organizationId}
      ${runId === null ? sql`` : sql`and run_id = ${runId}`}
    order by run_id desc, n desc
    limit ${maxReviews}) review
  join record r on r.run_id = review.run_id and r.n = review.n and r.organization_id = ${scope.organizationId}`;

/**
 * The same for a metric that scores spans: the last score that each person gave each span. None of them is blind, since a span shows the score
 * that it has. Reads span_score_pkey and span_score_history_record for the records of each run that the configuration scored.
 */
export const findSpanReviewColumns = (sql: Sql, scope: Scope, configId: string, runId: bigint | null) => {
  const order = sql`review.run_id, review.n, review.otel_trace_id, review.span_id, review.scored_by`;
  const given = (table: Fragment, at: Fragment) => sql`
    select s.run_id, s.n, s.otel_trace_id, s.span_id, s.scored_by, s.value, ${at} as at
    from ran
    cross join lateral (
      select * from ${table} given
      where given.run_id = ran.run_id and given.metric_config_id = ${configId} and given.organization_id = ${scope.organizationId}
        and given.scored_by is not null and given.value is not null and given.made_by is distinct from 'model'
      offset 0) s`;
  return sql<ReviewColumns[]>`
  with ran as materialized (${
    runId === null
      ? runsOf(sql, scope, configId, maxLabelledRuns, [])
      : sql`select ${runId}::bigint as run_id`
  })
  select array_agg(review.run_id || '-' || review.n order by ${order})::text as records,
    array_agg(encode(review.otel_trace_id, 'hex') || '-' || encode(review.span_id, 'hex') order by ${order})::text as spans,
    array_agg(r.testset_id || '-' || r.testcase_n order by ${order})::text as testcases,
    array_agg(review.scored_by order by ${order})::text as reviewers, array_agg(review.value order by ${order})::text as values,
    array_agg(0 order by ${order})::text as blind, null::text as criteria
  from (
    select distinct on (run_id, n, otel_trace_id, span_id, scored_by) * from (
      ${given(sql`span_score`, sql`s.updated_at`)}
      union all
      ${given(sql`span_score_history`, sql`s.scored_at`)}) given
    order by run_id desc, n desc, otel_trace_id, span_id, scored_by, at desc
    limit ${maxReviews}) review
  join record r on r.run_id = review.run_id and r.n = review.n and r.organization_id = ${scope.organizationId}`;
};

/** Returns the criteria of a configuration as JSON text; null without any. */
export const findCriteriaOf = (sql: Sql, scope: Scope, configId: string) => sql<
  { criteria: string | null }[]
>`
  select criteria::text as criteria from metric_config
  where id = ${configId} and organization_id = ${scope.organizationId}`;
