import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type Sql, system } from './database.ts';

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startApp();
  organization = await app.organization();
});
afterAll(() => app.close());

const projectNames = async (): Promise<string[]> => {
  const { organizationId } = organization;
  const rows = await app.db.read(
    system,
    (sql) => sql<{ name: string }[]>`
      select name from project where organization_id = ${organizationId} order by name`,
  );
  return rows.map(({ name }) => name);
};

describe('a batch of statements', () => {
  it('commits all of them and returns what its work does', async () => {
    const { organizationId } = organization;
    const rows = await app.db.batch(organization, async (tx) => {
      const first = tx<{ name: string }[]>`
        insert into project (organization_id, name, description) values (${organizationId}, 'A', '') returning name`;
      const second = tx`insert into project (organization_id, name, description)
        select organization_id, name || 'B', '' from project where organization_id = ${organizationId} and name = 'A'`;
      const [names] = await Promise.all([first.execute(), second.execute()]);
      return names.map(({ name }) => name);
    });
    expect(rows).toEqual(['A']);
    expect(await projectNames()).toEqual(['A', 'AB']);
  });

  it.each([0, 1, 2])(
    'commits none of them when number %i fails, and the next one is not harmed',
    async (bad) => {
      const { organizationId } = organization;
      const before = await projectNames();
      const failing = app.db.batch(organization, (tx) =>
        Promise.all(
          [0, 1, 2].map((i) =>
            tx`insert into project (organization_id, name, description)
              values (${organizationId}, 'never ' || 1 / ${i === bad ? 0 : 1}::integer, '')`.execute(),
          ),
        ),
      );
      await expect(failing).rejects.toMatchObject({ code: '22012' });
      expect(await projectNames()).toEqual(before);
      const next = await app.db.batch(organization, async (tx) => [...(await tx`select 1 as one`)]);
      expect(next).toEqual([{ one: 1 }]);
    },
  );
});

it('keeps nothing of what it has answered', async () => {
  const answer = async (megabytes: number) => {
    for (let i = 0; i < megabytes; i++)
      await app.db.read(organization, (sql) => sql`select repeat('x', 1048576)`);
  };
  // Without a collection, the figure would also hold what is no longer used.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedMb = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1024 ** 2;
  };
  // What it takes to answer at all.
  await answer(40);
  const before = usedMb();
  await answer(300);
  // V8 gives the memory of buffers back in another thread, which may be late on a busy machine. What is kept stays above the limit.
  await expect.poll(() => usedMb() - before).toBeLessThan(50);
});

it('keeps a bounded number of prepared statements, however many texts it is asked', async () => {
  const counts: number[] = [];
  const ask = async (i: number) => {
    const column = `c${i}`;
    const statement = (sql: Sql) => sql<Record<string, number>[]>`
      select count(*)::integer as ${sql(column)} from pg_prepared_statements`;
    const rows =
      i % 2 === 0
        ? await app.db.read(organization, statement)
        : await app.db.transaction(organization, async (tx) => [...(await statement(tx))]);
    counts.push(rows[0]![column]!);
  };
  for (let i = 0; i < 2_000; i += 2) await Promise.all([ask(i), ask(i + 1)]);
  // 500, and as many as are asked between two looks.
  expect(Math.max(...counts)).toBeLessThanOrEqual(760);
  expect(Math.max(...counts)).toBeGreaterThan(400);
});
