import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sql, system } from '../src/db/database.ts';
import { newUuid } from '../src/ids.ts';
import {
  beginClaim,
  claimScores,
  commitOutcomes,
  findDueRun,
  type Lease,
  type Outcome,
  renewLease,
} from '../src/scoring/queries.ts';
import { type LaneOptions, startWorker, takeBackFromTheDead } from '../src/scoring/worker.ts';
import { createMetric, createProject, createRecord, createRun, ok } from './fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from './harness.ts';
import { type ModelServer, openOpenAiServer } from './model-server.ts';
import { until } from './until.ts';

const exact =
  'function score(inputs, outputs, expected) { return { score: outputs.a === expected.a, reasoning: "compared" }; }';

let app: TestApp;
let models: ModelServer;
let own: Organization;
let projectId: string;

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(own.api('POST', '/providers', provider), 201);
});
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});
afterAll(() => Promise.all([app.close(), models.close()]));

const completed = (runId: string) =>
  until(async () => {
    const run = await ok(own.api('GET', `/runs/${runId}`));
    return run.status === 'completed' ? run : undefined;
  });

type State = {
  state: string;
  reason: string | null;
  score: Record<string, unknown> | null;
  passed: boolean | null;
};
const statesOf = async (recordId: string): Promise<State[]> =>
  (await ok(own.api('GET', `/records/${recordId}`))).scoreStates;
const rowOf = async (runId: string) => {
  const [row] = await app.db.read(
    system,
    (sql) => sql<Record<string, unknown>[]>`
    select state, attempts, fence, last_error, evidence::text as evidence from score where run_id = ${runId}`,
  );
  return row!;
};

const heuristic = (guidelines: string, outputType = 'boolean') =>
  createMetric(own.api, projectId, { evalType: 'heuristic', outputType, guidelines });
const ai = (fields: Record<string, unknown> = {}) =>
  createMetric(own.api, projectId, {
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: 'Is {{ outputs.a }} right?',
    evalModelName: 'local/judge',
    ...fields,
  });

describe('code metrics', () => {
  it('score every record of a run by themselves', async () => {
    const run = await createRun(own.api, projectId, [(await heuristic(exact)).id]);
    const items = Array.from({ length: 300 }, (_, i) => ({
      inputs: {},
      expected: { a: i % 2 },
      outputs: { a: 0 },
    }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    expect(await completed(run.id)).toMatchObject({ numScores: 300 });
    const { data } = await ok(own.api('GET', `/runs/${run.id}/records?limit=2`));
    expect(data.map((record: { scores: { score: unknown }[] }) => record.scores[0]!.score)).toEqual([
      { binaryScore: true, reasoning: 'compared' },
      { binaryScore: false, reasoning: 'compared' },
    ]);
  });

  it('fail with the reason, and leave their neighbours alone', async () => {
    const metric = await heuristic(
      'function score(inputs) { if (inputs.bad) throw new Error("no"); return { score: true }; }',
    );
    const run = await createRun(own.api, projectId, [metric.id]);
    const bad = await createRecord(own.api, run.id, { inputs: { bad: true } });
    const good = await createRecord(own.api, run.id, { inputs: {} });
    await completed(run.id);
    expect(await statesOf(bad.id)).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('no'), score: null },
    ]);
    expect(await statesOf(good.id)).toMatchObject([{ state: 'scored', passed: true }]);
  });

  it('fail when what they return does not fit the output type', async () => {
    const run = await createRun(own.api, projectId, [
      (await heuristic('function score() { return 7; }', 'int')).id,
    ]);
    const record = await createRecord(own.api, run.id);
    await completed(run.id);
    expect(await statesOf(record.id)).toMatchObject([
      { state: 'failed', reason: 'returned 7, but intScore must be an integer from 1 to 5' },
    ]);
  });

  it('400 with the message of the compiler for code that does not compile', async () => {
    for (const guidelines of [
      'function score( { return 1 }',
      'def score(inputs, outputs, expected)\n  return 1',
    ]) {
      const body = { name: 'M', evalType: 'heuristic', outputType: 'boolean', guidelines };
      const answer = await own.api('POST', `/projects/${projectId}/metrics`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.details.issues).toMatchObject([
        { path: '/guidelines', message: expect.stringMatching(/line 1/) },
      ]);
    }
  });
});

describe('AI metrics', () => {
  it('are judged, and keep what went in and out', async () => {
    models.answer({ reply: { reasoning: 'It is.', binaryScore: true } });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    const record = await createRecord(own.api, run.id, { outputs: { a: 'Paris' } });
    await completed(run.id);
    expect(await statesOf(record.id)).toMatchObject([
      { state: 'scored', passed: true, score: { binaryScore: true, reasoning: 'It is.' } },
    ]);
    const evidence = JSON.parse(String((await rowOf(run.id)).evidence));
    expect(evidence).toMatchObject({
      modelAsked: 'local/judge',
      modelAnswered: 'judge-2025-01-01',
      inputTokens: 100,
    });
    expect(evidence.prompt).toContain('Paris');
    const { metrics } = await ok(own.api('GET', `/runs/${run.id}/summary`));
    expect(metrics[0].cost).toMatchObject({ inputTokens: 100, costUsd: null, priced: 0 });
  });

  it('are unscored when the model gives no verdict, never a no', async () => {
    models.answer({ reply: 'I would rather not say.' });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    const record = await createRecord(own.api, run.id, { outputs: { a: 'unclear' } });
    expect(await completed(run.id)).toMatchObject({ numScores: 0 });
    expect(await statesOf(record.id)).toMatchObject([
      { state: 'unscored', reason: 'invalid_judge_output', score: null },
    ]);
  });

  it('fail without a provider, with what to set', async () => {
    const run = await createRun(own.api, projectId, [(await ai({ evalModelName: 'gpt-4o' })).id]);
    const record = await createRecord(own.api, run.id, { outputs: { a: 1 } });
    await completed(run.id);
    expect(await statesOf(record.id)).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('OPENAI_API_KEY') },
    ]);
  });

  it('are tried again after an error of the provider, and count the tries', async () => {
    // The second try, whenever it comes, waits until the first has been looked at.
    const { promise, resolve } = Promise.withResolvers<void>();
    const now = { reply: { reasoning: 'Now.', binaryScore: false }, after: promise };
    models.answer([{ status: 500, body: '{}' }, now]);
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    await createRecord(own.api, run.id, { outputs: { a: 'retried' } });
    await until(async () => ((await rowOf(run.id)).attempts === 1 ? true : undefined));
    expect(await rowOf(run.id)).toMatchObject({
      state: 'pending',
      last_error: expect.stringContaining('500'),
    });
    resolve();
    await app.db.transaction(system, (tx) => tx`update score set due_at = now() where run_id = ${run.id}`);
    await completed(run.id);
    expect(await rowOf(run.id)).toMatchObject({ state: 'scored', attempts: 2, last_error: null });
  });

  it('are tried again while another of their batch is still being made', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const verdict = { reply: { reasoning: 'Yes.', binaryScore: true } };
    let tries = 0;
    models.answer(({ messages }) => {
      if (messages.join().includes('slow')) return { ...verdict, after: promise };
      return tries++ === 0 ? { status: 500, body: '{}' } : verdict;
    });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    const items = ['slow', 'retried'].map((a) => ({ inputs: {}, expected: {}, outputs: { a } }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const states = async () =>
      (
        await app.db.read(
          system,
          (sql) => sql<{ state: string }[]>`select state from score where run_id = ${run.id} order by n`,
        )
      ).map(({ state }) => state);
    await until(async () => ((await states())[1] === 'scored' ? true : undefined));
    expect(await states()).toEqual(['pending', 'scored']);
    resolve();
    await completed(run.id);
  });

  it('take the stored verdict of the very same question at temperature 0', async () => {
    models.answer({ reply: { reasoning: 'Once.', binaryScore: true } });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    await createRecord(own.api, run.id, { outputs: { a: 'twice' } });
    await completed(run.id);
    const asked = models.received.length;
    const again = await createRecord(own.api, run.id, { outputs: { a: 'twice' } });
    await completed(run.id);
    expect(models.received.length).toBe(asked);
    expect(await statesOf(again.id)).toMatchObject([{ state: 'scored', score: { reasoning: 'Once.' } }]);
  });

  it('400 with line and column for a template that does not parse', async () => {
    const body = { name: 'M', evalType: 'ai', outputType: 'boolean', promptTemplate: 'Hello\n{% if %}' };
    const answer = await own.api('POST', `/projects/${projectId}/metrics`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues).toMatchObject([
      { path: '/promptTemplate', message: expect.stringMatching(/line 2.*column/) },
    ]);
  });
});

describe('leases', () => {
  const leaseMs = 60_000;
  let idle: TestApp;
  let mine: Organization;
  let runId: bigint;

  const claimIn = async (tx: Sql, limit: number) => {
    const lease: Lease = { id: newUuid(), queue: 'score', lane: 'code', runId };
    const [due] = await findDueRun(tx, 'score', 'code', runId - 1n);
    if (due?.runId !== runId) return [];
    await beginClaim(tx, lease);
    return (await claimScores(tx, lease, limit, leaseMs)).map((score) => ({ ...score, lease }));
  };
  const claim = (limit = 10) => idle.db.transaction(system, (tx) => claimIn(tx, limit));
  const expire = () =>
    idle.db.transaction(
      system,
      (tx) => tx`update score_lease set until = now() where run_id = ${String(runId)}`,
    );
  type Claimed = Awaited<ReturnType<typeof claim>>[number];
  const outcome = (claimed: { n: number; configId: string; fence: number }, reasoning: string): Outcome => ({
    ...claimed,
    state: 'scored',
    score: JSON.stringify({ binaryScore: true, reasoning }),
    value: 1,
    reason: null,
    attempts: 1,
    retryInMs: null,
    evidence: null,
    inputHash: null,
    usage: null,
  });
  const commit = ({ lease, ...claimed }: Claimed, reasoning: string) =>
    idle.db.transaction(system, (tx) => commitOutcomes(tx, lease, [outcome(claimed, reasoning)]));
  const scoresOf = async () =>
    (await ok(mine.api('GET', `/runs/${runId}/records`))).data[0].scores.map(
      (score: { score: { reasoning: string } }) => score.score.reasoning,
    );

  beforeAll(async () => {
    idle = await startApp({});
    mine = await idle.organization();
  });
  beforeEach(async () => {
    const project = await createProject(mine.api);
    const metric = await createMetric(mine.api, project.id, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: exact,
    });
    const run = await createRun(mine.api, project.id, [metric.id]);
    await createRecord(mine.api, run.id);
    runId = BigInt(run.id);
  });
  afterAll(() => idle.close());

  it('keep a score from everybody else until they end', async () => {
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toHaveLength(0);
    await expire();
    expect(await claim()).toHaveLength(1);
  });

  // Elsewhere there is one connection, and who comes second waits for the first anyway.
  it.runIf(engine === 'server')('are on different records for those who claim at the same time', async () => {
    for (let i = 0; i < 3; i++) await createRecord(mine.api, String(runId));
    const { first, second } = await idle.db.transaction(system, async (tx) => {
      const first = await claimIn(tx, 2);
      const second = claim(2);
      const isWaiting = async () => {
        const [lock] = await tx`
          select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`;
        return lock && true;
      };
      await until(isWaiting);
      return { first, second };
    });
    const numbers = (claims: { n: number }[]) => claims.map(({ n }) => n).sort();
    expect([numbers(first), numbers(await second)]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('that were lost write nothing: the one who has the score now writes it', async () => {
    const [paused] = await claim();
    await expire();
    const [winner] = await claim();
    await commit(paused!, 'too late');
    expect(await scoresOf()).toEqual([]);
    await commit(winner!, 'in time');
    await commit(paused!, 'too late again');
    expect(await scoresOf()).toEqual(['in time']);
  });

  it('write nothing over a score that was given meanwhile', async () => {
    const [claimed] = await claim();
    const score = { binaryScore: false, reasoning: 'by hand' };
    await ok(mine.api('PUT', `/records/${runId}-1/scores/${claimed!.configId}`, { score }));
    await commit(claimed!, 'by machine');
    expect(await scoresOf()).toEqual(['by hand']);
  });

  it.each<[string, () => Promise<string>]>([
    ['record', async () => `/records/${runId}-1`],
    ['run', async () => `/runs/${runId}`],
    ['metric', async () => `/metrics/${(await ok(mine.api('GET', `/runs/${runId}`))).metricIds[0]}`],
    ['project', async () => `/projects/${(await ok(mine.api('GET', '/projects'))).data.at(-1).id}`],
  ])('end with their %s: what was in hand is neither renewed nor written', async (_, path) => {
    const [claimed] = await claim();
    await ok(mine.api('DELETE', await path()));
    const { lease, ...score } = claimed!;
    const [renewed] = await idle.db.transaction(system, (tx) => renewLease(tx, lease, [score], leaseMs));
    expect(renewed).toEqual({ held: 0 });
    await commit(claimed!, 'for nothing');
    await expire();
    expect(await claim()).toEqual([]);
    const written = await idle.db.read(
      system,
      (sql) => sql`select from score where run_id = ${String(runId)} and state = 'scored'`,
    );
    expect(written).toHaveLength(0);
  });

  it('end with their metric, and the run has nothing left to wait for', async () => {
    const { metricIds } = await ok(mine.api('GET', `/runs/${runId}`));
    await ok(mine.api('DELETE', `/metrics/${metricIds[0]}`));
    expect((await ok(mine.api('GET', `/runs/${runId}`))).status).toBe('completed');
  });

  it('of earlier processes are nobody’s when workers start: on a server, those that have ended', async () => {
    const [ended, going] = [newUuid(), newUuid()];
    await idle.db.transaction(
      system,
      (tx) => tx`
        insert into score_lease (run_id, id, organization_id, queue, lane, numbers, until)
        values (${runId}, ${ended}, ${mine.organizationId}, 'score', 'code', '{1}', now()),
          (${runId}, ${going}, ${mine.organizationId}, 'score', 'code', '{1}', now() + interval '1 hour')`,
    );
    await takeBackFromTheDead(idle.db);
    const left = await idle.db.read(
      system,
      (sql) => sql`select id from score_lease where run_id = ${String(runId)}`,
    );
    expect(left).toEqual(engine === 'server' ? [{ id: going }] : []);
    expect(await claim()).toHaveLength(engine === 'server' ? 0 : 1);
  });

  it.runIf(engine === 'server')(
    'are not taken of a run that is being deleted, and that is no error',
    async () => {
      const errors: string[] = [];
      const log = pino({ level: 'warn' }, { write: (line: string) => void errors.push(line) });
      const seen: bigint[] = [];
      const score: LaneOptions['score'] = async ({ lease }) => void seen.push(lease.runId);
      const lane: LaneOptions = { lane: 'code', batchSize: 10, batches: 1, score };
      const { metricIds } = await ok(mine.api('GET', `/runs/${runId}`));
      const { id: projectId } = (await ok(mine.api('GET', '/projects'))).data.at(-1);
      const worker = await idle.db.transaction(system, async (tx) => {
        await tx`delete from run where id = ${String(runId)}`;
        const started = startWorker({ db: idle.db, log, pollMs: 20 }, lane);
        const isWaiting = async () => {
          const [waiting] = await tx`
            select from pg_locks waits join pg_locks held using (pid)
            where not waits.granted and waits.locktype = 'transactionid' and held.relation = 'score_lease'::regclass
              and held.database = (select oid from pg_database where datname = current_database())`;
          return waiting && true;
        };
        await until(isWaiting);
        return started;
      });
      const other = await createRun(mine.api, projectId, metricIds);
      await createRecord(mine.api, other.id);
      await until(async () => (seen.includes(BigInt(other.id)) ? true : undefined));
      await worker.stop();
      expect(errors).toEqual([]);
    },
  );

  it('let runs take turns', async () => {
    const { metricIds } = await ok(mine.api('GET', `/runs/${runId}`));
    const { id: projectId } = (await ok(mine.api('GET', '/projects'))).data.at(-1);
    const other = await createRun(mine.api, projectId, metricIds);
    await createRecord(mine.api, other.id);
    const next = async (after: bigint) =>
      (await idle.db.read(system, (sql) => findDueRun(sql, 'score', 'code', after)))[0]?.runId;
    expect(await next(runId - 1n)).toBe(runId);
    expect(await next(runId)).toBe(BigInt(other.id));
  });
});
