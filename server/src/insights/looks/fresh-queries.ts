import { passed } from '../../evaluation/scores/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Runs that are read, the newest. */
const mostRuns = 200;

/** The scores of a run by a metric, as JSON arrays with an entry for each testcase. */
export type FreshRun = {
  runId: string;
  metricId: string;
  metricName: string;
  /** Groups of the testcases, or their numbers. */
  units: string;
  /** Sums of the passes, and numbers of the scores. */
  passes: string;
  counts: string;
  /** Weights of fresh testcases; null for old ones. */
  weights: string;
};

/**
 * Returns the scores of the runs that took fresh testcases, oldest first, by metric. Reads fresh_testcase_pkey, and one range of record_pkey
 * and of score_pkey for each run.
 */
export const listFreshRuns = (
  sql: Sql,
  scope: Scope,
  { testsetId, split }: { testsetId: bigint; split: string | null },
) => sql<FreshRun[]>`
  with taken as (
    select run_id, testcase_n, 1 / coalesce(inclusion_probability, 1) as weight from fresh_testcase
    where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and run_id is not null),
  newest as (
    select distinct taken.run_id from taken
    join run on run.id = taken.run_id and run.organization_id = ${scope.organizationId}
    where ${split}::text is null or run.split = ${split}::text
    order by taken.run_id desc limit ${mostRuns})
  select counted.run_id::text as "runId", metric.id::text as "metricId", metric.name as "metricName",
    json_agg(unit order by counted.testcase_n)::text as units, json_agg(passes order by counted.testcase_n)::text as passes,
    json_agg(n order by counted.testcase_n)::text as counts, json_agg(weight order by counted.testcase_n)::text as weights
  from (
    select newest.run_id, config.metric_id, r.testcase_n, taken.weight, coalesce((
        select field_text(testcase.json_data, testset.grouping_field)
        from testset join testcase on testcase.testset_id = testset.id and testcase.n = r.testcase_n
          and testcase.organization_id = ${scope.organizationId}
        where testset.id = ${testsetId} and testset.organization_id = ${scope.organizationId}
      ), '#' || r.testcase_n) as unit,
      sum((${passed(sql)})::int)::int as passes, count(*)::int as n
    from newest
    join record r on r.run_id = newest.run_id and r.testset_id = ${testsetId} and r.organization_id = ${scope.organizationId}
    join score s on s.run_id = r.run_id and s.n = r.n and s.value is not null and s.organization_id = ${scope.organizationId}
    join metric_config config on config.id = s.metric_config_id and config.organization_id = ${scope.organizationId}
    left join taken on taken.run_id = newest.run_id and taken.testcase_n = r.testcase_n
    group by newest.run_id, config.metric_id, r.testcase_n, taken.weight) counted
  join metric on metric.id = counted.metric_id and metric.organization_id = ${scope.organizationId}
  group by counted.run_id, metric.id, metric.name
  order by counted.run_id, metric.id`;

/** Counts the fresh testcases that a run took. */
export const countOfRun = (sql: Sql, scope: Scope, testsetId: bigint, runId: bigint) => sql<{ n: number }[]>`
  select count(*)::int as n from fresh_testcase
  where testset_id = ${testsetId} and run_id = ${runId} and organization_id = ${scope.organizationId}`;
