import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engine } from '../../../test/harness.ts';
import { system } from './database.ts';
import { analyzeChanged, openEmbedded } from './embedded.ts';

describe.runIf(engine === 'embedded')('the embedded database', () => {
  it('updates the statistics of a table that has grown, and leaves the others alone', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dokima-test-'));
    const db = await openEmbedded(directory);
    await db.transaction(system, async (tx) => {
      await tx`create table grown as select generate_series(1, 5000) as n`;
      await tx`create table still (n integer)`;
    });
    const analyzed: string[] = [];
    // What a table went through is counted a moment after the commit.
    await expect
      .poll(async () => analyzed.push(...(await db.transaction(system, analyzeChanged))), { timeout: 20_000 })
      .toBeGreaterThan(0);
    expect(analyzed).toContain('grown');
    expect(analyzed).not.toContain('still');
    const [known] = await db.read(
      system,
      (sql) => sql<{ n: number }[]>`select reltuples::int as n from pg_class where relname = 'grown'`,
    );
    expect(known?.n).toBe(5000);
    await db.close();
    await rm(directory, { recursive: true });
  });

  it('begins a transaction however many statements are under way', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dokima-test-'));
    const db = await openEmbedded(directory);
    const one = () => db.read(system, (sql) => sql<{ n: number }[]>`select 1 as n`);
    await one();
    // The client would stop sending at 100, and take a transaction that is just the last one for one that has begun.
    for (const count of [99, 100, 101]) {
      const reads = Array.from({ length: count }, one);
      const [counted] = await db.transaction(system, (tx) => tx<{ n: number }[]>`select 2 as n`);
      expect(counted).toEqual({ n: 2 });
      expect((await Promise.all(reads)).flat()).toEqual(Array(count).fill({ n: 1 }));
    }
    await db.close();
    await rm(directory, { recursive: true });
  });

  it('closes after the transactions that were asked for, and refuses those that come later', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dokima-test-'));
    const db = await openEmbedded(directory);
    const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>();
    const first = db.transaction(system, async (tx) => {
      await tx`create table kept (n integer)`;
      begun();
      await mayEnd;
    });
    await hasBegun;
    // They wait for their turn: there is one session.
    const second = db.transaction(system, (tx) => tx`insert into kept values (1)`);
    const third = db.read(system, (sql) => sql<{ n: number }[]>`select n from kept`);
    const closed = db.close();
    await expect(db.read(system, (sql) => sql`select 1`)).rejects.toMatchObject({ code: 'CONNECTION_ENDED' });
    letEnd();
    await Promise.all([first, second, closed]);
    expect(await third).toEqual([{ n: 1 }]);
    await rm(directory, { recursive: true });
  });
});
