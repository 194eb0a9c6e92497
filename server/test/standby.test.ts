import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../src/platform/db/server.ts';
import { expectError } from './expect-error.ts';
import { ok } from './fixtures.ts';
import { type Answer, engine, type Organization, startApp, type TestApp } from './harness.ts';
import { hasOwnPostgres, type OwnPostgres, openOwnPostgres } from './own-postgres.ts';

const patient = { timeout: 60_000, interval: 50 };

// The embedded database is a part of the process, and nothing takes over from it.
describe.runIf(engine === 'server' && hasOwnPostgres)('a database that only reads', () => {
  let database: OwnPostgres;
  let app: TestApp;
  let tenant: Organization;

  beforeAll(async () => {
    database = await openOwnPostgres();
    app = await startApp({}, { databaseUrl: () => database.url });
    tenant = await app.organization();
  }, 180_000);
  afterAll(async () => {
    await app?.close();
    await database?.close();
  }, 60_000);

  const create = (name: string, key: string) =>
    tenant.api('POST', '/projects', { name, description: '' }, { headers: { 'idempotency-key': key } });
  const names = async () =>
    (await ok(tenant.api('GET', '/projects'))).data.map(({ name }: { name: string }) => name);
  const expectUnavailable = (answer: Answer) => {
    expect(expectError(answer, 'UNAVAILABLE')).toEqual({});
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  };

  it('a standby after a failover: reads go on, writes are 503 with Retry-After, a start says what is wrong; a primary again takes them', async () => {
    await ok(create('Before', 'before'), 201);
    await database.becomeStandby();
    await expect.poll(async () => (await tenant.api('GET', '/projects')).status, patient).toBe(200);
    expect(await names()).toEqual(['Before']);
    for (const key of ['one', 'two']) expectUnavailable(await create('During', key));
    await expect(openServer(database.url)).rejects.toThrow('names a standby, which only reads');
    await database.promote();
    await expect.poll(async () => (await create('During', 'one')).status, patient).toBe(201);
    expect((await names()).sort()).toEqual(['Before', 'During']);
  }, 240_000);
});
