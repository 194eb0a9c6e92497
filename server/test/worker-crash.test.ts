import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engine } from './harness.ts';
import { type ModelServer, openOpenAiServer } from './model-server.ts';
import {
  callService,
  createStorage,
  endServices,
  type Service,
  startService,
  startWorkerProcess,
} from './service.ts';

const key = `ak_${'worker-crash-'.repeat(3)}`;
const count = 400;
const patient = { timeout: 60_000, interval: 20 };

let storage: Awaited<ReturnType<typeof createStorage>>;
let models: ModelServer;
const settings = (workers: string) => ({
  ...storage.settings,
  DOKIMA_BOOTSTRAP_API_KEY: key,
  DOKIMA_WORKERS: workers,
  DOKIMA_LOG_LEVEL: 'info',
  DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
  DOKIMA_SECRET: 'a secret for tests, nothing else',
});

const callOf = (service: Service) => async (method: string, path: string, body?: unknown) => {
  const answer = await callService({ url: service.url, key }, method, path, body);
  expect(`${method} ${path} ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`).toMatch(
    / 20[01] /,
  );
  return answer.body;
};
type Call = ReturnType<typeof callOf>;

beforeAll(async () => {
  storage = await createStorage();
  models = await openOpenAiServer();
});
afterAll(async () => {
  await endServices();
  await models.close();
  await storage.remove();
});

/** Code that returns the record that it saw, and takes 5 ms, so that a process is killed while it scores. */
const slow = (value: string) =>
  `function score(inputs) { let x = 0; for (let i = 0; i < 60_000; i++) x += i % 7; return { score: ${value}, reasoning: 'record ' + inputs.i + (x ? '' : '!') }; }`;

const createRun = async (call: Call, values: string[]) => {
  const { id: projectId } = await call('POST', '/projects', { name: 'P', description: '' });
  const metricIds: string[] = [];
  for (const [i, value] of values.entries()) {
    const body = { name: `M${i}`, evalType: 'heuristic', outputType: 'int', guidelines: slow(value) };
    metricIds.push((await call('POST', `/projects/${projectId}/metrics`, body)).id);
  }
  const run = await call('POST', `/projects/${projectId}/runs`, { metricIds });
  const items = Array.from({ length: count }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  await call('POST', `/runs/${run.id}/records/bulk-create`, { items });
  return { id: run.id as string, metricIds };
};

describe.runIf(engine === 'server')('processes that only score', () => {
  let service: Service;
  let call: Call;
  let sql: postgres.Sql;

  beforeAll(async () => {
    service = await startService(settings('0'));
    call = callOf(service);
    sql = postgres(storage.settings.DATABASE_URL!, { max: 1, onnotice: () => {} });
  });
  afterAll(() => sql.end());

  /** Frees the leases, as happens a minute after a worker has died. */
  const endLeases = () => sql`update score_lease set until = now()`;

  type Row = { n: number; metric_config_id: string; state: string; score: Record<string, unknown> };
  const rowsOf = (table: string, runId: string) =>
    sql<Row[]>`
      select n, metric_config_id, state, score from ${sql(table)} where run_id = ${runId}
      order by metric_config_id, n`;

  /** Each record of the run has been scored once by each of the configurations, and as its own code and inputs say. */
  const expectEachOnce = (
    rows: Row[],
    configs: string[],
    expected: (config: string, i: number) => number,
  ) => {
    const byConfig = Map.groupBy(rows, (row) => row.metric_config_id);
    expect([...byConfig.keys()].sort()).toEqual([...configs].sort());
    for (const [config, own] of byConfig) {
      expect(own.map(({ n, state, score }) => [n, state, score])).toEqual(
        Array.from({ length: count }, (_, i) => [
          i + 1,
          'scored',
          { intScore: expected(config, i), reasoning: `record ${i}` },
        ]),
      );
    }
  };

  /** Kills workers, one after the other, while `done` grows past each of these numbers, and has another finish. */
  const killWhile = async (done: () => Promise<number>, total: number) => {
    let inTheMiddle = 0;
    for (const part of [0.1, 0.2, 0.4]) {
      const [dying, other] = await Promise.all([
        startWorkerProcess(settings('1')),
        startWorkerProcess(settings('1')),
      ]);
      await expect.poll(done, patient).toBeGreaterThan(part * total);
      await dying.end('SIGKILL');
      if ((await done()) < total) inTheMiddle++;
      expect(await other.end('SIGTERM')).toBe(0);
      await endLeases();
    }
    // On a busy machine one of the kills may come too late.
    expect(inTheMiddle).toBeGreaterThan(0);
    const last = await startWorkerProcess(settings('1'));
    await expect.poll(done, patient).toBe(total);
    expect(await last.end('SIGTERM')).toBe(0);
  };

  it('killed while they score, and while they make proposals: one score for each record and metric, none lost, none twice', async () => {
    const run = await createRun(call, ['1 + (inputs.i % 5)', '5 - (inputs.i % 5)']);
    const { metricVersionIds: before } = await call('GET', `/runs/${run.id}`);
    const valueBefore = (config: string, i: number) => (config === before[0] ? 1 + (i % 5) : 5 - (i % 5));
    await killWhile(async () => (await call('GET', `/runs/${run.id}`)).numScores, 2 * count);
    expect(await call('GET', `/runs/${run.id}`)).toMatchObject({ status: 'completed', numRecords: count });
    expectEachOnce([...(await rowsOf('score', run.id))], before, valueBefore);
    // A verdict that replaces another leaves that behind: none was made twice.
    expect([...(await sql`select n from score_history where run_id = ${run.id}`)]).toEqual([]);

    const after: string[] = [];
    const rescorings: string[] = [];
    for (const [m, metricId] of run.metricIds.entries()) {
      const guidelines = slow(m === 0 ? '1 + (inputs.i % 3)' : '5 - (inputs.i % 3)');
      await call('PATCH', `/metrics/${metricId}`, { evalType: 'heuristic', outputType: 'int', guidelines });
      const trials = `/metrics/${metricId}/trials`;
      const { number, proposedConfigId } = await call('POST', trials, { kind: 'rescoring', runId: run.id });
      after.push(proposedConfigId);
      rescorings.push(`${trials}/${number}`);
    }
    const valueAfter = (config: string, i: number) => (config === after[0] ? 1 + (i % 3) : 5 - (i % 3));
    const proposed = async () => {
      const [found] = await sql<{ n: number }[]>`
        select count(*)::int as n from proposed_score where run_id = ${run.id} and state <> 'pending'`;
      return found!.n;
    };
    await killWhile(proposed, 2 * count);
    expectEachOnce([...(await rowsOf('proposed_score', run.id))], after, valueAfter);
    expectEachOnce([...(await rowsOf('score', run.id))], before, valueBefore);

    for (const rescoring of rescorings) {
      expect((await call('GET', rescoring)).state).toBe('ready');
      await call('POST', `${rescoring}/decide`, { decision: 'adopted' });
    }
    expectEachOnce([...(await rowsOf('score', run.id))], after, valueAfter);
    expect(await call('GET', `/runs/${run.id}`)).toMatchObject({ numScores: 2 * count });
    const history =
      await sql`select distinct n, metric_config_id from score_history where run_id = ${run.id}`;
    expect(history).toHaveLength(2 * count);
  }, 300_000);

  it('stopped past their lease and continued, write nothing', async () => {
    const run = await createRun(call, ['1 + (inputs.i % 5)']);
    const sleeper = await startWorkerProcess(settings('1'));
    const scored = async () => (await call('GET', `/runs/${run.id}`)).numScores;
    await expect.poll(scored, patient).toBeGreaterThan(0);
    sleeper.child.kill('SIGSTOP');
    expect(await scored(), 'stopped too late to hold scores').toBeLessThan(count);
    // While it sleeps its lease ends, and another takes over.
    await endLeases();
    const successor = await startWorkerProcess(settings('1'));
    await expect.poll(scored, patient).toBe(count);
    expect(await successor.end('SIGTERM')).toBe(0);

    // From here on only the sleeper writes scores: what its statements changed is counted.
    await sql`create table witness (statement text, changed bigint)`;
    await sql.unsafe(`
      grant insert on witness to public;
      create function bear_witness() returns trigger language plpgsql as $$
      begin insert into witness select current_query(), count(*) from after_change; return null; end $$;
      create trigger witnessed after update on score referencing new table as after_change
        for each statement execute function bear_witness();`);
    const before = await sql`select ctid::text, * from score where run_id = ${run.id} order by n`;
    sleeper.child.kill('SIGCONT');
    const attempts = async () => [...(await sql<{ changed: string }[]>`select changed::text from witness`)];
    await expect.poll(async () => (await attempts()).length, patient).toBeGreaterThan(0);
    expect(await sleeper.end('SIGTERM')).toBe(0);
    expect(new Set((await attempts()).map(({ changed }) => changed))).toEqual(new Set(['0']));
    expect([...(await sql`select ctid::text, * from score where run_id = ${run.id} order by n`)]).toEqual([
      ...before,
    ]);
  }, 120_000);
});

describe('a service that is killed while it holds scores', () => {
  /** A lease on a server ends long after this test, however slow the machine. */
  const holdForAnHour = async (url: string) => {
    const sql = postgres(url, { max: 1 });
    await sql`update score_lease set until = now() + interval '1 hour'`;
    await sql.end();
  };

  it('takes them up at once when it starts again, but on a server they may be another’s, and wait for the lease to end', async () => {
    let service = await startService(settings('1'));
    let call = callOf(service);
    const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
    await call('POST', '/providers', provider);
    const { id: projectId } = await call('POST', '/projects', { name: 'P', description: '' });
    const judged = {
      name: 'J',
      evalType: 'ai',
      outputType: 'boolean',
      evalModelName: 'local/judge',
      guidelines: 'g',
      promptTemplate: '{{ outputs.text }}',
    };
    const { id: metricId } = await call('POST', `/projects/${projectId}/metrics`, judged);
    const start = async (text: string) => {
      const run = await call('POST', `/projects/${projectId}/runs`, { metricIds: [metricId] });
      await call('POST', `/runs/${run.id}/records`, { inputs: {}, expected: {}, outputs: { text } });
      return run.id as string;
    };
    // The judge never answers: the score is certainly leased when the process dies.
    models.answer({ after: new Promise(() => {}) });
    const held = await start('first');
    await expect.poll(() => models.received.length, patient).toBe(1);
    await service.end('SIGKILL');
    if (storage.settings.DATABASE_URL) await holdForAnHour(storage.settings.DATABASE_URL);

    models.answer({ reply: { reasoning: 'yes', binaryScore: true } });
    service = await startService(settings('1'));
    call = callOf(service);
    const status = async (runId: string) => (await call('GET', `/runs/${runId}`)).status;
    const free = await start('second');
    await expect.poll(() => status(free), patient).toBe('completed');
    // Half of the lease, which has just begun.
    const soon = { timeout: 30_000, interval: 50 };
    if (engine === 'embedded') await expect.poll(() => status(held), soon).toBe('completed');
    else expect(await status(held)).toBe('awaiting_scoring');
    expect(await service.end('SIGTERM')).toBe(0);
  }, 120_000);
});
