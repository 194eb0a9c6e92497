import type { Lane } from '../../evaluation/metrics/queries.ts';
import type { OutputType } from '../../evaluation/metrics/schema.ts';
import { valueOfScore } from '../../evaluation/scores/queries.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { asText } from '../../platform/db/text.ts';
import { fromNow } from '../../platform/jobs/job.ts';
import { settledAs } from '../../platform/jobs/settle.ts';
import type { RawJson } from '../../platform/json/json.ts';

/** The tables whose pending rows are the jobs: scores, and the scores that a rescoring proposes. */
export type Queue = 'score' | 'proposed_score';

/** Whether the judges of run `run` have used up their budget. Code costs nothing. */
const hasStopped = (sql: Sql, lane: Lane, run: Fragment) =>
  lane === 'code' ? sql`false` : sql`judges_stopped(${run})`;

/** Whether no worker holds the record of `waiting`. Leases are few: they are read once and hashed. */
const isFree = (sql: Sql, queue: Queue, lane: Lane) => sql`
  (waiting.run_id, waiting.n) not in (
    select run_id, unnest(numbers) from score_lease where queue = ${queue} and lane = ${lane} and until > now())`;

/** Leaves out the scores of configurations whose provider accepts no more requests now. */
const notOf = (sql: Sql, busyConfigs: string[]) =>
  busyConfigs.length > 0 ? sql`and waiting.metric_config_id <> all(${busyConfigs}::uuid[])` : sql``;

/** Whether run `run` has work for a worker of this lane. */
const isReady = (sql: Sql, queue: Queue, lane: Lane, run: Fragment, busyConfigs: string[]) => sql`
  not ${hasStopped(sql, lane, run)} and exists (
    select from ${sql(queue)} waiting
    where waiting.lane = ${lane} and waiting.state = 'pending' and waiting.run_id = ${run} and waiting.due_at <= now()
      and ${isFree(sql, queue, lane)} ${notOf(sql, busyConfigs)})`;

/**
 * The next run after `after` that has scores to make in this lane. Repeated calls let runs take turns, so that a long run does not
 * delay a short one; scores of `busyConfigs` do not count. Reads score_due or proposed_score_due: one probe for each run, past the scores that are held.
 */
export const findDueRun = (
  sql: Sql,
  { queue, lane }: Pick<Lease, 'queue' | 'lane'>,
  after: bigint,
  busyConfigs: string[] = [],
) => sql<{ runId: bigint }[]>`
  with recursive pending as (
    select first.run_id, ${isReady(sql, queue, lane, sql`first.run_id`, busyConfigs)} as ready
    from (
      select run_id from ${sql(queue)}
      where lane = ${lane} and state = 'pending' and run_id > ${after}
      order by run_id, due_at limit 1) first
    union all
    select next.run_id, ${isReady(sql, queue, lane, sql`next.run_id`, busyConfigs)}
    from pending cross join lateral (
      select run_id from ${sql(queue)}
      where lane = ${lane} and state = 'pending' and run_id > pending.run_id
      order by run_id, due_at limit 1) next
    where not pending.ready)
  select run_id as "runId" from pending where ready limit 1`;

/**
 * A worker's lease on records of a run: until it ends, no other worker scores them in this queue and lane. The id is its fencing token:
 * a worker that takes records over deletes the ended lease, and outcomes under a deleted lease are not written.
 */
export type Lease = { id: string; queue: Queue; lane: Lane; runId: bigint };

/** A score to make under a lease. */
export type ClaimedScore = {
  organizationId: bigint;
  n: number;
  configId: string;
  /** Rises whenever the score is written: an outcome with another fence is not, so one whose commit had no answer is written once. */
  fence: number;
  attempts: number;
  /** Whether the model must be asked even if an equal question already has a verdict. */
  fresh: boolean;
};

/**
 * Called first in the transaction that claims. Claims from one run wait for each other until the commit, so that they do not choose the
 * same scores.
 */
export const beginClaim = (tx: Sql, { queue, lane, runId }: Lease) => tx`
  select pg_advisory_xact_lock(hashtextextended(${`lease ${queue} ${lane} ${runId}`}, 0))`;

/**
 * Takes up to `limit` due scores of one run that are not of `busyConfigs`, the longest due first, and holds their records until `leaseMs` from now. Reads the queue's
 * index of due scores, past those that are held. Deletes the leases of the run that have ended.
 */
export const claimScores = (
  tx: Sql,
  { id, queue, lane, runId }: Lease,
  { limit, leaseMs, busyConfigs = [] }: { limit: number; leaseMs: number; busyConfigs?: string[] },
) => tx<ClaimedScore[]>`
  with ended as (
    delete from score_lease where run_id = ${runId} and queue = ${queue} and lane = ${lane} and until <= now()),
  due as materialized (
    select organization_id, n, metric_config_id, fence, attempts
    from ${tx(queue)} waiting
    where lane = ${lane} and state = 'pending' and run_id = ${runId} and due_at <= now() and ${isFree(tx, queue, lane)}
      ${notOf(tx, busyConfigs)}
    order by due_at, n
    limit ${limit}),
  taken as (
    insert into score_lease (run_id, id, organization_id, queue, lane, numbers, until)
    select ${runId}, ${id}, organization_id, ${queue}, ${lane}, array_agg(distinct n),
      ${fromNow(tx, leaseMs)}
    from due group by organization_id)
  select organization_id as "organizationId", n, metric_config_id as "configId", fence, attempts,
    (select kind = 'trial' from run where id = ${runId}) as fresh
  from due`;

/** The free-form parts of a record, as text. */
export type RecordParts = { n: number; inputs: RawJson; outputs: RawJson; expected: RawJson };

export const findRecordParts = (tx: Sql, runId: bigint, numbers: number[]) => tx<RecordParts[]>`
  select n, inputs::text as inputs, outputs::text as outputs, expected::text as expected
  from record
  where run_id = ${runId} and n = any(${numbers}::integer[])`;

/** The fields of a configuration that a worker needs. */
export type WorkerConfig = {
  id: string;
  outputType: OutputType;
  guidelines: string;
  promptTemplate: string | null;
  evalModelName: string | null;
  temperature: number | null;
  judgeRepeats: number;
  /** Models that judge beside evalModelName. */
  juryModelNames: string[];
  /** Which spans of a record it scores; null if it scores records. */
  spans: string | null;
  /** JSON text of the criteria that it scores one by one; null without any. */
  criteria: string | null;
  /** JSON text of the labels of a category. */
  labels: string | null;
};

/** `quotes`: whether its guidelines quote records, with which the quotes are erased. */
export type KeptConfig = WorkerConfig & { quotes: boolean };

export const findWorkerConfigs = (tx: Sql, configIds: string[]) => tx<KeptConfig[]>`
  select id, output_type as "outputType", guidelines, prompt_template as "promptTemplate",
    eval_model_name as "evalModelName", temperature, judge_repeats as "judgeRepeats",
    jury_models as "juryModelNames", span_search as spans, criteria::text as criteria, labels::text as labels,
    exists (select from record_quote quoted where quoted.metric_config_id = metric_config.id) as quotes
  from metric_config
  where id = any(${configIds}::uuid[])`;

/** The newest verdict on the same question. Reads score_input_hash. */
export const findVerdict = (sql: Sql, organizationId: bigint, inputHash: string) => sql<
  { verdict: RawJson; evidence: RawJson }[]
>`
  select json_strip_nulls(json_build_object('reasoning', score ->> 'reasoning', 'evidence', score -> 'evidence',
      'criteria', score -> 'criteria', 'share', score -> 'share',
      'value', ${valueOfScore(sql)}))::text as verdict,
    evidence::text as evidence
  from score
  where organization_id = ${organizationId} and input_hash = decode(${inputHash}, 'hex') and state = 'scored'
  order by updated_at desc
  limit 1`;

/** The evidence of a claimed score's last attempt. Reads the primary key. */
export const findEvidence = (
  sql: Sql,
  { queue, runId }: Lease,
  { organizationId, n, configId }: ClaimedScore,
) => sql<{ evidence: RawJson | null }[]>`
  select evidence::text as evidence from ${sql(queue)}
  where run_id = ${runId} and n = ${n} and metric_config_id = ${configId} and organization_id = ${organizationId}`;

/** The outcome of a claimed score; `pending` asks for another attempt after `retryInMs`. */
export type Outcome = {
  n: number;
  configId: string;
  fence: number;
  state: 'scored' | 'unscored' | 'failed' | 'pending';
  score: RawJson | null;
  value: number | null;
  reason: string | null;
  attempts: number;
  retryInMs: number | null;
  evidence: RawJson | null;
  inputHash: string | null;
  /** Cost of this attempt; null if nothing was asked. */
  usage: Usage | null;
  /** Whether that cost was added to the run's spending before, span by span. */
  isSpent?: true;
};
type Usage = { costUsd: number | null; inputTokens: number | null; outputTokens: number | null };

/** The sum over a score's attempts; null until one is known. */
const plus = (sql: Sql, column: string) =>
  sql`${sql(column)} = coalesce(score.${sql(column)} + item.${sql(column)}, item.${sql(column)}, score.${sql(column)})`;

/** Whether the worker still has its lease. */
const holds = (sql: Sql, { id, runId }: Lease) => sql`
  exists (select from score_lease where run_id = ${runId} and id = ${id})`;

/**
 * The place (ctid) of the score of `item`, while it is pending as it was claimed. Reads the primary key.
 *
 * A place is found and used within one statement. Statistics do not know the rows of a new run, and with a join by key the planner has
 * compared each row of the run with each row of the batch (84 s instead of 2 s for 50,000 scores).
 */
const place = (sql: Sql, { queue, runId }: Lease) => sql`(
    select score.ctid from ${sql(queue)} score
    where score.run_id = ${runId} and score.n = item.n and score.metric_config_id = item.config_id
      and score.fence = item.fence and score.state = 'pending')`;

const claimColumns = { n: 'integer', config_id: 'uuid', fence: 'integer' } as const;
const outcomeColumns = {
  ...claimColumns,
  state: 'text',
  score: 'text',
  value: 'double precision',
  reason: 'text',
  attempts: 'integer',
  retry_in_ms: 'double precision',
  evidence: 'text',
  input_hash: 'bytea',
  cost_usd: 'double precision',
  input_tokens: 'integer',
  output_tokens: 'integer',
} as const;

/**
 * Writes outcomes, each only while its score is pending as it was claimed. A worker writes nothing if it lost its lease, or if someone else
 * gave or deleted the score. A row that changes between being found and being written has another place, and is left alone.
 *
 * The limits hide the number of items from the planner: after each it expects a tenth. It then looks up each place. Otherwise it
 * would read the whole table for each batch, because row-level security makes it expect few scores. Statistics that were made before
 * the run's rows were committed know none, and then one limit is not enough (1.3 s instead of 0.03 s for 500 of 10,000 scores).
 */
export const commitOutcomes = (tx: Sql, lease: Lease, outcomes: Outcome[]) => tx`
  with item as materialized (
    select *, ${place(tx, lease)} as place
    from ${rowsOf(
      tx,
      outcomes.map(({ usage, reason, isSpent: _, ...outcome }) => ({
        ...outcome,
        ...usage,
        reason: reason && asText(reason),
      })),
      outcomeColumns,
      { as: 'item' },
    )}
    limit (select ${outcomes.length}::integer)),
  few as materialized (select * from item limit (select ${outcomes.length}::integer))
  update ${tx(lease.queue)} score set
    ${settledAs(tx, 'score', 'item')}, score = item.score::json, value = item.value, reason = item.reason,
    last_error = case when item.state in ('failed', 'pending') then item.reason end,
    evidence = item.evidence::json, input_hash = item.input_hash, updated_at = now(),
    ${plus(tx, 'cost_usd')}, ${plus(tx, 'input_tokens')}, ${plus(tx, 'output_tokens')}
  from few item
  where score.ctid = item.place and ${holds(tx, lease)}`;

/** Moves the lease's end to `leaseMs` from now. Returns the number of scores that are still to be made under it. */
export const renewLease = (tx: Sql, lease: Lease, claimed: ClaimedScore[], leaseMs: number) => tx<
  { held: number }[]
>`
  with renewed as (
    update score_lease set until = ${fromNow(tx, leaseMs)}
    where run_id = ${lease.runId} and id = ${lease.id} returning id)
  select count(${place(tx, lease)})::integer as held
  from ${rowsOf(tx, claimed, claimColumns, { as: 'item' })}
  where exists (select from renewed)`;

/** Keeps only these records in the lease; the next claim may take the others. */
export const narrowLease = (tx: Sql, { id, runId }: Lease, numbers: number[]) =>
  numbers.length > 0
    ? tx`update score_lease set numbers = ${numbers}::integer[] where run_id = ${runId} and id = ${id}`
    : tx`delete from score_lease where run_id = ${runId} and id = ${id}`;

/** Deletes the leases that have ended, or all of them, for a process that knows that no other process has leases. */
export const clearLeases = (tx: Sql, which: 'ended' | 'all') => tx`
  delete from score_lease where until <= now() or ${which === 'all'}`;

/** Whether the worker still holds a score, whether its run has a budget, and whether that is used up. */
export type ClaimStatus = { held: boolean; hasBudget: boolean; stopped: boolean };

export const findClaimStatus = (
  sql: Sql,
  lease: Lease,
  { n, configId, fence }: Pick<ClaimedScore, 'n' | 'configId' | 'fence'>,
) => sql<ClaimStatus[]>`
  select ${place(sql, lease)} is not null and ${holds(sql, lease)} as held, judging.budget_usd is not null as "hasBudget",
    judges_stopped(${lease.runId}) as stopped
  from (select ${n}::integer as n, ${configId}::uuid as config_id, ${fence}::integer as fence) item
    left join run_judging judging on judging.run_id = ${lease.runId}`;

/** What verdicts of a lease cost: its number counts up from 1 in the lease. */
export type Payment = { number: number; costUsd: number; unpriced: number };

/** Keeps the run from being deleted until the commit. Called before its scores are written, because a deletion locks the run first. */
export const keepRun = (tx: Sql, { runId }: Pick<Lease, 'runId'>) => tx`
  select from run where id = ${runId} for key share`;

/**
 * Adds to the spending of a run's judges, even if their verdicts are not stored. A worker sends payments again when a commit had no
 * answer: each is added once. Called after keepRun.
 */
export const addPayments = (tx: Sql, { runId, id }: Pick<Lease, 'runId' | 'id'>, payments: Payment[]) => tx`
  with found as (select id, organization_id from run where id = ${runId}),
  paid as (
    select coalesce(sum(item.cost_usd), 0) as cost_usd, coalesce(sum(item.unpriced), 0) as unpriced
    from ${rowsOf(
      tx,
      payments,
      { number: 'integer', cost_usd: 'double precision', unpriced: 'integer' },
      { as: 'item' },
    )}
    where item.number > coalesce((select number from judge_payment where run_id = ${runId} and lease_id = ${id}), 0)),
  known as (
    insert into run_judging (run_id, organization_id) select id, organization_id from found on conflict do nothing)
  insert into judge_payment as payment (run_id, lease_id, organization_id, number, spent_usd, unpriced)
  select found.id, ${id}, found.organization_id, ${Math.max(...payments.map(({ number }) => number))}::integer, paid.cost_usd, paid.unpriced
  from found, paid
  on conflict (run_id, lease_id) do update set number = greatest(payment.number, excluded.number), at = now(),
    spent_usd = payment.spent_usd + excluded.spent_usd, unpriced = payment.unpriced + excluded.unpriced`;

/** Adds payments up, and deletes those that no worker sends again. Reads judge_payment_new and judge_payment_at. */
export const addUpPayments = (tx: Sql) => tx`select add_up_payments()`;
