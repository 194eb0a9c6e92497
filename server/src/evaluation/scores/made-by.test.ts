import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createRun, namePeople, ok } from '../../../test/fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { addRecords } from '../../../test/reviews.ts';
import { createRunOf } from '../../../test/scored-runs.ts';
import { enter } from '../../../test/sign-in.ts';

let app: TestApp;
let own: Organization;
/** The owner in a browser. */
let browser: Client;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
  const cookie = await enter(app.db, own, 'a long password');
  const none = own.as(undefined);
  browser = (method, path, body) =>
    none(method, path, body, { headers: { cookie, 'x-requested-with': 'pages' } });
});
afterAll(() => app.close());

const score = { binaryScore: true };

it('each way to give a score says who made it, and keeps it when it is replaced', async () => {
  const projectId: string = (await createProject(own.api)).id;
  const [people, code] = await Promise.all(
    ['human', 'heuristic'].map((evalType) =>
      createMetric(own.api, projectId, { evalType, outputType: 'boolean' }),
    ),
  );
  const run = await createRun(own.api, projectId, [people.id, code.id]);
  const [human, heuristic] = run.metricVersionIds as [string, string];
  const [a, b, c] = (await addRecords(own.api, run.id, 3)) as [string, string, string];
  const put = (api: Client, body: object, record = a) =>
    ok(api('PUT', `/records/${record}/scores/${human}`, body));
  expect(await put(own.api, { score })).not.toHaveProperty('madeBy');
  expect(await put(own.api, { score, madeBy: 'model' })).toMatchObject({ madeBy: 'model' });
  expect(await put(browser, { score })).not.toHaveProperty('madeBy');
  expect(await put(own.api, { score, userId: own.memberId })).toMatchObject({ madeBy: 'person' });
  expect(await put(own.api, { score, userId: own.memberId, madeBy: 'model' })).toMatchObject({
    madeBy: 'model',
  });
  const items = [
    { recordId: a, metricConfigId: human, score, madeBy: 'person' },
    { recordId: a, metricConfigId: heuristic, score },
    { recordId: b, metricConfigId: human, score, madeBy: 'model' },
  ];
  await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
  const madeBy = async (record: string) => {
    const { scoreStates } = await ok(own.api('GET', `/records/${record}`));
    const states: { metricId: string; madeBy: string }[] = scoreStates;
    return [people.id, code.id].map((id) => states.find(({ metricId }) => metricId === id)?.madeBy);
  };
  expect(await madeBy(a)).toEqual(['person', 'client']);
  expect(await madeBy(b)).toEqual(['model', null]);
  expect(await madeBy(c)).toEqual([null, null]);
  const { history } = await ok(own.api('GET', `/records/${a}/scores/${human}`));
  expect(history.map((before: { madeBy: string }) => before.madeBy)).toEqual([
    'model',
    'person',
    'person',
    'model',
    'client',
  ]);
  const brought = { inputs: {}, expected: {}, outputs: {} };
  const scores = [{ metricConfigId: human, score, madeBy: 'model' }];
  const { ids } = await ok(
    own.api('POST', `/runs/${run.id}/records/bulk-create`, { items: [{ ...brought, scores }] }),
    201,
  );
  expect((await ok(own.api('GET', `/runs/${run.id}/records`))).data.at(-1).scores).toEqual([
    { recordId: ids[0], metricConfigId: human, score, userId: own.memberId, madeBy: 'model' },
  ]);
  const rate = (api: Client, body: object) =>
    ok(api('POST', `/records/${a}/annotations`, { rating: true, ...body }), 201);
  expect(await rate(own.api, {})).not.toHaveProperty('madeBy');
  expect(await rate(own.api, { madeBy: 'model' })).toMatchObject({ madeBy: 'model' });
});

it('a label is a model’s if one of its reviews is, and a person’s if all are; undone reviews give back the earlier label', async () => {
  const projectId: string = (await createProject(own.api)).id;
  const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const run = await createRun(own.api, projectId, [people.id]);
  const [human] = run.metricVersionIds as [string];
  const [a, b] = (await addRecords(own.api, run.id, 2)) as [string, string];
  const review = async (api: Client, record: string, body: object = {}) =>
    (await ok(api('POST', `/records/${record}/reviews/${human}`, { score, ...body }), 201)).review.madeBy;
  const madeBy = async (record: string) =>
    (await ok(own.api('GET', `/records/${record}`))).scoreStates[0].madeBy;
  await ok(own.api('PUT', `/records/${a}/scores/${human}`, { score, madeBy: 'model' }));
  expect(await review(browser, a)).toBe('person');
  expect(await madeBy(a)).toBe('person');
  await ok(browser('POST', `/projects/${projectId}/reviews/undo`));
  expect(await madeBy(a)).toBe('model');
  await ok(own.api('PATCH', `/metrics/${people.id}/settings`, { numReviewers: 2, reviewRule: 'latest' }));
  const other = await own.person();
  expect(await review(browser, b)).toBe('person');
  expect(await review(other.api, b, { madeBy: 'model' })).toBe('model');
  expect(await madeBy(b)).toBe('model');
  expect(await review(other.api, b, { madeBy: 'person' })).toBe('person');
  expect(await madeBy(b)).toBe('person');
});

it('labels that models made never calibrate, and each figure says how many were left out', async () => {
  const projectId: string = (await createProject(own.api)).id;
  const create = (evalType: string, fields = {}): Promise<{ id: string; outputType: string }> =>
    createMetric(own.api, projectId, { evalType, outputType: 'boolean', ...fields });
  const [judge, people] = [await create('ai', { promptTemplate: '{{ outputs.a }}' }), await create('human')];
  await namePeople(own.api, judge.id, people.id);
  const records = Array.from({ length: 60 }, (_, i) => ({ scores: { [judge.id]: i % 2 === 0 } }));
  const { run, recordIds, configIds } = await createRunOf(own.api, projectId, [judge, people], records);
  // A model agrees with the judge on each record; people disagree on every tenth.
  const label = (madeBy: string | undefined, from: number, to: number, agrees: (i: number) => boolean) =>
    recordIds.slice(from, to).map((recordId, i) => ({
      recordId,
      metricConfigId: configIds[1],
      score: { binaryScore: ((from + i) % 2 === 0) === agrees(from + i) },
      ...(madeBy && { madeBy }),
    }));
  const items = [
    ...label('model', 0, 30, () => true),
    ...label('person', 30, 50, (i) => i % 10 !== 0),
    ...label(undefined, 50, 60, () => true),
  ];
  await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
  const calibration = (query = '') => ok(own.api('GET', `/metrics/${judge.id}/calibration${query}`));
  const found = await calibration(`?runId=${run.id}`);
  expect(found).toMatchObject({
    n: 30,
    agreement: { estimate: 28 / 30 },
    judge: { numLabels: 30, labelsBy: { people: 20, clients: 10, code: 0, models: 30 } },
  });
  const leftOut = '30 labels that models made are left out: only labels of people calibrate a judge';
  expect(found.judge.sentence).toContain(leftOut);
  expect(found.caveats).toContainEqual({ code: 'labelsOfModels', sentence: leftOut });
  const summary = await ok(own.api('GET', `/runs/${run.id}/summary`));
  const judged = summary.metrics.find(({ metricId }: { metricId: string }) => metricId === judge.id).judge;
  expect(judged).toMatchObject({ numLabels: 30, labelsBy: { models: 30 } });
  expect(judged.sentence).toContain(leftOut);
  const disagreements = await ok(own.api('GET', `/metrics/${judge.id}/calibration/disagreements`));
  expect(disagreements.data.map(({ recordId }: { recordId: string }) => recordId)).toEqual([
    recordIds[30],
    recordIds[40],
  ]);
  // The source of the labels does not matter: another metric, pinned labels, thumbs.
  expect(await calibration(`?against=${people.id}`)).toMatchObject({
    n: 30,
    judge: { labelsBy: { models: 30 } },
  });
  const pinned = await ok(own.api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id }));
  expect(pinned.numRecords).toBe(30);
  for (const [i, madeBy] of ['model', 'model', 'person'].entries())
    await ok(own.api('POST', `/records/${recordIds[i]}/annotations`, { rating: true, madeBy }), 201);
  expect(await calibration('?labels=thumbs')).toMatchObject({
    n: 1,
    judge: { labelsBy: { people: 1, models: 2 } },
  });
});
