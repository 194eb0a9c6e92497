import type { EvalType, OutputType } from '../../evaluation/metrics/schema.ts';
import { misfitText } from '../../evaluation/runs/progress.ts';
import type { RunKind } from '../../evaluation/runs/schema.ts';
import { noSpan } from '../../evaluation/scores/requeue.ts';
import { testsetOfRun } from '../../evaluation/testsets/queries.ts';
import { snapshotOfRun } from '../../evaluation/testsets/snapshot-queries.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { machineValue } from '../../scoring/labels/queries.ts';
import type { CriterionFacts } from './criterion-facts.ts';

/**
 * A column of many rows, as PostgreSQL's text of an array, `{1,2,NULL}`. It crosses to the computing thread as it is: reading rows
 * would cost this thread more than the statistics cost the other.
 */
type ColumnText = string | null;

/** A run's records and the testcases that they answer. */
export type RecordColumns = {
  numbers: ColumnText;
  testsets: ColumnText;
  testcases: ColumnText;
  revisions: ColumnText;
  /** Hashes of the inputs of records that answer testcases. */
  inputs: ColumnText;
};

/** Labels by number of the record or testcase; `values` is a JSON array of texts. */
export type LabelColumns = { numbers: ColumnText; values: string | null };

/** Labels of the testcases of a testset, from one of their fields. */
export type TestcaseLabels = LabelColumns & { testsetId: string; field: string };

/** How many of the compared inputs of a run's testcases nearly repeat another. */
export type NearDuplicates = { numCompared: number; numNear: number };

/** Codes for missing values. Values themselves are never negative. */
export const missingCodes = { pending: -1, unscored: -2, failed: -3 } as const;

/** Values of records by their numbers. */
export type OwnColumns = { numbers: ColumnText; values: ColumnText };

/** The records of a run that could be drawn: stratum, chance, and whether it was drawn, by number of the record. */
export type DrawColumns = {
  numbers: ColumnText;
  /** NULL where each record has its own chance, as in draws of monitors. */
  strata: ColumnText;
  chances: ColumnText;
  drawn: ColumnText;
};

/** One configuration's scores in a run. */
export type ScoreColumns = {
  configId: string;
  metricId: string;
  metricName: string;
  evalType: EvalType;
  outputType: OutputType;
  passingThreshold: number | null;
  /** Whether the run was started with this configuration. */
  pinned: boolean;
  numbers: ColumnText;
  /** A missing value is one of `missingCodes`. */
  values: ColumnText;
  /** The judge's own values of the records whose score people gave in its place; null without such records. */
  own: OwnColumns | null;
  /** The values of the spans of its scored records, each by the number of its record, if it scores spans; else null. */
  spans: OwnColumns | null;
  /** The records that were drawn with unequal chances, for people or by monitors; null if there was no such draw. */
  draw: DrawColumns | null;
  costUsd: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Number of scores with a known cost. */
  priced: number | null;
  /** Says how many scores do not fit the metric, and the fault of one; null if all fit. */
  misfits: string | null;
  /** JSON text of the labels of a category; null for other metrics. */
  labels: string | null;
  /** Set if these are the verdicts on one criterion of a metric. */
  criterion?: CriterionFacts;
};

export type RunHead = {
  id: bigint;
  projectId: bigint;
  testsetId: bigint | null;
  /** The testset as JSON text. */
  testset: string | null;
  /** The snapshot of the testset as JSON text; null for a run without one. */
  snapshot: string | null;
  split: string | null;
  systemId: string | null;
  systemVersionId: string | null;
  createdAt: string;
  /** Whether the service called the system, in the order that insertExecutions draws. */
  isOrderDrawn: boolean;
};

const headColumns = (sql: Sql, scope: Scope) => sql`
  run.id, run.project_id as "projectId", run.testset_id as "testsetId", run.system_version_id as "systemVersionId", (
    select version.system_id from system_version version
    where version.id = run.system_version_id and version.organization_id = ${scope.organizationId}) as "systemId",
  ${testsetOfRun(sql, scope)}::text as testset, ${snapshotOfRun(sql, scope)}::text as snapshot, run.split,
  iso_time(run.created_at) as "createdAt",
  exists (
    select from execution
    where execution.run_id = run.id and execution.organization_id = ${scope.organizationId}) as "isOrderDrawn"`;

export const findRunHeads = (sql: Sql, scope: Scope, runIds: bigint[]) => sql<RunHead[]>`
  select ${headColumns(sql, scope)}
  from run
  where run.organization_id = ${scope.organizationId} and run.id = any(${runIds.map(String)}::bigint[])`;

/** Finds the number of trials of a run's executions; their last job is of the last trial. Reads the primary key of execution. */
export const findNumTrials = (sql: Sql, scope: Scope, runId: bigint) => sql<{ numTrials: number }[]>`
  select trial as "numTrials" from execution
  where execution.run_id = ${runId} and execution.organization_id = ${scope.organizationId}
  order by n desc limit 1`;

/** Finds whether an execution of a run was cancelled: a row or none. */
export const findCancelled = (sql: Sql, scope: Scope, runId: bigint) => sql`
  select from execution
  where execution.run_id = ${runId} and execution.organization_id = ${scope.organizationId}
    and execution.state = 'cancelled'
  limit 1`;

/** Which runs of a project are meant. */
export type RunChoice = {
  /** Only runs that were started with this metric, or scored by it. */
  metricId?: bigint | undefined;
  kind?: RunKind | undefined;
  /** Only runs that have scores. */
  scored?: boolean | undefined;
  testsetId?: bigint | undefined;
};

/** Finds the newest runs of a project. Leaves out trials, which do not evaluate a system. Reads run_project. */
export const findNewestRuns = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  { metricId, kind, scored, testsetId }: RunChoice,
  limit: number,
) => sql<RunHead[]>`
  select ${headColumns(sql, scope)}
  from run
  where run.organization_id = ${scope.organizationId} and run.project_id = ${projectId}
    and run.kind <> 'trial'
    ${kind === undefined ? sql`` : sql`and run.kind = ${kind}`}
    ${testsetId === undefined ? sql`` : sql`and run.testset_id = ${testsetId}`}
    ${
      scored
        ? sql`and exists (
            select from run_tally tally
            where tally.run_id = run.id and tally.organization_id = ${scope.organizationId} and tally.state = 'scored'
            offset 0)`
        : sql``
    }
    ${
      metricId === undefined
        ? sql``
        : sql`and (
            exists (
              select from run_metric
              where run_metric.run_id = run.id and run_metric.metric_id = ${metricId}
                and run_metric.organization_id = ${scope.organizationId} offset 0)
            or exists (
              select from run_tally tally
              join metric_config config on config.id = tally.metric_config_id and config.organization_id = ${scope.organizationId}
              where tally.run_id = run.id and tally.organization_id = ${scope.organizationId} and config.metric_id = ${metricId}
              offset 0))`
    }
  order by run.id desc
  limit ${limit}`;

/**
 * Returns the run's records, without free-form columns. Reads one range of record_pkey. Testcases that are fresh for this run are left out: its
 * figures rest on the old ones, and wear compares both.
 */
export const findRecordColumns = (sql: Sql, scope: Scope, runId: bigint) => sql<RecordColumns[]>`
  select array_agg(r.n)::text as numbers, array_agg(r.testset_id)::text as testsets,
    array_agg(r.testcase_n)::text as testcases, array_agg(r.testcase_revision)::text as revisions,
    array_agg(case when r.testset_id is not null then r.inputs_hash end)::text as inputs
  from record r
  where r.run_id = ${runId} and r.organization_id = ${scope.organizationId}
    and (r.testcase_n is null or r.testcase_n <> all(array(
      select fresh.testcase_n from fresh_testcase fresh
      where fresh.run_id = ${runId} and fresh.organization_id = ${scope.organizationId})))`;

/** Most characters of the inputs that are compared with others. */
const comparedLength = 4_000;

/**
 * Returns different inputs of a run's testcases as JSON, those with the smallest hashes, which is a random sample of many. Reads one range
 * of record_pkey, and the texts of the sample only.
 */
export const findInputTexts = (sql: Sql, scope: Scope, runId: bigint, most: number) => sql<
  { texts: string }[]
>`
  select coalesce(json_agg(left(r.inputs::text, ${comparedLength})), '[]')::text as texts
  from (
    select distinct on (inputs_hash) n from record
    where run_id = ${runId} and organization_id = ${scope.organizationId} and testset_id is not null and inputs_hash is not null
    order by inputs_hash, n
    limit ${most}) picked
  join record r on r.run_id = ${runId} and r.n = picked.n and r.organization_id = ${scope.organizationId}`;

/**
 * Returns the scores of a run, one row for each configuration: first those that the run was started with, even without a score.
 * Reads one range of score, without raw scores and evidence.
 */
export const findScoreColumns = (sql: Sql, scope: Scope, runId: bigint, metricIds?: bigint[]) => {
  const ofMetrics = metricIds
    ? sql`and metric_config_id in (
        select id from metric_config
        where organization_id = ${scope.organizationId} and metric_id = any(${metricIds.map(String)}::bigint[]))`
    : sql``;
  return sql<(Omit<ScoreColumns, 'own' | 'draw' | 'spans'> & { ofSpans: boolean })[]>`
    select config.id as "configId", metric.id::text as "metricId", metric.name as "metricName",
      config.eval_type as "evalType", config.output_type as "outputType", config.passing_threshold as "passingThreshold",
      pinned.position is not null as pinned, config.labels::text as labels, config.span_search is not null as "ofSpans", given.numbers, given.values, given.cost_usd as "costUsd",
      given.input_tokens::float8 as "inputTokens", given.output_tokens::float8 as "outputTokens", given.priced,
      ${misfitText(sql, sql`given.num_invalid`, sql`given.a_fault`)} as misfits
    from (
      select metric_config_id, position from run_metric
      where run_id = ${runId} and organization_id = ${scope.organizationId} ${ofMetrics}) pinned
    full join (
      select metric_config_id, array_agg(n)::text as numbers,
        array_agg(coalesce(value, case state
          when 'pending' then ${missingCodes.pending}::float8
          when 'failed' then ${missingCodes.failed}::float8
          else ${missingCodes.unscored}::float8 end))::text as values,
        sum(cost_usd) as cost_usd, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
        count(cost_usd)::int as priced, count(validation_errors) as num_invalid,
        min(validation_errors::text)::jsonb as a_fault
      from score
      where run_id = ${runId} and organization_id = ${scope.organizationId} ${ofMetrics}
        and reason is distinct from ${noSpan}
      group by metric_config_id) given using (metric_config_id)
    join metric_config config on config.id = metric_config_id and config.organization_id = ${scope.organizationId}
    join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
    order by pinned.position nulls last, config.id`;
};

/** Returns the values of the spans of a run's records, by configuration. Reads one range of span_score_pkey. */
export const findSpanColumns = (sql: Sql, scope: Scope, runId: bigint, configIds: string[]) => sql<
  (OwnColumns & { configId: string })[]
>`
  select metric_config_id as "configId", array_agg(n order by n)::text as numbers, array_agg(value order by n)::text as values
  from span_score
  where run_id = ${runId} and organization_id = ${scope.organizationId} and value is not null
    and metric_config_id = any(${configIds}::uuid[])
  group by metric_config_id`;

/**
 * Returns the scores by models and code of the records whose score people replaced, by configuration. Reads run_tally, and
 * score_by_person for each configuration whose scores do not come from people and that has such a score: of 50,000 scores that were
 * uploaded, each would be looked up in score_history.
 */
export const findOwnColumns = (sql: Sql, scope: Scope, runId: bigint) => sql<
  (OwnColumns & { configId: string })[]
>`
  select config.id as "configId", array_agg(s.n order by s.n)::text as numbers, array_agg(s.own order by s.n)::text as values
  from (
    select distinct metric_config_id from run_tally
    where run_id = ${runId} and organization_id = ${scope.organizationId} offset 0) given
  join metric_config config on config.id = given.metric_config_id and config.organization_id = ${scope.organizationId}
    and config.eval_type <> 'human' and exists (
      select from score_history h
      where h.run_id = ${runId} and h.metric_config_id = config.id and h.organization_id = ${scope.organizationId}
        and h.scored_by is null and h.value is not null offset 0)
  cross join lateral (
    select replaced.n, ${machineValue(sql, scope, sql`replaced`)} as own
    from score replaced
    where replaced.run_id = ${runId} and replaced.metric_config_id = config.id and replaced.scored_by is not null and not replaced.sent
      and replaced.organization_id = ${scope.organizationId}
    offset 0) s
  where s.own is not null
  group by config.id`;

/**
 * Finds the metrics for which records of a run were drawn with unequal chances, with the newest draw: a review sample for people, else what
 * monitors drew. Proportional strata, whose chances differ by the rounding of their sizes, are equal. Reads the unique index of
 * review_sample, review_sample_record_stratum, and the range of monitor_record of each monitor of the project.
 */
export const findUnequalDraws = (sql: Sql, scope: Scope, runId: bigint) => sql<
  (DrawColumns & { metricId: string })[]
>`
  with sample as (
    select distinct on (metric_id) id, metric_id from review_sample
    where run_id = ${runId} and organization_id = ${scope.organizationId}
    order by metric_id, created_at desc, id desc),
  asked as (
    select distinct asked.metric_id from run
    join monitor on monitor.project_id = run.project_id and monitor.organization_id = ${scope.organizationId}
    join monitor_metric asked on asked.monitor_id = monitor.id and asked.organization_id = ${scope.organizationId}
    where run.id = ${runId} and run.organization_id = ${scope.organizationId}
      and asked.metric_id not in (select metric_id from sample))
  select metric_id::text as "metricId", array_agg(n)::text as numbers, array_agg(stratum)::text as strata,
    array_agg(chance)::text as chances, array_agg(drawn::int)::text as drawn
  from (
    select sample.metric_id, sampled.n, stratum.position as stratum, stratum.inclusion_probability as chance,
      sampled.place <= stratum.num_drawn as drawn
    from sample
    join review_stratum stratum on stratum.sample_id = sample.id and stratum.organization_id = ${scope.organizationId}
    join review_sample_record sampled on sampled.sample_id = sample.id and sampled.stratum = stratum.position
      and sampled.run_id = ${runId} and sampled.organization_id = ${scope.organizationId}
    union all
    select asked.metric_id, monitored.n, null, max(monitored.inclusion_probability), bool_or(monitored.drawn)
    from asked
    join monitor_metric on monitor_metric.metric_id = asked.metric_id and monitor_metric.organization_id = ${scope.organizationId}
    join monitor_record monitored on monitored.monitor_id = monitor_metric.monitor_id and monitored.run_id = ${runId}
      and monitored.decided_at is not null and monitored.organization_id = ${scope.organizationId}
    group by asked.metric_id, monitored.n) drawing
  group by metric_id
  having max(chance) > 1.1 * min(chance)`;

/** A field of JSON as text. field_text also takes \u0000, at three times the cost, so it is called only for text with an escape. */
export const fieldText = (sql: Sql, json: Fragment, field: Fragment) => sql`
  case when position('\\u' in ${json}::text) = 0 then ${json} ->> ${field} else field_text(${json}, ${field}) end`;

/** The testcases whose labels are read. */
export type WantedTestcases = {
  testsetIds: string[];
  /** Numbers of a few testcases; null reads all, which takes a third of the time of single look-ups. */
  numbers: number[] | null;
  split?: string | undefined;
};

/** Returns a field of testcases, one row for each testset: the field given, else the grouping field of each testset that has one. */
export const findTestcaseLabels = (
  sql: Sql,
  scope: Scope,
  { testsetIds, numbers, split }: WantedTestcases,
  field: string | null,
) => sql<TestcaseLabels[]>`
  select testset.id::text as "testsetId", label.field, array_agg(testcase.n)::text as numbers,
    json_agg(${fieldText(sql, sql`testcase.json_data`, sql`label.field`)})::text as values
  from testset
  cross join lateral (select coalesce(${field}::text, testset.grouping_field) as field) label
  join testcase on testcase.testset_id = testset.id and testcase.organization_id = ${scope.organizationId}
    ${numbers ? sql`and testcase.n = any(${numbers})` : sql``}
    ${split === undefined ? sql`` : sql`and testcase.split = ${split}`}
  where testset.id = any(${testsetIds}::bigint[]) and testset.organization_id = ${scope.organizationId}
    and label.field is not null
  group by testset.id, label.field`;

/** Returns the labels of a run's records: their tags, or a field of their inputs. */
export const findRecordLabels = (sql: Sql, scope: Scope, runId: bigint, field: string | null) =>
  field === null
    ? sql<LabelColumns[]>`
        select array_agg(n)::text as numbers, json_agg(text)::text as values
        from record_tag
        where run_id = ${runId} and organization_id = ${scope.organizationId}`
    : sql<LabelColumns[]>`
        select array_agg(r.n)::text as numbers,
          json_agg(${fieldText(sql, sql`r.inputs`, sql`${field}::text`)})::text as values
        from record r
        where r.run_id = ${runId} and r.organization_id = ${scope.organizationId}`;
