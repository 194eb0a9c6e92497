import { drawSql } from '../../evaluation/samples/draw.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { type JudgeConfig, type LabelSource, withLabels } from '../labels/queries.ts';

export const deletePinnedSet = (tx: Sql, scope: Scope, metricId: bigint) => tx`
  delete from pinned_set where metric_id = ${metricId} and organization_id = ${scope.organizationId} returning metric_id`;

/** Deletes the trials of a metric that adopted no candidate. An adopted one keeps what it found. */
export const deleteOpenTrials = (tx: Sql, scope: Scope, metricId: bigint) => tx`
  delete from judge_trial
  where metric_id = ${metricId} and organization_id = ${scope.organizationId} and adopted_at is null`;

type NewSet = { judge: JudgeConfig; source: LabelSource; automatic: boolean };

export const insertPinnedSet = (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { judge, source, automatic }: NewSet,
) => tx`
  insert into pinned_set (metric_id, organization_id, metric_config_id, served_models, source, automatic, pinned_by)
  values (${metricId}, ${scope.organizationId}, ${judge.configId}, '{}', ${source.of}, ${automatic}, ${scope.memberId})`;

/** Pins a sample of up to `size` labelled records with the verdicts of the judge: the same records each time. */
export const insertPinnedLabels = (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { judge, source }: NewSet,
  size: number,
) => tx`
  ${withLabels(tx, scope, judge, source, [])}
  insert into pinned_label (organization_id, metric_id, run_id, n, place, human_passed, judge_passed)
  select ${scope.organizationId}, ${metricId}, run_id, n, place, human_passed = 1, judge >= ${judge.passingThreshold ?? 1}
  from (
    select *, row_number() over (order by ${drawSql(tx, null, tx`'pinned ' || run_id || '-' || n`)}, run_id, n) as place
    from labels
    where judge is not null) placed
  where place <= ${size}`;

/** Stores which models gave the pinned verdicts, including verdicts that people have replaced. */
export const storeServedModels = (tx: Sql, scope: Scope, metricId: bigint, configId: string) => tx`
  update pinned_set set served_models = coalesce((
    select array_agg(distinct answered.model order by answered.model)
    from pinned_label p
    cross join lateral (
      select field_text(evidence, 'modelAnswered') as model from score s
      where s.run_id = p.run_id and s.n = p.n and s.metric_config_id = ${configId} and s.organization_id = ${scope.organizationId}
        and s.scored_by is null
      union all
      select field_text(evidence, 'modelAnswered') from score_history h
      where h.run_id = p.run_id and h.n = p.n and h.metric_config_id = ${configId} and h.organization_id = ${scope.organizationId}
        and h.scored_by is null) answered
    where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId} and answered.model is not null), '{}')
  where metric_id = ${metricId} and organization_id = ${scope.organizationId}`;

export const findPinnedSet = (sql: Sql, scope: Scope, metricId: bigint) => sql<{ body: string }[]>`
  select json_build_object('metricId', pinned.metric_id::text, 'metricConfigId', pinned.metric_config_id,
    'servedModels', pinned.served_models, 'source', pinned.source, 'automatic', pinned.automatic,
    'records', counted.records, 'humanPasses', counted.human_passes, 'judgePasses', counted.judge_passes,
    'pinnedAt', iso_time(pinned.pinned_at))::text as body
  from pinned_set pinned
  cross join lateral (
    select count(*)::int as records, count(*) filter (where human_passed)::int as human_passes,
      count(*) filter (where judge_passed)::int as judge_passes
    from pinned_label label
    where label.metric_id = pinned.metric_id and label.organization_id = ${scope.organizationId}) counted
  where pinned.metric_id = ${metricId} and pinned.organization_id = ${scope.organizationId}`;

/** Whether the metric has a pinned set. */
export const findIsPinned = (sql: Sql, scope: Scope, metricId: bigint) => sql<{ isPinned: boolean }[]>`
  select exists (
    select from pinned_set where metric_id = ${metricId} and organization_id = ${scope.organizationId}) as "isPinned"`;

export type PinnedMetric = { projectId: bigint; configId: string; name: string };

/** Finds the metric of a pinned set with its current configuration, and locks both until the commit. */
export const lockPinnedMetric = (tx: Sql, scope: Owner, metricId: bigint) => tx<PinnedMetric[]>`
  select metric.project_id as "projectId", metric.current_config_id as "configId", metric.name
  from pinned_set pinned
  join metric on metric.id = pinned.metric_id and metric.organization_id = ${scope.organizationId} and metric.deleted_at is null
  where pinned.metric_id = ${metricId} and pinned.organization_id = ${scope.organizationId}
  for update of pinned for share of metric`;

/**
 * Tells which half of the labels record `r` is in, by its inputs: a question is never in both halves, and keeps its half when labels are
 * pinned again or a project is imported.
 */
export const isHeldOut = (sql: Sql, seed: number) => sql`(${drawSql(sql, seed, sql`r.inputs::text`)} >= 0.5)`;

/** Selects the pinned records with their places; with a seed, only those that are held out. */
export const pinnedRecords = (sql: Sql, scope: Owner, metricId: bigint, seed: number | null) => sql`
  select p.run_id, p.n, p.place
  from pinned_label p
  join record r on r.run_id = p.run_id and r.n = p.n and r.organization_id = ${scope.organizationId}
  where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId}
    ${seed === null ? sql`` : sql`and ${isHeldOut(sql, seed)}`}`;

type NewCheck = {
  runId: bigint;
  metricId: bigint;
  configId: string;
  models: string[];
  /** The trial that it belongs to, and how its candidate was made. */
  trial: { n: number; how: string } | null;
};

export const insertCheck = (
  tx: Sql,
  scope: Owner,
  { runId, metricId, configId, models, trial }: NewCheck,
) => tx<{ body: string }[]>`
  insert into drift_check as made (run_id, organization_id, metric_id, metric_config_id, for_models, trial_n, how)
  values (${runId}, ${scope.organizationId}, ${metricId}, ${configId}, ${models}::text[], ${trial?.n ?? null},
    ${trial?.how ?? null})
  returning json_build_object('runId', made.run_id::text, 'metricId', made.metric_id::text,
    'metricConfigId', made.metric_config_id, 'startedAt', iso_time(made.created_at), 'records', (
      select count(*) from record where record.run_id = ${runId} and record.organization_id = ${scope.organizationId}))::text as body`;

/** Number of runs, and of scores in each, that are searched for models that have not answered before. */
const recent = { runs: 3, scores: 100 };

/** The models that answered for a configuration: in its newest runs, and in the pinned set and its checks. */
export type Served = { configId: string; triedConfig: boolean; servedLately: string[]; tried: string[] };

const modelsOfScores = (sql: Sql, scope: Owner, which: Fragment) => sql`
  select field_text(s.evidence, 'modelAnswered') as model from score s
  where s.organization_id = ${scope.organizationId} and ${which} and s.state = 'scored' and s.scored_by is null`;

export const findServed = (sql: Sql, scope: Owner, metricId: bigint) => sql<Served[]>`
  with tried as (
    select run_id, for_models from drift_check
    where metric_id = ${metricId} and organization_id = ${scope.organizationId}
      and metric_config_id = (
        select current_config_id from metric where id = ${metricId} and organization_id = ${scope.organizationId})),
  ordinary as (
    select run_id from run_metric
    where metric_config_id = (
        select current_config_id from metric where id = ${metricId} and organization_id = ${scope.organizationId})
      and organization_id = ${scope.organizationId} and run_id not in (select run_id from tried)
    order by run_id desc limit ${recent.runs})
  select metric.current_config_id as "configId",
    metric.current_config_id = pinned.metric_config_id or exists (select from tried) as "triedConfig",
    array(
      select distinct model from ordinary cross join lateral (
        ${modelsOfScores(sql, scope, sql`s.run_id = ordinary.run_id and s.metric_config_id = metric.current_config_id`)}
        order by s.n desc limit ${recent.scores}) lately
      where model is not null order by model) as "servedLately",
    array(
      select unnest(pinned.served_models) where metric.current_config_id = pinned.metric_config_id
      union select unnest(for_models) from tried
      union select model from tried cross join lateral (
        ${modelsOfScores(sql, scope, sql`s.run_id = tried.run_id and s.metric_config_id = metric.current_config_id`)}) answered
      where model is not null) as tried
  from pinned_set pinned
  join metric on metric.id = pinned.metric_id and metric.organization_id = ${scope.organizationId} and metric.deleted_at is null
  where pinned.metric_id = ${metricId} and pinned.organization_id = ${scope.organizationId}`;

/** Lists the pinned sets of every organization that are checked automatically, except in projects that are being imported. */
export const listAutomaticSets = (sql: Sql) => sql<{ organizationId: bigint; metricId: bigint }[]>`
  select pinned.organization_id as "organizationId", pinned.metric_id as "metricId"
  from pinned_set pinned
  join metric on metric.id = pinned.metric_id
  where pinned.automatic and not exists (
    select from project_import import where import.project_id = metric.project_id and import.completed_at is null)
  order by pinned.metric_id`;

export type PinnedLabel = { id: string; place: number; human: boolean; reference: boolean };

export const listPinnedLabels = (sql: Sql, scope: Scope, metricId: bigint) => sql<PinnedLabel[]>`
  select run_id || '-' || n as id, place, human_passed as human, judge_passed as reference
  from pinned_label
  where metric_id = ${metricId} and organization_id = ${scope.organizationId}
  order by run_id, n`;

export type CheckVerdicts = {
  runId: string;
  configId: string;
  configChanged: boolean;
  startedAt: string;
  servedModels: string[];
  pending: number;
  /** Places of the records with a verdict, and whether each passes. */
  places: number[];
  passed: boolean[];
};

/** Lists the newest checks with their verdicts, without candidates of trials. Reads their runs' ranges of score. */
export const listChecks = (sql: Sql, scope: Scope, metricId: bigint, limit: number) => sql<CheckVerdicts[]>`
  select made.run_id::text as "runId", made.metric_config_id as "configId",
    made.metric_config_id <> pinned.metric_config_id as "configChanged", iso_time(made.created_at) as "startedAt",
    verdicts.models as "servedModels", verdicts.pending, verdicts.places, verdicts.passed
  from drift_check made
  join pinned_set pinned on pinned.metric_id = made.metric_id and pinned.organization_id = ${scope.organizationId}
  join metric_config config on config.id = made.metric_config_id and config.organization_id = ${scope.organizationId}
  cross join lateral (
    select coalesce(array_agg(distinct field_text(s.evidence, 'modelAnswered'))
        filter (where field_text(s.evidence, 'modelAnswered') is not null), '{}') as models,
      count(*) filter (where s.state = 'pending')::int as pending,
      coalesce(array_agg(s.n order by s.n) filter (where s.value is not null), '{}') as places,
      coalesce(array_agg(s.value >= coalesce(config.passing_threshold, 1) order by s.n)
        filter (where s.value is not null), '{}') as passed
    from score s
    where s.run_id = made.run_id and s.metric_config_id = made.metric_config_id
      and s.organization_id = ${scope.organizationId}) verdicts
  where made.metric_id = ${metricId} and made.organization_id = ${scope.organizationId} and made.trial_n is null
  order by made.run_id desc
  limit ${limit}`;
