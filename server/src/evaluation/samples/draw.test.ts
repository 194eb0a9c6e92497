import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { system } from '../../platform/db/database.ts';
import { draw, drawSql } from './draw.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const inSql = async (seed: number | null, keys: string[]): Promise<number[]> => {
  const rows = await app.db.read(
    system,
    (sql) => sql<{ drawn: number }[]>`
      select ${drawSql(sql, seed, sql`key`)} as drawn
      from unnest(${keys}::text[]) with ordinality as item (key, place) order by place`,
  );
  return rows.map(({ drawn }) => drawn);
};

// printf '7 1-1' | sha256sum | cut -c1-12, as a share of 2^48. A change here changes the samples of every seed.
it.each([
  [7, '1-1', 0.8989757595029175],
  [7, '1-2', 0.21263064323351344],
  [4294967295, '12-3 1', 0.5879963839318485],
  [null, '0af7651916cd43dd8448eb211c80319c', 0.08580714096926556],
  [null, 'session-1', 0.515769491201528],
] as const)('seed %s draws %s as %s in every release', async (seed, key, drawn) => {
  expect(draw(seed, key)).toBe(drawn);
  expect(await inSql(seed, [key])).toEqual([drawn]);
});

it('gives the same number in SQL and in TypeScript', async () => {
  const keys = [
    '',
    ' ',
    '{"q":"1.10"}',
    'ü 漢 🎲',
    "it's \\ \n\t",
    ...Array.from({ length: 2_000 }, (_, i) => `run ${i}`),
  ];
  for (const seed of [null, 0, 1, 2 ** 31 - 1, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER]) {
    expect(await inSql(seed, keys)).toEqual(keys.map((key) => draw(seed, key)));
  }
});

it('takes the seed from a column too', async () => {
  const [row] = await app.db.read(
    system,
    (sql) => sql<{ drawn: number }[]>`
      select ${drawSql(sql, sql`study.seed`, sql`'pair ' || study.n`)} as drawn from (values (7, 3)) study (seed, n)`,
  );
  expect(row!.drawn).toBe(draw(7, 'pair 3'));
});

it('is evenly distributed, and independent between seeds and purposes', () => {
  const n = 20_000;
  const shareBelow = (word: string, seed: number | null, among: string[], limit: number) =>
    among.filter((key) => draw(seed, `${word}${key}`) < limit).length / among.length;
  const keys = Array.from({ length: n }, (_, i) => `5-${i}`);
  for (const limit of [0.1, 0.5, 0.9]) expect(shareBelow('', 1, keys, limit)).toBeCloseTo(limit, 1);
  const first = keys.filter((key) => draw(1, key) < 0.5);
  expect(shareBelow('', 2, first, 0.5)).toBeCloseTo(0.5, 1);
  expect(shareBelow('pinned ', 1, first, 0.5)).toBeCloseTo(0.5, 1);
});
