import type { OutputType } from '../../evaluation/metrics/schema.ts';
import { testcasesAt } from '../../evaluation/testsets/queries.ts';
import { presentEdition } from '../../evaluation/testsets/snapshot-queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Reads run_tally_run and proposed_score_due. */
export const findJudgeBudget = (sql: Sql, scope: Scope, runId: bigint) => sql<{ body: string }[]>`
  select json_build_object(
      'budgetUsd', judging.budget_usd, 'spentUsd', spending.spent_usd,
      'numUnpriced', spending.unpriced, 'numWaiting', scores.waiting + proposals.waiting,
      'stopped', judges_stopped(run.id) and scores.waiting + proposals.waiting > 0
    )::text as body
  from run
  left join run_judging judging on judging.run_id = run.id and judging.organization_id = ${scope.organizationId}
  cross join run_spending(run.id) spending
  cross join lateral (
    select coalesce(sum(tally.n), 0)::int as waiting
    from run_tally tally
    join metric_config config
      on config.id = tally.metric_config_id and config.organization_id = ${scope.organizationId}
    where tally.run_id = run.id and tally.organization_id = ${scope.organizationId} and tally.state = 'pending'
      and config.lane = 'judge') scores
  cross join lateral (
    select count(*)::int as waiting
    from proposed_score proposal
    where proposal.run_id = run.id and proposal.organization_id = ${scope.organizationId}
      and proposal.state = 'pending' and proposal.lane = 'judge') proposals
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}`;

/** Sets the budget of the judges of a run in USD; null removes the limit. Returns no row when the run does not exist. */
export const setJudgeBudget = (tx: Sql, scope: Scope, runId: bigint, budgetUsd: number | null) => tx<
  { runId: bigint }[]
>`
  insert into run_judging (run_id, organization_id, budget_usd)
  select id, organization_id, ${budgetUsd} from run
  where id = ${runId} and organization_id = ${scope.organizationId}
  for key share
  on conflict (run_id) do update set budget_usd = excluded.budget_usd
  returning run_id as "runId"`;

/** The fields of a metric's current configuration that an estimate needs. */
export type EstimatedMetric = {
  metricId: bigint;
  configId: string;
  outputType: OutputType;
  guidelines: string;
  promptTemplate: string | null;
  evalModelName: string | null;
  temperature: number | null;
  judgeRepeats: number;
  /** JSON text; null without criteria. */
  criteria: string | null;
  /** JSON text of the labels of a category. */
  labels: string | null;
};

export const findEstimatedMetrics = (sql: Sql, scope: Scope, projectId: bigint, metricIds: bigint[]) => sql<
  EstimatedMetric[]
>`
  select metric.id as "metricId", config.id as "configId", config.output_type as "outputType", config.guidelines,
    config.prompt_template as "promptTemplate", config.eval_model_name as "evalModelName", config.temperature,
    config.judge_repeats * (1 + cardinality(config.jury_models)) as "judgeRepeats", config.criteria::text as criteria,
    config.labels::text as labels
  from metric join metric_config config on config.id = metric.current_config_id
  where metric.organization_id = ${scope.organizationId} and metric.project_id = ${projectId} and metric.deleted_at is null
    and config.organization_id = ${scope.organizationId} and metric.id = any(${metricIds.map(String)}::bigint[])`;

/** The number of testcases of a testset (`edition`: those of then), their mean length in bytes without the files in them, whether there are files, and their mean number of criteria. */
export const measureTestcases = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  testsetId: bigint,
  { edition, split }: { edition: number; split: string | undefined },
) => sql<{ count: number; bytes: number; haveFiles: boolean; numCriteria: number }[]>`
  select measured.count, coalesce(measured.criteria, 0) as "numCriteria", coalesce(measured.bytes, 0) as bytes, coalesce(measured.have_files, false) as "haveFiles"
  from testset cross join lateral (
    select count(*)::int as count, avg(octet_length(case when read.has_data
        then regexp_replace(read.text, ';base64,[A-Za-z0-9+/=\\\\]+', '', 'g') else read.text end))::float8 as bytes,
      bool_or(read.has_data or read.text like '%"attachment:%') as have_files,
      avg(case when json_typeof(testcase.json_data -> 'criteria') = 'array' then json_array_length(testcase.json_data -> 'criteria') else 0 end)::float8
        as criteria
    from ${edition === presentEdition ? sql`testcase` : testcasesAt(sql, scope, testsetId, edition)} testcase
    cross join lateral (
      select json_data::text as text, json_data::text like '%;base64,%' as has_data) read
    where testcase.testset_id = testset.id and testcase.organization_id = ${scope.organizationId}
      ${split === undefined ? sql`` : sql`and testcase.split = ${split}`}) measured
  where testset.id = ${testsetId} and testset.organization_id = ${scope.organizationId} and testset.project_id = ${projectId}`;

/** Verdicts of one configuration, on average. */
export type MeasuredVerdicts = {
  count: number;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Null where one is not known. */
  costUsd: number | null;
  latencyMs: number | null;
};

/** Number of runs and verdicts to read, newest first: recent ones are the best predictors, and a page waits for the answer. */
const [newestRuns, mostVerdicts] = [5, 200];

/**
 * The means over recent verdicts of a configuration, without reused ones. Reads run_metric_metric and score_pkey.
 */
export const measureVerdicts = (sql: Sql, scope: Scope, metricId: bigint, configId: string) => sql<
  MeasuredVerdicts[]
>`
  select count(*)::int as count, avg(input_tokens)::float8 as "inputTokens", avg(output_tokens)::float8 as "outputTokens",
    case when count(cost_usd) = count(*) then avg(cost_usd) end as "costUsd",
    avg(field_text(evidence, 'latencyMs')::float8) as "latencyMs"
  from (
    select s.input_tokens, s.output_tokens, s.cost_usd, s.evidence
    from (
      select run_id from run_metric
      where metric_id = ${metricId} and metric_config_id = ${configId} and organization_id = ${scope.organizationId}
      order by run_id desc
      limit ${newestRuns}) recent
    join score s on s.run_id = recent.run_id and s.metric_config_id = ${configId}
      and s.organization_id = ${scope.organizationId} and s.input_tokens > 0
    limit ${mostVerdicts}) verdict`;

/** Records of a run to read: about one in a hundred is timed. */
const mostRecords = 5_000;

/**
 * The median time of a record by code of one configuration in recent runs, and the number of timings. The median, because the first time
 * may include the start of an interpreter. Null when it was never timed. Reads run_metric_metric and score_pkey.
 */
export const measureCode = (sql: Sql, scope: Scope, metricId: bigint, configId: string) => sql<
  { count: number; latencyMs: number | null }[]
>`
  select count(*)::int as count,
    percentile_cont(0.5) within group (order by field_text(s.evidence, 'latencyMs')::float8) as "latencyMs"
  from (
    select run_id from run_metric
    where metric_id = ${metricId} and metric_config_id = ${configId} and organization_id = ${scope.organizationId}
    order by run_id desc
    limit ${newestRuns}) recent
  join score s on s.run_id = recent.run_id and s.n <= ${mostRecords} and s.metric_config_id = ${configId}
    and s.organization_id = ${scope.organizationId} and s.scored_by is null
    and field_text(s.evidence, 'latencyMs') is not null`;
