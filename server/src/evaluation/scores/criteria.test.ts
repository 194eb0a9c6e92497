import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Client, startApp, type TestApp } from '../../../test/harness.ts';

let app: TestApp;
let api: Client;
let projectId: string;

beforeAll(async () => {
  app = await startApp();
  ({ api } = await app.organization());
  projectId = (await createProject(api)).id;
});
afterAll(() => app.close());

const items = [
  { id: 'polite', text: 'Is it polite?', weight: 1 },
  { id: 'right', text: 'Is the amount right?', weight: 2, mustPass: true },
  { id: 'promises', text: 'Does it promise a refund?', weight: -1 },
];
const human = { evalType: 'human', outputType: 'float', passingThreshold: 0.8 };

const opened = async (criteria: object, record: Record<string, unknown> = {}) => {
  const metric = await createMetric(api, projectId, { ...human, criteria });
  const run = await createRun(api, projectId, [metric.id]);
  const { id } = await createRecord(api, run.id, record);
  const configId = run.metricVersionIds[0]!;
  const put = (score: Record<string, unknown>) => api('PUT', `/records/${id}/scores/${configId}`, { score });
  const said = (...met: [string, boolean][]) =>
    put({ criteria: met.map(([of, yes]) => ({ id: of, met: yes })) });
  const state = async () => (await ok(api('GET', `/records/${id}`))).scoreStates[0];
  return { metric, run, id, configId, put, said, state };
};

describe('a metric with criteria', () => {
  it('keeps them in its configuration: another list is another one, and null takes them away', async () => {
    const { metric, run } = await opened({ items });
    expect(metric.criteria).toEqual({
      items: [{ ...items[0], mustPass: false }, items[1], { ...items[2], mustPass: false }],
      fromExpected: false,
      isolate: false,
    });
    const kind = { evalType: 'human', outputType: 'float' };
    const same = await ok(api('PATCH', `/metrics/${metric.id}`, { ...kind, criteria: { items } }));
    expect(same.criteria).toEqual(metric.criteria);
    const versions = async () => (await ok(api('GET', `/metrics/${metric.id}/versions`))).data;
    expect(await versions()).toMatchObject([{ id: run.metricVersionIds[0], criteria: metric.criteria }]);
    const none = await ok(api('PATCH', `/metrics/${metric.id}`, { ...kind, criteria: null }));
    expect(none).not.toHaveProperty('criteria');
    expect(await versions()).toHaveLength(2);
  });

  it('needs a share that can be computed', async () => {
    const refused = async (criteria: object, more: object = {}) =>
      (await api('POST', `/projects/${projectId}/metrics`, { name: 'M', ...human, criteria, ...more })).body
        .message;
    expect(await refused({})).toContain('needs items, or fromExpected');
    expect(await refused({ items: ['Is it polite?', { text: 1 }] })).toContain(
      '/criteria/items/1/text must be',
    );
    const { criteria } = await createMetric(api, projectId, {
      ...human,
      criteria: { items: ['Is it polite?'] },
    });
    expect(criteria.items).toEqual([
      { id: 'is-it-polite', text: 'Is it polite?', weight: 1, mustPass: false },
    ]);
    expect(await refused({ items: [{ text: 'Bad?', weight: -1 }] })).toContain('a positive weight');
    expect(await refused({ items: [{ text: 'Bad?', weight: -1, mustPass: true }] })).toContain('must pass');
    expect(await refused({ items: ['a', 'a'].map((id) => ({ id, text: id })) })).toContain("'a' twice");
    expect(await refused({ items: [{ text: 'Z', weight: 0 }] })).toContain('not 0');
    expect(await refused({ items }, { passingThreshold: 0 })).toContain('must be above 0');
    expect(await refused({ items }, { spans: 'kind:tool' })).toContain(
      'must be null for a metric that scores',
    );
    const code = await api('POST', `/projects/${projectId}/metrics`, {
      name: 'C',
      evalType: 'heuristic',
      outputType: 'float',
      criteria: { items },
    });
    expect(code.body.message).toContain('needs a float metric that a judge or people score');
  });
});

describe('a score by criteria', () => {
  it('is the share of the weights that are met, between 0 and 1', async () => {
    const { said, state } = await opened({ items });
    const scored = await ok(said(['polite', false], ['right', true], ['promises', false]));
    expect(scored.score).toEqual({
      floatScore: 2 / 3,
      criteria: [
        { id: 'polite', met: false },
        { id: 'right', met: true },
        { id: 'promises', met: false },
      ],
    });
    expect(await state()).toMatchObject({ state: 'scored', passed: false });
    expect((await ok(said(['polite', true], ['right', true], ['promises', true]))).score.floatScore).toBe(
      2 / 3,
    );
    expect((await ok(said(['polite', true], ['right', true], ['promises', false]))).score.floatScore).toBe(1);
    expect(await state()).toMatchObject({ passed: true });
  });

  it('is 0 if one that must pass is not met, and says the share without that rule', async () => {
    const { said } = await opened({ items });
    const { score } = await ok(said(['polite', true], ['right', false], ['promises', false]));
    expect(score).toMatchObject({ floatScore: 0, share: 1 / 3 });
  });

  it('is unscored without a verdict on each: what cannot be judged is no "no"', async () => {
    const { put, state, id, configId } = await opened({ items });
    const criteria = [
      { id: 'polite', met: true, reason: 'It thanks.', quote: 'Thank you' },
      { id: 'right', state: 'unscored', why: 'no amount' },
      { id: 'promises', met: false },
    ];
    await ok(put({ criteria }));
    expect(await state()).toMatchObject({
      state: 'unscored',
      reason: 'criterion_unscored: right',
      passed: null,
    });
    const { evidence } = await ok(api('GET', `/records/${id}/scores/${configId}`));
    expect(evidence).toEqual({ criteria });
  });

  it('refuses a bare value, an unknown criterion and one that is missing, and says what to send', async () => {
    const { put, said, state } = await opened({ items });
    const refused = async (sent: ReturnType<typeof put>) => {
      const { status, body } = await sent;
      return `${status} ${body.message}`;
    };
    expect(await refused(put({ floatScore: 1 }))).toMatch(/^400 .*send criteria: \[\{ id, met \}\]/);
    expect(await refused(said(['other', true]))).toMatch(/^400 .*'other', which is none of polite, right/);
    expect(await refused(said(['right', true]))).toMatch(/^400 .*a verdict on polite, promises/);
    expect((await state()).state).toBe('pending');
    await ok(said(['polite', true], ['right', true], ['promises', false]));
    const read = (await state()).score;
    expect((await ok(put(read))).score).toEqual(read);
    expect(await refused(put({ ...read, floatScore: 0.5 }))).toMatch(/^400 .*is 1 by these criteria/);
  });

  it('comes from the testcase too: without criteria the record is unscored, not 1', async () => {
    const criteria = { items: [items[0]], fromExpected: true };
    const both = await opened(criteria, { expected: { criteria: ['Does it name the day?'] } });
    const { score } = await ok(both.said(['polite', true], ['does-it-name-the-day', false]));
    expect(score.floatScore).toBe(0.5);
    const none = await opened({ fromExpected: true }, { expected: { answer: 1 } });
    await ok(none.put({ criteria: [] }));
    expect(await none.state()).toMatchObject({
      state: 'unscored',
      reason: expect.stringContaining('no_criteria'),
    });
  });

  it('comes with its record, in bulk and as a review, and a reviewer sees what to tick', async () => {
    const { metric, run, id, configId } = await opened({ items }, { outputs: { a: 1 } });
    const criteria = items.map((item) => ({ id: item.id, met: item.id !== 'promises' }));
    const { review } = await ok(api('POST', `/projects/${projectId}/reviews/next?metricId=${metric.id}`));
    expect(review).toMatchObject({ recordId: id, criteria: metric.criteria });
    const submitted = await ok(
      api('POST', `/records/${id}/reviews/${configId}`, { score: { criteria } }),
      201,
    );
    expect(submitted).toMatchObject({ state: 'scored', review: { score: { floatScore: 1, criteria } } });
    const scores = [{ metricConfigId: configId, score: { criteria } }];
    const item = { inputs: {}, expected: {}, outputs: {}, scores };
    const brought = await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items: [item] }), 201);
    const bulk = await createRecord(api, run.id);
    const sent = { recordId: bulk.id, metricConfigId: configId, score: { criteria, reasoning: 'R' } };
    await ok(api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: [sent] }));
    const { data } = await ok(api('GET', `/runs/${run.id}/records`));
    const all = data.map((record: { scores: { score: object }[] }) => record.scores[0]!.score);
    expect(all).toEqual([
      { floatScore: 1, criteria },
      { floatScore: 1, criteria },
      { floatScore: 1, criteria, reasoning: 'R' },
    ]);
    expect(data.map((record: { id: string }) => record.id)).toContain(brought.ids[0]);
  });

  it('has at most 100 criteria, each once; weights may cancel, and one that must pass is not 0 while it is unscored', async () => {
    const hundred = Array.from({ length: 100 }, (_, i) => ({ id: `c${i}`, text: `Criterion ${i}` }));
    const full = await opened({ items: hundred });
    const { score } = await ok(full.said(...hundred.map(({ id }, i): [string, boolean] => [id, i < 25])));
    expect(score.floatScore).toBe(0.25);
    const more = { name: 'M', ...human, criteria: { items: [...hundred, 'One more'] } };
    expect((await api('POST', `/projects/${projectId}/metrics`, more)).status).toBe(400);
    const reasonOf = async (items: object[], criteria: unknown) => {
      const of = await opened({ items, fromExpected: true }, { expected: { criteria } });
      await ok(of.put({ criteria: [] }));
      return (await of.state()).reason;
    };
    expect(await reasonOf(hundred, ['One more'])).toContain('at most 100 are scored');
    expect(await reasonOf(items, [{ id: 'polite', text: 'Another text' }])).toContain("'polite' twice");
    expect(await reasonOf(items, 'Is it short?')).toContain('must be a list of criteria');
    expect(await reasonOf(items, [{ text: 'Short?', weight: 'much' }])).toContain('needs a weight');
    const cancelling = await opened({
      items: [
        { id: 'good', text: 'Good?', weight: 2 },
        { id: 'bad', text: 'Bad?', weight: -2 },
      ],
    });
    expect((await ok(cancelling.said(['good', true], ['bad', true]))).score.floatScore).toBe(0);
    const { put, state } = await opened({ items });
    const unscored = { id: 'right', state: 'unscored', why: 'no amount' };
    await ok(put({ criteria: [{ id: 'polite', met: false }, unscored, { id: 'promises', met: true }] }));
    expect(await state()).toMatchObject({ state: 'unscored', reason: 'criterion_unscored: right' });
  });
});
