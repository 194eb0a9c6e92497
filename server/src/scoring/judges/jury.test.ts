import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type Behaviour, type ModelServer, openOpenAiServer } from '../../../test/model-server.ts';

let app: TestApp;
let own: Organization;
let models: ModelServer;
let projectId: string;
const patient = { timeout: 30_000, interval: 50 };

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
  for (const name of ['one', 'two'])
    await ok(own.api('POST', '/providers', { name, kind: 'openai-compatible', baseUrl: models.url }), 201);
  projectId = (await createProject(own.api)).id;
});
beforeEach(() => {
  models.received.length = 0;
});
afterAll(() => Promise.all([app.close(), models.close()]));

const says = (answers: Record<string, Behaviour>) =>
  models.answer(({ body }) => answers[body.model as string] ?? { status: 500, body: '{}' });
const yes = { reply: { reasoning: 'Yes.', binaryScore: true } };
const no = { reply: { reasoning: 'No.', binaryScore: false } };
const settings = (metricId: string, juryModelNames: string[]) =>
  own.api('PATCH', `/metrics/${metricId}/settings`, { judgeRepeats: 1, juryModelNames });

/** Creates a record that `one/a` and the jury judge. */
const judged = async (outputType: 'boolean' | 'int', juryModelNames: string[]) => {
  const metric = await createMetric(own.api, projectId, {
    evalType: 'ai',
    outputType,
    promptTemplate: 'Good? {{ outputs.answer }}',
    evalModelName: 'one/a',
  });
  expect(await ok(settings(metric.id, juryModelNames))).toMatchObject({ judgeRepeats: 1, juryModelNames });
  const run = await createRun(own.api, projectId, [metric.id]);
  // Its own answer, so that no verdict is reused.
  const { id } = await createRecord(own.api, run.id, { outputs: { answer: `answer ${run.id}` } });
  const score = async () => (await ok(own.api('GET', `/records/${id}`))).scoreStates[0];
  const evidence = async () =>
    (await ok(own.api('GET', `/records/${id}/scores/${run.metricVersionIds[0]}`))).evidence;
  return { metric, score, evidence };
};

describe('a jury', () => {
  it('scores by its majority, and keeps the verdict, the tokens and the disagreement of each model', async () => {
    says({ a: yes, b: no, c: yes });
    const { score, evidence } = await judged('boolean', ['one/b', 'two/c']);
    await expect.poll(score, patient).toMatchObject({ state: 'scored', score: { binaryScore: true } });
    expect(await evidence()).toMatchObject({
      disagreement: 1,
      inputTokens: 300,
      outputTokens: 60,
      attempts: 3,
      jury: [
        { modelName: 'one/a', verdict: { value: true }, evidence: { inputTokens: 100 } },
        { modelName: 'one/b', verdict: { value: false } },
        { modelName: 'two/c', verdict: { value: true } },
      ],
    });
  });

  it('of ratings has the median', async () => {
    const rating = (intScore: number) => ({ reply: { reasoning: 'R', intScore } });
    says({ a: rating(5), b: rating(1), c: rating(4) });
    const { score } = await judged('int', ['one/b', 'two/c']);
    await expect.poll(score, patient).toMatchObject({ state: 'scored', score: { intScore: 4 } });
  });

  it('without verdicts of more than half is unscored, and says which model gave none', async () => {
    says({ a: yes, b: { reply: 'Well.' }, c: { reply: 'Hm.' } });
    const { score, evidence } = await judged('boolean', ['one/b', 'two/c']);
    await expect.poll(score, patient).toMatchObject({ state: 'unscored', reason: 'invalid_judge_output' });
    expect(
      (await evidence()).jury.map(({ verdict }: { verdict: object | null }) => verdict !== null),
    ).toEqual([true, false, false]);
  });

  it('asks no model again that has answered when another one failed for a while', async () => {
    says({ a: yes, b: no });
    const { score } = await judged('boolean', ['one/b', 'two/c']);
    await expect.poll(() => models.received.some(({ body }) => body.model === 'c'), patient).toBe(true);
    says({ a: no, b: no, c: yes });
    await expect.poll(score, patient).toMatchObject({ state: 'scored', score: { binaryScore: true } });
    const asked = models.received.map(({ body }) => body.model);
    expect([
      asked.filter((name) => name === 'a').length,
      asked.filter((name) => name === 'b').length,
    ]).toEqual([1, 1]);
  });

  it('is previewed with what each model says, also one that gives no verdict, and asks 400 for one that could tie', async () => {
    says({ a: yes, b: no, c: yes, d: { reply: 'Well.' }, e: no });
    const preview = (juryModelNames: string[], more: object = {}) =>
      own.api('POST', `/projects/${projectId}/metrics/preview`, {
        evalType: 'ai',
        outputType: 'boolean',
        promptTemplate: 'Good? {{ outputs.answer }}',
        evalModelName: 'one/a',
        juryModelNames,
        record: { outputs: { answer: '1' } },
        ...more,
      });
    expect(await ok(preview(['one/b', 'two/c']))).toMatchObject({
      state: 'scored',
      score: { binaryScore: true },
      inputTokens: 300,
      jury: [
        { modelName: 'one/a', verdict: { value: true, reasoning: 'Yes.' } },
        { modelName: 'one/b', verdict: { value: false } },
        { modelName: 'two/c', verdict: { value: true } },
      ],
    });
    const { state, jury } = await ok(preview(['one/d', 'none/x', 'two/e', 'two/c']));
    expect(state).toBe('failed');
    expect(jury.map(({ reason }: { reason: string | null }) => reason)).toEqual([
      null,
      'invalid_judge_output',
      expect.stringContaining("'none/x'"),
      null,
      null,
    ]);
    expect((await preview(['one/b'])).status).toBe(400);
    expect((await preview(['one/a', 'one/b'])).status).toBe(400);
    expect((await ok(preview([]))).jury).toBeNull();
  });

  it('400 when it could tie, or has a model twice', async () => {
    const { metric } = await judged('boolean', []);
    expect((await settings(metric.id, ['one/b'])).status).toBe(400);
    expect((await settings(metric.id, ['one/a', 'one/b'])).status).toBe(400);
    expect((await settings(metric.id, ['one/b', 'one/b'])).status).toBe(400);
  });
});
