import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const { own } = await openApp();
const projectId: string = (await createProject(own.api)).id;

const create = async (...questions: string[]) => {
  const { id } = await createTestset(own.api, projectId);
  await add(id, ...questions);
  return id as string;
};
const add = (testsetId: string, ...questions: string[]) =>
  ok(
    own.api('POST', `/testsets/${testsetId}/testcases`, {
      items: questions.map((question) => ({ jsonData: { question } })),
    }),
    201,
  );
const edit = (id: string, question: string) =>
  ok(own.api('PUT', `/testcases/${id}`, { jsonData: { question } }));
const remove = (erase: boolean, ...ids: string[]) =>
  ok(own.api('POST', '/testcases/bulk-delete', { ids, erase }));
const take = (testsetId: string, body: object = {}) =>
  ok(own.api('POST', `/testsets/${testsetId}/snapshots`, body), 201);
const differences = async (testsetId: string, from: number, to?: number) =>
  (
    await ok(
      own.api(
        'GET',
        `/testsets/${testsetId}/snapshots/${from}/differences${to === undefined ? '' : `?against=${to}`}`,
      ),
    )
  ).data;
const present = async (testsetId: string) =>
  (await ok(own.api('GET', `/testsets/${testsetId}/testcases`))).data;
const questions = async (testsetId: string) =>
  (await present(testsetId)).map(({ jsonData }: { jsonData: { question: string } }) => jsonData.question);

describe('a snapshot', () => {
  it('has the hash that its description says, and is the same one until a testcase changes', async () => {
    const id = await create('a', 'b');
    const first = await take(id, { name: 'first' });
    const lines = ['{"question":"a"}', '{"question":"b"}'].map((text, i) =>
      JSON.stringify([i + 1, createHash('sha256').update(text).digest('hex'), null, []]),
    );
    expect(first).toMatchObject({
      number: 1,
      name: 'first',
      current: true,
      numTestcases: 2,
      numAdded: 2,
      numChanged: 0,
      numRemoved: 0,
      madeBy: 'member',
      createdByUserId: own.memberId,
      hash: createHash('sha256').update(lines.join('\n')).digest('hex'),
    });
    expect(await take(id)).toEqual(first);
    expect(await take(id, { name: 'again' })).toMatchObject({ number: 1, name: 'again' });
    await edit(`${id}-1`, 'A');
    await add(id, 'c');
    await remove(false, `${id}-2`);
    expect(await take(id)).toMatchObject({
      number: 2,
      numTestcases: 2,
      numAdded: 1,
      numChanged: 1,
      numRemoved: 1,
    });
    await edit(`${id}-1`, 'A');
    expect(await take(id)).toMatchObject({ number: 3, numAdded: 0, numChanged: 0, numRemoved: 0 });
    const { data } = await ok(own.api('GET', `/testsets/${id}/snapshots`));
    expect(
      data.map(({ number, current }: { number: number; current: boolean }) => [number, current]),
    ).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    expect(data[0].hash).toBe(data[1].hash);
  });

  it('differs from another, and from now, by what was added, changed and removed, with both texts', async () => {
    const id = await create('a', 'b', 'same');
    await take(id);
    await edit(`${id}-1`, 'A');
    await remove(false, `${id}-2`);
    await add(id, 'new');
    const found = await differences(id, 1);
    expect(found).toMatchObject([
      {
        testcaseId: `${id}-1`,
        change: 'changed',
        before: { revision: 1, jsonData: { question: 'a' } },
        after: { revision: 2 },
      },
      { testcaseId: `${id}-2`, change: 'removed', before: { jsonData: { question: 'b' } }, after: null },
      { testcaseId: `${id}-4`, change: 'added', before: null, after: { jsonData: { question: 'new' } } },
    ]);
    const only = (testcaseId: string) =>
      own.api('GET', `/testsets/${id}/snapshots/1/differences?testcaseId=${testcaseId}`);
    expect((await ok(only(`${id}-2`))).data).toEqual([found[1]]);
    expect([(await ok(only(`${id}-3`))).data, (await only('999-1')).status]).toEqual([[], 404]);
    await take(id);
    expect(await differences(id, 1, 2)).toEqual(found);
    expect((await differences(id, 2, 1)).map(({ change }: { change: string }) => change)).toEqual([
      'changed',
      'added',
      'removed',
    ]);
    expect((await own.api('GET', `/testsets/${id}/snapshots/1/differences?against=9`)).status).toBe(404);
  });

  it('restored gives every testcase back its text, id and revision, and can be undone', async () => {
    const id = await create('a', 'b', 'c');
    await take(id);
    await edit(`${id}-1`, 'A');
    await edit(`${id}-1`, 'AA');
    await remove(false, `${id}-2`);
    await add(id, 'new');
    const changed = await present(id);
    const restored = await ok(own.api('POST', `/testsets/${id}/snapshots/1/restore`));
    expect(restored).toEqual({ before: 2, numAdded: 1, numChanged: 1, numRemoved: 1 });
    expect(await questions(id)).toEqual(['a', 'b', 'c']);
    expect((await take(id)).hash).toBe((await ok(own.api('GET', `/testsets/${id}/snapshots/1`))).hash);
    const run = await createRun(own.api, projectId, []);
    const now = async (recordId: string) =>
      (await ok(own.api('GET', `/records/${recordId}`))).currentTestcaseRevision;
    const revisionOf = async (n: number) => {
      const { id: recordId } = await createRecord(own.api, run.id, { testcaseId: `${id}-${n}` });
      return (await ok(own.api('GET', `/records/${recordId}`))).testcaseRevision;
    };
    expect([await revisionOf(1), await revisionOf(2)]).toEqual([1, 1]);
    const { id: answered } = await createRecord(own.api, run.id, { testcaseId: `${id}-1` });
    expect(await now(answered)).toBe(1);
    await edit(`${id}-1`, 'another');
    expect([await revisionOf(1), await now(answered)]).toEqual([4, 4]);
    await remove(false, `${id}-1`);
    expect(await now(answered)).toBe(null);
    await ok(own.api('POST', `/testsets/${id}/snapshots/2/restore`));
    expect(await present(id)).toEqual(changed);
  });

  it('keeps what is deleted, unless it is erased there too, and then says how many are', async () => {
    const id = await create('keep', 'secret', 'gone');
    await take(id);
    await edit(`${id}-2`, 'secret too');
    await take(id);
    await remove(true, `${id}-2`);
    await remove(false, `${id}-3`);
    const { data } = await ok(own.api('GET', `/testsets/${id}/snapshots`));
    expect(data.map(({ numErased }: { numErased: number }) => numErased)).toEqual([1, 1]);
    await ok(own.api('POST', `/testsets/${id}/snapshots/1/restore`));
    expect(await questions(id)).toEqual(['keep', 'gone']);
  });
});

describe('a run', () => {
  it('records the snapshot of its testset when it starts, or is about an older one', async () => {
    const id = await create('a', 'b');
    const first = await createRun(own.api, projectId, [], { testsetId: id });
    await createRun(own.api, projectId, [], { testsetId: id });
    await add(id, 'c');
    const second = await createRun(own.api, projectId, [], { testsetId: id });
    expect([first, second].map((run) => run.numExpectedRecords)).toEqual([2, 3]);
    const { data } = await ok(own.api('GET', `/projects/${projectId}/run-details?testsetId=${id}`));
    expect(data.map(({ snapshot }: { snapshot: { number: number } }) => snapshot.number)).toEqual([2, 1, 1]);
    expect(await ok(own.api('GET', `/testsets/${id}/snapshots/1`))).toMatchObject({
      madeBy: 'run',
      numRuns: 2,
    });
    for (const [body, path] of [
      [{ snapshot: 1 }, '/snapshot'],
      [{ testsetId: id, snapshot: 1 }, '/snapshot'],
      [{ split: 'dev' }, '/split'],
      [{ testsetId: id, split: 'dev' }, '/split'],
    ] as const) {
      const { status, body: error } = await own.api('POST', `/projects/${projectId}/runs`, {
        metricIds: [],
        ...body,
      });
      expect([status, error.details.issues[0].path]).toEqual([400, path]);
    }
    const unknown = { metricIds: [], testsetId: id, snapshot: 9 };
    expect((await own.api('POST', `/projects/${projectId}/runs`, unknown)).status).toBe(404);
  });
});

it('a comparison of runs names the snapshots, says what differs, and is about what both have unchanged', async () => {
  const id = await create('a', 'b', 'c');
  const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const runOf = async () => {
    const records = (await present(id)).map(({ id: testcaseId }: { id: string }) => ({
      testcaseId,
      scores: { [metric.id]: true },
    }));
    return (await createRunOf(own.api, projectId, [metric], records, { testsetId: id })).run.id as string;
  };
  const [first, same] = [await runOf(), await runOf()];
  await edit(`${id}-1`, 'A');
  await remove(false, `${id}-2`);
  await add(id, 'd', 'e');
  const last = await runOf();
  const { runs, pairs } = await ok(own.api('GET', `/runs/compare?runs=${first},${same},${last}&pairs=first`));
  expect(runs.map(({ snapshot }: { snapshot: { number: number } }) => snapshot.number)).toEqual([1, 1, 2]);
  expect(pairs.map(({ testcases }: { testcases: object }) => testcases)).toEqual([
    {
      same: true,
      numAdded: 0,
      numChanged: 0,
      numRemoved: 0,
      sentence: 'Both runs are about the same testcases: snapshot 1.',
    },
    {
      same: false,
      numAdded: 2,
      numChanged: 1,
      numRemoved: 1,
      sentence:
        'The testcases differ: snapshot 1 and snapshot 2 (2 testcases added, 1 changed, 1 removed). Only testcases that both runs have unchanged are compared.',
    },
  ]);
  expect(pairs.map(({ metrics }: { metrics: { n: number }[] }) => metrics[0]!.n)).toEqual([3, 1]);
});

it('a comparison says in words how the testcases of two runs differ: by snapshots, splits, and what was done', async () => {
  const id = await create('a', 'b', 'c', 'd');
  const mark = (body: object) => ok(own.api('PATCH', `/testsets/${id}/testcases`, body));
  const start = async (split?: string): Promise<string> =>
    (await createRun(own.api, projectId, [], { testsetId: id, ...(split && { split }) })).id;
  await mark({ ids: [`${id}-1`, `${id}-2`], split: 'dev' });
  await mark({ ids: [`${id}-3`], split: 'test' });
  const [all, dev] = [await start(), await start('dev')];
  const same = (what: string) => `Both runs are about the same testcases: ${what}.`;
  const differ = (what: string, counts: string) =>
    `The testcases differ: ${what} (${counts}). Only testcases that both runs have unchanged are compared.`;
  const said: string[] = [];
  for (const [before, change, split, sentence] of [
    [all, () => {}, undefined, same('snapshot 1')],
    [dev, () => {}, 'dev', same('split dev of snapshot 1')],
    [
      all,
      () => {},
      'dev',
      differ('snapshot 1 and split dev of snapshot 1', '0 testcases added, 0 changed, 2 removed'),
    ],
    [
      dev,
      () => {},
      undefined,
      differ('split dev of snapshot 1 and snapshot 1', '2 testcases added, 0 changed, 0 removed'),
    ],
    [
      dev,
      () => {},
      'test',
      differ(
        'split dev of snapshot 1 and split test of snapshot 1',
        'one testcase added, 0 changed, 2 removed',
      ),
    ],
    // A tag, a new split and an edit of others change the snapshot, and not what was asked.
    [all, () => mark({ addTags: ['x'] }), undefined, same('snapshot 2')],
    [dev, () => edit(`${id}-3`, 'C'), 'dev', same('split dev of snapshot 3')],
    [
      dev,
      () => mark({ ids: [`${id}-1`, `${id}-2`], split: 'other' }),
      'other',
      same('split other of snapshot 4'),
    ],
    [
      all,
      () => {},
      undefined,
      differ('snapshot 1 and snapshot 4', '0 testcases added, 1 changed, 0 removed'),
    ],
    [all, () => edit(`${id}-3`, 'c'), undefined, same('snapshot 5')],
    [
      all,
      () => remove(false, `${id}-4`),
      undefined,
      differ('snapshot 1 and snapshot 6', '0 testcases added, 0 changed, 1 removed'),
    ],
    [
      all,
      () => add(id, 'd', 'e'),
      undefined,
      differ('snapshot 1 and snapshot 7', '2 testcases added, 0 changed, 1 removed'),
    ],
    [
      all,
      () => edit(`${id}-1`, 'A'),
      undefined,
      differ('snapshot 1 and snapshot 8', '2 testcases added, 1 changed, 1 removed'),
    ],
    [
      dev,
      () => {},
      'other',
      differ(
        'split dev of snapshot 1 and split other of snapshot 8',
        '0 testcases added, 1 changed, 0 removed',
      ),
    ],
    [all, () => ok(own.api('POST', `/testsets/${id}/snapshots/1/restore`)), undefined, same('snapshot 9')],
  ] as const) {
    await change();
    const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${before},${await start(split)}`));
    said.push(pairs[0].testcases.sentence);
    expect(said.at(-1)).toBe(sentence);
    expect(pairs[0].testcases.same).toBe(sentence.startsWith('Both'));
  }
});
