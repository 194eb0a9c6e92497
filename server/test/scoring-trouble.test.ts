import { afterAll, beforeAll, expect, it } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { createMetric, createProject, createRecord, createRun, ok } from './fixtures.ts';
import { type Organization, startApp, type TestApp } from './harness.ts';
import { type Behaviour, type ModelServer, openOpenAiServer } from './model-server.ts';

/** The answers of the API about a run whose judge can't be asked. */

let app: TestApp;
let own: Organization;
let models: ModelServer;
const patient = { timeout: 50_000, interval: 50 };

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
});
afterAll(() => Promise.all([app.close(), models.close()]));

const judgedRun = async (baseUrl: string, records: number) => {
  // One organization for each test, because the health of a provider is known per organization.
  own = await app.organization();
  const fields = { name: 'ours', kind: 'openai-compatible', baseUrl, apiKey: 'secret-key' };
  // Few at a time: what is under way when the provider is given up comes through.
  const provider = await ok(own.api('POST', '/providers', { ...fields, maxConcurrency: 2 }), 201);
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, {
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'ours/judge',
    promptTemplate: '{{ outputs.i }}',
  });
  const run = await createRun(own.api, project.id, [metric.id]);
  const ids: string[] = [];
  for (let i = 0; i < records; i++) ids.push((await createRecord(own.api, run.id, { outputs: { i } })).id);
  const detail = (i = 0) => ok(own.api('GET', `/records/${ids[i]}/scores/${run.metricVersionIds[0]}`));
  const progress = async () =>
    (await ok(own.api('GET', `/runs/${run.id}/details`)).then(({ progress }) => progress)).metrics[0];
  return { runId: run.id as string, providerId: provider.id as string, detail, progress };
};

it.each([
  ['a wrong key', { status: 401 }, /refuses the API key \(401\): set the right one for it, then retry/],
  ['a key that may not', { status: 403 }, /does not let this API key use 'judge' \(403\): allow it there/],
  ['an unknown model', { status: 404 }, /does not know 'judge'.*\(404\): correct .* re-score the run/],
] as [string, Behaviour, RegExp][])(
  '%s: the score has failed and says what to do, as does the run; a retry scores it once that is done',
  async (_, behaviour, told) => {
    models.answer({ ...behaviour, body: '{"error":{"message":"no"}}' });
    const { runId, detail, progress } = await judgedRun(models.url, 1);
    await expect.poll(async () => (await detail()).state, patient).toBe('failed');
    expect(await detail()).toMatchObject({ reason: expect.stringMatching(told), score: null });
    expect(await progress()).toMatchObject({ failed: 1, pending: 0, reason: expect.stringMatching(told) });
    models.answer({ reply: { reasoning: 'Now.', binaryScore: true } });
    await ok(own.api('POST', `/runs/${runId}/retry`, { of: 'scores' }));
    await expect.poll(async () => (await detail()).state, patient).toBe('scored');
    expect(await progress()).toMatchObject({ failed: 0, reason: null });
  },
);

it.each([
  [
    'a wrong key',
    401,
    (providerId: string) => ok(own.api('PATCH', `/providers/${providerId}`, { apiKey: 'the right one' })),
  ],
  [
    'a key that Google does not know',
    400,
    (providerId: string) => ok(own.api('PATCH', `/providers/${providerId}`, { apiKey: 'the right one' })),
  ],
  [
    'a base URL without the model',
    404,
    (providerId: string) =>
      ok(own.api('PATCH', `/providers/${providerId}`, { baseUrl: `${models.url}/`, apiKey: 'k' })),
  ],
] as const)(
  '%s is reported a few times, not once for each score: the others fail at once, and are asked for after it is fixed',
  async (_, status, mend) => {
    const body = '{"error":{"message":"API key not valid. Please pass a valid API key."}}';
    models.received.length = 0;
    models.answer({ status, body });
    const records = 40;
    const { runId, providerId, detail, progress } = await judgedRun(models.url, records);
    await expect.poll(async () => (await progress()).failed, patient).toBe(records);
    // Five in a row, and those that were under way with the fifth; then one every ten seconds, should it take so long.
    const asked = models.received.length;
    expect(asked).toBeLessThan(records / 2);
    const details = await Promise.all(Array.from({ length: records }, (_unused, i) => detail(i)));
    const unasked = details.filter(({ numAttempts }) => numAttempts === 0);
    expect(unasked).toHaveLength(records - asked);
    for (const { reason } of unasked) expect(reason).toMatch(/\(\d+\).* retry.*\(not asked this time/);
    models.answer({ reply: { reasoning: 'Now.', binaryScore: true } });
    await mend(providerId);
    await ok(own.api('POST', `/runs/${runId}/retry`, { of: 'scores' }));
    await expect.poll(async () => (await progress()).scored, patient).toBe(records);
  },
  150_000,
);

it.each([
  ['a provider that is down', undefined, /can't be reached \(ECONNREFUSED\): see whether it runs/],
  [
    'a used up quota',
    { status: 429, body: '{"error":{"message":"No credit.","code":"insufficient_quota"}}' },
    /its quota or credit is used up \(429\): .*Add to it or raise its limit/,
  ],
] as [string, Behaviour | undefined, RegExp][])(
  '%s: the scores wait, and say why and what to do, those too that are not asked for because the provider is left alone',
  async (_, behaviour, told) => {
    const gone = await openOpenAiServer();
    await gone.close();
    models.received.length = 0;
    if (behaviour) models.answer(behaviour);
    const { detail, progress } = await judgedRun(behaviour ? models.url : gone.url, 12);
    // Five failures open the circuit breaker; the scores after them fail with what went wrong.
    await expect
      .poll(async () => {
        const details = await Promise.all(Array.from({ length: 12 }, (_unused, i) => detail(i)));
        return details.every(({ lastError }) => lastError !== null);
      }, patient)
      .toBe(true);
    for (let i = 0; i < 12; i++) {
      expect(await detail(i)).toMatchObject({
        state: 'pending',
        lastError: expect.stringMatching(told),
        score: null,
      });
    }
    expect(await progress()).toMatchObject({ pending: 12, failed: 0, reason: expect.stringMatching(told) });
    if (behaviour) expect(models.received.length).toBeLessThan(12);
  },
);

it('each metric reports its own reason, however many scores of another are delayed for longer', async () => {
  own = await app.organization();
  const project = await createProject(own.api);
  const metricIds: string[] = [];
  for (const name of ['long', 'brief']) {
    await ok(own.api('POST', '/providers', { name, kind: 'openai-compatible', baseUrl: models.url }), 201);
    const judge = { evalType: 'ai', outputType: 'boolean', evalModelName: `${name}/${name}` };
    const metric = await createMetric(own.api, project.id, { ...judge, promptTemplate: '{{ outputs.i }}' });
    metricIds.push(metric.id);
  }
  models.answer(({ body }) => ({
    status: 429,
    headers: { 'retry-after': body.model === 'long' ? '1800' : '900' },
    body: `{"error":{"message":"${body.model} is busy"}}`,
  }));
  const run = await createRun(own.api, project.id, metricIds);
  const items = Array.from({ length: 350 }, (_, i) => ({ inputs: {}, expected: {}, outputs: { i } }));
  await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  const numPutOff = async () => {
    const [row] = await app.db.read(
      system,
      (sql) => sql<{ n: number }[]>`
        select count(*)::int as n from score where run_id = ${run.id} and last_error is not null`,
    );
    return row!.n;
  };
  await expect.poll(numPutOff, patient).toBe(700);
  const { metrics } = await ok(own.api('GET', `/runs/${run.id}/details`)).then(({ progress }) => progress);
  expect(metrics.map(({ reason }: { reason: string }) => reason)).toEqual([
    expect.stringContaining('long is busy'),
    expect.stringContaining('brief is busy'),
  ]);
});
