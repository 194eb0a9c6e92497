import type { Bias } from '../../engine/statistics/trial-schema.ts';
import { isKept } from '../../evaluation/deletions/queries.ts';
import { configHash } from '../../evaluation/metrics/config-hash.ts';
import { drawSql } from '../../evaluation/samples/draw.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { judgeValue } from '../labels/queries.ts';
import { type Side, splitSql } from '../labels/split.ts';
import { isHeldOut, pinnedEvidence } from './pinned-queries.ts';
import type { How, PinnedKind, TrialKind } from './schema.ts';

/** The starter of a trial: a member, or the service, which has no member. */
export type Starter = Owner & Partial<Pick<Scope, 'memberId'>>;

export type NewTrial = {
  kind: TrialKind;
  /** The run that a rescoring scores again; null for other trials. */
  runId: bigint | null;
  /** The configuration in use. */
  configId: string;
  margin: number | null;
  seed: number | null;
  /** The labels on which prompts by a person are tested; left out for other trials. */
  split?: Side;
  /** What a battery tests. */
  edits?: readonly string[];
};

/** Inserts a trial with the metric's next number. Trials of a metric that start at the same time wait for each other. */
export const insertTrial = async (
  tx: Sql,
  starter: Starter,
  metricId: bigint,
  { kind, runId, configId, margin, seed, split, edits }: NewTrial,
): Promise<{ id: string; n: number }> => {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`trials of metric ${metricId}`}::text, 0))`;
  const [made] = await tx<{ id: string; n: number }[]>`
    insert into trial (id, organization_id, metric_id, n, kind, run_id, metric_config_id, margin, seed, split, edits, created_by)
    select ${newUuid()}::uuid, ${starter.organizationId}, ${metricId}, coalesce(max(n), 0) + 1, ${kind}, ${runId}::bigint, ${configId}::uuid,
      ${margin}::float8, ${seed}::integer, ${split ?? null}, ${edits ? [...edits] : null}::text[], ${starter.memberId ?? null}::uuid
    from trial where metric_id = ${metricId} and organization_id = ${starter.organizationId}
    returning id, n`;
  return made!;
};

/** Inserts the stored runs on which the candidates are tried too. */
export const insertTrialRuns = (tx: Sql, scope: Owner, trialId: string, runIds: bigint[]) => tx`
  insert into trial_run (trial_id, position, run_id, organization_id)
  select ${trialId}, position, run_id, ${scope.organizationId}
  from unnest(${runIds.map(String)}::bigint[]) with ordinality as given (run_id, position)`;

export type NewCandidate = {
  trialId: string;
  metricId: bigint;
  runId: bigint;
  /** Place among the candidates of its trial, from 1. */
  position: number;
  how: How;
  configId: string;
  /** Served models for which a drift trial was due. */
  dueModels: string[];
};

export const insertCandidate = (
  tx: Sql,
  scope: Owner,
  { trialId, metricId, runId, position, how, configId, dueModels }: NewCandidate,
) => tx`
  insert into trial_candidate (trial_id, position, organization_id, metric_id, run_id, how, metric_config_id, due_models)
  values (${trialId}, ${position}, ${scope.organizationId}, ${metricId}, ${runId}, ${how}, ${configId}, ${dueModels}::text[])`;

/** A trial by its number within its metric. */
export type TrialKey = { metricId: bigint; n: number };

/** The seed that split the labels of the metric's first alignment; no row before. */
export const findSeed = (sql: Sql, scope: Owner, metricId: bigint) => sql<{ seed: number }[]>`
  select seed from trial
  where metric_id = ${metricId} and organization_id = ${scope.organizationId} and seed is not null
  limit 1`;

/**
 * Selects records of stored runs with places behind the pinned ones: those of the same testcases in each run, a sample of them. Reads
 * record_pkey of these runs.
 */
export const storedRecords = (
  sql: Sql,
  scope: Owner,
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
  id: string;
  n: number;
  kind: PinnedKind;
  configId: string;
  evalModelName: string | null;
  passingThreshold: number | null;
  margin: number | null;
  seed: number | null;
  split: Side | null;
  runIds: string[];
  createdBy: string | null;
  createdAt: string;
  outcome: 'adopted' | 'discarded' | null;
  adoptedConfigId: string | null;
  endedBy: string | null;
  endedAt: string | null;
  /** Result of the trial for the adopted candidate, as JSON text. */
  evidence: string | null;
  /** What a battery was asked to test; null for other trials. */
  edits: Bias[] | null;
  /** What a battery found, as JSON text; null while verdicts are pending. */
  verdict: string | null;
  /** SHA-256 of its configuration. */
  metricHash: string;
};

/** A trial of any kind, and its place. */
export type FoundTrial = TrialKey & { id: string; kind: TrialKind; runId: bigint | null };

const foundTrial = (sql: Sql) =>
  sql`select id, metric_id as "metricId", n, kind, run_id as "runId" from trial`;

/** The trials to list: of a metric, of a run, or of both. */
export type Listed = {
  metricId?: bigint | undefined;
  runId?: bigint | undefined;
  kinds?: TrialKind[] | undefined;
};

/** Lists trials with smaller ids than `before`, newest first. Reads trial_metric, or trial_run_id_id_key for those of a run. */
export const listTrials = (
  sql: Sql,
  scope: Owner,
  { metricId, runId, kinds }: Listed,
  before: string,
  count: number,
) => sql<FoundTrial[]>`
  ${foundTrial(sql)}
  where organization_id = ${scope.organizationId} and id < ${before}::uuid
    ${metricId === undefined ? sql`` : sql`and metric_id = ${metricId}`}
    ${runId === undefined ? sql`` : sql`and run_id = ${runId}`}
    ${kinds ? sql`and kind = any(${kinds}::text[])` : sql``}
  order by id desc
  limit ${count}`;

export const findTrial = (sql: Sql, scope: Owner, { metricId, n }: TrialKey) => sql<FoundTrial[]>`
  ${foundTrial(sql)} where metric_id = ${metricId} and n = ${n} and organization_id = ${scope.organizationId}`;

/** Finds trials on the pinned records of a metric by their ids. */
export const findPinnedTrials = (sql: Sql, scope: Owner, metricId: bigint, ids: string[]) => sql<TrialRow[]>`
  select trial.id, trial.n, trial.kind, trial.metric_config_id as "configId", config.eval_model_name as "evalModelName",
    config.passing_threshold as "passingThreshold", trial.margin, trial.seed, trial.split, array(
      select tried.run_id::text from trial_run tried
      where tried.trial_id = trial.id and tried.organization_id = ${scope.organizationId}
      order by tried.position) as "runIds",
    trial.created_by as "createdBy", iso_time(trial.created_at) as "createdAt", trial.outcome,
    trial.adopted_config_id as "adoptedConfigId", trial.ended_by as "endedBy", iso_time(trial.ended_at) as "endedAt",
    trial.evidence::text, trial.edits, trial.verdict::text, ${configHash(sql)} as "metricHash"
  from trial
  join metric_config config on config.id = trial.metric_config_id and config.organization_id = ${scope.organizationId}
  where trial.metric_id = ${metricId} and trial.organization_id = ${scope.organizationId} and trial.id = any(${ids}::uuid[])
    and trial.kind <> 'rescoring'`;

export type TrialLabel = {
  id: string;
  /** Number of its copy in the runs of candidates. */
  place: number;
  human: boolean;
  /** The pinned verdict of the judge. */
  before: boolean;
  heldOut: boolean;
  split: Side;
  /** Whether it was chosen by the judge's verdicts: one that people put right, a thumb, or a sample that was drawn by them. */
  chosen: boolean;
  /** Group of the testset, else the inputs, else the testcase: records of one group depend on each other. */
  group: string;
};

/** Lists the pinned labels by their places. Without a seed all are held out. */
export const listTrialLabels = (sql: Sql, scope: Owner, metricId: bigint, seed: number | null) => sql<
  TrialLabel[]
>`
  select p.run_id || '-' || p.n as id, p.place, p.human_passed as human, p.judge_passed as before,
    ${seed === null ? sql`true` : isHeldOut(sql, seed)} as "heldOut", ${splitSql(sql)} as split,
    pinned.source <> 'metric' or exists (
      select from review_sample sample
      where sample.run_id = p.run_id and sample.strata_of = 'metricId' and sample.strata_name = ${String(metricId)}
        and sample.organization_id = ${scope.organizationId}) as chosen,
    coalesce(
      'group ' || testset.id || ' ' || field_text(testcase.json_data, testset.grouping_field),
      'inputs ' || r.inputs_hash, 'testcase ' || r.testset_id || '-' || r.testcase_n, 'record ' || p.place) as group
  from pinned_label p
  join pinned_set pinned on pinned.metric_id = p.metric_id and pinned.organization_id = ${scope.organizationId}
  join record r on r.run_id = p.run_id and r.n = p.n and r.organization_id = ${scope.organizationId}
  left join testset on testset.id = r.testset_id and testset.organization_id = ${scope.organizationId}
  left join testcase on testcase.testset_id = r.testset_id and testcase.n = r.testcase_n
    and testcase.organization_id = ${scope.organizationId}
  where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId}
  order by p.place`;

/** The models that judge by a configuration, the current one for null: its own and those of its jury. */
export const findModels = (sql: Sql, scope: Owner, metricId: bigint, configId: string | null) => sql<
  { models: string[] }[]
>`
  select array_remove(config.eval_model_name || config.jury_models, null) as models
  from metric join metric_config config on config.metric_id = metric.id
    and config.id = coalesce(${configId}::uuid, metric.current_config_id) and config.organization_id = ${scope.organizationId}
  where metric.id = ${metricId} and metric.organization_id = ${scope.organizationId}`;

export type CandidateRow = {
  trialId: string;
  /** Null once it was deleted. */
  runId: string | null;
  /** Result of the drift trial, as JSON text. */
  storedDrift: string | null;
  how: How;
  configId: string;
  evalModelName: string | null;
  temperature: number | null;
  judgeRepeats: number;
  promptTemplate: string | null;
  guidelines: string;
  servedModelNames: string[];
  numPending: number;
  /** Why verdicts failed, in the words of one of them; null if none did. */
  failure: string | null;
  /** Whether its pending verdicts wait because the budget of its run is used up. */
  stopped: boolean;
  /** Means over verdicts; null if one is unknown. */
  costUsd: number | null;
  latencyMs: number | null;
  /** When the newest verdict came; null without one. */
  lastAt: string | null;
  /** Places of the records with a verdict, and whether each record passes. */
  places: number[];
  passed: boolean[];
};

/** Lists the candidates of these trials with their verdicts; one whose run is being deleted has none. Reads their runs' ranges of score. */
export const listCandidates = (sql: Sql, scope: Owner, trialIds: string[]) => sql<CandidateRow[]>`
  select candidate.trial_id as "trialId", kept.run_id::text as "runId", candidate.drift::text as "storedDrift", candidate.how, config.id as "configId",
    config.eval_model_name as "evalModelName", config.temperature, config.judge_repeats as "judgeRepeats",
    config.prompt_template as "promptTemplate", config.guidelines, verdicts.*,
    kept.run_id is not null and verdicts."numPending" > 0 and judges_stopped(kept.run_id) as stopped
  from trial_candidate candidate
  join metric_config config on config.id = candidate.metric_config_id and config.organization_id = ${scope.organizationId}
  cross join lateral (select case when ${isKept(sql, scope, 'run', sql`candidate.run_id`)} then candidate.run_id end as run_id) kept
  cross join lateral (
    select coalesce(array_agg(distinct field_text(s.evidence, 'modelAnswered'))
        filter (where field_text(s.evidence, 'modelAnswered') is not null), '{}') as "servedModelNames",
      count(*) filter (where s.state = 'pending')::int as "numPending",
      min(s.reason) filter (where s.state = 'failed') as failure,
      case when count(s.cost_usd) = count(*) filter (where s.state in ('scored', 'unscored'))
        then avg(s.cost_usd)::float8 end as "costUsd",
      avg(field_text(s.evidence, 'latencyMs')::float8) as "latencyMs",
      iso_time(max(s.updated_at) filter (where s.state <> 'pending')) as "lastAt",
      coalesce(array_agg(s.n order by s.n) filter (where s.value is not null), '{}') as places,
      coalesce(array_agg(s.value >= coalesce(config.passing_threshold, 1) order by s.n)
        filter (where s.value is not null), '{}') as passed
    from score s
    where s.run_id = kept.run_id and s.metric_config_id = candidate.metric_config_id
      and s.organization_id = ${scope.organizationId}) verdicts
  where candidate.trial_id = any(${trialIds}::uuid[]) and candidate.organization_id = ${scope.organizationId}
  order by candidate.trial_id, candidate.position`;

/** Verdicts by a saved prompt on pinned records, with their reasons. */
export type SavedVerdicts = { places: number[]; passed: boolean[]; reasonings: (string | null)[] };

/** Verdicts of a trial by the places of the pinned records. */
export type FirstVerdicts = Pick<CandidateRow, 'runId' | 'places' | 'passed'>;

/**
 * Finds the verdicts of the oldest finished drift trial of a metric, if its pinned labels were chosen by the judge's verdicts: verdicts
 * that people put right, thumbs, or a sample that was drawn by them. No row otherwise. Reads pinned_label_metric, review_sample by run, and
 * the trial's range of score.
 */
export const findFirstVerdicts = (sql: Sql, scope: Owner, metricId: bigint) => sql<FirstVerdicts[]>`
  select candidate.run_id::text as "runId", verdicts.*
  from pinned_set pinned
  join trial on trial.metric_id = pinned.metric_id and trial.kind = 'drift' and trial.organization_id = ${scope.organizationId}
  join trial_candidate candidate on candidate.trial_id = trial.id and candidate.organization_id = ${scope.organizationId}
  join metric_config config on config.id = candidate.metric_config_id and config.organization_id = ${scope.organizationId}
  cross join lateral (
    select array_agg(s.n order by s.n) as places,
      array_agg(s.value >= coalesce(config.passing_threshold, 1) order by s.n) as passed
    from score s
    where s.run_id = candidate.run_id and s.metric_config_id = candidate.metric_config_id and s.value is not null
      and s.organization_id = ${scope.organizationId}
    having not exists (
      select from score waiting
      where waiting.run_id = candidate.run_id and waiting.metric_config_id = candidate.metric_config_id
        and waiting.state = 'pending' and waiting.organization_id = ${scope.organizationId})) verdicts
  where pinned.metric_id = ${metricId} and pinned.organization_id = ${scope.organizationId} and verdicts.places is not null
    and (pinned.source <> 'metric' or exists (
      select from pinned_label label
      join review_sample sample on sample.run_id = label.run_id and sample.strata_of = 'metricId'
        and sample.strata_name = ${String(metricId)} and sample.organization_id = ${scope.organizationId}
      where label.metric_id = ${metricId} and label.organization_id = ${scope.organizationId}))
  order by trial.n
  limit 1`;

/** The SHA-256 of a configuration. */
export const findTestedHash = (sql: Sql, scope: Owner, metricId: bigint, configId: string) => sql<
  { hash: string }[]
>`
  select ${configHash(sql)} as hash from metric_config config
  where config.id = ${configId} and config.metric_id = ${metricId} and config.organization_id = ${scope.organizationId}`;

/**
 * Finds the verdicts on the pinned records by configurations with this hash, in the runs of trials that edited no record: the newest of
 * each record. No row if the pinned verdicts themselves are by such a configuration. Reads trial_candidate_metric and the runs' ranges of score.
 */
export const findSavedVerdicts = (sql: Sql, scope: Owner, metricId: bigint, hash: string) => sql<
  SavedVerdicts[]
>`
  with hashed as (
    select config.id, config.passing_threshold, ${configHash(sql)} as hash from metric_config config
    where config.metric_id = ${metricId} and config.organization_id = ${scope.organizationId})
  select coalesce(array_agg(place order by place), '{}') as places, coalesce(array_agg(passed order by place), '{}') as passed,
    coalesce(array_agg(reasoning order by place), '{}') as reasonings
  from pinned_set pinned
  join hashed judged on judged.id = pinned.metric_config_id and judged.hash <> ${hash}
  left join lateral (
    select distinct on (s.n) s.n as place, s.value >= coalesce(hashed.passing_threshold, 1) as passed, s.score ->> 'reasoning' as reasoning
    from trial_candidate candidate
    join hashed on hashed.id = candidate.metric_config_id and hashed.hash = ${hash}
    join score s on s.run_id = candidate.run_id and s.metric_config_id = candidate.metric_config_id and s.value is not null
      and s.organization_id = ${scope.organizationId}
    where candidate.metric_id = ${metricId} and candidate.organization_id = ${scope.organizationId}
      and candidate.how in ('current', 'model', 'examples', 'rewrite', 'reference')
      and ${isKept(sql, scope, 'run', sql`candidate.run_id`)}
    order by s.n, candidate.trial_id desc) verdict on true
  where pinned.metric_id = ${metricId} and pinned.organization_id = ${scope.organizationId}
  group by pinned.metric_id`;

export type Spent = { costUsd: number | null; latencyMs: number | null };

/** Mean cost and duration of the pinned verdicts, as far as their evidence has them. */
export const findReferenceCost = (sql: Sql, scope: Owner, metricId: bigint, configId: string) => sql<Spent[]>`
  select avg(field_text(evidence, 'costUsd')::float8) as "costUsd", avg(field_text(evidence, 'latencyMs')::float8) as "latencyMs"
  from (${pinnedEvidence(sql, scope, metricId, configId)}) given
  where coalesce(field_text(evidence, 'reused'), 'false') <> 'true'`;

export type RunVerdict = {
  candidateRunId: string;
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
  scope: Owner,
  { trial, lastPlace }: { trial: TrialRow; lastPlace: number },
) => sql<RunVerdict[]>`
  select candidate.run_id::text as "candidateRunId", s.run_id::text as "runId", copy.testset_id || '-' || copy.testcase_n as testcase,
    field_text(testcase.json_data, testset.grouping_field) as group,
    ${judgeValue(sql, scope)} >= ${trial.passingThreshold ?? 1}::float8 as before,
    after.value >= coalesce(config.passing_threshold, 1) as after
  from trial_candidate candidate
  join metric_config config on config.id = candidate.metric_config_id and config.organization_id = ${scope.organizationId}
  join record copy on copy.run_id = candidate.run_id and copy.n > ${lastPlace} and copy.organization_id = ${scope.organizationId}
  join score after on after.run_id = copy.run_id and after.n = copy.n and after.metric_config_id = candidate.metric_config_id
    and after.value is not null and after.organization_id = ${scope.organizationId}
  join score s on s.run_id = copy.origin_run_id and s.n = copy.origin_n
    and s.metric_config_id = ${trial.configId} and s.value is not null and s.organization_id = ${scope.organizationId}
  left join testset on testset.id = copy.testset_id and testset.organization_id = ${scope.organizationId}
  left join testcase on testcase.testset_id = copy.testset_id and testcase.n = copy.testcase_n
    and testcase.organization_id = ${scope.organizationId}
  where candidate.trial_id = ${trial.id} and candidate.organization_id = ${scope.organizationId}
  order by s.run_id, copy.n`;

/** The baseline of a run's newest verdict; null without one. */
export const findGateBaselines = (sql: Sql, scope: Owner, runIds: bigint[]) => sql<
  { runId: string; baseline: string | null }[]
>`
  select run.id::text as "runId", (
      select verdict.baseline_run_id::text from run_verdict verdict
      where verdict.run_id = run.id and verdict.organization_id = ${scope.organizationId}
      order by verdict.decided_at desc limit 1) as baseline
  from run where run.id = any(${runIds.map(String)}::bigint[]) and run.organization_id = ${scope.organizationId}`;

/** Finds the runs among these that belong to the metric's project and that the configuration scored. */
export const findScoredRuns = (
  sql: Sql,
  scope: Owner,
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

/** Finds what the newest batteries found for two configurations of a metric, by their hashes; null without one. Reads trial_metric. */
export const findBatteryVerdicts = (
  sql: Sql,
  scope: Owner,
  metricId: bigint,
  { current, candidate }: { current: string; candidate: string },
) => {
  const verdictOf = (configId: string) => sql`
    (select trial.verdict ->> 'verdict' from trial
      join metric_config config on config.id = ${configId}::uuid and config.organization_id = ${scope.organizationId}
      where trial.metric_id = ${metricId} and trial.organization_id = ${scope.organizationId} and trial.kind = 'battery'
        and trial.verdict ->> 'metricHash' = ${configHash(sql)}
      order by trial.id desc limit 1)`;
  return sql<{ current: string | null; candidate: string | null }[]>`
    select ${verdictOf(current)} as current, ${verdictOf(candidate)} as candidate`;
};

/** Stores what a battery found, once. */
export const storeVerdict = (tx: Sql, scope: Owner, id: string, verdict: string) => tx`
  update trial set verdict = ${verdict}::text::json
  where id = ${id} and organization_id = ${scope.organizationId} and verdict is null`;

/**
 * Ends a trial: with the adopted configuration and its result, or discarded. From then on the proposals of a rescoring are compared with the
 * scores at that time, not with the current ones. The trial or its metric must be locked.
 */
export const endTrial = (
  tx: Sql,
  scope: Scope,
  { metricId, n }: TrialKey,
  adopted: { configId: string; evidence: string | null } | null,
) => tx`
  update trial set outcome = ${adopted ? 'adopted' : 'discarded'}, adopted_config_id = ${adopted?.configId ?? null},
    evidence = ${adopted?.evidence ?? null}::text::json, ended_by = ${scope.memberId}, ended_at = now()
  where metric_id = ${metricId} and n = ${n} and organization_id = ${scope.organizationId}`;

/** A tuning label on which the judge and people disagree. */
export type Disagreement = {
  runId: bigint;
  n: number;
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
  select run_id as "runId", n, inputs, expected, outputs, human, reasoning
  from (
    select r.run_id, r.n, r.inputs::text as inputs, r.expected::text as expected, r.outputs::text as outputs, p.human_passed as human,
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

/** A text that guidelines quote from a record. */
export type Quote = { runId: bigint; n: number; quote: string };

/** Locks the quoted records against deletion until the commit. Returns those that are left. */
export const lockQuoted = (tx: Sql, scope: Scope, quotes: readonly Quote[]) => tx<{ n: number }[]>`
  select record.n from record
  where record.organization_id = ${scope.organizationId} and (record.run_id, record.n) in (
    select run_id, n from ${rowsOf(tx, quotes, { run_id: 'bigint', n: 'integer' }, { as: 'item' })})
  for key share`;

/** Notes what the guidelines of a configuration quote. */
export const insertQuotes = (tx: Sql, scope: Scope, configId: string, quotes: readonly Quote[]) => tx`
  insert into record_quote (metric_config_id, run_id, n, quote, organization_id)
  select ${configId}, run_id, n, quote, ${scope.organizationId}
  from ${rowsOf(tx, quotes, { run_id: 'bigint', n: 'integer', quote: 'text' }, { as: 'item' })}
  on conflict do nothing`;
