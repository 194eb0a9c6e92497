import type { Scope } from '../auth.ts';
import type { Sql } from '../db/database.ts';
import { compared, endRescoring, type RescoringKey } from './queries.ts';

/**
 * The places of the metric's scores of records that have a proposal: one probe of score_pkey a record. Joined by key the planner
 * may compare each proposal with each score of the run, as in scoring/queries.ts: here too no statistics know the new rows.
 */
const scorePlaces = (tx: Sql, scope: Scope, { runId, id }: RescoringKey, metricId: bigint) => tx`array(
    select place.ctid
    from proposed_score p
    cross join lateral (
      select s.ctid from score s
      where s.run_id = ${runId} and s.n = p.n and s.organization_id = ${scope.organizationId}
        and s.metric_config_id in (
          select config.id from metric_config config
          where config.metric_id = ${metricId} and config.organization_id = ${scope.organizationId})
      offset 0) place
    where p.run_id = ${runId} and p.rescoring_id = ${id} and p.organization_id = ${scope.organizationId}
      and p.applied is distinct from false)`;

/** Keeps the scores that a rescoring is about as they are until the commit, in one order, against deadlocks. */
const lockScores = (tx: Sql, scope: Scope, key: RescoringKey, metricId: bigint) => tx`
  select from score
  where ctid = any(${scorePlaces(tx, scope, key, metricId)})
  order by n, metric_config_id
  for no key update`;

/** Notes with each proposal the score that it met, and whether it takes its place. */
const noteBefore = (tx: Sql, scope: Scope, { runId, id }: RescoringKey) => tx`
  with c as materialized (
    select c.* from rescoring cross join lateral (${compared(tx, scope, runId)}) c
    where rescoring.run_id = ${runId} and rescoring.id = ${id} and rescoring.organization_id = ${scope.organizationId})
  update proposed_score set
    applied = c.change not in ('givenMeanwhile', 'unscored', 'failed'), before_config_id = c.before_config_id,
    before_state = c.before_state, before_score = c.before_score, before_value = c.before_value,
    before_reason = c.before_reason, before_given = c.before_given
  from c
  where proposed_score.ctid = c.place`;

/** Takes away the scores of the metric's other configurations whose place is taken, and keeps the verdicts among them as history. */
const retireOthers = (tx: Sql, scope: Scope, key: RescoringKey, metricId: bigint, configId: string) => tx`
  with retired as (
    delete from score
    where ctid = any(${scorePlaces(tx, scope, key, metricId)}) and metric_config_id <> ${configId} and scored_by is null
    returning *)
  insert into score_history (organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, reason,
    scored_by, evidence, scored_at)
  select organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, reason, scored_by, evidence,
    updated_at
  from retired
  where state <> 'pending'`;

/** Makes proposals the scores. Where one by the same configuration is there, score_replaced keeps it as history. */
const applyProposals = (tx: Sql, scope: Scope, { runId, id }: RescoringKey) => tx`
  insert into score (organization_id, run_id, n, metric_config_id, state, score, value, reason, lane, attempts, evidence,
    input_hash, cost_usd, input_tokens, output_tokens)
  select organization_id, run_id, n, metric_config_id, state, score, value, reason, lane, attempts, evidence, input_hash,
    cost_usd, input_tokens, output_tokens
  from proposed_score p
  where p.run_id = ${runId} and p.rescoring_id = ${id} and p.organization_id = ${scope.organizationId} and p.applied
  order by p.n
  on conflict (run_id, n, metric_config_id) do update set
    state = excluded.state, score = excluded.score, value = excluded.value, validation_errors = null,
    reason = excluded.reason, scored_by = null, lane = excluded.lane, due_at = null, fence = score.fence + 1,
    attempts = excluded.attempts, last_error = null, evidence = excluded.evidence, input_hash = excluded.input_hash,
    cost_usd = excluded.cost_usd, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
    updated_at = now()
  where score.scored_by is null`;

/** What is in the score by now need not be kept twice. */
const dropEvidence = (tx: Sql, scope: Scope, { runId, id }: RescoringKey) => tx`
  update proposed_score set evidence = null
  where run_id = ${runId} and rescoring_id = ${id} and organization_id = ${scope.organizationId} and applied`;

/** From now on records that come to the run are scored by that configuration too. */
const pinConfig = (tx: Sql, scope: Scope, { runId }: RescoringKey, metricId: bigint, configId: string) => tx`
  update run_metric set metric_config_id = ${configId}
  where run_id = ${runId} and metric_id = ${metricId} and organization_id = ${scope.organizationId}`;

/**
 * Puts the proposals that were scored in the place of the scores of their records; what a person or a client gave stays, and so
 * does every score of a record that could not be scored anew. Ends the rescoring with the counts of before.
 */
export const replaceScores = async (
  tx: Sql,
  scope: Scope,
  key: RescoringKey,
  { metricId, configId, wholeRun }: { metricId: bigint; configId: string; wholeRun: boolean },
): Promise<void> => {
  await lockScores(tx, scope, key, metricId);
  await noteBefore(tx, scope, key);
  await endRescoring(tx, scope, key, 'kept');
  await retireOthers(tx, scope, key, metricId, configId);
  await applyProposals(tx, scope, key);
  await dropEvidence(tx, scope, key);
  if (wholeRun) await pinConfig(tx, scope, key, metricId, configId);
};
