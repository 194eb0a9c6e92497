import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServerDatabase, engine } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { type Database, system } from './database.ts';
import { openServer } from './server.ts';

// The embedded database has one process.
describe.runIf(engine === 'server')('hints among the processes on one database', () => {
  let database: Awaited<ReturnType<typeof createServerDatabase>>;
  let one: Database;
  let other: Database;
  const heard = { one: 0, other: 0 };

  beforeAll(async () => {
    database = await createServerDatabase('empty');
    one = await openServer(database.url);
    other = await openServer(database.url);
    one.hints!.hear(() => heard.one++);
    other.hints!.hear(() => heard.other++);
    await until(async () => (one.hints!.areHeard() && other.hints!.areHeard()) || undefined);
  });
  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.drop();
  });

  const areHeard = async () => {
    const before = { ...heard };
    for (let i = 0; i < 100; i++) one.hints!.send();
    await expect.poll(() => heard.other).toBe(before.other + 1);
    expect(heard.one).toBe(before.one);
  };

  it('a hundred at once are heard once, by the others alone', areHeard);

  it('are heard again after the connection that listens was lost', async () => {
    const admin = postgres(database.url, { max: 1 });
    const before = heard.other;
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`;
    await expect.poll(() => other.hints!.areHeard()).toBe(false);
    // One hint replaces those that were sent while it could not listen.
    await expect.poll(() => heard.other, { timeout: 20_000 }).toBe(before + 1);
    await expect.poll(() => one.hints!.areHeard(), { timeout: 20_000 }).toBe(true);
    await areHeard();
    await admin.end();
    expect(await one.read(system, (sql) => sql<{ n: number }[]>`select 1 as n`)).toEqual([{ n: 1 }]);
  });
});
