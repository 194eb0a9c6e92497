import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServerDatabase, engine, testServerUrl } from '../../../test/harness.ts';
import { openProxy } from '../../../test/proxy.ts';
import { createOrganization } from '../../accounts/organizations/organizations.ts';
import { type Database, isUnavailable, system } from './database.ts';
import { openServer } from './server.ts';

/** Which role statements run as, and whether row-level security holds for it. */
const role = (db: Database) =>
  db.read(
    system,
    (sql) => sql<{ name: string; bypasses: boolean }[]>`
      select rolname as name, rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`,
  );

const names = async (db: Database, organizationId: bigint | '*') =>
  (await db.read({ organizationId }, (sql) => sql<{ name: string }[]>`select name from organization`)).map(
    (row) => row.name,
  );

// What is tested is how a role logs in to a server; the embedded database has one session and one role.
describe.runIf(engine === 'server')('row-level security on a server', () => {
  let database: Awaited<ReturnType<typeof createServerDatabase>>;
  const owner = `owner_${randomUUID().replaceAll('-', '')}`;

  beforeAll(async () => {
    database = await createServerDatabase('empty');
  });
  afterAll(() => database.drop());

  it('a superuser steps down to a role that it holds for', async () => {
    const db = await openServer(database.url);
    expect(await role(db)).toEqual([{ name: 'dokima_app', bypasses: false }]);
    await db.close();
  });

  it('holds for a login role that owns the tables', async () => {
    const own = await createServerDatabase('empty');
    const admin = postgres(own.url, { max: 1, onnotice: () => {} });
    const url = new URL(own.url);
    const grants = `grant all on schema public to ${owner}; grant create on database ${url.pathname.slice(1)} to ${owner}`;
    await admin.unsafe(`create role ${owner} login; ${grants}`);
    url.username = owner;
    const db = await openServer(url.href);
    expect(await role(db)).toEqual([{ name: owner, bypasses: false }]);
    const one = await db.transaction(system, (tx) => createOrganization(tx, 'One'));
    const two = await db.transaction(system, (tx) => createOrganization(tx, 'Two'));
    expect(await names(db, one.organizationId)).toEqual(['One']);
    expect(await names(db, two.organizationId)).toEqual(['Two']);
    await db.close();
    await admin.unsafe(`drop owned by ${owner}; drop role ${owner}`);
    await admin.end();
    await own.drop();
  });

  it('shows nothing where no tenant was said', async () => {
    const db = await openServer(database.url);
    await db.transaction(system, (tx) => createOrganization(tx, 'Unseen'));
    const login = postgres(database.url, { max: 1, connection: { role: 'dokima_app' }, onnotice: () => {} });
    expect(await login`select from organization`).toHaveLength(0);
    await login.end();
    await db.close();
  });

  it('gives reads and transactions their own rows, on a connection that another organization used before', async () => {
    const own = await createServerDatabase('empty');
    const db = await openServer(own.url);
    const made = await Promise.all(
      ['One', 'Two', 'Three'].map(async (name) => {
        const { organizationId } = await db.transaction(system, (tx) => createOrganization(tx, name));
        return { name, organizationId };
      }),
    );
    const inTransaction = (organizationId: bigint) =>
      db.transaction({ organizationId }, async (tx) => {
        const rows = await tx<{ name: string }[]>`select name from organization`;
        return rows.map((row) => row.name);
      });
    // More at once than there are connections, so that each is used for several tenants in turn.
    const asked = Array.from({ length: 300 }, async (_, i) => {
      const { name, organizationId } = made[i % 3]!;
      if (i % 7 === 0) return expect(await names(db, '*')).toHaveLength(3);
      const seen = i % 2 === 0 ? await names(db, organizationId) : await inTransaction(organizationId);
      return expect(seen).toEqual([name]);
    });
    await Promise.all(asked);
    await db.close();
    await own.drop();
  });

  it('look-ups of one moment share connections, each sees its own rows, and one that fails fails alone', async () => {
    const own = await createServerDatabase('empty');
    const db = await openServer(own.url);
    const one = await db.transaction(system, (tx) => createOrganization(tx, 'One'));
    const two = await db.transaction(system, (tx) => createOrganization(tx, 'Two'));
    const lookUps = Array.from({ length: 60 }, (_, i) =>
      db.lookUp(
        i % 2 === 0 ? one : two,
        (sql) => sql<{ name: string; pid: number; number: number }[]>`
          select name, pg_backend_pid() as pid, 1 / ${i % 10}::integer as number from organization`,
      ),
    );
    const results = await Promise.allSettled(lookUps);
    const rows = results.map((result) => (result.status === 'fulfilled' ? result.value : []));
    const expected = results.map((_, i) => (i % 10 === 0 ? [] : [i % 2 === 0 ? 'One' : 'Two']));
    expect(rows.map((found) => found.map(({ name }) => name))).toEqual(expected);
    expect(new Set(rows.flat().map(({ pid }) => pid)).size).toBeLessThanOrEqual(4);
    await db.close();
    await own.drop();
  });

  it('a read writes nothing', async () => {
    const db = await openServer(database.url);
    const write = db.read(system, (sql) => sql`insert into organization (name) values ('Read') returning id`);
    await expect(write).rejects.toThrow('read-only transaction');
    await db.close();
  });

  it('refuses a database whose restore has not finished, and says so', async () => {
    const own = await createServerDatabase('migrated');
    const admin = postgres(own.url, { max: 1, onnotice: () => {} });
    await admin.unsafe('drop policy own_organization on score');
    await expect(openServer(own.url)).rejects.toThrow(
      /table score has no row-level security.*Restore it again/,
    );
    await admin.unsafe('drop table migration');
    await expect(openServer(own.url)).rejects.toThrow(
      /has a table \w+, but no list of Dokima's migrations: a restore/,
    );
    await admin.end();
    await own.drop();
  });

  it('says what to grant to a role that may not make tables', async () => {
    const own = await createServerDatabase('empty');
    const admin = postgres(own.url, { max: 1, onnotice: () => {} });
    const poor = `poor_${randomUUID().replaceAll('-', '')}`;
    await admin.unsafe(`create role ${poor} login`);
    const url = new URL(own.url);
    url.username = poor;
    const error = await openServer(url.href).catch((error: Error) => error);
    const [, grants] = /As a superuser, run: (.*;)$/.exec((error as Error).message)!;
    await admin.unsafe(grants!);
    await (await openServer(url.href)).close();
    await admin.unsafe(`reassign owned by ${poor} to postgres`);
    await admin.end();
    await own.drop();
    const last = postgres(testServerUrl(), { max: 1 });
    await last.unsafe(`drop role ${poor}`);
    await last.end();
  });

  it('refuses a database that a newer version has migrated', async () => {
    const newer = await createServerDatabase('empty');
    await (await openServer(newer.url)).close();
    const admin = postgres(newer.url, { max: 1, onnotice: () => {} });
    await admin`insert into migration (name, hash) values ('9999_from_the_future.sql', '')`;
    await admin.end();
    await expect(openServer(newer.url)).rejects.toThrow('newer than this version');
    await newer.drop();
  });

  it.each([
    ['had another text', "update migration set hash = 'other'"],
    ['ran before hashes were kept', 'alter table migration drop column hash'],
  ])('refuses a database whose migration %s, and names the file', async (_, change) => {
    const older = await createServerDatabase('migrated');
    const admin = postgres(older.url, { max: 1, onnotice: () => {} });
    await admin.unsafe(change);
    await expect(openServer(older.url)).rejects.toThrow(
      /^0001_schema\.sql differs from what made this database/,
    );
    await admin.end();
    await older.drop();
  });

  it('two processes that migrate at once both end with the same database', async () => {
    const fresh = await createServerDatabase('empty');
    const opened = await Promise.all([openServer(fresh.url), openServer(fresh.url), openServer(fresh.url)]);
    await Promise.all(opened.map((db) => db.close()));
    await fresh.drop();
  });
});

describe.runIf(engine === 'server')('sessions that an administrator ends', () => {
  it('take their own transactions with them and nothing else, over and over', async () => {
    const database = await createServerDatabase('empty');
    const db = await openServer(database.url);
    const admin = postgres(database.url, { max: 1, onnotice: () => {} });
    let ended = 0;
    const endAll = async () => {
      const { count } = await admin`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'dokima'`;
      ended += count;
    };
    const create = (name: string) =>
      db.transaction(system, async (tx) => {
        await tx`insert into organization (name) values (${`${name} begun`})`;
        await tx`insert into organization (name) values (${name})`;
        return name;
      });

    const committed: string[] = [];
    const lost: unknown[] = [];
    for (let round = 0; round < 20; round++) {
      const creates = Array.from({ length: 30 }, (_, i) => create(`${round} ${i}`));
      const lookUps = Array.from({ length: 30 }, () => db.lookUp(system, (sql) => sql`select 1 as one`));
      const all = [Promise.allSettled(creates), Promise.allSettled(lookUps), endAll()] as const;
      const [created, found] = await Promise.all(all);
      for (const result of created) {
        if (result.status === 'fulfilled') committed.push(result.value);
        else lost.push(result.reason);
      }
      for (const result of found) if (result.status === 'rejected') lost.push(result.reason);
    }
    expect(ended).toBeGreaterThan(20);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.filter((error) => !isUnavailable(error))).toEqual([]);

    const rows = await admin<{ name: string }[]>`select name from organization`;
    const names = new Set(rows.map(({ name }) => name));
    const whole = [...names].filter((name) => !name.endsWith(' begun'));
    expect(names.size).toBe(2 * whole.length);
    expect(committed.filter((name) => !names.has(name))).toEqual([]);
    expect(await db.read(system, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await db.close();
    await admin.end();
    await database.drop();
  });
});

// At the same time, because each waits longer than silence and an answer may take.
describe.runIf(engine === 'server').concurrent('a server on which all connections wait', () => {
  const insert = (db: Database, name: string) =>
    db.transaction(system, (tx) => tx`insert into organization (name) values (${name})`);
  const forty = <T>(each: (i: number) => T) => Array.from({ length: 40 }, (_, i) => each(i));

  it('refuses at once while the database hangs, and is used again when it answers', async ({ expect }) => {
    const database = await createServerDatabase('empty');
    const url = new URL(database.url);
    const proxy = await openProxy({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const db = await openServer(url.href);
    // Opens every connection.
    await Promise.all(forty((i) => insert(db, `before ${i}`)));
    const thaw = proxy.freeze();
    const begun = performance.now();
    const all = forty((i) =>
      insert(db, `frozen ${i}`).then(
        () => 'written',
        (error) => error,
      ),
    );
    const first = await Promise.race(all);
    // A use may take 90 s.
    expect(performance.now() - begun).toBeLessThan(60_000);
    expect(isUnavailable(first)).toBe(true);
    const next = performance.now();
    await expect(insert(db, 'refused')).rejects.toSatisfy(isUnavailable);
    expect(performance.now() - next).toBeLessThan(30_000);
    thaw();
    const settled = await Promise.all(all);
    // Those that had a connection went on where they were.
    expect(settled.filter((result) => result === 'written').length).toBe(12);
    expect(settled.filter((result) => result !== 'written' && !isUnavailable(result))).toEqual([]);
    await insert(db, 'after');
    await db.close();
    await proxy.cut();
    await database.drop();
  });

  it('lets all wait while it works', async ({ expect }) => {
    const database = await createServerDatabase('empty');
    const db = await openServer(database.url);
    const held = Array.from({ length: 12 }, () =>
      db.transaction(system, (tx) => tx<{ one: number }[]>`select 1 as one from pg_sleep(11)`),
    );
    const inLine = insert(db, 'in line');
    expect(await Promise.all(held)).toEqual(Array.from({ length: 12 }, () => [{ one: 1 }]));
    await inLine;
    await db.close();
    await database.drop();
  });
});
