import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../src/platform/db/server.ts';
import { expectError } from './expect-error.ts';
import { createScoredRun, ok } from './fixtures.ts';
import { type Answer, engine, type Organization, startApp, type TestApp } from './harness.ts';
import { hasOwnPostgres, type OwnPostgres, openOwnPostgres } from './own-postgres.ts';
import { until } from './until.ts';

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

describe.runIf(engine === 'server' && hasOwnPostgres)('a primary that dies while 40 clients write', () => {
  it('its standby takes over under the same DATABASE_URL: each acknowledged write is there once', async () => {
    const primary = await openOwnPostgres();
    const standby = await openOwnPostgres(primary);
    const both = `${new URL(primary.url).host},${new URL(standby.url).host}`;
    const url = `postgres://postgres@${both}/postgres?target_session_attrs=primary`;
    const app = await startApp({}, { databaseUrl: () => url });
    try {
      // After the copy, or the standby would wait for a standby too.
      const admin = postgres(primary.url, { max: 1 });
      await admin`alter system set synchronous_standby_names = '*'`;
      await admin`select pg_reload_conf()`;
      await until(async () => (await admin`select from pg_stat_replication where sync_state = 'sync'`)[0]);
      await admin.end();
      const { api } = await app.organization();
      const statuses = new Map<number, number>();
      let written = 0;
      const write = async (name: string) => {
        await until(async () => {
          const headers = { 'idempotency-key': name };
          const { status } = await api('POST', '/projects', { name, description: '' }, { headers });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status === 201) written++;
          return status === 201 || undefined;
        });
      };
      const each = 8;
      const clients = Array.from({ length: 40 }, async (_, client) => {
        for (let i = 0; i < each; i++) await write(`${client}-${i}`);
      });
      await until(async () => written >= 80 || undefined);
      await primary.kill();
      await standby.promote();
      await Promise.all(clients);
      const names: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await ok(api('GET', `/projects?limit=100${cursor && `&cursor=${cursor}`}`));
        names.push(...page.data.map(({ name }: { name: string }) => name));
        cursor = page.nextCursor;
        if (!cursor) break;
      }
      expect(names).toHaveLength(40 * each);
      expect(new Set(names).size).toBe(40 * each);
      // Else it would have died after the last write.
      expect(statuses.get(503)).toBeGreaterThan(0);
      expect([...statuses.keys()].sort()).toEqual([201, 503]);
    } finally {
      await app.close();
      await standby.close();
      await primary.close();
    }
  }, 240_000);
});

describe.runIf(engine === 'server' && hasOwnPostgres)('a replica for long reads', () => {
  it('shows each acknowledged write at once; the primary is read while it is behind, and while it is away', async () => {
    const primary = await openOwnPostgres();
    const standby = await openOwnPostgres(primary);
    const app = await startApp({}, { databaseUrl: () => primary.url, replicaUrl: standby.url });
    const admin = postgres(standby.url, { max: 1, onnotice: () => {} });
    try {
      const { api } = await app.organization();
      const { project, run, recordIds, configId } = await createScoredRun(api, 8);
      const { reads } = app.db.replica!;
      /** Scores a record, and expects the summary, the dashboard and the export to have it. */
      const expectSeen = async (scored: number) => {
        const put = { score: { binaryScore: true } };
        await ok(api('PUT', `/records/${recordIds[scored - 1]}/scores/${configId}`, put));
        const { metrics } = await ok(api('GET', `/runs/${run.id}/summary`));
        expect(metrics[0].states.scored).toBe(scored);
        const archive = await api('GET', `/projects/${project.id}/archive`);
        expect(archive.text.match(/"binaryScore":true/g)).toHaveLength(scored);
      };
      // The standby may still be replaying what made the tables.
      await until(async () => {
        await ok(api('GET', `/runs/${run.id}/summary?by=tag`));
        return reads.replica > 0 || undefined;
      });
      const { primary: before } = reads;
      for (let scored = 1; scored <= 4; scored++) await expectSeen(scored);
      expect(reads.primary).toBe(before);

      await admin`select pg_wal_replay_pause()`;
      await until(async () => (await admin`select where pg_get_wal_replay_pause_state() = 'paused'`)[0]);
      const { replica: seen } = reads;
      await expectSeen(5);
      expect(reads.replica).toBe(seen);
      expect(reads.primary).toBeGreaterThan(before);
      await admin`select pg_wal_replay_resume()`;
      await until(async () => {
        await ok(api('GET', `/runs/${run.id}/summary?by=tag`));
        return reads.replica > seen || undefined;
      });
      await expectSeen(6);

      await standby.kill();
      await expectSeen(7);
      const { href: another } = Object.assign(new URL(primary.url), { pathname: '/template1' });
      await expect(openServer(primary.url, another)).rejects.toThrow('does not name a standby');
    } finally {
      await app.close();
      await admin.end({ timeout: 0 });
      await standby.close();
      await primary.close();
    }
  }, 240_000);
});
