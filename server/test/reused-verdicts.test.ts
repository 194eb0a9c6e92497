import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from './fixtures.ts';
import { type Organization, startApp, type TestApp } from './harness.ts';
import { type ModelServer, openOpenAiServer } from './model-server.ts';

let app: TestApp;
let models: ModelServer;

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
});
afterAll(() => Promise.all([app.close(), models.close()]));

/** An organization whose judge gets the same questions as the judges of the other organizations. */
const openJudge = async ({ api }: Organization) => {
  const provider = { name: 'ours', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(api('POST', '/providers', provider), 201);
  const project = await createProject(api);
  const metric = await createMetric(api, project.id, {
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'ours/judge',
    promptTemplate: 'Is {{ outputs.a }} right?',
  });
  const run = await createRun(api, project.id, [metric.id]);
  return async () => {
    const record = await createRecord(api, run.id, { outputs: { a: 'the same' } });
    const path = `/records/${record.id}/scores/${run.metricVersionIds[0]}`;
    const score = () => ok(api('GET', path));
    await expect.poll(async () => (await score()).state, { timeout: 30_000, interval: 20 }).toBe('scored');
    return score();
  };
};

it('an equal question is answered by an earlier verdict of the organization, never by one of another', async () => {
  const judge = await openJudge(await app.organization());
  models.answer({ reply: { reasoning: 'Said to the first.', binaryScore: true } });
  const first = await judge();
  expect((await judge()).evidence).toMatchObject({ inputHash: first.evidence.inputHash, reused: true });
  expect(models.received).toHaveLength(1);

  const judgeOfAnother = await openJudge(await app.organization());
  models.answer({ reply: { reasoning: 'Said to the second.', binaryScore: false } });
  const foreign = await judgeOfAnother();
  expect(foreign.evidence.inputHash).toBe(first.evidence.inputHash);
  expect(foreign).toMatchObject({ score: { binaryScore: false, reasoning: 'Said to the second.' } });
  expect(foreign.evidence).not.toHaveProperty('reused');
  expect(models.received).toHaveLength(2);
});
