import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, createRun, ok } from '../../../test/fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { until } from '../../../test/until.ts';
import { type Sql, system } from '../../platform/db/database.ts';
import { hasText } from './condition.ts';
import { indexTexts, startIndexing } from './index-texts.ts';
import { findByCondition, findText } from './queries.ts';
import { readSearch } from './read-search.ts';
import { locate } from './search-records.ts';

let app: TestApp;
let own: Organization;
let projectId: string;
let runId: string;

beforeAll(async () => {
  // Its own database: the texts of all organizations are indexed.
  app = await startApp({});
  own = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  runId = (await createRun(own.api, projectId, [])).id;
});

const scope = () => ({ ...own, role: 'admin', access: 'read', keyId: null, signInId: null }) as const;
const createRecords = async (words: string[]): Promise<string[]> => {
  const items = words.map((word) => ({ inputs: { word }, expected: {}, outputs: {} }));
  return (await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201)).ids;
};
const search = async (text: string, query = 'limit=100'): Promise<string[]> => {
  const path = `/projects/${projectId}/records?text=${encodeURIComponent(text)}&${query}`;
  return (await ok(own.api('GET', path))).data.map(({ id }: { id: string }) => id);
};
/** The ids of the records that the index and the texts that it lacks give, oldest first. */
const locateText = async (text: string): Promise<string[] | undefined> => {
  const { among } = await locate(app.db, scope(), BigInt(projectId), { conditions: [hasText(text)] });
  return among?.toSorted((a, b) => a.n - b.n).map(({ runId, n }) => `${runId}-${n}`);
};
/** Test files share a database, whose texts are more than a batch holds. */
const indexAll = async () => {
  while ((await app.db.transaction(system, (tx) => indexTexts(tx, 10_000))) > 0);
};
const textsOf = async (of: string) =>
  (
    await app.db.read(
      own,
      (sql) => sql<{ content: string }[]>`select content from record_text where run_id = ${of}`,
    )
  ).map(({ content }) => content);

describe('a text that is searched', () => {
  it('is found in records that are indexed and in those that are not yet, to the letter and in any case', async () => {
    const words = [
      'Alpha beta',
      'alphabet',
      'AL.PHA',
      '100% a_b',
      'back\\slash',
      'новое',
      'a"lpha"',
      'x'.repeat(5_000),
    ];
    const ids = await createRecords(words);
    const texts = [
      'alpha',
      'ALPHA B',
      'al.pha',
      '100%',
      'k\\sla',
      'НОВ',
      '"lpha"',
      `${'x'.repeat(999)}`,
      'nowhere',
      'word',
    ];
    const expected = texts.map((text) =>
      ids.filter((_, i) => `word\n${words[i]}`.toLowerCase().includes(text.toLowerCase())),
    );
    const located = () => Promise.all(texts.map(locateText));
    expect(await located()).toEqual(expected);
    await indexAll();
    expect(await located()).toEqual(expected);
    const later = await createRecords(['Later alpha']);
    expect(await locateText('alpha')).toEqual([...expected[0]!, ...later]);
  });

  it('is found without reading others, under row-level security as well', async () => {
    await createRecords(['needle', ...Array(500).fill('straw')]);
    await indexAll();
    const read = (tx: Sql) => tx<{ scanned: number; fetched: number }[]>`
      select pg_stat_get_xact_tuples_returned('record_text'::regclass)::int as scanned,
        pg_stat_get_xact_tuples_fetched('record_text'::regclass)::int as fetched`;
    await app.db.transaction(own, async (tx) => {
      const [before] = await read(tx);
      expect(await findText(tx, BigInt(projectId), 'needle', 10)).toHaveLength(1);
      const [after] = await read(tx);
      expect(after!.scanned).toBe(before!.scanned);
      expect(after!.fetched - before!.fetched).toBeLessThan(10);
    });
  });

  it('without three letters in a row is not located, but found', async () => {
    const [id] = await createRecords(['a-b']);
    expect(await locateText('a-b')).toBeUndefined();
    expect(await search('a-b')).toEqual([id]);
  });

  it('is found in the oldest of many records, and there together with other filters', async () => {
    const [oldest] = await createRecords(['needle one', ...Array(999).fill('straw')]);
    const [second, ...rest] = await createRecords(['needle two', ...Array(999).fill('straw')]);
    const tag = (id: string, text: string) => ok(own.api('POST', `/records/${id}/tags`, { text }), 201);
    await Promise.all([tag(oldest!, 'sharp'), tag(second!, 'blunt'), tag(rest.at(-1)!, 'sharp')]);
    for (const prepare of [async () => 0, indexAll]) {
      await prepare();
      expect(await search('needle')).toEqual([second, oldest]);
      expect(await search('needle', 'limit=1')).toEqual([second]);
      expect(await search('needle', 'offset=1')).toEqual([oldest]);
      expect(await search('needle', 'tags=sharp')).toEqual([oldest]);
      const path = `/projects/${projectId}/records/histogram?text=needle`;
      expect((await ok(own.api('GET', path))).numRecords).toBe(2);
    }
    expect((await search('straw')).length).toBe(100);
  });

  it('is not found in another project or organization, nor by a connection that searched before', async () => {
    await createRecords(['needle']);
    const other = await app.organization();
    const theirs = await createProject(other.api);
    await indexAll();
    const found = await ok(other.api('GET', `/projects/${theirs.id}/records?text=needle`));
    expect(found.data).toEqual([]);
    const keys = await app.db.read(other, (sql) => findText(sql, BigInt(projectId), 'needle', 10));
    expect(keys).toHaveLength(engine === 'server' ? 0 : 1);
    expect(await textsOf(runId)).toEqual(['word\nneedle']);
  });
});

describe('a number that is searched', () => {
  const createWith = async (outputs: unknown[]): Promise<string[]> => {
    const items = outputs.map((each) => ({ inputs: {}, expected: {}, outputs: each }));
    return (await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201)).ids;
  };
  const foundBy = async (q: string): Promise<string[]> =>
    (await ok(own.api('GET', `/projects/${projectId}/records?limit=100&q=${encodeURIComponent(q)}`))).data
      .map(({ id }: { id: string }) => id)
      .reverse();
  /** The places of the records that an index or a look at those that wait tells, before each is tested. */
  const locateNumber = async (q: string, of: string[]): Promise<number[] | undefined> => {
    const search = await readSearch(app.db, scope(), BigInt(projectId), { q });
    const { among } = await locate(app.db, scope(), BigInt(projectId), search);
    return among?.map(({ runId, n }) => of.indexOf(`${runId}-${n}`)).sort((a, b) => a - b);
  };
  const long = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`n${i}`, i]));

  it('is found by the index as by reading each record, before and after it is indexed', async () => {
    const outputs = [
      { n: 3 },
      { n: '12' },
      { n: 1e-7, deep: { n: 50 } },
      { n: 'twelve' },
      { n: [20] },
      { n: 20, text: 'nul \u0000 inside' },
      { ...long, n: 30 },
      { n: -5.5 },
    ];
    const ids = await createWith(outputs);
    const expected: [string, number[]][] = [
      ['outputs.n:>5', [1, 6]],
      ['outputs.n:<0', [7]],
      ['outputs.n:3..12', [0, 1]],
      ['outputs.deep.n:>=50', [2]],
      ['inputs.n:>0', []],
    ];
    for (const prepare of [async () => 0, indexAll]) {
      await prepare();
      for (const [q, places] of expected) {
        expect(await foundBy(q)).toEqual(places.map((place) => ids[place]));
        const located = await locateNumber(q, ids);
        expect(located).toEqual(expect.arrayContaining(places));
        expect(located!.length).toBeLessThan(ids.length - 2);
      }
    }
    expect(await foundBy('outputs.n.0:>5')).toEqual([ids[4]]);
    expect(await locateNumber('outputs.n.0:>5', ids)).toBeUndefined();
  });

  it('and a field that a record has or lacks, as well', async () => {
    const ids = await createWith([
      { a: { b: 1 } },
      { a: { b: null }, c: 'x' },
      { 'a\u001fb': 1 },
      { a: [{ b: 1 }] },
      { ...long, c: 'x' },
      { c: 'nul \u0000 inside' },
      { 'nul \u0000 inside': 1 },
    ]);
    const all = ids.map((_, place) => place);
    const expected: [string, number[]][] = [
      ['outputs.a.b:*', [0]],
      ['outputs.c:x', [1, 4]],
      ['-outputs.a.b:*', [1, 2, 3, 4, 5, 6]],
      ['-outputs.c:*', [0, 2, 3, 5, 6]],
      ['inputs.c:*', []],
      ['-inputs.c:*', all],
    ];
    for (const prepare of [async () => 0, indexAll]) {
      await prepare();
      for (const [q, places] of expected) {
        expect([q, await foundBy(q)]).toEqual([q, places.map((place) => ids[place])]);
        expect([q, await locateNumber(q, ids)]).toEqual([q, expect.arrayContaining(places)]);
      }
    }
    expect((await locateNumber('-outputs.c:*', ids))!.length).toBeLessThan(ids.length);
  });

  it('is located without reading other records, under row-level security as well', async () => {
    await createWith([{ n: 7 }, ...Array(500).fill({ n: 1 })]);
    await indexAll();
    const { conditions } = await readSearch(app.db, scope(), BigInt(projectId), { q: 'outputs.n:>5' });
    const read = (tx: Sql) => tx<{ rows: number }[]>`
      select sum(pg_stat_get_xact_tuples_returned(name::regclass)
        + pg_stat_get_xact_tuples_fetched(name::regclass))::int as rows
      from unnest(array['record', 'record_text', 'record_number', 'record_number_value']) name`;
    await app.db.transaction(own, async (tx) => {
      const [before] = await read(tx);
      const find = conditions[0]!.find!;
      expect(await findByCondition(tx, scope(), BigInt(projectId), find, 10)).toHaveLength(1);
      const [after] = await read(tx);
      expect(after!.rows - before!.rows).toBeLessThan(10);
    });
  });
});

describe('the text and the numbers of a record', () => {
  const countNumbers = async () =>
    (await app.db.read(own, (sql) => sql`select from record_number where run_id = ${runId}`)).length;

  it('go with the record, and with its run', async () => {
    const [first] = await createRecords(['1', '2']);
    await indexAll();
    expect(await countNumbers()).toBe(2);
    await ok(own.api('DELETE', `/records/${first}`));
    expect(await textsOf(runId)).toEqual(['word\n2']);
    expect(await countNumbers()).toBe(1);
    await ok(own.api('DELETE', `/runs/${runId}`));
    expect(await textsOf(runId)).toEqual([]);
    expect(await countNumbers()).toBe(0);
  });

  it('change with the inputs and outputs that its trace gives it', async () => {
    const traceId = newTraceId();
    const send = async (n: number, attributes: Record<string, string>) => {
      const span = { traceId, n, attributes, ...(n > 1 && { parent: 1 }) };
      await post(app, own.key, requestOf([span], { 'dokima.project_id': projectId }));
      await indexAll();
    };
    const numbers = () =>
      app.db.read(
        own,
        (sql) => sql<{ value: number }[]>`
        select value from record_number where project_id = ${projectId}::text::bigint order by value`,
      );
    await send(2, { 'gen_ai.operation.name': 'chat', 'input.value': 'needle', 'output.value': '17' });
    expect(await search('needle')).toHaveLength(1);
    expect(await numbers()).toEqual([{ value: 17 }]);
    await send(1, { 'input.value': 'straw', 'output.value': '18' });
    expect(await numbers()).toEqual([{ value: 18 }]);
    expect(await search('needle')).toEqual([]);
    expect(await search('straw')).toHaveLength(1);
    expect(await locateText('straw')).toHaveLength(1);
  });

  it('are indexed in the background once the project is searched, and what fails is tried again', async () => {
    await indexAll();
    const failures: string[] = [];
    const log = pino(
      { level: 'warn' },
      { write: (line: string) => void failures.push(JSON.parse(line).msg) },
    );
    let broken = 1;
    const transaction: typeof app.db.transaction = (tenant, work) =>
      broken-- > 0 ? Promise.reject(new Error('away')) : app.db.transaction(tenant, work);
    await createRecords(Array(500).fill('needle'));
    const index = (of = projectId) => ok(own.api('GET', `/projects/${of}/search-index`));
    const unsearched = (await createProject(own.api)).id;
    const other = (await createRun(own.api, unsearched, [])).id;
    await ok(own.api('POST', `/runs/${other}/records`, { inputs: {}, expected: {}, outputs: {} }), 201);
    const off = (await createProject(own.api)).id;
    await ok(own.api('PATCH', `/projects/${off}/settings`, { searchIndex: false }));
    await locate(app.db, scope(), BigInt(off), { conditions: [hasText('needle')] });
    expect(await index(off)).toEqual({ active: false, numWaiting: 0 });
    expect(await index()).toEqual({ active: false, numWaiting: 0 });
    expect(await locateText('needle')).toHaveLength(500);
    expect(await index()).toEqual({ active: true, numWaiting: 500 });
    const indexing = startIndexing({ db: { ...app.db, transaction }, log }, 1);
    await until(async () => ((await index()).numWaiting === 0 ? true : undefined));
    await indexing.stop();
    expect(failures).toHaveLength(1);
    expect(await locateText('needle')).toHaveLength(500);
    const left = await app.db.read(
      system,
      (sql) => sql<{ run: string }[]>`select run_id::text as run from record_text where not indexed`,
    );
    expect(left).toEqual([{ run: other }]);
  });
});
