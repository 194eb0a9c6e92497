import type { Criteria } from '../../../../client/src/criteria.ts';
import type { Labels } from '../../../../client/src/labels.ts';
import { noModel } from '../../engine/models/provider.ts';
import { languageOf } from '../../engine/sandbox/language-of.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { storedCriteria } from './criteria.ts';
import { storedLabels } from './labels.ts';
import type { EvalType, OutputType } from './schema.ts';

/** All fields that affect scoring. A change of any of them makes a new configuration. */
export type MetricConfig = {
  evalType: EvalType;
  outputType: OutputType;
  guidelines: string;
  promptTemplate: string | null;
  evalModelName: string | null;
  temperature: number | null;
  passingThreshold: number | null;
  /** How often the judge is asked, 1 to 9. */
  judgeRepeats: number;
  /** Models that judge beside evalModelName. */
  juryModelNames: string[];
  /** Which spans of a record it scores; null if it scores records. */
  spans: string | null;
  /** What it scores one by one; null for a metric without criteria. */
  criteria: Criteria | null;
  /** The labels that it gives; null for a metric that is no category. */
  labels: Labels | null;
};

/**
 * Kind of the job that makes a score: `code` runs in the sandbox, `judge` asks a model. Each has its own queue, so that code does not wait
 * for judges.
 */
export type Lane = 'code' | 'judge';
/** Returns the lane of a configuration; null when its scores come from people or through the API. */
export const laneOf = ({ evalType, guidelines }: MetricConfig): Lane | null => {
  if (evalType === 'ai') return 'judge';
  return evalType === 'heuristic' && languageOf(guidelines) ? 'code' : null;
};

/** The fields of the metric's variant. A column is null when the variant does not have the field. */
const configFields = (sql: Sql) => sql`
  substr(json_strip_nulls(json_build_object(
    'evalType', config.eval_type, 'outputType', config.output_type, 'guidelines', config.guidelines,
    'promptTemplate', config.prompt_template, 'evalModelName', config.eval_model_name,
    'temperature', config.temperature, 'passingThreshold', config.passing_threshold, 'spans', config.span_search,
    'criteria', config.criteria, 'labels', config.labels))::text, 2)`;

const metricJson = (sql: Sql) => sql`
  left(json_build_object('id', metric.id::text, 'name', metric.name, 'description', metric.description)::text, -1)
  || ',' || ${configFields(sql)}`;

export const listMetrics = (sql: Sql, scope: Scope, projectId: bigint, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${metricJson(sql)} as body, metric.id::text as key, -metric.id as place
    from metric join metric_config config on config.id = metric.current_config_id
    where metric.organization_id = ${scope.organizationId} and metric.project_id = ${projectId}
      and metric.deleted_at is null and metric.id < ${before}
    order by metric.id desc
    limit ${count}`,
  );

export const findMetric = (sql: Sql, scope: Scope, metricId: bigint) => sql<{ body: string }[]>`
  select ${metricJson(sql)} as body
  from metric join metric_config config on config.id = metric.current_config_id
  where metric.organization_id = ${scope.organizationId} and metric.id = ${metricId} and metric.deleted_at is null`;

/** Finds whether the project has the metric. */
export const findMetricOfProject = (sql: Sql, scope: Scope, projectId: bigint, metricId: bigint) => sql<
  { id: bigint }[]
>`
  select id from metric
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and id = ${metricId}
    and deleted_at is null`;

/** Finds the guidelines of a metric that is not heuristic: they would be unchecked if it became code. */
export const findGuidelinesOfNoCode = (sql: Sql, scope: Scope, metricId: bigint) => sql<
  { guidelines: string }[]
>`
  select config.guidelines
  from metric join metric_config config on config.id = metric.current_config_id
  where metric.organization_id = ${scope.organizationId} and metric.id = ${metricId} and metric.deleted_at is null
    and config.eval_type <> 'heuristic'`;

/** Finds a metric, also a deleted one: its scores still exist. */
export const findMetricId = (sql: Sql, scope: Scope, metricId: bigint) => sql<
  { id: bigint; projectId: bigint }[]
>`
  select id, project_id as "projectId" from metric
  where organization_id = ${scope.organizationId} and id = ${metricId}`;

/**
 * Whether a configuration was made for a trial alone, such as an edited prompt that was measured: it was never adopted, and no run but those
 * of trials has scores of it. Reads trial_candidate_metric and run_metric_metric.
 */
export const isDraft = (sql: Sql, scope: Scope): Fragment => sql`
  (config.id <> metric.current_config_id
    and not exists (
      select from trial where trial.metric_id = metric.id and trial.organization_id = ${scope.organizationId}
        and trial.adopted_config_id = config.id)
    and not exists (
      select from run_metric tried join run on run.id = tried.run_id and run.organization_id = ${scope.organizationId}
      where tried.metric_id = metric.id and tried.metric_config_id = config.id
        and tried.organization_id = ${scope.organizationId} and run.kind <> 'trial')
    and (exists (
      select from trial_candidate candidate where candidate.metric_id = metric.id
        and candidate.organization_id = ${scope.organizationId} and candidate.metric_config_id = config.id
        and candidate.how in ('model', 'examples', 'rewrite'))
    -- Candidates are deleted when other records are pinned. Their runs stay.
    or exists (
      select from run_metric tried
      where tried.metric_id = metric.id and tried.metric_config_id = config.id
        and tried.organization_id = ${scope.organizationId})))`;

/** Lists the configurations of a metric, newest first, also of a deleted one: its scores name them. Drafts are in the list of trials. */
export const listMetricVersions = (sql: Sql, scope: Scope, metricId: bigint, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select left(json_build_object('id', config.id, 'current', config.id = metric.current_config_id,
        'createdAt', iso_time(config.created_at))::text, -1) || ',' || ${configFields(sql)} as body, config.id::text as key,
      row_number() over (order by config.id desc) as place
    from metric_config config join metric on metric.id = config.metric_id
    where config.organization_id = ${scope.organizationId} and metric.organization_id = ${scope.organizationId}
      and config.metric_id = ${metricId} and config.id < ${before} and not ${isDraft(sql, scope)}
    order by config.id desc
    limit ${count}`,
  );

/** A metric's current configuration, which no one else changes until the commit. */
export type LockedMetric = MetricConfig & { configId: string };

/**
 * Locks a metric until the commit and returns its current configuration. It takes two statements: a single one that waited for
 * another change would join the old configuration to the changed metric, and find none.
 */
export const lockMetric = async (tx: Sql, scope: Scope, metricId: bigint): Promise<LockedMetric[]> => {
  await tx`select id from metric where organization_id = ${scope.organizationId} and id = ${metricId} for update`;
  const found = await tx<
    (Omit<LockedMetric, 'criteria' | 'labels'> & { criteria: string | null; labels: string | null })[]
  >`
    select config.id as "configId", config.eval_type as "evalType", config.output_type as "outputType", config.guidelines,
      config.prompt_template as "promptTemplate", config.eval_model_name as "evalModelName", config.temperature,
      config.passing_threshold as "passingThreshold", config.judge_repeats as "judgeRepeats",
      config.jury_models as "juryModelNames", config.span_search as spans,
      config.criteria::text as criteria, config.labels::text as labels
    from metric join metric_config config on config.id = metric.current_config_id
    where metric.organization_id = ${scope.organizationId} and metric.id = ${metricId} and metric.deleted_at is null`;
  return found.map(({ criteria, labels, ...metric }) => ({
    ...metric,
    criteria: storedCriteria(criteria),
    labels: storedLabels(labels),
  }));
};

/** Inserts a metric before its configuration: the foreign key is checked at the commit. */
export const insertMetric = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  metric: { name: string; description: string | null; configId: string },
) => tx<{ id: bigint }[]>`
  insert into metric (organization_id, project_id, name, description, current_config_id, created_by)
  values (${scope.organizationId}, ${projectId}, ${metric.name}, ${metric.description}, ${metric.configId},
    ${scope.memberId})
  returning id`;

export const insertMetricConfig = (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  configId: string,
  config: MetricConfig,
) => tx`
  insert into metric_config (id, organization_id, metric_id, eval_type, output_type, guidelines, prompt_template,
    eval_model_name, temperature, passing_threshold, lane,
    judge_repeats, jury_models, span_search, criteria, labels)
  values (${configId}, ${scope.organizationId}, ${metricId}, ${config.evalType}, ${config.outputType}, ${config.guidelines},
    ${config.promptTemplate}, ${config.evalModelName}, ${config.temperature}, ${config.passingThreshold}, ${laneOf(config)}, ${config.judgeRepeats}, ${config.juryModelNames}::text[], ${config.spans},
    ${config.criteria && JSON.stringify(config.criteria)}::text::json, ${config.labels && JSON.stringify(config.labels)}::text::json)`;

/** Finds the model that the organization has set for AI metrics that name none. */
export const findDefaultModel = (sql: Sql, { organizationId }: Pick<Scope, 'organizationId'>) => sql<
  { model: string | null }[]
>`
  select judge_model as model from organization where id = ${organizationId}`;

/** Gives the default to configurations that wait for one. They have no verdict by another model, so no trend changes. */
export const nameDefaultModel = (
  tx: Sql,
  { organizationId }: Pick<Scope, 'organizationId'>,
  model: string,
) => tx`
  update metric_config set eval_model_name = ${model}
  where organization_id = ${organizationId} and eval_type = 'ai' and eval_model_name = ${noModel}`;

export type PinnedMetric = { metricId: bigint; configId: string };

/** The current configurations of those metrics that belong to the project. They cannot change until the commit. */
export const currentConfigs = (tx: Sql, scope: Scope, projectId: bigint, metricIds: bigint[]) => tx<
  PinnedMetric[]
>`
  select id as "metricId", current_config_id as "configId"
  from metric
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and deleted_at is null
    and id = any(${metricIds.map(String)}::bigint[])
  for share`;

export type MetricChanges = { name?: string; description?: string | null; current_config_id?: string };

export const updateMetricRow = (tx: Sql, scope: Scope, metricId: bigint, changes: MetricChanges) => tx`
  update metric set ${tx(changes)} where organization_id = ${scope.organizationId} and id = ${metricId}`;

/** Marks a metric as deleted, and deletes its pending scores and open rescorings. */
export const deleteMetric = (tx: Sql, scope: Scope, metricId: bigint) => tx`
  with deleted as (
    update metric set deleted_at = now()
    where organization_id = ${scope.organizationId} and id = ${metricId} and deleted_at is null
    returning id),
  withdrawn as (
    delete from score
    using metric_config config, deleted
    where config.metric_id = deleted.id and config.organization_id = ${scope.organizationId}
      and score.metric_config_id = config.id and score.organization_id = ${scope.organizationId} and score.state = 'pending'),
  abandoned as (
    delete from trial using deleted
    where trial.metric_id = deleted.id and trial.organization_id = ${scope.organizationId} and trial.kind = 'rescoring'
      and outcome is null)
  select id from deleted`;
