import { describe, expect, it } from 'vitest';
import { createProject, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
const projectId: string = (await createProject(own.api)).id;

type Given = { jsonData: object; split?: string; tags?: string[] };
const create = async (...items: Given[]) => {
  const { id } = await createTestset(own.api, projectId);
  await add(id, ...items);
  return id as string;
};
const add = async (testsetId: string, ...items: Given[]) => {
  for (let i = 0; i < items.length; i += 100)
    await ok(own.api('POST', `/testsets/${testsetId}/testcases`, { items: items.slice(i, i + 100) }), 201);
};
const mark = (testsetId: string, body: object) =>
  ok(own.api('PATCH', `/testsets/${testsetId}/testcases`, body));
const list = async (testsetId: string, query = '') =>
  (await ok(own.api('GET', `/testsets/${testsetId}/testcases?limit=100&${query}`))).data as (Given & {
    id: string;
  })[];
const found = async (testsetId: string, q: string, more = '') =>
  (await list(testsetId, `q=${encodeURIComponent(q)}${more}`)).map(({ id }) => Number(id.split('-')[1]));
const summary = (testsetId: string) => ok(own.api('GET', `/testsets/${testsetId}/counts`));
const settings = (testsetId: string, body: object) =>
  own.api('PATCH', `/testsets/${testsetId}/settings`, body);

const languages = ['de', 'fr', 'de', 'en'];
const four = languages.map((lang, i) => ({ jsonData: { question: `Q${i} refund`, lang } }));

describe('splits and tags', () => {
  it('come with a testcase, are set by a search, by ids and by a drawn share, and are counted', async () => {
    const id = await create({ jsonData: { question: 'a' }, split: 'dev', tags: ['b', 'a'] }, ...four);
    expect(await list(id)).toMatchObject([
      { split: 'dev', tags: ['a', 'b'] },
      ...four.map(({ jsonData }) => ({ jsonData })),
    ]);
    expect(await mark(id, { q: 'data.lang:de', split: 'test', addTags: ['german'] })).toEqual({
      numTestcases: 2,
      numChanged: 2,
    });
    expect(await mark(id, { q: 'data.lang:de', split: 'test' })).toMatchObject({ numChanged: 0 });
    expect(await mark(id, { ids: [`${id}-1`], removeTags: ['a'], dryRun: true })).toEqual({
      numTestcases: 1,
      numChanged: 0,
    });
    await mark(id, { ids: [`${id}-1`], removeTags: ['a'], addTags: ['c'] });
    expect(await summary(id)).toEqual({
      numTestcases: 5,
      numInvalid: 0,
      splits: [
        { split: 'test', numTestcases: 2 },
        { split: 'dev', numTestcases: 1 },
      ],
      tags: [
        { tag: 'german', numTestcases: 2 },
        { tag: 'b', numTestcases: 1 },
        { tag: 'c', numTestcases: 1 },
      ],
    });
    await mark(id, { split: null });
    expect((await summary(id)).splits).toEqual([]);
    expect((await own.api('PATCH', `/testsets/${id}/testcases`, { ids: ['999999-1'] })).status).toBe(404);
  });

  it('are found by the search of the testset, with its words and fields; a mistake is named', async () => {
    const id = await create(...four);
    await mark(id, { q: 'data.lang:fr', split: 'dev', addTags: ['hard'] });
    expect(await found(id, 'split:dev tag:hard')).toEqual([2]);
    expect(await found(id, '-split:* refund data.lang:de')).toEqual([1, 3]);
    expect(await found(id, '-data.lang:de Q3')).toEqual([4]);
    expect(await found(id, 'data.question:~"q2 r"')).toEqual([3]);
    for (const q of ['splitt:dev', 'data:x', 'tag:', 'split:>3']) {
      const { status, body } = await own.api('GET', `/testsets/${id}/testcases?q=${encodeURIComponent(q)}`);
      expect([status, body.details.issues[0].path]).toEqual([400, '/q']);
    }
  });

  it('belong to a snapshot, copy no text, and a restored one has them again', async () => {
    const id = await create(...four);
    await mark(id, { split: 'dev' });
    const { hash } = await ok(own.api('POST', `/testsets/${id}/snapshots`, {}), 201);
    await mark(id, { split: 'test', addTags: ['x'] });
    await mark(id, { addTags: ['y'] });
    const then = await list(id, 'snapshot=1');
    expect(then).toMatchObject(four.map((each) => ({ ...each, split: 'dev' })));
    expect(await found(id, 'split:dev refund data.lang:de', '&snapshot=1')).toEqual([1, 3]);
    expect((await ok(own.api('POST', `/testsets/${id}/snapshots`, {}), 201)).numChanged).toBe(4);
    const { data } = await ok(own.api('GET', `/testsets/${id}/snapshots/1/differences`));
    expect(data[0]).toMatchObject({
      before: { split: 'dev', jsonData: four[0]!.jsonData },
      after: { split: 'test', tags: ['x', 'y'], revision: 1, jsonData: four[0]!.jsonData },
    });
    // The text of a row that only its marks replaced is in the row that came after it, even when that one is gone.
    await ok(own.api('POST', '/testcases/bulk-delete', { ids: [`${id}-1`] }));
    await ok(own.api('PUT', `/testcases/${id}-2`, { jsonData: { question: 'new' } }));
    expect(await list(id, 'snapshot=1')).toEqual(then);
    await ok(own.api('POST', `/testsets/${id}/snapshots/1/restore`));
    expect(await list(id)).toEqual(then);
    expect((await ok(own.api('POST', `/testsets/${id}/snapshots`, {}), 201)).hash).toBe(hash);
    const body = { metricIds: [], testsetId: id, split: 'dev' };
    expect((await own.api('POST', `/projects/${projectId}/runs`, { ...body, snapshot: 2 })).status).toBe(400);
    const run = await ok(own.api('POST', `/projects/${projectId}/runs`, body), 201);
    expect(run.numExpectedRecords).toBe(4);
  });

  it('by rule: shares are drawn by groups, so that no group is in two splits, now and later', async () => {
    const id = await create();
    await ok(settings(id, { groupingField: 'doc' }));
    const cases = (from: number) =>
      Array.from({ length: 300 }, (_, i) => ({ jsonData: { doc: `d${(from + i) % 150}`, n: from + i } }));
    await add(id, { jsonData: { doc: 'd0', lang: 'de' }, split: 'mine' }, ...cases(0));
    const rules = [
      { split: 'german', q: 'data.lang:de' },
      { split: 'test', share: 0.3 },
      { split: 'dev', share: 0.7 },
    ];
    await ok(settings(id, { splitRules: rules }));
    await add(id, { jsonData: { lang: 'de' } }, ...cases(300));
    const { splits } = await summary(id);
    const counts = Object.fromEntries(
      splits.map((each: { split: string; numTestcases: number }) => [each.split, each.numTestcases]),
    );
    expect(counts).toMatchObject({ mine: 1, german: 1 });
    expect(counts.test + counts.dev).toBe(600);
    expect(counts.test).toBeGreaterThan(110);
    expect(counts.test).toBeLessThan(250);
    const docsOf = async (split: string) => {
      const docs = new Set<string>();
      let cursor = '';
      do {
        const page = await ok(
          own.api('GET', `/testsets/${id}/testcases?limit=100&q=split:${split}&cursor=${cursor}`),
        );
        for (const { jsonData } of page.data) docs.add(jsonData.doc);
        cursor = page.nextCursor;
      } while (cursor);
      return docs;
    };
    const [test, dev] = [await docsOf('test'), await docsOf('dev')];
    expect([...test].filter((doc) => dev.has(doc))).toEqual([]);
    const { status, body } = await settings(id, { splitRules: [...rules, { split: 'x', share: 0.2 }] });
    expect([status, body.details.issues[0].path]).toEqual([400, '/splitRules']);
  });
});

it('a field that is not known is named where a testcase is written, and refused where it is marked', async () => {
  const id = await create(...four);
  for (const [method, path, body, ignored] of [
    ['POST', `/testsets/${id}/testcases`, { items: [{ jsonData: {}, folder: 'x' }] }, '/items/0/folder'],
    ['PUT', `/testcases/${id}-1`, { jsonData: {}, tag: ['x'] }, '/tag'],
  ] as const) {
    const { status, headers } = await own.api(method, path, body);
    expect([status < 300, headers['ignored-fields']]).toEqual([true, ignored]);
  }
  const { status, body } = await own.api('PATCH', `/testsets/${id}/testcases`, { folder: 'x' });
  expect([status, JSON.stringify(body.details.issues)]).toEqual([400, expect.stringContaining('folder')]);
});
