import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, isUnavailable, system } from '../src/platform/db/database.ts';
import { openServer } from '../src/platform/db/server.ts';
import { expectError } from './expect-error.ts';
import { createMetric, createProject, createRun, createScoredRun, ok } from './fixtures.ts';
import {
  createServerDatabase,
  engine,
  type Organization,
  startApp,
  type TestApp,
  testServerUrl,
} from './harness.ts';
import { hasPgBouncer, openPooler, type Pooler } from './pooler.ts';
import { openProxy } from './proxy.ts';
import { callService, createStorage, endServices, startService, startWorkerProcess } from './service.ts';
import { until } from './until.ts';

/** Login roles, and the role that their statements run as. */
const logins = [
  { login: 'a superuser', attributes: 'superuser', stepsDown: true },
  { login: 'the owner of the database', attributes: '', stepsDown: false },
  // As hosted services have it: they give their customers no superuser.
  { login: 'an owner that bypasses row-level security', attributes: 'createrole bypassrls', stepsDown: true },
];

const compare =
  'function score(inputs, outputs) { return { score: outputs.a === inputs.a, reasoning: "of " + inputs.a }; }';

const twenty = <T>(make: (i: number) => T) => Array.from({ length: 20 }, (_, i) => make(i));

it.skipIf(hasPgBouncer)(
  'PgBouncer is not installed, so the tests of a transaction pooler do not run',
  (test) => test.skip('apt-get install pgbouncer'),
);

describe.runIf(engine === 'server' && hasPgBouncer)('behind a PgBouncer in transaction mode', () => {
  let pooler: Pooler;
  beforeAll(async () => {
    pooler = await openPooler(testServerUrl());
  });
  afterAll(() => pooler.close());

  describe.each(logins)('a connection, logged in as $login', ({ attributes, stepsDown }) => {
    const login = `pooled_${randomUUID().replaceAll('-', '')}`;
    const role = stepsDown ? 'dokima_app' : login;
    let database: Awaited<ReturnType<typeof createServerDatabase>>;
    let admin: postgres.Sql;
    let ownPooler: Pooler;
    let pooled: string;
    let db: Database;

    beforeAll(async () => {
      database = await createServerDatabase('empty');
      admin = postgres(database.url, { max: 1, onnotice: () => {} });
      const url = new URL(database.url);
      await admin.unsafe(
        `create role ${login} login ${attributes}; alter database ${url.pathname.slice(1)} owner to ${login}`,
      );
      url.username = login;
      ownPooler = await openPooler(url.href);
      pooled = ownPooler.through(url.href);
      db = await openServer(pooled);
    });
    afterAll(async () => {
      await db?.close();
      await ownPooler.close();
      await admin.unsafe(
        `reassign owned by ${login} to current_user; drop owned by ${login}; drop role ${login}`,
      );
      await admin.end();
      await database.drop();
    });

    type Session = { pid: number; role: string; readOnly: string; timeout: string; organization: string };
    const findSession = (sql: Parameters<Parameters<Database['read']>[1]>[0]) => sql<Session[]>`
      select pg_backend_pid() as pid, current_user as role, current_setting('transaction_read_only') as "readOnly",
        current_setting('statement_timeout') as timeout, current_setting('dokima.organization') as organization
      from pg_sleep(0.02)`;

    it('has another session in each transaction, with all that the service sets', async () => {
      const settings = { role, timeout: '1min' };
      const seen = await Promise.all(
        twenty(async (i) => {
          const tenant = { organizationId: BigInt(i) };
          const [looked] = await db.lookUp(tenant, findSession);
          const [read] = await db.read(tenant, findSession);
          const [wrote] = await db.transaction(tenant, findSession);
          const [batched] = await db.batch(tenant, (tx) => findSession(tx).execute());
          const expected = { ...settings, organization: String(i) };
          expect([looked, read]).toMatchObject(Array(2).fill({ ...expected, readOnly: 'on' }));
          expect([wrote, batched]).toMatchObject(Array(2).fill({ ...expected, readOnly: 'off' }));
          return [looked!.pid, read!.pid, wrote!.pid, batched!.pid];
        }),
      );
      // Else this file would test nothing.
      expect(new Set(seen.flat()).size).toBeGreaterThan(1);
      expect(seen.filter((pids) => new Set(pids).size > 1).length).toBeGreaterThan(0);
    });

    it('leaves nothing in the session that the next client gets', async () => {
      await Promise.all(twenty((i) => db.read({ organizationId: BigInt(i) }, findSession)));
      const next = postgres(pooled, { max: 4, prepare: false });
      const found = await Promise.all(
        twenty(
          () => next`
          select current_user as role, current_setting('statement_timeout') as timeout,
            coalesce(current_setting('dokima.organization', true), '') as organization
          from pg_sleep(0.002)`,
        ),
      );
      expect(found.flat()).toEqual(twenty(() => ({ role: login, timeout: '0', organization: '' })));
      await next.end();
    });

    it('sends no hints, since the session that listens would be another', () => {
      expect(db.hints).toBeUndefined();
    });

    it('a read writes nothing', async () => {
      const write = db.read(
        system,
        (sql) => sql`insert into organization (name) values ('Read') returning id`,
      );
      await expect(write).rejects.toThrow('read-only transaction');
    });

    it('that loses its session loses only what was not committed', async () => {
      const create = (name: string) =>
        db.transaction(system, async (tx) => {
          await tx`insert into organization (name) values (${`${name} begun`})`;
          await tx`insert into organization (name) values (${name})`;
          return name;
        });
      const committed: string[] = [];
      const lost: unknown[] = [];
      for (let round = 0; round < 10; round++) {
        const end = admin`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'dokima'`;
        const [created] = await Promise.all([
          Promise.allSettled(twenty((i) => create(`session ${round} ${i}`))),
          end,
        ]);
        for (const result of created) {
          if (result.status === 'fulfilled') committed.push(result.value);
          else lost.push(result.reason);
        }
      }
      expect(lost.length).toBeGreaterThan(0);
      expect(lost.filter((error) => !isUnavailable(error))).toEqual([]);
      const rows = await admin<{ name: string }[]>`select name from organization where name like 'session %'`;
      const names = new Set(rows.map(({ name }) => name));
      expect(names.size).toBe(2 * [...names].filter((name) => !name.endsWith(' begun')).length);
      expect(committed.filter((name) => !names.has(name))).toEqual([]);
      await until(() => db.read(system, (sql) => sql`select 1 as one`).catch(() => undefined));
    });
  });

  describe('the service', () => {
    let app: TestApp;
    let one: Organization;
    let two: Organization;
    let url: string;

    beforeAll(async () => {
      app = await startApp({ DOKIMA_WORKERS: '1' }, { databaseUrl: pooler.through });
      one = await app.organization();
      two = await app.organization();
      url = await app.url();
    });
    afterAll(() => app.close());

    it('lists for two organizations at once what each has created, and nothing of the other', async () => {
      const organizations = [one, two];
      const runs = await Promise.all(organizations.map(({ api }) => createScoredRun(api, 1)));
      await Promise.all(
        twenty(async (i) => {
          const [{ api }, { run }] = [organizations[i % 2]!, runs[i % 2]!];
          const body = { inputs: { i }, expected: {}, outputs: { of: i % 2 } };
          const record = await ok(api('POST', `/runs/${run.id}/records`, body), 201);
          const score = { binaryScore: i % 4 < 2 };
          await ok(api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[0]}`, { score }));
          const other = organizations[(i + 1) % 2]!;
          expect((await other.api('GET', `/records/${record.id}`)).status).toBe(404);
        }),
      );
      await Promise.all(
        twenty(async (i) => {
          const [{ api }, { run, project }] = [organizations[i % 2]!, runs[i % 2]!];
          const { data } = await ok(api('GET', `/runs/${run.id}/records`));
          const outputs = data.slice(1).map(({ outputs }: { outputs: unknown }) => outputs);
          expect(outputs).toEqual(Array(10).fill({ of: i % 2 }));
          const passed = data.filter((record: { scores: { score: { binaryScore: boolean } | null }[] }) =>
            record.scores.some(({ score }) => score?.binaryScore),
          );
          expect(passed).toHaveLength(5);
          const projects = (await ok(api('GET', '/projects'))).data.map(({ id }: { id: string }) => id);
          expect(projects).toEqual([project.id]);
        }),
      );
    });

    it('its worker scores the records of both', async () => {
      await Promise.all(
        [one, two].map(async ({ api }) => {
          const project = await createProject(api);
          const fields = { evalType: 'heuristic', outputType: 'boolean', guidelines: compare };
          const run = await createRun(api, project.id, [(await createMetric(api, project.id, fields)).id]);
          const items = Array.from({ length: 300 }, (_, i) => ({
            inputs: { a: i },
            expected: {},
            outputs: { a: i % 3 ? i : -1 },
          }));
          await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
          await until(async () =>
            (await ok(api('GET', `/runs/${run.id}`))).status === 'completed' ? true : undefined,
          );
          const { data } = await ok(api('GET', `/runs/${run.id}/records?limit=2`));
          expect(data.map((record: { scores: { score: unknown }[] }) => record.scores[0]!.score)).toEqual([
            { binaryScore: false, reasoning: 'of 0' },
            { binaryScore: true, reasoning: 'of 1' },
          ]);
        }),
      );
    });

    it('twenty creates with one Idempotency-Key make one record', async () => {
      const { run } = await createScoredRun(one.api, 1);
      const body = { inputs: {}, expected: {}, outputs: {} };
      const headers = { 'idempotency-key': 'pooled' };
      const created = await Promise.all(
        twenty(() => ok(one.api('POST', `/runs/${run.id}/records`, body, { headers }), 201)),
      );
      expect(new Set(created.map(({ id }) => id)).size).toBe(1);
      expect((await ok(one.api('GET', `/runs/${run.id}/records`))).data).toHaveLength(2);
    });

    it('twenty transactions that take the same advisory lock take turns', async () => {
      let inside = 0;
      await Promise.all(
        twenty((i) =>
          app.db.transaction(system, async (tx) => {
            await tx`select pg_advisory_xact_lock(4711)`;
            expect(++inside).toBe(1);
            await tx`select ${i}::int from pg_sleep(0.002)`;
            inside--;
          }),
        ),
      );
    });

    it('tells each organization its own changes', async () => {
      const streams: IncomingMessage[] = [];
      await Promise.all(
        [one, two].map(async ({ api, key }) => {
          const { project, run } = await createScoredRun(api, 1);
          const headers = { authorization: `Bearer ${key}` };
          const request = get(`${url}/api/v2/events?projectId=${project.id}`, { agent: false, headers });
          const [response] = (await once(request, 'response')) as [IncomingMessage];
          streams.push(response);
          const events = response.setEncoding('utf8')[Symbol.asyncIterator]();
          expect((await events.next()).value).toContain('event: ready');
          await ok(api('PATCH', `/runs/${run.id}/details`, { notes: 'Changed.' }));
          const change = JSON.stringify({ runs: [{ runId: run.id, recordIds: null }], resources: [] });
          expect((await events.next()).value).toContain(`data: ${change}`);
        }),
      );
      for (const stream of streams) stream.destroy();
    });
  });

  it('a server that goes away behind the pooler is a 503, and is used again when it is back', async () => {
    const server = new URL(testServerUrl());
    const proxy = await openProxy({ host: server.hostname, port: Number(server.port || 5432) });
    server.hostname = '127.0.0.1';
    server.port = String(proxy.port);
    const own = await openPooler(server.href);
    onTestFinished(own.close);
    const app = await startApp({}, { databaseUrl: own.through });
    const { api } = await app.organization();
    await ok(api('GET', '/projects'));
    await proxy.cut();
    const begun = performance.now();
    const answers = await Promise.all(twenty(() => api('GET', '/projects')));
    for (const answer of answers) {
      expectError(answer, 'UNAVAILABLE');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    // The pooler lets statements wait for 10 s, a connection would for 90 s.
    expect(performance.now() - begun).toBeLessThan(60_000);
    await proxy.restore();
    await expect.poll(async () => (await api('GET', '/projects')).status, { timeout: 60_000 }).toBe(200);
    await app.close();
    await proxy.cut();
  });

  describe('the processes', () => {
    afterEach(endServices);

    it('migrate an empty database once, say that there is a pooler, and share the work of scoring', async () => {
      const storage = await createStorage('empty');
      const key = `ak_${'pooler-test-'.repeat(3)}`;
      const settings = {
        DOKIMA_DATA_DIR: storage.settings.DOKIMA_DATA_DIR,
        DATABASE_URL: pooler.through(storage.settings.DATABASE_URL!),
        DOKIMA_BOOTSTRAP_API_KEY: key,
        DOKIMA_SECRET: 'a secret for tests, nothing else',
        DOKIMA_LOG_LEVEL: 'info',
      };
      const start = () => startService({ ...settings, DOKIMA_WORKERS: '0' });
      const [service, other] = await Promise.all([start(), start()]);
      expect(service.output()).toContain('Database    PostgreSQL, through a connection pooler\n');
      const worker = await startWorkerProcess({ ...settings, DOKIMA_WORKERS: '1' });
      const call = async (at: { url: string }, method: string, path: string, body?: unknown) =>
        (await callService({ url: at.url, key }, method, path, body)).body;
      const { id: projectId } = await call(service, 'POST', '/projects', { name: 'P', description: '' });
      const metric = { name: 'M', evalType: 'heuristic', outputType: 'boolean', guidelines: compare };
      const { id: metricId } = await call(other, 'POST', `/projects/${projectId}/metrics`, metric);
      const run = await call(service, 'POST', `/projects/${projectId}/runs`, { metricIds: [metricId] });
      const items = twenty((i) => ({ inputs: { a: i }, expected: {}, outputs: { a: i } }));
      await call(other, 'POST', `/runs/${run.id}/records/bulk-create`, { items });
      await until(async () =>
        (await call(service, 'GET', `/runs/${run.id}`)).status === 'completed' ? true : undefined,
      );
      expect(await worker.end('SIGTERM')).toBe(0);
      expect(await service.end('SIGTERM')).toBe(0);
      expect(await other.end('SIGTERM')).toBe(0);
      await storage.remove();
    });
  });
});
