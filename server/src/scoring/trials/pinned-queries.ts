import { drawSql } from '../../evaluation/samples/draw.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { type JudgeConfig, type LabelSource, withLabels } from '../labels/queries.ts';
import { type Side, splitSql } from '../labels/split.ts';

export const deletePinnedSet = (tx: Sql, scope: Scope, metricId: bigint) => tx`
  delete from pinned_set where metric_id = ${metricId} and organization_id = ${scope.organizationId}`;

/** Deletes the trials on pinned records of a metric that adopted no candidate. An adopted trial keeps its result, and a battery its verdict. */
export const deleteOpenTrials = (tx: Sql, scope: Scope, metricId: bigint) => tx`
  delete from trial
  where metric_id = ${metricId} and organization_id = ${scope.organizationId} 
    and kind <> 'rescoring' and outcome is distinct from 'adopted' and verdict is null`;

export type NewSet = { judge: JudgeConfig; source: LabelSource; automatic: boolean; size: number };

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
  { judge, source, size }: NewSet,
) => tx`
  ${withLabels(tx, scope, judge, source, [])}
  insert into pinned_label (organization_id, metric_id, run_id, n, place, human_passed, judge_passed)
  select ${scope.organizationId}, ${metricId}, run_id, n, place, human_passed = 1, judge >= ${judge.passingThreshold ?? 1}
  from (
    select *, row_number() over (order by ${drawSql(tx, null, tx`'pinned ' || run_id || '-' || n`)}, run_id, n) as place
    from labels
    where judge is not null) placed
  where place <= ${size}`;

/** The evidence of the pinned verdicts by a configuration, including verdicts that people have replaced. */
export const pinnedEvidence = (sql: Sql, scope: Owner, metricId: bigint, configId: string) => sql`
  select given.evidence
  from pinned_label p
  cross join lateral (
    select s.evidence from score s
    where s.run_id = p.run_id and s.n = p.n and s.metric_config_id = ${configId} and s.organization_id = ${scope.organizationId}
      and s.scored_by is null
    union all
    select h.evidence from score_history h
    where h.run_id = p.run_id and h.n = p.n and h.metric_config_id = ${configId} and h.organization_id = ${scope.organizationId}
      and h.scored_by is null) given
  where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId}`;

/** Stores the models that gave the pinned verdicts. */
export const storeServedModels = (tx: Sql, scope: Scope, metricId: bigint, configId: string) => tx`
  update pinned_set set served_models = array(
    select distinct field_text(evidence, 'modelAnswered') as model
    from (${pinnedEvidence(tx, scope, metricId, configId)}) given
    where field_text(evidence, 'modelAnswered') is not null
    order by model)
  where metric_id = ${metricId} and organization_id = ${scope.organizationId}`;

/** Number of runs, and of scores in each, that are searched for models that have not answered before. */
const recent = { runs: 3, scores: 100 };

const modelsOfScores = (sql: Sql, scope: Owner, run: Fragment) => sql`
  select field_text(s.evidence, 'modelAnswered') as model from score s
  where s.organization_id = ${scope.organizationId} and s.run_id = ${run} and s.metric_config_id = metric.current_config_id
    and s.state = 'scored' and s.scored_by is null`;

/**
 * For `pinned` and its `metric`: the models that answered lately for the current configuration, and why a drift trial is due; null if
 * none is. A model counts as tried if it gave the pinned verdicts, answered in a drift trial, or a drift trial was started for it.
 */
const watched = (sql: Sql, scope: Owner) => sql`
  with tried as (
    select run_id, due_models from trial_candidate
    where metric_id = metric.id and organization_id = ${scope.organizationId} and metric_config_id = metric.current_config_id
      and how in ('current', 'model', 'examples', 'rewrite')),
  ordinary as (
    select run_id from run_metric
    where metric_config_id = metric.current_config_id and organization_id = ${scope.organizationId}
      and not exists (
        select from trial_candidate copies
        where copies.run_id = run_metric.run_id and copies.organization_id = ${scope.organizationId})
    order by run_id desc limit ${recent.runs}),
  lately as (
    select distinct model from ordinary cross join lateral (
      ${modelsOfScores(sql, scope, sql`ordinary.run_id`)} order by s.n desc limit ${recent.scores}) answered
    where model is not null),
  unseen as (
    select model from lately
    except select unnest(pinned.served_models) where metric.current_config_id = pinned.metric_config_id
    except select unnest(due_models) from tried
    except select model from tried cross join lateral (${modelsOfScores(sql, scope, sql`tried.run_id`)}) answered)
  select array(select model from lately order by model) as "servedLately", case
    when metric.current_config_id <> pinned.metric_config_id and not exists (select from tried)
      then 'its current configuration has not been checked'
    when exists (select from unseen) then 'a model answers that has not been checked: ' || (
      select string_agg(model, ', ' order by model) from unseen)
    end as due`;

export const findPinnedSet = (sql: Sql, scope: Scope, metricId: bigint) => sql<{ body: string }[]>`
  select json_build_object('metricId', pinned.metric_id::text, 'metricConfigId', pinned.metric_config_id,
    'servedModelNames', pinned.served_models, 'source', pinned.source, 'automatic', pinned.automatic,
    'numRecords', counted.records, 'numHumanPasses', counted.human_passes, 'numJudgePasses', counted.judge_passes,
    'due', watched.due, 'pinnedAt', iso_time(pinned.pinned_at))::text as body
  from pinned_set pinned
  join metric on metric.id = pinned.metric_id and metric.organization_id = ${scope.organizationId}
  cross join lateral (
    select count(*)::int as records, count(*) filter (where human_passed)::int as human_passes,
      count(*) filter (where judge_passed)::int as judge_passes
    from pinned_label label
    where label.metric_id = pinned.metric_id and label.organization_id = ${scope.organizationId}) counted
  cross join lateral (${watched(sql, scope)}) watched
  where pinned.metric_id = ${metricId} and pinned.organization_id = ${scope.organizationId}`;

/** Whether the metric has a pinned set. */
export const findIsPinned = (sql: Sql, scope: Scope, metricId: bigint) => sql<{ isPinned: boolean }[]>`
  select exists (
    select from pinned_set where metric_id = ${metricId} and organization_id = ${scope.organizationId}) as "isPinned"`;

export type PinnedMetric = { projectId: bigint; configId: string; pinnedConfigId: string; name: string };

/** Finds the metric of a pinned set with its current configuration, and locks both until the commit. */
export const lockPinnedMetric = (tx: Sql, scope: Owner, metricId: bigint) => tx<PinnedMetric[]>`
  select metric.project_id as "projectId", metric.current_config_id as "configId",
    pinned.metric_config_id as "pinnedConfigId", metric.name
  from pinned_set pinned
  join metric on metric.id = pinned.metric_id and metric.organization_id = ${scope.organizationId} and metric.deleted_at is null
  where pinned.metric_id = ${metricId} and pinned.organization_id = ${scope.organizationId}
  for update of pinned for share of metric`;

export type Watched = { servedLately: string[]; due: string | null };

/**
 * Finds the models that answered lately for the metric, and why a drift trial is due. Lock the metric before, so that a trial that was just
 * started counts.
 */
export const findWatched = (tx: Sql, scope: Owner, metricId: bigint) => tx<Watched[]>`
  select watched.*
  from pinned_set pinned
  join metric on metric.id = pinned.metric_id and metric.organization_id = ${scope.organizationId}
  cross join lateral (${watched(tx, scope)}) watched
  where pinned.metric_id = ${metricId} and pinned.organization_id = ${scope.organizationId}`;

/** Lists the pinned sets of every organization that are checked automatically, except in projects that are being imported. */
export const listAutomaticSets = (sql: Sql) => sql<{ organizationId: bigint; metricId: bigint }[]>`
  select pinned.organization_id as "organizationId", pinned.metric_id as "metricId"
  from pinned_set pinned
  join metric on metric.id = pinned.metric_id
  where pinned.automatic and not exists (
    select from project_import import where import.project_id = metric.project_id and import.completed_at is null)
  order by pinned.metric_id`;

/**
 * Whether record `r` is in the held-out half of the labels. Its inputs decide: a question is never in both halves, and keeps its half when
 * labels are pinned again or a project is imported.
 */
export const isHeldOut = (sql: Sql, seed: number) => sql`(${drawSql(sql, seed, sql`r.inputs::text`)} >= 0.5)`;

/** Selects the pinned records with their places; with a seed only those that are held out, with a split only those of it, with `places` only these. */
export const pinnedRecords = (
  sql: Sql,
  scope: Owner,
  metricId: bigint,
  { seed, split }: { seed: number | null; split?: Side | undefined },
  places?: readonly number[],
) => sql`
  select p.run_id, p.n, p.place
  from pinned_label p
  join record r on r.run_id = p.run_id and r.n = p.n and r.organization_id = ${scope.organizationId}
  where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId}
    ${seed === null ? sql`` : sql`and ${isHeldOut(sql, seed)}`}
    ${split ? sql`and ${splitSql(sql)} = ${split}` : sql``}
    ${places ? sql`and p.place = any(${places}::integer[])` : sql``}`;
