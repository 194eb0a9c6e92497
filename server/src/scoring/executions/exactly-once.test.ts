import { createSecretKey } from 'node:crypto';
import { pino } from 'pino';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, openEndpoint, type Reply } from '../../../test/endpoint.ts';
import { createProject, createRun, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import {
  callService,
  createStorage,
  endServices,
  type Service,
  startService,
} from '../../../test/service.ts';
import { openAllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { openModels } from '../../engine/models/ask.ts';
import { openProviderHealth } from '../../engine/models/provider-health.ts';
import { openMasking } from '../../evaluation/masking/masking.ts';
import { system } from '../../platform/db/database.ts';
import { startExecutor } from './executor.ts';
import { openSystems } from './open-systems.ts';

type Record = { id: string; testcaseId: string; outputs: { by: string } };
const testcasesOf = (records: Record[]) => records.map(({ testcaseId }) => testcaseId).sort();

describe('one worker process after another', () => {
  let app: TestApp;
  let own: Organization;
  let projectId: string;
  let answer: (asked: Asked) => Reply | Promise<Reply>;
  let endpoint: Awaited<ReturnType<typeof openEndpoint>>;

  beforeAll(async () => {
    endpoint = await openEndpoint((asked) => answer(asked));
    app = await startApp({});
    own = await app.organization();
    projectId = (await createProject(own.api)).id;
  });
  afterAll(async () => {
    await app.close();
    await endpoint.close();
  });

  /** What one process has to execute with. */
  const openProcess = (db = app.db) => {
    const models = openModels({
      health: openProviderHealth(),
      providersOf: async () => [],
      clock: Date.now,
      prices: () => ({ date: '2025-01-01', models: {} }),
      allowedAddresses: openAllowedAddresses('true'),
    });
    const prompts = { models, renderer: { render: () => Promise.reject(new Error('no prompt here')) } };
    const systems = openSystems(prompts);
    const log = pino({ level: 'silent' });
    let answers = 0;
    const answer: typeof systems.answer = async (...asked) => {
      const called = await systems.answer(...asked);
      answers++;
      return called;
    };
    const executor = startExecutor({
      masking: openMasking(app.db, createSecretKey(Buffer.alloc(32))),
      db,
      log,
      systems: { answer },
      prompts,
      onRecord: () => {},
      readAttached: async () => undefined,
      pollMs: 20,
    });
    return {
      answers: () => answers,
      stop: async () => {
        await executor.stop();
        models.close();
      },
    };
  };

  const start = async (testcases: number) => {
    const testset = await createTestset(own.api, projectId);
    const made = await createTestcases(own.api, testset.id, testcases);
    const config = { endpoint: endpoint.url };
    const version = await ok(own.api('POST', `/projects/${projectId}/systems`, { config }), 201);
    const run = await createRun(own.api, projectId, [], {
      testsetId: testset.id,
      systemVersionId: version.productionVersion.id,
      execute: true,
    });
    return { run, ids: made.map(({ id }: { id: string }) => id).sort() };
  };
  const summary = (runId: string) =>
    ok(own.api('GET', `/runs/${runId}/details`)).then(({ executions }) => executions);
  const records = async (runId: string): Promise<Record[]> =>
    (await ok(own.api('GET', `/runs/${runId}/records?limit=100`))).data;

  it('one that slept past its lease writes nothing when it wakes: the record is that of the one that took over', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = async () => {
      await promise;
      return { body: '{"outputs":{"by":"the sleeper"}}' };
    };
    const sleeper = openProcess();
    const { run, ids } = await start(5);
    await expect.poll(() => endpoint.received.length, { timeout: 20_000 }).toBe(5);
    // Its lease has ended, as far as everyone else can tell.
    await app.db.transaction(system, (tx) => tx`update execution set due_at = now() where state = 'pending'`);
    answer = () => ({ body: '{"outputs":{"by":"its successor"}}' });
    const successor = openProcess();
    await expect.poll(async () => (await summary(run.id)).done, { timeout: 20_000 }).toBe(5);
    await successor.stop();
    resolve();
    await expect.poll(sleeper.answers, { timeout: 20_000 }).toBe(5);
    await sleeper.stop();
    const made = await records(run.id);
    expect(testcasesOf(made)).toEqual(ids);
    expect(new Set(made.map(({ outputs }) => outputs.by))).toEqual(new Set(['its successor']));
    expect((await ok(own.api('GET', `/runs/${run.id}`))).status).toBe('completed');
  });

  it.each(['fails', 'has no answer'])(
    'one whose commit %s writes its record once, and counts its cost once',
    async (fault) => {
      answer = () => ({ body: '{"outputs":{"by":"the caller"},"usage":{"costUsd":0.25}}' });
      endpoint.received.length = 0;
      let faults = 0;
      const lost = () => Object.assign(new Error('The connection was lost.'), { code: 'CONNECTION_CLOSED' });
      // Faults meet the commits of answers: what comes before is claimed without a call.
      const isDue = () => endpoint.received.length > 0 && faults++ < 2;
      const process = openProcess({
        ...app.db,
        transaction: async (tenant, work) => {
          const isFaulty = isDue();
          const result = await app.db.transaction(tenant, async (tx) => {
            const done = await work(tx);
            if (isFaulty && fault === 'fails') throw lost();
            return done;
          });
          if (isFaulty) throw lost();
          return result;
        },
      });
      const { run, ids } = await start(2);
      await expect.poll(async () => (await summary(run.id)).done, { timeout: 20_000 }).toBe(2);
      await process.stop();
      expect(faults).toBeGreaterThan(1);
      expect(testcasesOf(await records(run.id))).toEqual(ids);
      // No answer is asked for again, and each is paid for.
      expect(endpoint.received).toHaveLength(2);
      expect(await summary(run.id)).toMatchObject({ done: 2, failed: 0, costUsd: 0.5 });
    },
  );

  it('one whose record is refused is asked again, and each answer is paid for', async () => {
    answer = () => ({ body: '{"outputs":{"by":"the caller"},"usage":{"costUsd":0.25}}' });
    endpoint.received.length = 0;
    let refusals = 0;
    const process = openProcess({
      ...app.db,
      transaction: (tenant, work) =>
        app.db.transaction(tenant, async (tx) => {
          const done = await work(tx);
          // The record of the answer, whose cost is written by itself afterwards.
          if (endpoint.received.length > 0 && refusals++ === 0) throw new Error('refused');
          return done;
        }),
    });
    const { run } = await start(1);
    await expect.poll(async () => (await summary(run.id)).done, { timeout: 20_000 }).toBe(1);
    await process.stop();
    expect(endpoint.received).toHaveLength(2);
    expect(await summary(run.id)).toMatchObject({ done: 1, costUsd: 0.5 });
  });

  it('one that stops gives back what it has not done, at once and without counting it as an attempt', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    endpoint.received.length = 0;
    answer = async () => {
      await promise;
      return { body: '{"by":"no one"}' };
    };
    const first = openProcess();
    const { run, ids } = await start(3);
    await expect.poll(() => endpoint.received.length, { timeout: 20_000 }).toBe(3);
    await first.stop();
    answer = () => ({ body: '{"by":"the second"}' });
    const second = openProcess();
    await expect.poll(async () => (await summary(run.id)).done, { timeout: 20_000 }).toBe(3);
    await second.stop();
    resolve();
    expect(testcasesOf(await records(run.id))).toEqual(ids);
    const { data } = await ok(own.api('GET', `/runs/${run.id}/executions`));
    expect(data.map(({ numAttempts }: { numAttempts: number }) => numAttempts)).toEqual([1, 1, 1]);
  });

  it('one that died holds its executions to the end of its lease, but not in the embedded database, which has one process', async () => {
    answer = () => ({ body: '{"by":"the next"}' });
    const { run } = await start(2);
    await app.db.transaction(
      system,
      (tx) => tx`
        update execution set due_at = now() + interval '1 minute', fence = 1 where run_id = ${run.id}::text::bigint`,
    );
    const next = openProcess();
    const { run: free } = await start(1);
    await expect.poll(async () => (await summary(free.id)).done, { timeout: 20_000 }).toBe(1);
    await expect
      .poll(async () => (await summary(run.id)).done, { timeout: 20_000 })
      .toBe(engine === 'server' ? 0 : 2);
    await next.stop();
  });

  it('a testcase that was deleted before its call is called, as the snapshot of the run has it; erased, it fails with that reason', async () => {
    answer = () => ({ body: '{"by":"anyone"}' });
    const { run, ids } = await start(3);
    await ok(own.api('POST', '/testcases/bulk-delete', { ids: [ids[0]], erase: true }));
    await ok(own.api('POST', '/testcases/bulk-delete', { ids: [ids[2]] }));
    const only = openProcess();
    await expect.poll(async () => (await summary(run.id)).pending, { timeout: 20_000 }).toBe(0);
    await only.stop();
    const { data } = await ok(own.api('GET', `/runs/${run.id}/executions?state=failed`));
    expect(data).toMatchObject([{ testcaseId: ids[0], lastError: 'the testcase was deleted' }]);
    expect(testcasesOf(await records(run.id)).sort()).toEqual([ids[1], ids[2]]);
  });
});

describe('kill -9 in the middle of executing', () => {
  const key = `ak_${'execution-'.repeat(4)}`;
  let storage: Awaited<ReturnType<typeof createStorage>>;
  let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
  const start = () =>
    startService({
      ...storage.settings,
      DOKIMA_BOOTSTRAP_API_KEY: key,
      DOKIMA_WORKERS: '1',
      DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    });

  beforeAll(async () => {
    storage = await createStorage();
    endpoint = await openEndpoint(() => ({ body: '{"outputs":{"by":"the endpoint"}}' }));
  });
  afterAll(async () => {
    await endServices();
    await endpoint.close();
    await storage.remove();
  });

  /** Leases of the dead last a minute more on a server, where someone else may have them. The embedded database has one owner. */
  const endLeases = async () => {
    if (engine !== 'server') return;
    const sql = postgres(storage.settings.DATABASE_URL!, { max: 1, onnotice: () => {} });
    await sql.begin(async (tx) => {
      await tx`select set_config('dokima.organization', '*', true)`;
      await tx`update execution set due_at = now() where state = 'pending'`;
    });
    await sql.end();
  };

  const call = async (service: Service, method: string, path: string, body?: unknown) => {
    const answer = await callService({ url: service.url, key }, method, path, body);
    expect(`${method} ${path} ${answer.status}`).toMatch(/20[01]$/);
    return answer.body;
  };

  it('makes every record once, three times over', async () => {
    let service = await start();
    const { id: projectId } = await call(service, 'POST', '/projects', { name: 'P', description: '' });
    const testset = await call(service, 'POST', `/projects/${projectId}/testsets`, {
      name: 'T',
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs: ['i'], expected: [], metadata: [] },
    });
    const items = Array.from({ length: 100 }, (_, i) => ({ jsonData: { i } }));
    const testcases = await call(service, 'POST', `/testsets/${testset.id}/testcases`, { items });
    const made = await call(service, 'POST', `/projects/${projectId}/systems`, {
      config: { endpoint: endpoint.url },
    });
    const run = await call(service, 'POST', `/projects/${projectId}/runs`, {
      metricIds: [],
      testsetId: testset.id,
      systemVersionId: made.productionVersion.id,
      execute: true,
      trials: 3,
    });
    for (const asked of [20, 90, 180]) {
      await expect
        .poll(() => endpoint.received.length, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan(asked);
      await service.end('SIGKILL');
      await endLeases();
      service = await start();
    }
    const summary = () =>
      call(service, 'GET', `/runs/${run.id}/details`).then(({ executions }) => executions);
    await expect.poll(async () => (await summary()).done, { timeout: 60_000 }).toBe(300);
    const records: Record[] = [];
    for (let cursor = ''; ; ) {
      const page = await call(service, 'GET', `/runs/${run.id}/records?limit=100&cursor=${cursor}`);
      records.push(...page.data);
      if (!page.hasMore) break;
      cursor = page.nextCursor;
    }
    const times = Map.groupBy(records, ({ testcaseId }) => testcaseId);
    expect([...times.keys()].sort()).toEqual(
      testcasesOf(testcases.items.map(({ id }: { id: string }) => ({ testcaseId: id }))),
    );
    expect([...times.values()].filter(({ length }) => length !== 3)).toEqual([]);
    expect(await call(service, 'GET', `/runs/${run.id}`)).toMatchObject({
      status: 'completed',
      numRecords: 300,
    });
  }, 240_000);
});
