import { beforeEach, describe, expect, it } from 'vitest';
import { openApp } from '../../../test/opened.ts';
import type { Database, Sql } from '../db/database.ts';
import { CommitUnknown, commitSurely } from './commit-surely.ts';

const { app, own } = await openApp({});

const lost = () => Object.assign(new Error('The connection was lost.'), { code: 'CONNECTION_CLOSED' });
/** What a fault does to a transaction: its commit fails, or succeeds without an answer. */
type Fault = 'fails' | 'has no answer';

/** The database with faults: one for each of the first commits. While `isAway` it answers no read. */
const withFaults = (faults: Fault[], isAway = () => false): Database => ({
  ...app.db,
  read: async (tenant, statement) => {
    if (isAway()) throw lost();
    return app.db.read(tenant, statement);
  },
  transaction: async (tenant, work) => {
    const fault = faults.shift();
    const result = await app.db.transaction(tenant, async (tx) => {
      const done = await work(tx);
      if (fault === 'fails') throw lost();
      return done;
    });
    if (fault) throw lost();
    return result;
  },
});

const never = new AbortController().signal;
const stopped = AbortSignal.abort();
let name: string;
beforeEach(({ task }) => {
  name = task.id;
});
const count = async () =>
  (
    await app.db.read(
      own,
      (sql) => sql<{ n: number }[]>`select count(*)::int as n from project where name = ${name}`,
    )
  )[0]!.n;
const insert = (tx: Sql) =>
  tx`insert into project (organization_id, name, description) values (${own.organizationId}, ${name}, '')`;
const pay = (db: Database, signal = never) =>
  commitSurely(db, own, signal, async (tx) => {
    await insert(tx);
    return 'paid';
  });

describe('a commit of what was paid for', () => {
  it.each<[string, Fault[]]>([
    ['succeeds', []],
    ['fails twice', ['fails', 'fails']],
    ['has no answer', ['has no answer']],
    ['fails, and then has no answer', ['fails', 'has no answer']],
  ])('that %s is written once', async (_, faults) => {
    expect(await pay(withFaults(faults))).toBe('paid');
    expect(await count()).toBe(1);
  });

  it('is not repeated after an error of its own', async () => {
    const broken = commitSurely(app.db, own, never, async (tx) => {
      await insert(tx);
      await tx`select 1 / 0`;
    });
    await expect(broken).rejects.toMatchObject({ code: '22012' });
    expect(await count()).toBe(0);
  });

  it('that always fails throws the error, so that the caller knows that nothing was written', async () => {
    const all = Array.from({ length: 9 }, (): Fault => 'fails');
    await expect(
      pay(
        withFaults(all, () => false),
        stopped,
      ),
    ).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(await count()).toBe(0);
  });

  it('whose fate is never told says so', async () => {
    await expect(
      pay(
        withFaults(['has no answer'], () => true),
        stopped,
      ),
    ).rejects.toThrow(CommitUnknown);
    expect(await count()).toBe(1);
  });
});
