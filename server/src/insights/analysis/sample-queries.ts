import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/**
 * A random sample of a run's records: for each record that could have been drawn, its inclusion probability and whether it was
 * drawn. Each column is PostgreSQL's text of an array.
 */
export type SampleColumns = { numbers: string | null; chances: string | null; drawn: string | null };

/**
 * Returns the newest sample of a run that people were to score for a metric, else the records that monitors drew. A record that was not
 * drawn has the probability of its stratum. All monitors draw a record by the same random number, so the highest of several probabilities
 * holds. Reads review_sample_record_stratum.
 */
export const findSampleColumns = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint) => sql<
  SampleColumns[]
>`
  with sample as (
    select id from review_sample
    where run_id = ${runId} and metric_id = ${metricId} and organization_id = ${scope.organizationId}
    order by created_at desc, id desc limit 1)
  select array_agg(n)::text as numbers, array_agg(chance)::text as chances, array_agg(drawn::int)::text as drawn
  from (
    select sampled.n, stratum.inclusion_probability as chance,
      sampled.place <= stratum.num_drawn as drawn
    from sample
    join review_stratum stratum on stratum.sample_id = sample.id and stratum.organization_id = ${scope.organizationId}
    join review_sample_record sampled on sampled.sample_id = sample.id and sampled.stratum = stratum.position
      and sampled.run_id = ${runId} and sampled.organization_id = ${scope.organizationId}
    union all
    select monitored.n, max(monitored.inclusion_probability), bool_or(monitored.drawn)
    from monitor_record monitored
    join monitor_metric asked on asked.monitor_id = monitored.monitor_id and asked.metric_id = ${metricId}
      and asked.organization_id = ${scope.organizationId}
    where monitored.run_id = ${runId} and monitored.organization_id = ${scope.organizationId}
      and monitored.decided_at is not null and not exists (select from sample)
    group by monitored.n) drawing`;

/** What people were asked about a run, and how many of its records they could be. */
export type AskedRun = {
  runId: string;
  metricIds: string[];
  numRecords: number;
  samples: { metricId: string; numDrawn: number }[];
};

/** Finds what people were asked about these runs, oldest first. Reads the primary keys of run, run_metric and run_tally. */
export const findAskedRuns = (sql: Sql, scope: Scope, runIds: bigint[]) => sql<AskedRun[]>`
  select run.id::text as "runId",
    array(
      select metric_id::text from run_metric
      where run_metric.run_id = run.id and run_metric.organization_id = ${scope.organizationId}
      order by position) as "metricIds",
    (
      select coalesce(sum(tally.n), 0)::int from run_tally tally
      where tally.run_id = run.id and tally.organization_id = ${scope.organizationId} and tally.state is null) as "numRecords",
    (
      select coalesce(json_agg(json_build_object('metricId', sample.metric_id::text, 'numDrawn', (
        select coalesce(sum(stratum.num_drawn), 0)::int from review_stratum stratum
        where stratum.sample_id = sample.id and stratum.organization_id = ${scope.organizationId})) order by sample.id), '[]')
      from review_sample sample
      where sample.run_id = run.id and sample.organization_id = ${scope.organizationId}) as samples
  from run
  where run.id = any(${runIds.map(String)}::bigint[]) and run.organization_id = ${scope.organizationId}
  order by run.id`;
