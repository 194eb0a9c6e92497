import { createSecretKey } from 'node:crypto';
import { openMasking } from '../../src/evaluation/masking/masking.ts';
import { startExecutor } from '../../src/scoring/executions/executor.ts';
import type { Systems } from '../../src/scoring/executions/open-systems.ts';
import { cancelExecutions, retryExecutions } from '../../src/scoring/executions/queries.ts';
import type { Answer } from '../../src/scoring/executions/question.ts';
import { startRun } from '../../src/scoring/runs/start-run.ts';
import { openHolders } from './holders.ts';
import { openTrouble } from './receivers.ts';
import { insertSystem } from './rows.ts';
import { requireThat, type Simulation, type World } from './scheduler.ts';

const key = createSecretKey(Buffer.alloc(32, 7));

type Row = {
  id: string;
  testcaseN: number;
  trial: number;
  state: string;
  attempts: number;
  fence: number;
  dueMs: number | null;
  waitsMs: number | null;
  lastError: string | null;
  recordN: number | null;
  outputs: { call: number } | null;
  /** Answers whose cost was counted. */
  paid: number;
};

/** As docs/executing-runs.md says. */
const maxAttempts = 4;
const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.001 };
const failed = (error: string, more: { retryable: boolean; unasked?: true }): Answer => ({
  state: 'failed',
  error,
  ...more,
});

/** A system that answers late, wrongly or never, and the calls that it got for each testcase and trial. */
const openSystem = (simulation: Simulation) => {
  const { chance, later, note } = simulation;
  const draw = openTrouble(simulation, ['error', 'wrong', 'lost']);
  const calls = new Map<string, number>();
  const answers = new Map<string, number>();
  const slowest = chance.one([500, 500, 150_000]);
  const systems: Systems = {
    answer: async (_organizationId, _system, { testcaseId, trial }, { signal, isWanted }) => {
      if (isWanted && !(await isWanted()))
        return { outcome: failed('cancelled', { retryable: true, unasked: true }), latencyMs: 0 };
      const name = `${testcaseId!.split('-')[1]} ${trial}`;
      const call = (calls.get(name) ?? 0) + 1;
      calls.set(name, call);
      note(`call ${call} of ${name}`);
      const how = draw();
      const outcome = await new Promise<Answer>((resolve) => {
        signal.addEventListener('abort', () =>
          resolve(failed('cancelled', { retryable: true, unasked: true })),
        );
        later(chance.between(5, slowest), 'answer of the system', () => {
          if (how === 'lost') return resolve(failed('reset', { retryable: true }));
          if (how === 'error') return resolve(failed('answered 500', { retryable: true }));
          if (how === 'wrong') return resolve(failed('answered 400', { retryable: false }));
          answers.set(name, (answers.get(name) ?? 0) + 1);
          resolve({
            state: 'answered',
            outputs: JSON.stringify({ call }) as never,
            evidence: null,
            ...usage,
          });
        });
      });
      return { outcome, latencyMs: 1 };
    },
  };
  return { systems, calls, answers };
};

/** Delay before the attempt after this number of attempts at least, as docs/executing-runs.md says. */
const promisedMs = (attempts: number) => 1_000 * 2 ** (attempts - 1);

/** Throws unless the row may follow the one that was there before. */
const checkStep = (row: Row, before: Row | undefined, calls: number, isReset: boolean): void => {
  const name = `execution ${row.id}`;
  requireThat(
    (row.state === 'done') === (row.outputs !== null),
    `${name} is ${row.state}, and has another record`,
  );
  requireThat(row.attempts <= maxAttempts, `${name} was tried ${row.attempts} times`);
  if (row.state === 'failed' && row.lastError === 'answered 500')
    requireThat(row.attempts === maxAttempts, `${name} was given up after ${row.attempts} attempts`);
  if (row.outputs) requireThat(row.outputs.call <= calls, `${name} has an answer that no call gave`);
  if (!before) return;
  requireThat(row.fence >= before.fence, `the fence of ${name} fell`);
  if (isReset) return;
  const changed = row.state !== before.state || row.attempts !== before.attempts;
  requireThat(before.state === 'pending' || !changed, `${name} had ended, and changed`);
  requireThat(row.attempts - before.attempts <= 1, `${name} lost or doubled an attempt`);
  if (changed && row.waitsMs !== null)
    requireThat(
      row.waitsMs >= promisedMs(row.attempts) - 1,
      `${name} is retried after ${row.waitsMs} ms only`,
    );
};

const listRows = (sql: Simulation['sql'], runId: bigint) => sql<Row[]>`
  select e.n::text as id, e.testcase_n as "testcaseN", trial, state, attempts, fence, last_error as "lastError", record_n as "recordN", r.outputs,
    (extract(epoch from due_at) * 1000)::float8 as "dueMs", (extract(epoch from due_at - now()) * 1000)::float8 as "waitsMs",
    round(coalesce(cost_usd, 0) / ${usage.costUsd})::int as paid
  from execution e left join record r on r.run_id = e.run_id and r.n = e.record_n
  where e.run_id = ${runId} order by e.n`;

/** The executions of a run, which processes make. */
export const openExecutions = async (simulation: Simulation): Promise<World> => {
  const { sql, chance, later, note, numFaults } = simulation;
  const { scope, projectId, testsetId, versionId } = await insertSystem(sql, chance.integer(1, 5));
  const started = await startRun(sql, scope, projectId, {
    testsetId: String(testsetId),
    systemVersionId: versionId,
    metricIds: [],
    execute: true,
    trials: chance.integer(1, 2),
  });
  const runId = BigInt(JSON.parse(started).id);
  const { systems, calls, answers } = openSystem(simulation);
  const rows = new Map<string, Row>();
  /** Whether a person has just cancelled or retried; and how often one did. */
  let [isReset, resets] = [false, 0];
  if (chance.is(0.3))
    later(chance.between(1_000, 60_000), 'cancel', async () => {
      note('the run is cancelled');
      await cancelExecutions(sql, scope, runId);
      [isReset, resets] = [true, resets + 1];
      later(chance.between(10, 60_000), 'retry', async () => {
        note('the run is retried');
        await retryExecutions(sql, scope, runId);
        [isReset, resets] = [true, resets + 1];
      });
    });
  const holders = openHolders('execution');

  return {
    start: ({ db, log }) =>
      void startExecutor({
        db,
        log,
        systems,
        prompts: {} as never,
        masking: openMasking(db, key),
        readAttached: async () => undefined,
        onRecord: () => {},
        pollMs: 3_000,
      }),
    check: async (session, writer) => {
      const found = await listRows(session, runId);
      for (const row of found) {
        const before = rows.get(row.id);
        const name = `${row.testcaseN} ${row.trial}`;
        checkStep(row, before, calls.get(name) ?? 0, isReset);
        const answered = answers.get(name) ?? 0;
        requireThat(row.paid <= answered, `execution ${row.id} counts ${row.paid} of ${answered} answers`);
        holders.check(row, before, writer);
        rows.set(row.id, row);
      }
      isReset = false;
      const [{ records }] = await session<[{ records: number }]>`
        select count(*)::int as records from record where run_id = ${runId}`;
      const done = found.filter(({ state }) => state === 'done').length;
      requireThat(records === done, `${done} executions made ${records} records`);
    },
    progress: async (session) => {
      const [found] = await session<[{ pending: number; nextDueMs: number | null }]>`
        select count(*)::int as pending, (extract(epoch from min(due_at)) * 1000)::float8 as "nextDueMs"
        from execution where run_id = ${runId} and state = 'pending'`;
      return { isDone: found.pending === 0, nextDueMs: found.nextDueMs };
    },
    end: async () => {
      for (const { id, testcaseN, trial, attempts } of rows.values()) {
        const made = calls.get(`${testcaseN} ${trial}`) ?? 0;
        const most = maxAttempts * resets + attempts + numFaults();
        requireThat(made <= most, `execution ${id} was called ${made} times, at most ${most} are due`);
      }
    },
  };
};
