import { isDraft } from '../../evaluation/metrics/queries.ts';
import type { EvalType, OutputType } from '../../evaluation/metrics/schema.ts';
import { givenBy, madeBy } from '../../evaluation/scores/made-by.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { LabelSource } from './label-source.ts';
import { judgedSpans, labelsOfSpans } from './span-labels.ts';

export type { LabelSource };

/** The judge that is calibrated: a metric with one of its configurations. */
export type JudgeConfig = {
  configId: string;
  evalType: EvalType;
  outputType: OutputType;
  passingThreshold: number | null;
  /** JSON text of the labels of a category. */
  labels: string | null;
  /** Whether it scores spans: then labels are of spans too. */
  ofSpans: boolean;
};

/**
 * Finds a configuration of a metric: the one given, else the one that the run was started with, else the current one.
 */
export const findJudgeConfig = (
  sql: Sql,
  scope: Scope,
  metricId: bigint,
  configId: string | null,
  runId: bigint | null,
) => sql<JudgeConfig[]>`
  select config.id as "configId", config.eval_type as "evalType", config.output_type as "outputType", config.passing_threshold as "passingThreshold",
    config.labels::text as labels, config.span_search is not null as "ofSpans"
  from metric
  join metric_config config on config.metric_id = metric.id and config.organization_id = ${scope.organizationId}
    and config.id = coalesce(${configId}::uuid, (
      select metric_config_id from run_metric
      where run_id = ${runId} and metric_id = ${metricId} and organization_id = ${scope.organizationId}),
      metric.current_config_id)
  where metric.organization_id = ${scope.organizationId} and metric.id = ${metricId}`;

/** Lists the newest configurations of a metric, newest first, without drafts of prompts. */
export const findNewestJudges = (sql: Sql, scope: Scope, metricId: bigint, limit: number) => sql<
  JudgeConfig[]
>`
  select config.id as "configId", config.eval_type as "evalType", config.output_type as "outputType", config.passing_threshold as "passingThreshold",
    config.labels::text as labels, config.span_search is not null as "ofSpans"
  from metric_config config
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
  where config.metric_id = ${metricId} and config.organization_id = ${scope.organizationId} and not ${isDraft(sql, scope)}
  order by config.id desc limit ${limit}`;

/** Message of a judge without a known human metric, with the next step. */
export const unnamedPeople =
  "no metric of people is set for this judge: choose it on the judge's page, or in its settings";

/** Each column is PostgreSQL's text of an array. */
export type LabelledColumns = LabelFacts & {
  /** `<run>-<n>` */
  records: string | null;
  /** Trace and span of each label, as `<trace>-<span>`; null for labels of records. */
  spans: string | null;
  /** `<testset>-<n>`, or NULL without a testcase. */
  testcases: string | null;
  /** Hash of the inputs, or NULL without any. */
  inputs: string | null;
  /** Whether people pass the record, as 1 and 0, and the score that they gave; a thumb is 1 or 0. */
  humanPassed: string | null;
  human: string | null;
  /** NULL if the judge gave no verdict. */
  judge: string | null;
  /** The sample that a label's record could be drawn from: a review sample, or the run whose records monitors drew; NULL without one. */
  samples: string | null;
  /** The stratum of the record, its number of records (NULL for monitors), its chance, and whether the record was drawn, as 1 and 0. */
  strata: string | null;
  sizes: string | null;
  chances: string | null;
  drawn: string | null;
  /** Number of blind reviews of the record for the metric, how many of them pass it, and the rule that made the label of them; NULL without. */
  reviews: string | null;
  reviewPasses: string | null;
  rules: string | null;
  /** JSON array of the labels that people gave, if the judge is a category; else null. */
  humanLabels: string | null;
};

/** Facts of all labels. */
export type LabelFacts = {
  /** When the newest label was given. */
  labelledAt: string | null;
  /** Numbers of labels by their makers. Those of models are left out of the columns. */
  numByPeople: number;
  numByClients: number;
  numByCode: number;
  numByModels: number;
};

export const noLabelFacts: LabelFacts = {
  labelledAt: null,
  numByPeople: 0,
  numByClients: 0,
  numByCode: 0,
  numByModels: 0,
};

/** Maximum number of runs whose labels are read, newest first. */
export const maxLabelledRuns = 100;

/** The last value that a model or code gave for a score before people replaced it. Reads score_history_record. */
export const machineValue = (sql: Sql, scope: Owner, s: Fragment = sql`s`) => sql`
  (select h.value from score_history h
    where h.run_id = ${s}.run_id and h.n = ${s}.n and h.metric_config_id = ${s}.metric_config_id
      and h.organization_id = ${scope.organizationId} and h.scored_by is null and h.value is not null
    order by h.id desc limit 1)`;

/** The judge's own value, even if a person has replaced it. */
export const judgeValue = (sql: Sql, scope: Owner) => sql`
  case when s.scored_by is null then s.value else coalesce(${machineValue(sql, scope)}, s.value) end`;

/**
 * The scores that people gave in one run by one configuration. `offset 0` keeps the planner from joining first: it expects the condition of
 * row-level security to keep one row in 200, and would read all scores.
 */
const scoresOfPeople = (sql: Sql, scope: Scope, run: Fragment, config: Fragment) => sql`
  select run_id, n, value, updated_at, evidence, ${givenBy(sql, sql`score`)} as maker from score
  where run_id = ${run} and metric_config_id = ${config} and scored_by is not null and not sent and value is not null
    and organization_id = ${scope.organizationId}
  offset 0`;

/** Orders the labels of one record: a label that a model made counts only where there is no other. */
const ofModelsLast = (sql: Sql, maker: Fragment) => sql`coalesce(${maker} = 'model', false)`;

/** The label that a value stands for. Null without labels. */
const labelText = (sql: Sql, labels: Fragment, value: Fragment) =>
  sql`(${labels} -> 'items' ->> round((${value} - floor(${value})) * 1024)::int)`;

const labelsOf = (sql: Sql, scope: Scope, judge: JudgeConfig, source: LabelSource): Fragment => {
  if (source.of === 'metric' && source.byPeople) {
    return sql`
      select distinct on (s.run_id, s.n) s.run_id, s.n, person.value as human,
        ${labelText(sql, sql`config.labels`, sql`person.value`)} as human_label,
        (person.value >= coalesce(config.passing_threshold, 1))::int as human_passed, ${judgeValue(sql, scope)} as judge,
        person.updated_at as labelled_at, field_text(person.evidence, 'rule') as rule, person.maker
      from metric_config config
      cross join ran
      cross join lateral (${scoresOfPeople(sql, scope, sql`ran.run_id`, sql`config.id`)}) person
      cross join lateral (
        select * from judged where judged.run_id = person.run_id and judged.n = person.n offset 0) s
      where config.metric_id = ${source.metricId} and config.organization_id = ${scope.organizationId}
      order by s.run_id, s.n, ${ofModelsLast(sql, sql`person.maker`)}, person.updated_at desc`;
  }
  if (source.of === 'metric') {
    return sql`
      select distinct on (s.run_id, s.n) s.run_id, s.n, person.value as human,
        ${labelText(sql, sql`config.labels`, sql`person.value`)} as human_label,
        (person.value >= coalesce(config.passing_threshold, 1))::int as human_passed, ${judgeValue(sql, scope)} as judge,
        person.updated_at as labelled_at, field_text(person.evidence, 'rule') as rule, made.maker
      from judged s
      join score person on person.run_id = s.run_id and person.n = s.n
        and person.organization_id = ${scope.organizationId} and person.value is not null
      join metric_config config on config.id = person.metric_config_id and config.metric_id = ${source.metricId}
        and config.organization_id = ${scope.organizationId}
      cross join lateral (select ${madeBy(sql, sql`person`)} as maker) made
      order by s.run_id, s.n, ${ofModelsLast(sql, sql`made.maker`)}, person.updated_at desc`;
  }
  if (source.of === 'thumbs') {
    return sql`
      select s.run_id, s.n, (avg(thumb.rating::int) > 0.5)::int as human, null::text as human_label,
        (avg(thumb.rating::int) > 0.5)::int as human_passed, min(${judgeValue(sql, scope)}) as judge,
        max(thumb.updated_at) as labelled_at, null::text as rule,
        case when bool_or(thumb.made_by = 'model') then 'model' when bool_and(thumb.made_by = 'person') then 'person' else 'client' end as maker
      from judged s
      join annotation thumb on thumb.run_id = s.run_id and thumb.n = s.n and thumb.span_id is null
        and thumb.organization_id = ${scope.organizationId}
      group by s.run_id, s.n, thumb.made_by = 'model'
      having avg(thumb.rating::int) <> 0.5`;
  }
  if (source.of === 'none') {
    return sql`
      select run_id, n, value as human, null::text as human_label, 0 as human_passed, value as judge, updated_at as labelled_at, null::text as rule, null::text as maker
      from judged where false`;
  }
  return sql`
    select run_id, n, value as human, ${labelText(sql, sql`${judge.labels}::json`, sql`value`)} as human_label, (value >= threshold)::int as human_passed, judge, updated_at as labelled_at, null::text as rule, maker
    from (select s.*, ${machineValue(sql, scope)} as judge from judged s where s.scored_by is not null and s.value is not null) s
    where judge is not null`;
};

/** The newest runs that a judge's configuration scored, from the start or later, and `runIds`. Reads run_tally_run for each run. */
export const runsOf = (sql: Sql, scope: Scope, configId: string, most: number, runIds: bigint[]) => sql`
  (select run.id as run_id from metric_config config
    join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
    join run on run.project_id = metric.project_id and run.organization_id = ${scope.organizationId}
    where config.id = ${configId} and config.organization_id = ${scope.organizationId}
      and exists (
        select from run_tally tally
        where tally.run_id = run.id and tally.metric_config_id = ${configId} and tally.organization_id = ${scope.organizationId}
        offset 0)
      and run.kind <> 'trial'
    order by run.id desc limit ${most})
  union select unnest(${runIds.map(String)}::bigint[])`;

/** The scores of records by the judge's configuration in the runs `ran`. */
const judgedRecords = (sql: Sql, scope: Scope, judge: JudgeConfig): Fragment => sql`
  select score.run_id, score.n, score.metric_config_id, score.value, score.scored_by, score.updated_at,
    ${givenBy(sql, sql`score`)} as maker, ${judge.passingThreshold ?? 1}::float8 as threshold
  from score
  where score.organization_id = ${scope.organizationId} and score.metric_config_id = ${judge.configId}
    and score.run_id in (select run_id from ran)`;

/**
 * The tables `judged`, `given` and `labels` of a statement: records that both the judge's configuration and others scored, and
 * those of them whose label no model made, of the newest runs that the configuration scored and of `runIds`. Reads those runs' ranges of
 * score, and for labels of people only score_by_person and score_pkey: of 160,000 scores, 200 may be labels.
 */
export const withLabels = (
  sql: Sql,
  scope: Scope,
  judge: JudgeConfig,
  source: LabelSource,
  runIds: bigint[],
): Fragment => sql`
  with ran as materialized (${runsOf(sql, scope, judge.configId, maxLabelledRuns, runIds)}),
  judged as (${
    judge.ofSpans
      ? judgedSpans(sql, scope, judge.configId, judge.passingThreshold ?? 1)
      : judgedRecords(sql, scope, judge)
  }),
  given as (${judge.ofSpans ? labelsOfSpans(sql, scope, source) : labelsOf(sql, scope, judge, source)}),
  -- A model's labels say how two models agree, not how often a judge errs.
  labels as (select * from given where maker is distinct from 'model')`;

/**
 * The design by which each labelled record was drawn for people: by the newest sample of its run for their metric, else by monitors. A
 * record that several monitors could draw has the highest of their chances. Reads the primary keys of review_sample_record and
 * monitor_record.
 */
const designOf = (sql: Sql, scope: Scope, source: LabelSource): Fragment =>
  source.of !== 'metric'
    ? sql`select null::text as sample, null::text as stratum, null::integer as size, null::float8 as chance, null::integer as drawn`
    : sql`
      select sample.id::text as sample, sampled.stratum::text as stratum, stratum.num_records as size,
        stratum.inclusion_probability as chance, (sampled.place <= stratum.num_drawn)::int as drawn
      from (
        select id from review_sample
        where run_id = labels.run_id and metric_id = ${source.metricId} and organization_id = ${scope.organizationId}
        order by created_at desc, id desc limit 1) sample
      left join review_sample_record sampled on sampled.run_id = labels.run_id and sampled.n = labels.n
        and sampled.sample_id = sample.id and sampled.organization_id = ${scope.organizationId}
      left join review_stratum stratum on stratum.sample_id = sample.id and stratum.position = sampled.stratum
        and stratum.organization_id = ${scope.organizationId}
      union all
      select labels.run_id::text, max(monitored.inclusion_probability)::text, null, max(monitored.inclusion_probability),
        bool_or(monitored.drawn)::int
      from monitor_record monitored
      join monitor_metric asked on asked.monitor_id = monitored.monitor_id and asked.metric_id = ${source.metricId}
        and asked.organization_id = ${scope.organizationId}
      where monitored.run_id = labels.run_id and monitored.n = labels.n and monitored.organization_id = ${scope.organizationId}
        and monitored.decided_at is not null and not exists (
          select from review_sample
          where run_id = labels.run_id and metric_id = ${source.metricId} and organization_id = ${scope.organizationId})
      having count(*) > 0`;

/** The blind reviews behind each label. Reads the primary key of review_score. */
const reviewsOf = (sql: Sql, scope: Scope, source: LabelSource): Fragment =>
  source.of !== 'metric'
    ? sql`select 0 as reviews, 0 as passes`
    : sql`
      select count(*)::int as reviews,
        (count(*) filter (where review.value >= coalesce(config.passing_threshold, 1)))::int as passes
      from review_score review
      join metric_config config on config.id = review.metric_config_id and config.metric_id = ${source.metricId}
        and config.organization_id = ${scope.organizationId}
      where review.run_id = labels.run_id and review.n = labels.n and review.stands and review.blind and review.made_by <> 'model'
        and review.organization_id = ${scope.organizationId}`;

/** Returns the labelled records, oldest first. */
export const findLabelledColumns = (
  sql: Sql,
  scope: Scope,
  judge: JudgeConfig,
  source: LabelSource,
  runIds: bigint[],
) => {
  const order = judge.ofSpans
    ? sql`labels.run_id, labels.n, labels.otel_trace_id, labels.span_id`
    : sql`labels.run_id, labels.n`;
  return sql<LabelledColumns[]>`
  ${withLabels(sql, scope, judge, source, runIds)}
  select array_agg(labels.run_id || '-' || labels.n order by ${order})::text as records,
    ${judge.ofSpans ? sql`array_agg(encode(otel_trace_id, 'hex') || '-' || encode(labels.span_id, 'hex') order by ${order})::text` : sql`null::text`} as spans,
    array_agg(r.testset_id || '-' || r.testcase_n order by ${order})::text as testcases,
    array_agg(r.inputs_hash order by ${order})::text as inputs,
    array_agg(human_passed order by ${order})::text as "humanPassed",
    array_agg(human order by ${order})::text as human,
    array_agg(judge order by ${order})::text as judge,
    array_agg(design.sample order by ${order})::text as samples,
    array_agg(design.stratum order by ${order})::text as strata,
    array_agg(design.size order by ${order})::text as sizes,
    array_agg(design.chance order by ${order})::text as chances,
    array_agg(design.drawn order by ${order})::text as drawn,
    array_agg(reviewed.reviews order by ${order})::text as reviews,
    array_agg(reviewed.passes order by ${order})::text as "reviewPasses",
    array_agg(rule order by ${order})::text as rules,
    ${judge.labels === null || judge.ofSpans ? sql`null` : sql`json_agg(human_label order by ${order})`}::text as "humanLabels",
    iso_time(max(labelled_at)) as "labelledAt",
    (count(*) filter (where maker = 'person'))::int as "numByPeople",
    (count(*) filter (where maker = 'client'))::int as "numByClients",
    (count(*) filter (where maker = 'code'))::int as "numByCode",
    (select count(*)::int from given where maker = 'model') as "numByModels"
  from labels
  join record r on r.run_id = labels.run_id and r.n = labels.n and r.organization_id = ${scope.organizationId}
  left join lateral (${designOf(sql, scope, source)}) design on true
  cross join lateral (${reviewsOf(sql, scope, source)}) reviewed`;
};

const blanks = ' \t\r\n';

/**
 * The human metric whose scores are the truth about the judge `metric`: the one that a person named, else the only one of its project with
 * the same guidelines and kind of score. Null if neither is there. Deleted metrics, and those that people no longer score, do not count.
 */
export const peopleMetricOf = (sql: Sql, scope: Owner): Fragment => sql`
  coalesce(
    (select people.id
      from judge_people named
      join metric people on people.id = named.people_metric_id and people.organization_id = ${scope.organizationId}
        and people.deleted_at is null
      join metric_config config on config.id = people.current_config_id and config.organization_id = ${scope.organizationId}
        and config.eval_type = 'human'
      join metric_config own on own.id = metric.current_config_id and own.organization_id = ${scope.organizationId}
        and (own.span_search is null) = (config.span_search is null)
      where named.metric_id = metric.id and named.organization_id = ${scope.organizationId}),
    (select min(people.id)
      from metric_config own
      join metric people on people.project_id = metric.project_id and people.organization_id = ${scope.organizationId}
        and people.deleted_at is null
      join metric_config config on config.id = people.current_config_id and config.organization_id = ${scope.organizationId}
        and config.eval_type = 'human' and config.output_type = own.output_type
        and config.span_search is not distinct from own.span_search
        and btrim(config.guidelines, ${blanks}) = btrim(own.guidelines, ${blanks})
      where own.id = metric.current_config_id and own.organization_id = ${scope.organizationId}
        and own.eval_type <> 'human' and btrim(own.guidelines, ${blanks}) <> ''
      having count(*) = 1))`;

/** Finds the human metric whose scores are the truth about a judge. */
export const findPeopleMetric = (sql: Sql, scope: Scope, metricId: bigint) => sql<{ id: bigint | null }[]>`
  select ${peopleMetricOf(sql, scope)} as id
  from metric where metric.organization_id = ${scope.organizationId} and metric.id = ${metricId}`;

/** Finds a human metric of the judge's project that is not deleted. */
export const findHumanBeside = (tx: Sql, scope: Scope, metricId: bigint, peopleId: bigint) => tx`
  select people.id
  from metric
  join metric people on people.id = ${peopleId} and people.project_id = metric.project_id
    and people.organization_id = ${scope.organizationId} and people.deleted_at is null
  join metric_config config on config.id = people.current_config_id and config.organization_id = ${scope.organizationId}
    and config.eval_type = 'human'
  join metric_config own on own.id = metric.current_config_id and own.organization_id = ${scope.organizationId}
    and (own.span_search is null) = (config.span_search is null)
  where metric.organization_id = ${scope.organizationId} and metric.id = ${metricId}
  for share of people`;

export const namePeopleMetric = (tx: Sql, scope: Scope, metricId: bigint, peopleId: bigint) => tx`
  insert into judge_people (metric_id, organization_id, project_id, people_metric_id)
  select id, organization_id, project_id, ${peopleId} from metric
  where organization_id = ${scope.organizationId} and id = ${metricId}
  on conflict (metric_id) do update set people_metric_id = excluded.people_metric_id`;

export const deletePeopleMetric = (tx: Sql, scope: Scope, metricId: bigint) => tx`
  delete from judge_people where organization_id = ${scope.organizationId} and metric_id = ${metricId}`;
