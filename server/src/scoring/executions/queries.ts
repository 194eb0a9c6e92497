import { drawSql } from '../../evaluation/samples/draw.ts';
import { dataOf, membersAt, rowsAt } from '../../evaluation/testsets/past-queries.ts';
import { presentEdition } from '../../evaluation/testsets/snapshot-queries.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { taking } from '../../platform/jobs/claim.ts';
import { isHeld, type JobTable } from '../../platform/jobs/job.ts';
import { reset, type Settlement, settled, withdrawn } from '../../platform/jobs/settle.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { Answer, Spent } from './question.ts';

const drawn = (tx: Sql, runId: bigint, testcase: Fragment): Fragment =>
  drawSql(tx, null, tx`'execution ' || ${runId.toString()}::text || ' ' || ${testcase}`);

/**
 * Inserts one job for each testcase and trial, one pass over the testset after the other, each in an order drawn by the run: testsets are
 * sorted by topic or difficulty, and a test that looks at a growing run would take its easy part for the whole. The run then
 * expects as many records.
 */
export const insertExecutions = (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  testsetId: bigint,
  { edition, split, trials }: { edition: number; split: string | undefined; trials: number },
) => tx`
  with made as (
    insert into execution (organization_id, run_id, n, testcase_n, trial, due_at)
    select ${scope.organizationId}, ${runId}, row_number() over (order by trial, ${drawn(tx, runId, tx`testcase.n`)}, testcase.n),
      testcase.n, trial, now()
    from ${membersAt(tx, scope, testsetId, edition)} testcase cross join generate_series(1, ${trials}::integer) trial
    where ${split === undefined ? tx`true` : tx`testcase.split = ${split}`}
    returning n)
  update run set num_expected_records = (select count(*) from made)
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}`;

/** Inserts one job for each conversation of a simulation that a replay repeats. */
export const insertReplays = (tx: Sql, scope: Scope, runId: bigint, replayedId: bigint) => tx`
  with made as (
    insert into execution (organization_id, run_id, n, testcase_n, trial, due_at)
    select organization_id, ${runId}, row_number() over (order by trial, ${drawn(tx, runId, tx`testcase_n`)}, testcase_n),
      testcase_n, trial, now()
    from execution
    where run_id = ${replayedId} and organization_id = ${scope.organizationId} and state = 'done'
    returning n)
  update run set num_expected_records = (select count(*) from made)
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}`;

export type RunSimulation = { userVersionId: string | null; replayedRunId: bigint | null; maxTurns: number };

export const insertSimulation = (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  { userVersionId, replayedRunId, maxTurns }: RunSimulation,
) => tx`
  insert into run_simulation (run_id, organization_id, user_version_id, replayed_run_id, max_turns)
  values (${runId}, ${scope.organizationId}, ${userVersionId}, ${replayedRunId}, ${maxTurns})`;

/** A simulation of a project, with the number of its conversations. */
export const findSimulation = (tx: Sql, scope: Scope, projectId: bigint, runId: bigint) => tx<
  { testsetId: bigint | null; maxTurns: number; conversations: number }[]
>`
  select run.testset_id as "testsetId", simulation.max_turns as "maxTurns", (
      select count(*)::int from execution
      where execution.run_id = run.id and execution.organization_id = ${scope.organizationId}
        and execution.state = 'done') as conversations
  from run join run_simulation simulation on simulation.run_id = run.id
  where run.id = ${runId} and run.project_id = ${projectId} and run.organization_id = ${scope.organizationId}
    and simulation.organization_id = ${scope.organizationId}`;

/** The outputs of the conversation of a testcase and trial. Reads execution_run_id_testcase_n_trial_key. */
export const findConversation = (sql: Sql, runId: bigint, testcaseN: number, trial: number) => sql<
  { outputs: RawJson }[]
>`
  select r.outputs::text as outputs
  from execution e join record r on r.run_id = e.run_id and r.n = e.record_n
  where e.run_id = ${runId} and e.testcase_n = ${testcaseN} and e.trial = ${trial}`;

/** The jobs to call systems. Reads execution_due. */
export const executions: JobTable<'n'> = { table: 'execution', parent: 'run_id', id: 'n', idType: 'integer' };

/** An execution that is this worker's until its lease ends. */
export type ClaimedExecution = {
  organizationId: bigint;
  runId: bigint;
  n: number;
  testcaseN: number;
  trial: number;
  fence: number;
  attempts: number;
};

/** Takes due executions of a run. */
export const claimExecutions = (tx: Sql, runId: bigint, lease: { limit: number; leaseMs: number }) => tx<
  ClaimedExecution[]
>`
  with taken as (${taking(tx, executions, runId, lease)})
  select organization_id as "organizationId", run_id as "runId", n, testcase_n as "testcaseN", trial, fence, attempts
  from taken order by n`;

/** The system of a run, and the data that it receives. */
export type RunSystem = {
  testsetId: bigint;
  /** Edition of its snapshot; null for a run without one. */
  edition: number | null;
  config: RawJson;
  inputFields: string[] | null;
  expectedFields: string[] | null;
  /** Null if the run is not a simulation, or has no model that plays the user. */
  maxTurns: number | null;
  userConfig: RawJson | null;
  replayedRunId: bigint | null;
};

export const findRunSystem = (tx: Sql, runId: bigint) => tx<RunSystem[]>`
  select run.testset_id as "testsetId", snapshot.edition, version.config::text as config, testset.input_fields as "inputFields",
    testset.expected_fields as "expectedFields", simulation.max_turns as "maxTurns",
    simulated_user.config::text as "userConfig", simulation.replayed_run_id as "replayedRunId"
  from run
  join system_version version on version.id = run.system_version_id
  left join run_simulation simulation on simulation.run_id = run.id
  left join system_version simulated_user on simulated_user.id = simulation.user_version_id
  left join testset on testset.id = run.testset_id
  left join testset_snapshot snapshot on snapshot.testset_id = run.testset_id and snapshot.n = run.snapshot_n
  where run.id = ${runId}`;

export type TestcaseData = { n: number; revision: number; jsonData: RawJson };

/** The testcases of a run as they were in its snapshot: changes since then are for later runs. */
export const findTestcaseData = (
  tx: Sql,
  owner: Owner,
  { testsetId, edition }: Pick<RunSystem, 'testsetId' | 'edition'>,
  numbers: number[],
) => tx<TestcaseData[]>`
  select member.n, member.revision, ${dataOf(tx, owner, testsetId, tx`member`, tx`member.json_data`)}::text as "jsonData"
  from ${rowsAt(tx, owner, testsetId, edition ?? presentEdition)} member
  where member.n = any(${numbers}::integer[])`;

type Claim = Pick<ClaimedExecution, 'runId' | 'n' | 'fence' | 'attempts'>;
type Answered = Extract<Answer, { state: 'answered' }>;

/** Whether the claim holds its execution. Reads the primary key. */
const held = (sql: Sql, { runId, n, fence }: Claim): Fragment =>
  sql`run_id = ${runId} and n = ${n} and ${isHeld(sql, { fence })}`;

/** Returns a row while the claim holds its execution. */
export const findHeld = (sql: Sql, claim: Claim) => sql<{ n: number }[]>`
  select n from execution where ${held(sql, claim)}`;

/** Whether some cost of an execution is known; then an unknown part makes the sum unknown. */
const hasSpent = (sql: Sql): Fragment =>
  sql`(state = 'done' or evidence is not null or input_tokens is not null or cost_usd is not null)`;

/** Adds to the cost of the earlier attempts of an execution. */
const addSpent = (tx: Sql, { inputTokens, outputTokens, costUsd, userCostUsd }: Spent): Fragment => tx`
  input_tokens = ${inputTokens}::integer + case when ${hasSpent(tx)} then input_tokens else 0 end,
  output_tokens = ${outputTokens}::integer + case when ${hasSpent(tx)} then output_tokens else 0 end,
  cost_usd = ${costUsd}::double precision + case when ${hasSpent(tx)} then cost_usd else 0 end,
  user_cost_usd = ${userCostUsd}::double precision + case when ${hasSpent(tx)} then user_cost_usd else 0 end`;

/** Ends an execution with its record, unless its lease was lost. */
export const finishExecution = (
  tx: Sql,
  claim: Claim,
  { inputTokens, outputTokens, costUsd, evidence, userCostUsd = null }: Answered,
  recordN: number,
  latencyMs: number,
) => {
  const done = { state: 'done', attempts: claim.attempts + 1, error: null, retryInMs: null } as const;
  return tx`
    update execution set ${settled(tx, done)}, record_n = ${recordN}, latency_ms = ${latencyMs},
      evidence = ${evidence}::text::json, updated_at = now(),
      ${addSpent(tx, { inputTokens, outputTokens, costUsd, userCostUsd })}
    where ${held(tx, claim)}`;
};

/** Stored data of an attempt without a record: its cost, and the evidence of a conversation. */
export type Kept = { evidence: RawJson | null; spent: Spent };

/** Adds the cost of an attempt, even after its lease: it was paid for. Evidence of a record stays. */
export const keepAttempt = (tx: Sql, { runId, n }: Claim, { evidence, spent }: Kept) => tx`
  update execution set
    ${addSpent(tx, spent)}, updated_at = now(),
    evidence = case when state = 'done' then evidence else coalesce(${evidence}::text::json, evidence) end
  where run_id = ${runId} and n = ${n}`;

/** Writes the outcome of an attempt without an answer, unless its lease was lost. */
export const failExecution = (tx: Sql, claim: Claim, failure: Settlement<'failed'>) => tx`
  update execution set ${settled(tx, failure)}, updated_at = now() where ${held(tx, claim)}`;

/** Executions of one run in the order in which they are made. Reads execution_pkey. */
export const listExecutions = (
  sql: Sql,
  scope: Scope,
  runId: bigint,
  state: string | undefined,
  after: string,
  count: number,
) => sql<PageRow[]>`
  select json_build_object(
      'testcaseId', run.testset_id || '-' || e.testcase_n, 'trial', e.trial, 'state', e.state, 'numAttempts', e.attempts,
      'lastError', e.last_error, 'recordId', e.run_id || '-' || e.record_n, 'latencyMs', e.latency_ms,
      'inputTokens', e.input_tokens, 'outputTokens', e.output_tokens, 'costUsd', e.cost_usd, 'userCostUsd', e.user_cost_usd,
      'evidence', e.evidence,
      'updatedAt', iso_time(e.updated_at))::text as body,
    e.n::text as key
  from execution e join run on run.id = e.run_id
  where e.run_id = ${runId} and e.organization_id = ${scope.organizationId} and e.n > ${after}::integer
    and (${state ?? null}::text is null or e.state = ${state ?? null})
  order by e.n
  limit ${count}`;

/** Numbers of a run's executions, and latency, tokens and cost of its records. A sum with an unknown part is null. */
export const findExecutionSummary = (sql: Sql, scope: Scope, runId: bigint) => sql<{ body: string }[]>`
  select json_build_object(
      'numExecutions', e.total, 'pending', e.pending, 'done', e.done, 'failed', e.failed,
      'cancelled', e.cancelled, 'inputTokens', e.input_tokens, 'outputTokens', e.output_tokens, 'costUsd', e.cost_usd,
      'userCostUsd', e.user_cost_usd, 'medianLatencyMs', e.latency[1], 'p95LatencyMs', e.latency[2], 'errors', coalesce(wrong.errors, '[]'),
      'measured', measured.body)::text as body
  from run cross join lateral (
    select count(*)::int as total,
      count(*) filter (where state = 'pending')::int as pending, count(*) filter (where state = 'done')::int as done,
      count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'cancelled')::int as cancelled,
      case when bool_and(input_tokens is not null) filter (where has_spent) then sum(input_tokens) end as input_tokens,
      case when bool_and(output_tokens is not null) filter (where has_spent) then sum(output_tokens) end as output_tokens,
      case when bool_and(cost_usd is not null) filter (where has_spent) then sum(cost_usd) end as cost_usd,
      case when bool_and(user_cost_usd is not null) filter (where has_spent) then sum(user_cost_usd) end as user_cost_usd,
      percentile_disc(array[0.5, 0.95]) within group (order by latency_ms) as latency
    from (
      select *, ${hasSpent(sql)} as has_spent from execution
      where execution.run_id = ${runId} and execution.organization_id = ${scope.organizationId}) execution) e
  cross join lateral (
    select json_build_object('numRecords', count(*)::int,
        'medianLatencyMs', percentile_disc(0.5) within group (order by latency_ms),
        'tokensPerRecord', avg(tokens), 'costUsdPerRecord', avg(cost_usd)) as body
    from record_measure
    where record_measure.run_id = ${runId} and record_measure.organization_id = ${scope.organizationId}) measured
  cross join lateral (
    select json_agg(json_build_object('state', state, 'error', last_error, 'numExecutions', n, 'maxAttempts', attempts)
      order by n desc, last_error, state) as errors
    from (
      select state, last_error, count(*)::int as n, max(attempts) as attempts
      from execution
      where execution.run_id = ${runId} and execution.organization_id = ${scope.organizationId}
        and state in ('pending', 'failed') and last_error is not null
      group by state, last_error
      order by n desc, last_error, state
      limit 20) grouped) wrong
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}`;

/** Puts failed and cancelled executions back into the queue. */
export const retryExecutions = (tx: Sql, scope: Scope, runId: bigint) => tx`
  update execution set ${reset(tx, 'execution')}, updated_at = now()
  where run_id = ${runId} and organization_id = ${scope.organizationId} and state in ('failed', 'cancelled')`;

/** Cancels pending executions; an execution that is under way writes nothing after this. */
export const cancelExecutions = (tx: Sql, scope: Scope, runId: bigint) => tx`
  update execution set state = 'cancelled', ${withdrawn(tx, 'execution')}, updated_at = now()
  where run_id = ${runId} and organization_id = ${scope.organizationId} and state = 'pending'`;
