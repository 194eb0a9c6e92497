import { openProviderHealth } from '../../src/engine/models/provider-health.ts';
import { insertRecords } from '../../src/evaluation/records/insert.ts';
import { takeRecordNumbers } from '../../src/evaluation/records/take-numbers.ts';
import { cancelScores, retryScores } from '../../src/evaluation/scores/requeue.ts';
import type { Judge } from '../../src/scoring/judges/judge.ts';
import type { JudgeEvidence, JudgeOutcome } from '../../src/scoring/judges/judge-evidence.ts';
import { judgeScorer } from '../../src/scoring/judges/score-judge.ts';
import { startWorker } from '../../src/scoring/queue/worker.ts';
import { startRun } from '../../src/scoring/runs/start-run.ts';
import { openTrouble } from './receivers.ts';
import { insertJudges } from './rows.ts';
import { requireThat, type Simulation, type World } from './scheduler.ts';

type Row = {
  id: string;
  n: number;
  state: string;
  attempts: number;
  reason: string | null;
  waitsMs: number | null;
  value: number | null;
  costUsd: number | null;
};
type Lease = { id: string; numbers: number[]; isOpen: boolean };

/** As docs/judges.md says. */
const maxAttempts = 6;
/** Delay before the attempt after this number of attempts at least. */
const promisedMs = (attempts: number) => 1_000 * 2 ** (attempts - 1);
const provider = {
  name: 'local',
  kind: 'openai-compatible' as const,
  baseUrl: 'https://m.example',
  maxConcurrency: 4,
};
const spent = { inputTokens: 1, outputTokens: 1, costUsd: 0.001 };

/** A judge that answers late, wrongly or never, and the calls that it got for each record. */
const openSlowJudge = (simulation: Simulation) => {
  const { chance, later, note } = simulation;
  const draw = openTrouble(simulation, ['error', 'refused', 'unreadable']);
  const calls = new Map<string, number>();
  let priced = 0;
  const slowest = chance.one([500, 500, 150_000]);
  const judge: Pick<Judge, 'ask' | 'costOf'> = {
    costOf: () => spent.costUsd,
    ask: async (_config, { outputs }, _model, { signal }) => {
      calls.set(outputs, (calls.get(outputs) ?? 0) + 1);
      note(`the judge is asked about ${outputs}`);
      const how = draw();
      const evidence = { ...spent, inputHash: '00', attempts: 1 } as JudgeEvidence;
      const reply: JudgeOutcome =
        how === 'error'
          ? { state: 'failed', error: 'answered 500', retryable: true }
          : how === 'refused'
            ? { state: 'failed', error: 'answered 400', retryable: false }
            : how === 'unreadable'
              ? { state: 'unscored', reason: 'invalid_judge_output', evidence, spent }
              : { state: 'scored', verdict: { value: 4, reasoning: outputs }, evidence, spent };
      return new Promise<JudgeOutcome>((resolve) => {
        signal?.addEventListener('abort', () =>
          resolve({ state: 'failed', error: 'cancelled', retryable: true, unasked: true }),
        );
        later(chance.between(5, slowest), 'reply of the judge', () => {
          if ('evidence' in reply) priced++;
          resolve(reply);
        });
      });
    },
  };
  return { judge: judge as Judge, calls, numPriced: () => priced };
};

/** Makes a run with records, each with a score of each metric to make. */
const insertRun = async ({ sql, chance }: Simulation) => {
  const { scope, projectId, metricIds } = await insertJudges(sql, chance.integer(1, 2));
  const run = await startRun(sql, scope, projectId, { metricIds });
  const runId = BigInt(JSON.parse(run).id);
  const count = chance.integer(1, 8);
  await takeRecordNumbers(sql, scope, runId, count);
  const records = Array.from({ length: count }, (_, i) => ({
    n: i + 1 - count,
    testsetId: null,
    testcaseN: null,
    testcaseRevision: null,
    inputs: '{}' as never,
    expected: '{}' as never,
    outputs: JSON.stringify({ n: i + 1 }) as never,
    otelLinkId: null,
    sessionId: null,
  }));
  await insertRecords(sql, scope, runId, records);
  return { scope, runId, metrics: metricIds.length };
};

/** Throws unless the row may follow the one that was there before. */
const checkStep = (row: Row, before: Row | undefined, isReset: boolean): boolean => {
  const name = `score ${row.id}`;
  requireThat(row.attempts <= maxAttempts, `${name} was tried ${row.attempts} times`);
  if (row.state === 'failed' && row.reason === 'answered 500')
    requireThat(row.attempts === maxAttempts, `${name} was given up after ${row.attempts} attempts`);
  if (!before || isReset) return false;
  const changed = row.state !== before.state || row.attempts !== before.attempts;
  requireThat(before.state === 'pending' || !changed, `${name} had ended, and changed`);
  requireThat(row.attempts - before.attempts <= 1, `${name} lost or doubled an attempt`);
  if (changed && row.state === 'pending')
    requireThat(
      row.waitsMs! >= promisedMs(Math.max(1, row.attempts)) - 1,
      `${name} is retried after ${row.waitsMs} ms only`,
    );
  return changed;
};

/** Knows which process made each lease, and checks that open leases share no record and that only their makers write. */
const openLeases = () => {
  const makers = new Map<string, string>();
  let leases: Lease[] = [];
  return {
    look: (found: Lease[], writer: string | undefined): void => {
      const held = found.filter(({ isOpen }) => isOpen).flatMap(({ numbers }) => numbers);
      requireThat(new Set(held).size === held.length, 'two open leases hold one record');
      for (const { id } of found) if (writer !== undefined && !makers.has(id)) makers.set(id, writer);
      leases = found;
    },
    /** Called before `look`, with what changed since the last one. */
    checkWriter: ({ id, n }: Row, writer: string | undefined): void => {
      const isMaker = leases.some((lease) => lease.numbers.includes(n) && makers.get(lease.id) === writer);
      requireThat(isMaker, `${writer} wrote score ${id}, and has no lease of it`);
    },
  };
};

const listScores = (sql: Simulation['sql'], runId: bigint) => sql<Row[]>`
  select n || ' ' || metric_config_id as id, n, state, attempts, reason, value, cost_usd as "costUsd",
    (extract(epoch from due_at - now()) * 1000)::float8 as "waitsMs"
  from score where run_id = ${runId} order by n, metric_config_id`;

/** The scores of a run, which processes ask a judge for. */
export const openScores = async (simulation: Simulation): Promise<World> => {
  const { sql, chance, later, note, numFaults } = simulation;
  const { scope, runId, metrics } = await insertRun(simulation);
  const { judge, calls, numPriced } = openSlowJudge(simulation);
  const leases = openLeases();
  const rows = new Map<string, Row>();
  /** Whether a person has just cancelled or retried; and how often one did. */
  let [isReset, resets] = [false, 0];
  const reset = (ms: number, label: string, work: () => Promise<number>) =>
    later(ms, label, async () => {
      note(`scores: ${label}`);
      await work();
      [isReset, resets] = [true, resets + 1];
    });
  if (chance.is(0.2)) reset(chance.between(1_000, 60_000), 'cancel', () => cancelScores(sql, scope, runId));
  if (chance.is(0.4))
    reset(chance.between(1_000, 200_000), 'retry', () => retryScores(sql, scope, runId, {}));

  return {
    start: ({ db, log }) => {
      const models = { health: openProviderHealth(), providersOf: async () => [provider] } as never;
      const none = async () => undefined;
      const traces = {
        read: none,
        readToWalk: none,
        readSpan: none as never,
        traced: async () => new Set<number>(),
      };
      const scorer = judgeScorer({
        db,
        judge,
        models,
        traces,
        readAttached: async () => undefined,
        reuseVerdicts: false,
        random: Math.random,
      });
      startWorker({ db, log, pollMs: 3_000 }, { lane: 'judge', batchSize: 4, batches: 2, ...scorer });
    },
    check: async (session, writer) => {
      for (const row of await listScores(session, runId)) {
        if (checkStep(row, rows.get(row.id), isReset)) leases.checkWriter(row, writer);
        rows.set(row.id, row);
      }
      isReset = false;
      const found = await session<Lease[]>`
        select id, numbers, until > now() as "isOpen" from score_lease where run_id = ${runId}`;
      leases.look(found, writer);
    },
    progress: async (session) => {
      const [found] = await session<[{ pending: number; nextDueMs: number | null }]>`
        select count(*)::int as pending,
          (extract(epoch from greatest(min(due_at), (select min(until) from score_lease where run_id = ${runId}))) * 1000)::float8 as "nextDueMs"
        from score where run_id = ${runId} and state = 'pending'`;
      return { isDone: found.pending === 0, nextDueMs: found.nextDueMs };
    },
    end: async (session) => {
      const asked = [...calls.values()].reduce((sum, each) => sum + each, 0);
      const attempts = [...rows.values()].reduce((sum, row) => sum + row.attempts, 0);
      // A fault costs the verdicts of the batches of a process at most.
      const most = attempts + resets * maxAttempts * rows.size + numFaults() * 8;
      requireThat(asked <= most, `${asked} questions for ${attempts} attempts and ${numFaults()} faults`);
      requireThat(asked >= rows.size - resets * metrics * rows.size, 'a score was made without a question');
      const [judging] = await session<{ spentUsd: number }[]>`
        select spent_usd as "spentUsd" from run_spending(${runId})`;
      // No answer is counted twice. A crash loses those that were not committed.
      const counted = Math.round((judging?.spentUsd ?? 0) / spent.costUsd);
      requireThat(counted <= numPriced(), `${counted} answers were paid for, and ${numPriced()} came`);
      const [{ replaced }] = await session<[{ replaced: number }]>`
        select count(*)::int as replaced from score_history where run_id = ${runId}`;
      requireThat(replaced === 0 || resets > 0, `${replaced} scores were replaced by others`);
    },
  };
};
