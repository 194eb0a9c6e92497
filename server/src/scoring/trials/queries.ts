import { drawSql } from '../../evaluation/samples/draw.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { judgeValue } from '../labels/queries.ts';
import { isHeldOut } from './pinned-queries.ts';

export type How = 'model' | 'examples' | 'rewrite';

export type NewTrial = {
  kind: 'succession' | 'alignment';
  configId: string;
  margin: number;
  seed: number | null;
  runIds: bigint[];
};

/** Inserts a trial with the metric's next number. The metric must be locked. */
export const insertTrial = (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { kind, configId, margin, seed, runIds }: NewTrial,
) => tx<{ n: number }[]>`
  insert into judge_trial (metric_id, n, organization_id, kind, metric_config_id, margin, seed, run_ids, created_by)
  select ${metricId}, coalesce(max(n), 0) + 1, ${scope.organizationId}, ${kind}, ${configId}, ${margin}, ${seed},
    ${runIds.map(String)}::text[], ${scope.memberId}
  from judge_trial where metric_id = ${metricId} and organization_id = ${scope.organizationId}
  returning n`;

/** The configuration of the pinned set's reference, and the seed of the metric's alignments, if there was one. */
export const findReference = (sql: Sql, scope: Scope, metricId: bigint) => sql<
  { configId: string; seed: number | null }[]
>`
  select metric_config_id as "configId", (
      select seed from judge_trial trial
      where trial.metric_id = ${metricId} and trial.organization_id = ${scope.organizationId} and seed is not null
      limit 1) as seed
  from pinned_set where metric_id = ${metricId} and organization_id = ${scope.organizationId}`;

/**
 * Selects records of stored runs with places behind the pinned ones: those of the same testcases in each run, a sample of them. Reads
 * record_pkey of these runs.
 */
export const storedRecords = (
  sql: Sql,
  scope: Scope,
  { runIds, lastPlace, testcases }: { runIds: bigint[]; lastPlace: number; testcases: number },
) => sql`
  with drawn as (
    select testset_id, testcase_n from record
    where run_id = any(${runIds.map(String)}::bigint[]) and organization_id = ${scope.organizationId} and testcase_n is not null
    group by testset_id, testcase_n
    order by count(distinct run_id) desc, ${drawSql(sql, null, sql`'trial ' || testset_id || '-' || testcase_n`)}
    limit ${testcases})
  select r.run_id, r.n, ${lastPlace}::integer + row_number() over (order by r.run_id, r.n) as place
  from record r
  join drawn using (testset_id, testcase_n)
  where r.run_id = any(${runIds.map(String)}::bigint[]) and r.organization_id = ${scope.organizationId}`;

export type TrialRow = {
  n: number;
  kind: 'succession' | 'alignment';
  configId: string;
  evalModelName: string;
  passingThreshold: number | null;
  margin: number;
  seed: number | null;
  runIds: string[];
  createdBy: string;
  createdAt: string;
  adoptedConfigId: string | null;
  adoptedBy: string | null;
  adoptedAt: string | null;
  /** What the trial found of the adopted candidate, as JSON text. */
  evidence: string | null;
};

/** Lists the newest trials of a metric, or the one with number `n`. */
export const listTrials = (
  sql: Sql,
  scope: Scope,
  metricId: bigint,
  { n, limit }: { n?: number | undefined; limit: number },
) => sql<TrialRow[]>`
  select trial.n, trial.kind, trial.metric_config_id as "configId", config.eval_model_name as "evalModelName",
    config.passing_threshold as "passingThreshold", trial.margin, trial.seed, trial.run_ids as "runIds",
    trial.created_by as "createdBy", iso_time(trial.created_at) as "createdAt", trial.adopted_config_id as "adoptedConfigId",
    trial.adopted_by as "adoptedBy", iso_time(trial.adopted_at) as "adoptedAt", trial.evidence::text
  from judge_trial trial
  join metric_config config on config.id = trial.metric_config_id and config.organization_id = ${scope.organizationId}
  where trial.metric_id = ${metricId} and trial.organization_id = ${scope.organizationId}
    ${n === undefined ? sql`` : sql`and trial.n = ${n}`}
  order by trial.n desc
  limit ${limit}`;

export type TrialLabel = {
  id: string;
  place: number;
  human: boolean;
  reference: boolean;
  heldOut: boolean;
  /** Group of the testset, else the testcase, else the inputs: records of one group depend on each other. */
  group: string;
};

/** Lists the pinned labels. Without a seed all are held out. */
export const listTrialLabels = (sql: Sql, scope: Scope, metricId: bigint, seed: number | null) => sql<
  TrialLabel[]
>`
  select p.run_id || '-' || p.n as id, p.place, p.human_passed as human, p.judge_passed as reference,
    ${seed === null ? sql`true` : isHeldOut(sql, seed)} as "heldOut",
    coalesce(
      'group ' || testset.id || ' ' || field_text(testcase.json_data, testset.grouping_field),
      'testcase ' || r.testset_id || '-' || r.testcase_n,
      'inputs ' || min(p.place) over (partition by r.inputs::text)) as group
  from pinned_label p
  join record r on r.run_id = p.run_id and r.n = p.n and r.organization_id = ${scope.organizationId}
  left join testset on testset.id = r.testset_id and testset.organization_id = ${scope.organizationId}
  left join testcase on testcase.testset_id = r.testset_id and testcase.n = r.testcase_n
    and testcase.organization_id = ${scope.organizationId}
  where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId}
  order by p.place`;

export type CandidateRow = {
  trial: number;
  runId: string;
  how: How;
  configId: string;
  evalModelName: string;
  temperature: number;
  judgeRepeats: number;
  promptTemplate: string;
  guidelines: string;
  passingThreshold: number | null;
  servedModels: string[];
  pending: number;
  /** Means over verdicts; null if one is unknown. */
  costUsd: number | null;
  latencyMs: number | null;
  /** Places of the records with a verdict, and whether each passes. */
  places: number[];
  passed: boolean[];
};

/** Lists the candidates of a metric's trials with their verdicts. Reads their runs' ranges of score. */
export const listCandidates = (sql: Sql, scope: Scope, metricId: bigint, trials: number[]) => sql<
  CandidateRow[]
>`
  select made.trial_n as trial, made.run_id::text as "runId", made.how, config.id as "configId",
    config.eval_model_name as "evalModelName", config.temperature, config.judge_repeats as "judgeRepeats",
    config.prompt_template as "promptTemplate", config.guidelines, config.passing_threshold as "passingThreshold", verdicts.*
  from drift_check made
  join metric_config config on config.id = made.metric_config_id and config.organization_id = ${scope.organizationId}
  cross join lateral (
    select coalesce(array_agg(distinct field_text(s.evidence, 'modelAnswered'))
        filter (where field_text(s.evidence, 'modelAnswered') is not null), '{}') as "servedModels",
      count(*) filter (where s.state = 'pending')::int as pending,
      case when count(s.cost_usd) = count(*) filter (where s.state in ('scored', 'unscored'))
        then avg(s.cost_usd)::float8 end as "costUsd",
      avg(field_text(s.evidence, 'latencyMs')::float8) as "latencyMs",
      coalesce(array_agg(s.n order by s.n) filter (where s.value is not null), '{}') as places,
      coalesce(array_agg(s.value >= coalesce(config.passing_threshold, 1) order by s.n)
        filter (where s.value is not null), '{}') as passed
    from score s
    where s.run_id = made.run_id and s.metric_config_id = made.metric_config_id
      and s.organization_id = ${scope.organizationId}) verdicts
  where made.metric_id = ${metricId} and made.organization_id = ${scope.organizationId} and made.trial_n = any(${trials})
  order by made.run_id`;

export type Spent = { costUsd: number | null; latencyMs: number | null };

/** Means of what the pinned verdicts cost and how long they took, as far as their evidence says it. */
export const findReferenceCost = (sql: Sql, scope: Scope, metricId: bigint, configId: string) => sql<Spent[]>`
  select avg(field_text(evidence, 'costUsd')::float8) as "costUsd", avg(field_text(evidence, 'latencyMs')::float8) as "latencyMs"
  from pinned_label p
  cross join lateral (
    select s.evidence from score s
    where s.run_id = p.run_id and s.n = p.n and s.metric_config_id = ${configId} and s.organization_id = ${scope.organizationId}
      and s.scored_by is null
    union all
    select h.evidence from score_history h
    where h.run_id = p.run_id and h.n = p.n and h.metric_config_id = ${configId} and h.organization_id = ${scope.organizationId}
      and h.scored_by is null
    limit 1) given
  where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId}
    and coalesce(field_text(evidence, 'reused'), 'false') <> 'true'`;

export type RunVerdict = {
  checkRunId: string;
  runId: string;
  testcase: string;
  group: string | null;
  before: boolean;
  after: boolean;
};

/**
 * Lists the records of stored runs that both the judge in use and a candidate decided. `lastPlace` is that of the pinned records. Reads
 * score_pkey by the origins of the copies.
 */
export const listRunVerdicts = (
  sql: Sql,
  scope: Scope,
  metricId: bigint,
  { trial, lastPlace }: { trial: TrialRow; lastPlace: number },
) => sql<RunVerdict[]>`
  select made.run_id::text as "checkRunId", s.run_id::text as "runId", copy.testset_id || '-' || copy.testcase_n as testcase,
    field_text(testcase.json_data, testset.grouping_field) as group,
    ${judgeValue(sql, scope)} >= ${trial.passingThreshold ?? 1}::float8 as before,
    after.value >= coalesce(config.passing_threshold, 1) as after
  from drift_check made
  join metric_config config on config.id = made.metric_config_id and config.organization_id = ${scope.organizationId}
  join record copy on copy.run_id = made.run_id and copy.n > ${lastPlace} and copy.organization_id = ${scope.organizationId}
  join score after on after.run_id = copy.run_id and after.n = copy.n and after.metric_config_id = made.metric_config_id
    and after.value is not null and after.organization_id = ${scope.organizationId}
  join score s on s.run_id = copy.origin_run_id and s.n = copy.origin_n
    and s.metric_config_id = ${trial.configId} and s.value is not null and s.organization_id = ${scope.organizationId}
  left join testset on testset.id = copy.testset_id and testset.organization_id = ${scope.organizationId}
  left join testcase on testcase.testset_id = copy.testset_id and testcase.n = copy.testcase_n
    and testcase.organization_id = ${scope.organizationId}
  where made.metric_id = ${metricId} and made.trial_n = ${trial.n} and made.organization_id = ${scope.organizationId}
  order by s.run_id, copy.n`;

/** The baseline that a run's newest gate named in its notes; null without one. */
export const findGateBaselines = (sql: Sql, scope: Scope, runIds: bigint[]) => sql<
  { runId: string; baseline: string | null }[]
>`
  select id::text as "runId", substring(notes from '(?:^|\n)gate: [^\n]*? against run ([0-9]+)') as baseline
  from run where id = any(${runIds.map(String)}::bigint[]) and organization_id = ${scope.organizationId}`;

/** Finds which of these runs of the metric's project the configuration scored. */
export const findScoredRuns = (
  sql: Sql,
  scope: Scope,
  metricId: bigint,
  configId: string,
  runIds: bigint[],
) => sql<{ id: bigint }[]>`
  select run.id from run
  join metric on metric.id = ${metricId} and metric.project_id = run.project_id and metric.organization_id = ${scope.organizationId}
  where run.id = any(${runIds.map(String)}::bigint[]) and run.organization_id = ${scope.organizationId}
    and exists (
      select from score s
      where s.run_id = run.id and s.metric_config_id = ${configId} and s.organization_id = ${scope.organizationId})
    and run.kind <> 'trial'`;

export const markAdopted = (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { n, configId, evidence }: { n: number; configId: string; evidence: string },
) => tx`
  update judge_trial set adopted_config_id = ${configId}, adopted_by = ${scope.memberId}, adopted_at = now(),
    evidence = ${evidence}::text::json
  where metric_id = ${metricId} and n = ${n} and organization_id = ${scope.organizationId}`;

/** A tuning label on which the judge and people disagree. */
export type Disagreement = {
  inputs: string;
  expected: string;
  outputs: string;
  human: boolean;
  reasoning: string | null;
};

/** Lists disagreements among the labels for tuning, those that wrongly pass and wrongly fail in turn. */
export const listTuningDisagreements = (
  sql: Sql,
  scope: Scope,
  metricId: bigint,
  { configId, seed, limit }: { configId: string; seed: number; limit: number },
) => sql<Disagreement[]>`
  select inputs, expected, outputs, human, reasoning
  from (
    select r.inputs::text as inputs, r.expected::text as expected, r.outputs::text as outputs, p.human_passed as human,
      (select s.score ->> 'reasoning' from score s
        where s.run_id = p.run_id and s.n = p.n and s.metric_config_id = ${configId}
          and s.organization_id = ${scope.organizationId} and s.scored_by is null) as reasoning,
      row_number() over (partition by p.human_passed order by p.place) as turn
    from pinned_label p
    join record r on r.run_id = p.run_id and r.n = p.n and r.organization_id = ${scope.organizationId}
    where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId} and p.human_passed <> p.judge_passed
      and not ${isHeldOut(sql, seed)}) disagreed
  where length(inputs) + length(expected) + length(outputs) <= 6000
  order by turn, human
  limit ${limit}`;
