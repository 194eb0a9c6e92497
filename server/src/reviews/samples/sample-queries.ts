import { drawSql } from '../../evaluation/samples/draw.ts';
import { passed } from '../../evaluation/scores/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Allocation, StrataSource } from './sample-schema.ts';

/** How a sample is drawn. A sample can only be extended by its own design. */
export type Design = {
  seed: number;
  source: StrataSource | null;
  /** The tag, the field or the metric's id that the source names. */
  name: string | null;
  allocation: Allocation;
};
export type Sample = Design & { id: string };
export type StoredStratum = { position: number; wave: number; numRecords: number; numDrawn: number };

/** Finds a run's project, and whether the run scores all its records by the metric. Locks the run against deletion. */
export const findSampledRun = (tx: Sql, scope: Scope, runId: bigint, metricId: bigint) => tx<
  { projectId: bigint; scoredByRun: boolean }[]
>`
  select run.project_id as "projectId", exists (
    select from run_metric
    where run_metric.run_id = ${runId} and run_metric.metric_id = ${metricId}
      and run_metric.organization_id = ${scope.organizationId}) as "scoredByRun"
  from run
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}
  for key share`;

/** Finds a metric of the project. */
export const findMetricOf = (tx: Sql, scope: Scope, projectId: bigint, metricId: bigint) => tx<
  { id: bigint }[]
>`
  select id from metric
  where id = ${metricId} and project_id = ${projectId} and organization_id = ${scope.organizationId}
    and deleted_at is null`;

export const findSampleOf = (tx: Sql, scope: Scope, runId: bigint, configId: string) => tx<Sample[]>`
  select id, seed::double precision as seed, strata_of as source, strata_name as name, allocation
  from review_sample
  where run_id = ${runId} and metric_config_id = ${configId} and organization_id = ${scope.organizationId}`;

export const insertSample = (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  { metricId, configId }: { metricId: bigint; configId: string },
  { id, seed, source, name, allocation }: Sample,
) => tx`
  insert into review_sample (id, organization_id, run_id, metric_id, metric_config_id, seed, strata_of, strata_name,
    allocation, created_by)
  values (${id}, ${scope.organizationId}, ${runId}, ${metricId}, ${configId}, ${seed}, ${source}, ${name}, ${allocation},
    ${scope.memberId})`;

/** Longest value of a stratum; longer values are cut. */
const maxValueLength = 200;

/** The stratum of record `r`, as text. */
const stratumValue = (tx: Sql, scope: Scope, runId: bigint, { source, name }: Design) => {
  switch (source) {
    case null:
      return tx`null::text`;
    case 'tag':
      return tx`(
        select tag.text from record_tag tag
        where tag.run_id = ${runId} and tag.n = r.n and tag.text = ${name} and tag.organization_id = ${scope.organizationId})`;
    case 'inputField':
      return tx`left(field_text(r.inputs, ${name}), ${maxValueLength})`;
    case 'testcaseField':
      return tx`(
        select left(field_text(testcase.json_data, ${name}), ${maxValueLength}) from testcase
        where testcase.testset_id = r.testset_id and testcase.n = r.testcase_n
          and testcase.organization_id = ${scope.organizationId})`;
    // Takes the configuration that the run scores by or, in a run without this metric, the metric's current one.
    case 'metricId':
      return tx`(
        select case when ${passed(tx)} then 'pass' else 'fail' end
        from metric
        left join run_metric pinned on pinned.run_id = ${runId} and pinned.metric_id = metric.id
          and pinned.organization_id = ${scope.organizationId}
        join metric_config config on config.id = coalesce(pinned.metric_config_id, metric.current_config_id)
          and config.organization_id = ${scope.organizationId}
        join score s on s.run_id = ${runId} and s.n = r.n and s.metric_config_id = config.id
          and s.organization_id = ${scope.organizationId}
        where metric.id = ${name}::bigint and metric.organization_id = ${scope.organizationId} and s.value is not null)`;
  }
};

/**
 * Gives each record that is new since the last draw its stratum, and its place in the stratum's random order. Writes nothing
 * without a new record. The order depends on testcase and trial, so that one seed draws the same testcases in every run: a comparison is
 * corrected by labels in both runs. Reads the run's records only once: a self-join of a new run, for which the planner had no statistics,
 * took more than a minute for 20,000 records.
 */
export const insertFrame = (tx: Sql, scope: Scope, runId: bigint, sample: Sample) => tx`
  with known as (
    select coalesce(max(position), 0) as position, coalesce(max(wave), 0) + 1 as wave from review_stratum
    where sample_id = ${sample.id} and organization_id = ${scope.organizationId}),
  named as (
    select n, testset_id, testcase_n, ${sample.source === 'inputField' ? tx`inputs` : tx`null::json as inputs`}, coalesce(
      testset_id || '-' || testcase_n || ' ' || row_number() over (partition by testset_id, testcase_n order by n),
      run_id || '-' || n) as name
    from record where run_id = ${runId} and organization_id = ${scope.organizationId}),
  arrived as (
    select r.n, r.name, ${stratumValue(tx, scope, runId, sample)} as value
    from named r
    -- Not by the greatest number: in a run of traces a record may get a lower one than records before it.
    where not exists (
      select from review_sample_record framed
      where framed.run_id = ${runId} and framed.sample_id = ${sample.id} and framed.n = r.n
        and framed.organization_id = ${scope.organizationId})),
  placed as (
    select n, value, known.wave, known.position + dense_rank() over (order by value) as stratum,
      row_number() over (partition by value
        order by ${drawSql(tx, sample.seed, tx`name`)}, n) as place
    from arrived cross join known),
  strata as (
    insert into review_stratum (organization_id, sample_id, position, wave, value, num_records)
    select ${scope.organizationId}, ${sample.id}, stratum, wave, value, count(*) from placed
    group by stratum, wave, value)
  insert into review_sample_record (organization_id, run_id, n, sample_id, stratum, place)
  select ${scope.organizationId}, ${runId}, n, ${sample.id}, stratum, place from placed`;

export const listStrata = (tx: Sql, scope: Scope, sampleId: string) => tx<StoredStratum[]>`
  select position, wave, num_records as "numRecords", num_drawn as "numDrawn" from review_stratum
  where sample_id = ${sampleId} and organization_id = ${scope.organizationId}
  order by position`;

/** Draws the first `drawn[i]` records of stratum i. */
export const drawRecords = (tx: Sql, scope: Scope, sampleId: string, drawn: readonly number[]) => tx`
  update review_stratum stratum set num_drawn = item.drawn
  from unnest(${drawn}::integer[]) with ordinality as item (drawn, position)
  where stratum.sample_id = ${sampleId} and stratum.position = item.position
    and stratum.organization_id = ${scope.organizationId}`;

/** Queues the records of a sample. Existing scores stay and count for the sample as well. */
export const queueSample = (tx: Sql, scope: Scope, runId: bigint, sampleId: string, configId: string) => tx`
  insert into score (organization_id, run_id, n, metric_config_id, state)
  select ${scope.organizationId}, ${runId}, sampled.n, ${configId}, 'pending'
  from review_stratum stratum
  join review_sample_record sampled on sampled.sample_id = stratum.sample_id and sampled.stratum = stratum.position
    and sampled.place <= stratum.num_drawn and sampled.organization_id = ${scope.organizationId}
  where stratum.sample_id = ${sampleId} and stratum.organization_id = ${scope.organizationId}
  order by sampled.n
  on conflict (run_id, n, metric_config_id) do update set state = 'pending', reason = null, updated_at = now()
  where score.state not in ('pending', 'scored')`;

const sampleJson = (sql: Sql, scope: Scope) => sql`
  json_build_object('id', sample.id, 'runId', sample.run_id::text, 'metricId', sample.metric_id::text,
    'metricConfigId', sample.metric_config_id, 'seed', sample.seed,
    'stratifyBy', case when sample.strata_of is not null then json_build_object(sample.strata_of, sample.strata_name) end,
    'allocation', sample.allocation, 'numRecords', strata.num_records, 'numDrawn', strata.num_drawn, 'strata', strata.items,
    'userId', sample.created_by, 'createdAt', iso_time(sample.created_at))::text as body
  from review_sample sample
  cross join lateral (
    select sum(num_records) as num_records, sum(num_drawn) as num_drawn, json_agg(json_build_object(
      'value', value, 'wave', wave, 'numRecords', num_records, 'numDrawn', num_drawn,
      'inclusionProbability', inclusion_probability) order by position) as items
    from review_stratum
    where review_stratum.sample_id = sample.id and review_stratum.organization_id = ${scope.organizationId}) strata`;

export const findSample = (sql: Sql, scope: Scope, sampleId: string) => sql<{ body: string }[]>`
  select ${sampleJson(sql, scope)}
  where sample.id = ${sampleId} and sample.organization_id = ${scope.organizationId}`;

/** Returns one page of a run's samples, oldest first. */
export const listSamples = (sql: Sql, scope: Scope, runId: bigint, after: string, count: number) => sql<
  PageRow[]
>`
  select sample.id::text as key, ${sampleJson(sql, scope)}
  where sample.run_id = ${runId} and sample.organization_id = ${scope.organizationId} and sample.id > ${after}::uuid
  order by sample.id
  limit ${count}`;

/** Returns one page of a sample's records, oldest first. Deleted records are left out. */
export const listSampledRecords = (
  sql: Sql,
  scope: Scope,
  sampleId: string,
  after: string,
  count: number,
) => sql<PageRow[]>`
  select json_build_object('recordId', sampled.run_id || '-' || sampled.n, 'stratum', stratum.value,
      'wave', stratum.wave, 'inclusionProbability', stratum.inclusion_probability, 'state', s.state,
      'value', case when config.labels is null then s.value else floor(s.value) end,
      'label', case when s.value is not null then s.score ->> 'categoryScore' end)::text as body,
    sampled.n::text as key
  from review_sample sample
  join review_sample_record sampled on sampled.run_id = sample.run_id and sampled.sample_id = sample.id
    and sampled.organization_id = ${scope.organizationId}
  join review_stratum stratum on stratum.sample_id = sample.id and stratum.position = sampled.stratum
    and stratum.organization_id = ${scope.organizationId}
  join score s on s.run_id = sampled.run_id and s.n = sampled.n and s.metric_config_id = sample.metric_config_id
    and s.organization_id = ${scope.organizationId}
  join metric_config config on config.id = sample.metric_config_id and config.organization_id = ${scope.organizationId}
  where sample.id = ${sampleId} and sample.organization_id = ${scope.organizationId}
    and sampled.place <= stratum.num_drawn and sampled.n > ${after}::integer
  order by sampled.n
  limit ${count}`;
