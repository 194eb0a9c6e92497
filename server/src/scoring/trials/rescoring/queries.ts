import type { Lane } from '../../../evaluation/metrics/queries.ts';
import { cancelled } from '../../../evaluation/scores/requeue.ts';
import type { Fragment, Sql } from '../../../platform/db/database.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { reset, withdrawn } from '../../../platform/jobs/settle.ts';
import { insertTrial, type TrialKey } from '../queries.ts';
import { configsOfMetric, isGiven, rescoringOf, rescoringsOf, unproposed } from './propose.ts';
import type { RescoringKey } from './schema.ts';
import { type Change, changes } from './schema.ts';

/** A metric of the run's project with its current configuration and the run's; null if the run does not have it. No row for a deleted metric. */
export const findMetricOfRun = (tx: Sql, scope: Scope, runId: bigint, metricId: bigint) => tx<
  { currentConfigId: string; pinnedConfigId: string | null }[]
>`
  select metric.current_config_id as "currentConfigId", (
      select run_metric.metric_config_id from run_metric
      where run_metric.run_id = ${runId} and run_metric.metric_id = metric.id
        and run_metric.organization_id = ${scope.organizationId}) as "pinnedConfigId"
  from run join metric on metric.project_id = run.project_id
  where run.organization_id = ${scope.organizationId} and run.id = ${runId}
    and metric.organization_id = ${scope.organizationId} and metric.id = ${metricId} and metric.deleted_at is null`;

export const findConfigOfMetric = (tx: Sql, scope: Scope, metricId: bigint, configId: string) => tx<
  { lane: Lane | null; spans: string | null }[]
>`
  select lane, span_search as spans from metric_config
  where organization_id = ${scope.organizationId} and metric_id = ${metricId} and id = ${configId}`;

/** The rescoring of this metric that is neither adopted nor discarded. */
export const findOpenRescoring = (tx: Sql, scope: Scope, runId: bigint, metricId: bigint) => tx<
  { n: number }[]
>`
  select n from trial
  where organization_id = ${scope.organizationId} and run_id = ${runId} and metric_id = ${metricId} and outcome is null`;

export type NewRescoring = {
  runId: bigint;
  metricId: bigint;
  /** The run's configuration. */
  pinnedConfigId: string;
  /** The configuration that proposes. */
  configId: string;
  /** Null means every record of the run. */
  numbers: number[] | null;
  sample: { size: number; seed: number } | null;
};

export const insertRescoring = async (
  tx: Sql,
  scope: Scope,
  { runId, metricId, pinnedConfigId, configId, numbers, sample }: NewRescoring,
): Promise<RescoringKey & { n: number }> => {
  const trial = { kind: 'rescoring' as const, runId, configId: pinnedConfigId, margin: null, seed: null };
  const { id, n } = await insertTrial(tx, scope, metricId, trial);
  await tx`
    insert into trial_rescoring (trial_id, organization_id, metric_config_id, record_numbers, sample_size, sample_seed, extended)
    values (${id}, ${scope.organizationId}, ${configId}, ${numbers}::integer[], ${sample?.size ?? null}, ${sample?.seed ?? null},
      ${sample === null})`;
  return { runId, id, n };
};

/** Whether a proposal `p` has the value of the score `before`. The number of a label depends on the labels of its configuration. */
const isSame = (sql: Sql) => sql`
  case configs.output_type when 'category' then before.score ->> 'categoryScore' = p.score ->> 'categoryScore'
    else before.value = p.value end`;

/**
 * Each proposal of `rescoring` with the score of its record: the score as it is now or, once the rescoring has ended, as it was then. A
 * record may have scores by several configurations of the metric: given ones come first, then the run's own.
 */
export const compared = (sql: Sql, scope: Scope, runId: bigint) => sql`
  select p.ctid as place, p.n, p.applied, p.metric_config_id, p.state, p.score, p.value, p.reason, p.cost_usd,
    p.input_tokens, p.output_tokens, array_remove(configs.ids, p.metric_config_id) as other_config_ids,
    p.value >= coalesce(configs.passing_threshold, 1) as passed,
    before.config_id as before_config_id, before.state as before_state, before.score as before_score,
    before.value as before_value, before.reason as before_reason, before.given as before_given,
    before.value >= coalesce(earlier.passing_threshold, 1) as before_passed,
    case
      when before.given then 'givenSince'
      when p.state <> 'scored' then p.state
      when before.value is null then 'newlyScored'
      when (before.value >= coalesce(earlier.passing_threshold, 1)) > (p.value >= coalesce(configs.passing_threshold, 1))
        then 'passToFail'
      when (before.value >= coalesce(earlier.passing_threshold, 1)) < (p.value >= coalesce(configs.passing_threshold, 1))
        then 'failToPass'
      when earlier.output_type = configs.output_type and ${isSame(sql)} then 'same'
      else 'valueOnly'
    end as change
  from (${configsOfMetric(sql, scope)}) configs
  join proposed_score p on p.run_id = ${runId} and p.trial_id = rescoring.id and p.organization_id = ${scope.organizationId}
  left join lateral (
    select s.metric_config_id, s.state, s.score, s.value, s.reason, ${isGiven(sql)} as given
    from score s
    where rescoring.outcome is null and s.run_id = ${runId} and s.n = p.n and s.metric_config_id = any(configs.ids)
      and s.organization_id = ${scope.organizationId}
    order by ${isGiven(sql)} desc, s.metric_config_id in (
      select run_metric.metric_config_id from run_metric
      where run_metric.run_id = ${runId} and run_metric.organization_id = ${scope.organizationId}) desc, s.updated_at desc
    limit 1) live on true
  cross join lateral (
    select
      case when rescoring.outcome is null then live.metric_config_id else p.before_config_id end as config_id,
      case when rescoring.outcome is null then live.state else p.before_state end as state,
      case when rescoring.outcome is null then live.score else p.before_score end as score,
      case when rescoring.outcome is null then live.value else p.before_value end as value,
      case when rescoring.outcome is null then live.reason else p.before_reason end as reason,
      case when rescoring.outcome is null then live.given else p.before_given end as given) before
  left join metric_config earlier on earlier.id = before.config_id and earlier.organization_id = ${scope.organizationId}`;

/**
 * The configuration of `rescoring`, as a lookup: a join came first in the plan, and everything was counted once for each configuration of the
 * organization.
 */
const proposingConfig = (sql: Sql, scope: Scope) => sql`
  select lane, eval_model_name, judge_repeats, jury_models, criteria from metric_config
  where id = rescoring.metric_config_id and organization_id = ${scope.organizationId}
  offset 0`;

const countOf = (sql: Sql, change: Change) =>
  sql`${change}::text, count(*) filter (where c.change = ${change})`;

const join = (sql: Sql, parts: Fragment[]) => parts.reduce((all, part) => sql`${all}, ${part}`);

/** The counts of `rescoring` by `config`, as JSON. Reads nothing unless the condition `wanted` on `rescoring` holds. */
const summary = (sql: Sql, scope: Scope, runId: bigint, wanted: Fragment) => sql`
  select json_build_object(
    'numRecords', proposed.n + rest.remaining, 'numGiven', rest.given, 'numProposals', proposed.n,
    'remaining', rest.remaining, 'changes', proposed.changes,
    'spent', json_build_object('costUsd', proposed.cost_usd, 'inputTokens', proposed.input_tokens,
      'outputTokens', proposed.output_tokens)) as summary
  from (
    select count(*)::int as n, json_build_object(${join(
      sql,
      changes.map((change) => countOf(sql, change)),
    )}) as changes,
      case
        when config.lane = 'code' then 0
        when count(*) filter (where c.state in ('scored', 'unscored') and c.cost_usd is null) = 0
          then coalesce(sum(c.cost_usd), 0)
      end as cost_usd,
      coalesce(sum(c.input_tokens), 0) as input_tokens, coalesce(sum(c.output_tokens), 0) as output_tokens
    from (${compared(sql, scope, runId)}) c
    where ${wanted}) proposed
  cross join (
    select count(*) filter (where not given)::int as remaining, count(*) filter (where given)::int as given
    from (${unproposed(sql, scope, runId)}) open
    where ${wanted}) rest`;

/** Measured values for the estimate of the remaining records. */
export type Measured = {
  lane: Lane;
  evalModelName: string | null;
  judgeRepeats: number;
  remaining: number;
  numMeasured: number;
  /** Mean and standard deviation of one record; null while nothing is measured. */
  costUsd: number | null;
  costUsdDeviation: number | null;
  inputTokens: number | null;
  inputTokensDeviation: number | null;
  outputTokens: number | null;
  outputTokensDeviation: number | null;
  latencyMs: number | null;
};

export type RescoringRow = Measured & { body: string; id: string };

/** Rescorings of one run as JSON, without their estimates. `rescorings` selects them. */
const rescoringsJson = (sql: Sql, scope: Scope, runId: bigint, rescorings: Fragment) => sql`
  select json_build_object(
      'number', rescoring.n, 'metricId', rescoring.metric_id::text, 'kind', 'rescoring', 'runId', rescoring.run_id::text,
      'metricConfigId', rescoring.pinned_config_id, 'proposedConfigId', rescoring.metric_config_id, 'wholeRun', rescoring.record_numbers is null,
      'sample', case when rescoring.sample_size is not null
        then json_build_object('size', rescoring.sample_size, 'seed', rescoring.sample_seed) end,
      'state', coalesce(rescoring.outcome, case
        when (counted.summary -> 'changes' ->> 'pending')::int > 0 then 'running'
        when not rescoring.extended and (counted.summary ->> 'remaining')::int > 0 then 'sampled'
        else 'ready'
      end),
      'stoppedBy', case when rescoring.outcome is null and config.lane = 'judge'
        and (counted.summary -> 'changes' ->> 'pending')::int > 0 and judges_stopped(${runId}) then 'judgeBudget' end,
      'numRecords', counted.summary -> 'numRecords', 'numGiven', counted.summary -> 'numGiven',
      'numProposals', counted.summary -> 'numProposals', 'changes', counted.summary -> 'changes',
      'spent', counted.summary -> 'spent',
      'createdByUserId', rescoring.created_by, 'createdAt', iso_time(rescoring.created_at),
      'endedByUserId', rescoring.ended_by, 'endedAt', iso_time(rescoring.ended_at))::text as body,
    rescoring.id, config.lane, config.eval_model_name as "evalModelName",
    config.judge_repeats * (1 + cardinality(config.jury_models)) * case when (config.criteria ->> 'isolate')::boolean
      then greatest(1, json_array_length(config.criteria -> 'items')) else 1 end as "judgeRepeats", measured.*,
    case when rescoring.outcome is null then (counted.summary ->> 'remaining')::int else 0 end as remaining
  from (${rescorings}) rescoring
  cross join lateral (${proposingConfig(sql, scope)}) config
  left join lateral (${summary(sql, scope, runId, sql`rescoring.outcome is null`)}) live on rescoring.outcome is null
  cross join lateral (select coalesce(rescoring.summary, live.summary) as summary) counted
  left join lateral (
    select count(*)::int as "numMeasured",
      case when count(p.cost_usd) = count(*) then avg(p.cost_usd) end as "costUsd", stddev_samp(p.cost_usd) as "costUsdDeviation",
      avg(p.input_tokens)::float8 as "inputTokens", stddev_samp(p.input_tokens)::float8 as "inputTokensDeviation",
      avg(p.output_tokens)::float8 as "outputTokens", stddev_samp(p.output_tokens)::float8 as "outputTokensDeviation",
      avg(field_text(p.evidence, 'latencyMs')::float8) as "latencyMs"
    from proposed_score p
    where p.run_id = ${runId} and p.trial_id = rescoring.id and p.organization_id = ${scope.organizationId}
      and p.state in ('scored', 'unscored') and not rescoring.extended and rescoring.outcome is null) measured on true`;

/** Finds rescorings of one run by their ids. */
export const findRescorings = (sql: Sql, scope: Scope, runId: bigint, ids: string[]) => sql<RescoringRow[]>`
  ${rescoringsJson(sql, scope, runId, sql`${rescoringsOf(sql, scope, runId)} and trial.id = any(${ids}::uuid[])`)}`;

/** Finds the id and the run of a rescoring by its number within its metric. */
export const findRescoringKey = (sql: Sql, scope: Scope, { metricId, n }: TrialKey) => sql<RescoringKey[]>`
  select id, run_id as "runId" from trial
  where metric_id = ${metricId} and n = ${n} and organization_id = ${scope.organizationId} and kind = 'rescoring'`;

/** One page of a rescoring's records in order; only those with `change` if it is given. */
export const listChanges = (
  sql: Sql,
  scope: Scope,
  key: RescoringKey,
  change: Change | undefined,
  after: string,
  count: number,
) => sql<{ body: string; key: string }[]>`
  select json_build_object(
      'recordId', ${String(key.runId)}::text || '-' || c.n, 'change', c.change, 'applied', c.applied, 'people', null, 'judgedRecordId', null,
      'before', case when c.before_config_id is not null then json_build_object(
        'metricConfigId', c.before_config_id, 'state', c.before_state, 'passed', c.before_passed, 'score', c.before_score,
        'reason', c.before_reason) end,
      'after', json_build_object(
        'metricConfigId', c.metric_config_id, 'state', c.state, 'passed', c.passed, 'score', c.score,
        'reason', c.reason))::text as body,
    c.n::text as key
  from (${rescoringOf(sql, scope, key)}) rescoring cross join lateral (${compared(sql, scope, key.runId)}) c
  where c.n > ${after}::integer ${change === undefined ? sql`` : sql`and c.change = ${change}`}
  order by c.n
  limit ${count}`;

export type LockedRescoring = TrialKey & {
  configId: string;
  wholeRun: boolean;
  extended: boolean;
  outcome: 'adopted' | 'discarded' | null;
  pending: number;
};

/** Locks the rescoring until the commit. The run's row must be locked before. */
export const lockRescoring = (tx: Sql, scope: Scope, { runId, id }: RescoringKey) => tx<LockedRescoring[]>`
  select trial.metric_id as "metricId", trial.n, own.metric_config_id as "configId", own.record_numbers is null as "wholeRun",
    own.extended, trial.outcome, (
      select count(*)::int from proposed_score p
      where p.run_id = ${runId} and p.trial_id = ${id} and p.organization_id = ${scope.organizationId}
        and p.state = 'pending') as pending
  from trial join trial_rescoring own on own.trial_id = trial.id and own.organization_id = ${scope.organizationId}
  where trial.run_id = ${runId} and trial.id = ${id} and trial.organization_id = ${scope.organizationId}
  for update`;

export const markExtended = (tx: Sql, scope: Scope, { id }: RescoringKey) => tx`
  update trial_rescoring set extended = true where trial_id = ${id} and organization_id = ${scope.organizationId}`;

/** Stores the final counts of the rescoring. */
export const keepCounts = (tx: Sql, scope: Scope, key: RescoringKey) => tx`
  update trial_rescoring set summary = (
    select counted.summary
    from (${rescoringOf(tx, scope, key)}) rescoring
    cross join lateral (${proposingConfig(tx, scope)}) config
    cross join lateral (${summary(tx, scope, key.runId, tx`true`)}) counted)
  where trial_id = ${key.id} and organization_id = ${scope.organizationId}`;

export const deleteProposals = (tx: Sql, scope: Scope, { runId, id }: RescoringKey) => tx`
  delete from proposed_score
  where run_id = ${runId} and trial_id = ${id} and organization_id = ${scope.organizationId}`;

/** The open rescorings of a run: of all metrics, or of one. */
const openRescorings = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint | undefined) => sql`
  select id from trial
  where run_id = ${runId} and organization_id = ${scope.organizationId} and outcome is null
    ${metricId === undefined ? sql`` : sql`and metric_id = ${metricId}`}`;

/** Cancels the pending proposals of a run, of all metrics or of one. */
export const cancelProposals = (tx: Sql, scope: Scope, runId: bigint, metricId?: bigint) => tx`
  update proposed_score set
    state = 'unscored', reason = ${cancelled}, ${withdrawn(tx, 'proposed_score')}, updated_at = now()
  where run_id = ${runId} and organization_id = ${scope.organizationId} and state = 'pending'
    and trial_id in (${openRescorings(tx, scope, runId, metricId)})`;

/** Puts proposals of open rescorings that failed or could not be scored back into the queue: of all metrics, or of one. */
export const retryProposals = (tx: Sql, scope: Scope, runId: bigint, metricId?: bigint) => tx`
  update proposed_score set
    ${reset(tx, 'proposed_score')}, reason = null, updated_at = now()
  where run_id = ${runId} and organization_id = ${scope.organizationId} and state in ('failed', 'unscored')
    and trial_id in (${openRescorings(tx, scope, runId, metricId)})`;
