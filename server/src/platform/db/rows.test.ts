import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { type Sql, type Statement, system } from './database.ts';
import { rowsOf } from './rows.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const read = <T extends object>(statement: (sql: Sql) => ReturnType<Sql>) =>
  app.db.read(system, (sql) => statement(sql) as unknown as Statement<T>);

it('gives each value back as it is, of each type', async () => {
  const rows = [
    {
      runId: 9007199254740993n,
      n: 1,
      rate: 0.1,
      isOn: true,
      name: 'a "b", {c} \\ NULL',
      hex: '00ff',
      json: '{"a":"1,2"}',
    },
    { runId: 2n, n: -2, rate: Number.POSITIVE_INFINITY, isOn: false, name: '', hex: '', json: '""' },
    { runId: 3n, n: 3, rate: 1e-300, isOn: true, name: 'NULL', hex: 'ab', json: '' },
  ];
  const got = await read(
    (sql) => sql`
      select run_id as "runId", n, rate, is_on as "isOn", name, encode(hex, 'hex') as hex, json, twice, at::text, place::int
      from ${rowsOf(
        sql,
        rows.map((row, i) => ({ ...row, twice: 2n * row.runId, at: `2026-01-0${i + 1}T00:00:00Z` })),
        {
          run_id: 'bigint',
          n: 'integer',
          rate: 'double precision',
          is_on: 'boolean',
          name: 'text',
          hex: 'bytea',
          json: 'json text',
          twice: 'numeric',
          at: 'timestamptz',
        },
        { as: 'item', place: 'place' },
      )}
      order by place`,
  );
  expect(got).toEqual(
    rows.map((row, i) => ({
      ...row,
      twice: String(2n * row.runId),
      at: expect.stringContaining(`2026-01-0${i + 1}`),
      place: i + 1,
    })),
  );
});

it('keeps every row where columns end with nulls, or hold nothing else', async () => {
  type Row = { a: number | null; b?: string; c: bigint | null; d: string | null };
  const rows: Row[] = [
    { a: 1, b: 'x', c: null, d: null },
    { a: null, c: 5n, d: null },
    { a: null, c: null, d: null },
  ];
  const got = await read(
    (sql) =>
      sql`select a, b, c, d from ${rowsOf(sql, rows, { a: 'integer', b: 'text', c: 'bigint', d: 'uuid' })}`,
  );
  expect(got).toEqual(rows.map(({ a, b = null, c, d }) => ({ a, b, c, d })));
});

it('gives no row of none, and one empty text of one', async () => {
  const texts = (rows: { content: string }[]) =>
    read((sql) => sql`select * from ${rowsOf(sql, rows, { content: 'json text' })}`);
  expect(await texts([])).toEqual([]);
  expect(await texts([{ content: '' }])).toEqual([{ content: '' }]);
  expect(await texts([{ content: '' }, { content: '' }])).toEqual([{ content: '' }, { content: '' }]);
});

it('does not compile with a column that the rows lack, or one of another type', async () => {
  const rows = [{ runId: 1n, n: 1, name: 'a' }];
  await app.db.read(system, (sql) => {
    rowsOf(sql, rows, { run_id: 'bigint', n: 'integer', name: 'text' });
    // @ts-expect-error: the rows have no field runNumber
    rowsOf(sql, rows, { run_number: 'bigint' });
    // @ts-expect-error: the field name has another type
    rowsOf(sql, rows, { name: 'integer' });
    return sql`select 1`;
  });
});

/** What stands between the parenthesis at `start` and its end. */
const inParentheses = (text: string, start: number): string => {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')' && --depth === 0) return text.slice(start + 1, i);
  }
  return text.slice(start);
};

it('writes every unnest of several arrays, so that their order and their names agree', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const byHand = globSync('**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && file !== 'platform/db/rows.ts')
    .filter((file) => {
      const text = readFileSync(`${root}${file}`, 'utf8');
      return [...text.matchAll(/\bunnest\(/g)].some(
        ({ index }) => inParentheses(text, index + 6).split(/::[\w ]+\[\]/).length > 2,
      );
    });
  expect(byHand).toEqual([]);
});

it('is one template for all calls with the same columns: the client keeps what it has seen', () => {
  const seen = new Set<unknown>();
  const sql = ((template: unknown) => seen.add(template)) as unknown as Sql;
  for (let n = 0; n < 3; n++) rowsOf(sql, [{ n, name: String(n) }], { n: 'integer', name: 'text' });
  rowsOf(sql, [{ n: 1 }], { n: 'integer' });
  expect(seen.size).toBe(2);
});
