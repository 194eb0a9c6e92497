import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../../test/model-server.ts';

let app: TestApp;
let own: Organization;
let models: ModelServer;
let projectId: string;
const patient = { timeout: 30_000, interval: 50 };

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
  const provider = { name: 'own', kind: 'openai-compatible', baseUrl: models.url };
  await ok(own.api('POST', '/providers', provider), 201);
  projectId = (await createProject(own.api)).id;
});
afterAll(() => Promise.all([app.close(), models.close()]));

const labels = { items: ['Wrong', 'Partly', 'Right'], passing: ['Right'], ordered: true };
const topics = { ...labels, ordered: false };
let numRecords = 0;

/** The state of a record that this metric has scored. */
const scored = async (metric: Parameters<typeof createMetric>[2], judgeRepeats = 1) => {
  const { id: metricId } = await createMetric(own.api, projectId, metric);
  if (judgeRepeats > 1) await ok(own.api('PATCH', `/metrics/${metricId}/settings`, { judgeRepeats }));
  const run = await createRun(own.api, projectId, [metricId]);
  models.received.length = 0;
  // Its own answer, so that no verdict is reused.
  const { id } = await createRecord(own.api, run.id, { outputs: { answer: `answer ${++numRecords}` } });
  const state = async () => (await ok(own.api('GET', `/records/${id}`))).scoreStates[0];
  await expect.poll(async () => (await state()).state, patient).not.toBe('pending');
  return state();
};
const judged = (of: object, judgeRepeats?: number) =>
  scored(
    {
      evalType: 'ai',
      outputType: 'category',
      promptTemplate: 'Good? {{ outputs.answer }}',
      evalModelName: 'own/judge',
      labels: of,
    },
    judgeRepeats,
  );
const given = (...values: string[]) =>
  models.answer(values.map((value) => ({ reply: { reasoning: 'Read it.', categoryScore: value } })));

describe('a judge of a category', () => {
  it('may give its labels alone, and stores the one it gives', async () => {
    given('Partly');
    expect(await judged(labels)).toMatchObject({
      state: 'scored',
      passed: false,
      score: { categoryScore: 'Partly', reasoning: 'Read it.' },
    });
    expect(JSON.stringify(models.received[0]!.body)).toContain('"enum":["Wrong","Partly","Right"]');
    given('Right');
    expect(await judged(labels)).toMatchObject({ passed: true, score: { categoryScore: 'Right' } });
  });

  it('is asked once more for a label that is not one, and then leaves the record unscored', async () => {
    given('right');
    expect(await judged(labels)).toMatchObject({ state: 'unscored', passed: null, score: null });
    expect(models.received).toHaveLength(2);
    given('Perfect', 'Right');
    expect(await judged(labels)).toMatchObject({ score: { categoryScore: 'Right' } });
  });

  it('is shown the labels that people gave as examples, except those that it no longer gives', async () => {
    const judge = {
      evalType: 'ai',
      outputType: 'category',
      promptTemplate: '{{ gradingInstructionsAndExamples }} {{ outputs.answer }}',
      evalModelName: 'own/judge',
    } as const;
    const { id: metricId } = await createMetric(own.api, projectId, { ...judge, labels });
    given('Wrong');
    const first = await createRun(own.api, projectId, [metricId]);
    for (const label of ['Partly', 'Wrong']) {
      const { id } = await createRecord(own.api, first.id, {
        inputs: { q: label },
        outputs: { answer: 'a' },
      });
      await expect
        .poll(async () => (await ok(own.api('GET', `/records/${id}`))).scoreStates[0].state, patient)
        .toBe('scored');
      const path = `/records/${id}/scores/${first.metricVersionIds[0]}`;
      await ok(own.api('PUT', path, { score: { categoryScore: label, reasoning: 'Seen.' } }));
    }
    const promptNow = async () => {
      const run = await createRun(own.api, projectId, [metricId]);
      models.received.length = 0;
      await createRecord(own.api, run.id, { inputs: { q: 'now' }, outputs: { answer: `${++numRecords}` } });
      await expect.poll(() => models.received.length, patient).toBeGreaterThan(0);
      return JSON.stringify(models.received[0]!.body);
    };
    const before = await promptNow();
    expect(before).toContain(String.raw`Score: \"Partly\"`);
    expect(before).toContain(String.raw`Score: \"Wrong\"`);
    await ok(
      own.api('PATCH', `/metrics/${metricId}`, {
        ...judge,
        labels: { ...labels, items: ['Poor', 'Partly', 'Right'] },
      }),
    );
    const after = await promptNow();
    expect(after).toContain(String.raw`Score: \"Partly\"`);
    expect(after).not.toContain('Wrong');
  });

  it('has the median of its votes if the labels have an order, else the majority or none', async () => {
    given('Wrong', 'Right', 'Partly');
    expect(await judged(labels, 3)).toMatchObject({ score: { categoryScore: 'Partly' } });
    given('Wrong', 'Right', 'Wrong');
    expect(await judged(topics, 3)).toMatchObject({ score: { categoryScore: 'Wrong' } });
    given('Wrong', 'Right', 'Partly');
    expect(await judged(topics, 3)).toMatchObject({
      state: 'unscored',
      reason: expect.stringContaining('no_majority'),
    });
  });
});

describe('code of a category', () => {
  const byCode = (guidelines: string) =>
    scored({ evalType: 'heuristic', outputType: 'category', labels, guidelines });

  it('returns a label; any other value makes the score fail, and says what the labels are', async () => {
    expect(await byCode('function score() { return "Right"; }')).toMatchObject({
      passed: true,
      score: { categoryScore: 'Right' },
    });
    expect(await byCode('def score(inputs, outputs, expected):\n    return "Partly"')).toMatchObject({
      passed: false,
      score: { categoryScore: 'Partly' },
    });
    expect(await byCode('function score() { return { score: "Wrong", reasoning: "R" }; }')).toMatchObject({
      passed: false,
      score: { categoryScore: 'Wrong', reasoning: 'R' },
    });
    for (const wrong of ['"right"', '1', 'true']) {
      const { state, passed, reason } = await byCode(`function score() { return ${wrong}; }`);
      expect({ state, passed, reason }).toEqual({
        state: 'failed',
        passed: null,
        reason: expect.stringContaining("must be one of the labels 'Wrong', 'Partly', 'Right'"),
      });
    }
  });
});
