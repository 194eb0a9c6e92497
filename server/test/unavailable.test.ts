import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectError } from './expect-error.ts';
import { createProject, createRecord, createRun, ok } from './fixtures.ts';
import { type Answer, engine, type Organization, startApp, type TestApp } from './harness.ts';
import { fromProtobuf, newTraceId, post, requestOf, toProtobuf } from './otlp.ts';
import { openProxy, type TcpProxy } from './proxy.ts';
import { rowsOf } from './rows.ts';

/** The row 503 of the table of errors (errors.test.ts has the others). */

const projectBody = { name: 'P', description: '' };

// The embedded database is a part of the process: it can't be away while the process is there. Should its thread end, the
// process ends with it, loudly, for a supervisor to start again.
describe.runIf(engine === 'server')('503', () => {
  let proxy: TcpProxy;
  let direct: URL;
  let database: string;
  let away: TestApp;
  let tenant: Organization;
  let admin: postgres.Sql;

  beforeAll(async () => {
    admin = postgres(process.env.TEST_DATABASE_URL!, { max: 1, onnotice: () => {} });
    const { hostname, port } = new URL(process.env.TEST_DATABASE_URL!);
    proxy = await openProxy({ host: hostname, port: Number(port) });
    const databaseUrl = (url: string) => {
      direct = new URL(url);
      database = direct.pathname.slice(1);
      const through = new URL(url);
      through.hostname = '127.0.0.1';
      through.port = String(proxy.port);
      return through.href;
    };
    away = await startApp({}, { databaseUrl });
    tenant = await away.organization();
  });
  afterAll(async () => {
    await away.close();
    await proxy.cut();
    await admin.end();
  });

  /** Asks until the answer has this status. */
  const until = (status: number, ask: () => Promise<{ status: number }>) =>
    expect.poll(async () => (await ask()).status).toBe(status);
  const expectUnavailable = (answer: Answer) => {
    expect(expectError(answer, 'UNAVAILABLE')).toEqual({});
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  };

  it('UNAVAILABLE with Retry-After while the database is away; recovers by itself, with nothing half-written', async () => {
    const run = await createRun(tenant.api, (await createProject(tenant.api)).id, []);
    await createRecord(tenant.api, run.id);
    const before = await rowsOf(away.db, tenant.organizationId);
    await proxy.cut();

    const record = { inputs: {}, expected: {}, outputs: {} };
    const writes = ['/projects', `/runs/${run.id}/records`, `/runs/${run.id}/records/bulk-create`];
    const bodies = [projectBody, record, { items: [record] }];
    const answers = await Promise.all([
      tenant.api('GET', `/runs/${run.id}/records`),
      ...writes.map((path, i) => tenant.api('POST', path, bodies[i])),
      ...writes.map((path, i) =>
        tenant.api('POST', path, bodies[i], { headers: { 'idempotency-key': `key-${i}` } }),
      ),
    ]);
    answers.forEach(expectUnavailable);
    const probe = async (url: string) => (await away.app.inject(url)).statusCode;
    expect(await probe('/healthz')).toBe(200);
    expect(await probe('/readyz')).toBe(503);

    await proxy.restore();
    await until(200, () => tenant.api('GET', '/me'));
    expect(await rowsOf(away.db, tenant.organizationId)).toBe(before);
    expect(await probe('/readyz')).toBe(200);
    const again = { headers: { 'idempotency-key': 'key-0' } };
    await ok(tenant.api('POST', '/projects', projectBody, again), 201);
  });

  it('UNAVAILABLE for spans in the words of OTLP, and they are there once the exporter has sent them again', async () => {
    const { id } = await createProject(tenant.api);
    const spans = requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': id });
    await proxy.cut();
    const [json, protobuf] = await Promise.all(
      [spans, toProtobuf(spans)].map((body) => post(away, tenant.key, body)),
    );
    await proxy.restore();
    for (const answer of [json, protobuf]) {
      expect(answer!.status).toBe(503);
      expect(Number(answer!.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(JSON.parse(String(json!.body))).toMatchObject({ code: 14 });
    expect(fromProtobuf('RpcStatus', protobuf!.body)).toMatchObject({ code: 14 });
    await until(200, () => post(away, tenant.key, spans));
    expect((await ok(tenant.api('GET', `/projects/${id}/spans`))).data).toHaveLength(1);
  });

  it.each([
    ['the database goes', () => proxy.cut(), () => proxy.restore(), 'is not available now'],
    [
      'the database stops its statement',
      async () => {
        await admin`
          select pg_cancel_backend(pid) from pg_stat_activity where datname = ${database} and wait_event_type = 'Lock'`;
      },
      () => {},
      'took more than 60 s',
    ],
  ])(
    'UNAVAILABLE for a write under way when %s, and nothing of it is there afterwards',
    async (when, happen, undo, message) => {
      const run = await createRun(tenant.api, (await createProject(tenant.api)).id, []);
      const other = postgres(direct.href, { max: 2, onnotice: () => {} });
      onTestFinished(() => other.end());
      const before = await rowsOf(away.db, tenant.organizationId);
      // Another session holds the run, so that the write waits in the middle of its transaction.
      const holder = await other.reserve();
      await holder`begin`;
      await holder`select from run where id = ${run.id} for update`;
      const record = { inputs: {}, expected: {}, outputs: {} };
      const body = { items: [record, record] };
      const options = { headers: { 'idempotency-key': when.replaceAll(' ', '-') } };
      const written = tenant.api('POST', `/runs/${run.id}/records/bulk-create`, body, options);
      await until(1, async () => {
        const [waiting] = await other<{ n: number }[]>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%last_record_n%'`;
        return { status: waiting!.n };
      });
      await happen();
      const answer = await written;
      expectUnavailable(answer);
      expect(answer.body.message).toContain(message);
      await holder`rollback`;
      holder.release();
      await undo();
      await until(200, () => tenant.api('GET', '/me'));
      expect(await rowsOf(away.db, tenant.organizationId)).toBe(before);
      await ok(tenant.api('POST', `/runs/${run.id}/records/bulk-create`, body, options), 201);
    },
  );

  it('UNAVAILABLE while the database takes no logins, whatever it says to them', async () => {
    await admin.unsafe(`alter database "${database}" allow_connections false`);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
    await until(503, () => tenant.api('GET', '/me'));
    expectUnavailable(await tenant.api('GET', '/projects'));
    expectUnavailable(await tenant.api('POST', '/projects', projectBody));
    await admin.unsafe(`alter database "${database}" allow_connections true`);
    await until(200, () => tenant.api('GET', '/me'));
  });

  it('UNAVAILABLE, and not ready, before a statement would time out when the database hangs', async () => {
    // Its key is not known yet, so that it is looked up.
    const { api } = await away.organization();
    const thaw = proxy.freeze();
    onTestFinished(thaw);
    const begun = performance.now();
    const [ready, read] = await Promise.all([away.app.inject('/readyz'), api('GET', '/projects')]);
    expect(ready.statusCode).toBe(503);
    expectUnavailable(read);
    expect(performance.now() - begun).toBeLessThan(60_000);
    thaw();
    await until(200, () => api('GET', '/projects'));
  });
});
