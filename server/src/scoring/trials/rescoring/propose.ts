import { drawSql } from '../../../evaluation/samples/draw.ts';
import type { Fragment, Sql } from '../../../platform/db/database.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import type { RescoringKey } from './schema.ts';

/** A rescoring: its row of trial with what only it has. `config_id` is the configuration that proposes. */
export const rescoringsOf = (sql: Sql, scope: Scope, runId: bigint) => sql`
  select trial.id, trial.run_id, trial.metric_id, trial.n, trial.metric_config_id as pinned_config_id,
    trial.created_by, trial.created_at, trial.outcome, trial.ended_by,
    trial.ended_at, own.metric_config_id, own.record_numbers, own.sample_size, own.sample_seed, own.extended, own.summary
  from trial join trial_rescoring own on own.trial_id = trial.id and own.organization_id = ${scope.organizationId}
  where trial.run_id = ${runId} and trial.organization_id = ${scope.organizationId}`;

/** The same of one rescoring. */
export const rescoringOf = (sql: Sql, scope: Scope, { runId, id }: RescoringKey) =>
  sql`${rescoringsOf(sql, scope, runId)} and trial.id = ${id}`;

/**
 * One row with the configurations of `rescoring`'s metric, and the fields of the one that proposes. As arrays they are part of a probe of
 * score_pkey; with a join each score of a record was compared with each configuration (1.1 s instead of 0.3 s for 10,000
 * records).
 */
export const configsOfMetric = (sql: Sql, scope: Scope) => sql`
  select array_agg(id) as ids, coalesce(array_agg(id) filter (where eval_type = 'human'), '{}') as human_ids,
    max(lane) filter (where id = rescoring.metric_config_id) as lane,
    max(output_type) filter (where id = rescoring.metric_config_id) as output_type,
    max(passing_threshold) filter (where id = rescoring.metric_config_id) as passing_threshold
  from metric_config
  where metric_id = rescoring.metric_id and organization_id = ${scope.organizationId}`;

/** Whether score `s` belongs to a person or a client: a rescoring leaves its record alone. */
export const isGiven = (sql: Sql) =>
  sql`(s.scored_by is not null or (s.state = 'pending' and s.metric_config_id = any(configs.human_ids)))`;

/** A range of record numbers, both ends included. */
export type Numbers = { first: number; last: number };

/** Maximum number of records that one statement writes: a run may have millions, and a statement may take at most a minute. */
const batchSize = 20_000;

/** Does `work` for the records 1 to `count` of a run, a bounded number at a time, within the caller's transaction. */
export const inBatches = async (
  count: number,
  work: (numbers: Numbers) => PromiseLike<unknown>,
): Promise<void> => {
  for (let first = 1; first <= count; first += batchSize) {
    await work({ first, last: Math.min(count, first + batchSize - 1) });
  }
};

/**
 * The records of `rescoring` without a proposal, and whether they are left alone. Where monitors draw records for the metric, records that
 * were not drawn are left out: with them the scores would no longer be a sample. Reads record_pkey, score_pkey and
 * proposed_score_pkey with one probe for each record; `not exists` became a join that compared each record with each
 * proposal (2 s for 3,000), because statistics do not know a new rescoring.
 */
export const unproposed = (sql: Sql, scope: Scope, runId: bigint, among: Fragment = sql`true`) => sql`
  select r.n, configs.lane, exists (
      select from score s
      where s.run_id = ${runId} and s.n = r.n and s.metric_config_id = any(configs.ids)
        and s.organization_id = ${scope.organizationId} and ${isGiven(sql)}) as given
  from (${configsOfMetric(sql, scope)}) configs
  cross join lateral (
    select record.n from record
    where record.run_id = ${runId} and record.organization_id = ${scope.organizationId} and rescoring.record_numbers is null
      and ${among}
      and (not exists (
          select from run_metric
          where run_metric.run_id = ${runId} and run_metric.metric_id = rescoring.metric_id and run_metric.sampled
            and run_metric.organization_id = ${scope.organizationId})
        or exists (
          select from score s
          where s.run_id = ${runId} and s.n = record.n and s.metric_config_id = any(configs.ids)
            and s.organization_id = ${scope.organizationId}))
    union all
    select record.n from unnest(rescoring.record_numbers) chosen
    join record on record.run_id = ${runId} and record.n = chosen and record.organization_id = ${scope.organizationId}
    where ${among}) r
  where (
    select p.n from proposed_score p
    where p.run_id = ${runId} and p.n = r.n and p.metric_config_id = rescoring.metric_config_id
      and p.trial_id = rescoring.id and p.organization_id = ${scope.organizationId}) is null`;

/** Number of records without a proposal. */
export const countUnproposed = (tx: Sql, scope: Scope, key: RescoringKey) => tx<{ n: number }[]>`
  select count(*) filter (where not open.given)::int as n
  from (${rescoringOf(tx, scope, key)}) rescoring cross join lateral (${unproposed(tx, scope, key.runId)}) open`;

const insertProposals = (tx: Sql, scope: Scope, key: RescoringKey, among: Fragment, order: Fragment) => tx`
  insert into proposed_score (organization_id, run_id, n, metric_config_id, trial_id, state, lane, due_at)
  select ${scope.organizationId}, rescoring.run_id, open.n, rescoring.metric_config_id, rescoring.id, 'pending', open.lane, now()
  from (${rescoringOf(tx, scope, key)}) rescoring cross join lateral (${unproposed(tx, scope, key.runId, among)}) open
  where not open.given
  ${order}`;

/** Inserts pending proposals for every record that has none. */
export const proposeAll = (tx: Sql, scope: Scope, key: RescoringKey, lastRecordN: number): Promise<void> =>
  inBatches(lastRecordN, ({ first, last }) =>
    insertProposals(tx, scope, key, tx`record.n between ${first}::integer and ${last}::integer`, tx``),
  );

/** Inserts pending proposals for a sample of the records that have none; the same seed gives the same sample. */
export const proposeSample = (
  tx: Sql,
  scope: Scope,
  key: RescoringKey,
  { size, seed }: { size: number; seed: number },
) =>
  insertProposals(
    tx,
    scope,
    key,
    tx`true`,
    tx`
      order by ${drawSql(tx, seed, tx`${key.runId}::bigint || '-' || open.n`)}, open.n
      limit ${size}`,
  );
