import type { Sql } from '../../../platform/db/database.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { withdrawn } from '../../../platform/jobs/settle.ts';
import { endTrial, type TrialKey } from '../queries.ts';
import { configsOfMetric, inBatches, type Numbers, rescoringOf } from './propose.ts';
import { compared, keepCounts } from './queries.ts';
import type { RescoringKey } from './schema.ts';

/**
 * Locks the scores that a rescoring replaces until the commit, in one order against deadlocks. Rows are found by their places, with one
 * probe of score_pkey for each record: with a join by key the planner may compare each proposal with each score of the run, as
 * in queue/queries.ts.
 */
const lockScores = (tx: Sql, scope: Scope, key: RescoringKey, { first, last }: Numbers) => tx`
  select from score
  where ctid = any(array(
    select place.ctid
    from (${rescoringOf(tx, scope, key)}) rescoring
    cross join lateral (${configsOfMetric(tx, scope)}) configs
    join proposed_score p on p.run_id = ${key.runId} and p.trial_id = rescoring.id
      and p.n between ${first}::integer and ${last}::integer and p.organization_id = ${scope.organizationId}
    cross join lateral (
      select s.ctid from score s
      where s.run_id = ${key.runId} and s.n = p.n and s.metric_config_id = any(configs.ids)
        and s.organization_id = ${scope.organizationId}
      offset 0) place))
  order by n, metric_config_id
  for no key update`;

/**
 * For these records: stores with each proposal the current score and whether the proposal replaces it (`noted`; evidence is not kept
 * twice), deletes the replaced scores of the metric's other configurations (`retired`), keeps their verdicts as history, and writes the
 * proposals as scores. The trigger score_replaced keeps a replaced score of the same configuration. All parts see the rows as they were
 * before; each proposal is written once, because a second write in a transaction checks its foreign keys again.
 */
const applyProposals = (tx: Sql, scope: Scope, key: RescoringKey, { first, last }: Numbers) => tx<
  { missed: number }[]
>`
  with c as materialized (
    select c.*, c.change not in ('givenSince', 'unscored', 'failed') as takes_place
    from (${rescoringOf(tx, scope, key)}) rescoring cross join lateral (${compared(tx, scope, key.runId)}) c
    where c.n between ${first}::integer and ${last}::integer),
  noted as (
    update proposed_score set
      applied = c.takes_place, before_config_id = c.before_config_id, before_state = c.before_state,
      before_score = c.before_score, before_value = c.before_value, before_reason = c.before_reason,
      before_given = c.before_given, evidence = case when not c.takes_place then proposed_score.evidence end
    from c
    where proposed_score.ctid = c.place),
  retired as (
    delete from score
    where scored_by is null and ctid = any(array(
      select other.place
      from c cross join lateral (
        select s.ctid as place from score s
        where s.run_id = ${key.runId} and s.n = c.n and s.metric_config_id = any(c.other_config_ids)
          and s.organization_id = ${scope.organizationId}
        offset 0) other
      where c.takes_place))
    returning *),
  history as (
    insert into score_history (organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, reason,
      scored_by, made_by, evidence, scored_at)
    select organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, reason, scored_by, made_by,
      evidence, updated_at
    from retired
    where state <> 'pending'),
  written as (
  insert into score (organization_id, run_id, n, metric_config_id, state, score, value, reason, lane, attempts, evidence,
    input_hash, cost_usd, input_tokens, output_tokens)
  select p.organization_id, p.run_id, p.n, p.metric_config_id, p.state, p.score, p.value, p.reason, p.lane, p.attempts,
    p.evidence, p.input_hash, p.cost_usd, p.input_tokens, p.output_tokens
  from c join proposed_score p on p.ctid = c.place
  where c.takes_place
  on conflict (run_id, n, metric_config_id) do update set
    state = excluded.state, score = excluded.score, value = excluded.value, validation_errors = null,
    reason = excluded.reason, scored_by = null, made_by = null, lane = excluded.lane, ${withdrawn(tx, 'score')},
    attempts = excluded.attempts, last_error = null, evidence = excluded.evidence, input_hash = excluded.input_hash,
    cost_usd = excluded.cost_usd, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
    updated_at = now()
  where score.scored_by is null
  returning n)
  select (select count(*) from c where takes_place)::int - (select count(*) from written)::int as missed`;

/**
 * A client may give a score with the same configuration while applyProposals runs, which waits for it and leaves it alone. Stores the given
 * score with such proposals.
 */
const noteMissed = (tx: Sql, scope: Scope, { runId, id }: RescoringKey, { first, last }: Numbers) => tx`
  update proposed_score p set
    applied = false, before_config_id = s.metric_config_id, before_state = s.state, before_score = s.score,
    before_value = s.value, before_reason = s.reason, before_given = true
  from score s
  where p.run_id = ${runId} and p.trial_id = ${id} and p.organization_id = ${scope.organizationId} and p.applied
    and p.n between ${first}::integer and ${last}::integer
    and s.run_id = ${runId} and s.n = p.n and s.metric_config_id = p.metric_config_id
    and s.organization_id = ${scope.organizationId} and s.scored_by is not null`;

/** New records of the run are scored by this configuration too. */
const pinConfig = (tx: Sql, scope: Scope, { runId }: RescoringKey, metricId: bigint, configId: string) => tx`
  update run_metric set metric_config_id = ${configId}
  where run_id = ${runId} and metric_id = ${metricId} and organization_id = ${scope.organizationId}`;

/**
 * Replaces the scores of the records by the proposals that were scored. Scores that a person or a client gave stay, and so do those of
 * records that could not be re-scored. Ends the rescoring with its final counts. All statements run in the caller's
 * transaction.
 */
export const replaceScores = async (
  tx: Sql,
  scope: Scope,
  key: RescoringKey,
  { metricId, n, configId, wholeRun, lastRecordN }: ReplacedScores,
): Promise<void> => {
  await inBatches(lastRecordN, async (numbers) => {
    await lockScores(tx, scope, key, numbers);
    const [written] = await applyProposals(tx, scope, key, numbers);
    if (written!.missed > 0) await noteMissed(tx, scope, key, numbers);
  });
  await endTrial(tx, scope, { metricId, n }, { configId, evidence: null });
  await keepCounts(tx, scope, key);
  if (wholeRun) await pinConfig(tx, scope, key, metricId, configId);
};

type ReplacedScores = TrialKey & { configId: string; wholeRun: boolean; lastRecordN: number };
