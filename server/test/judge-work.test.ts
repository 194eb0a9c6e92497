import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from './fixtures.ts';
import { type Organization, startApp, type TestApp } from './harness.ts';
import { type ModelServer, openOpenAiServer } from './model-server.ts';

/** One worker that asks one judge at a time: its other scores wait for their turn. */

let app: TestApp;
let models: ModelServer;
let own: Organization;
let projectId: string;
let providerId: string;
const patient = { timeout: 30_000, interval: 20 };
const verdict = { reply: { reasoning: 'Yes.', binaryScore: true } };

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({
    DOKIMA_WORKERS: '1',
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOKIMA_REUSE_VERDICTS: 'false',
  });
});
beforeEach(async () => {
  own = await app.organization();
  const provider = { name: 'ours', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  providerId = (await ok(own.api('POST', '/providers', { ...provider, maxConcurrency: 1 }), 201)).id;
  projectId = (await createProject(own.api)).id;
  models.received.length = 0;
  models.answer(verdict);
});
afterAll(() => Promise.all([app.close(), models.close()]));

const judged = async (project = projectId) => {
  const metric = await createMetric(own.api, project, {
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'ours/judge',
    promptTemplate: '{{ outputs.a }}',
  });
  const run = await createRun(own.api, project, [metric.id]);
  return {
    metricId: metric.id as string,
    runId: run.id as string,
    configId: run.metricVersionIds[0] as string,
  };
};
const statusOf = async (runId: string) => (await ok(own.api('GET', `/runs/${runId}`))).status;

describe('scores that a worker holds', () => {
  /** Holds the first question until `change` is done, then lets everything go on; returns the questions asked since. */
  const whileAsked = async (runId: string, change: () => Promise<unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    models.answer({ ...verdict, after: promise });
    const items = Array.from({ length: 10 }, (_, a) => ({ inputs: {}, expected: {}, outputs: { a } }));
    await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201);
    await expect.poll(() => models.received.length, patient).toBe(1);
    await change();
    models.answer(verdict);
    resolve();
    return () => models.received.length - 1;
  };
  /** Another run has been judged: whatever stood before it had its turn. */
  const anotherIsJudged = async () => {
    const elsewhere = await createProject(own.api);
    const { runId } = await judged(elsewhere.id);
    const asked = models.received.length;
    await createRecord(own.api, runId, { outputs: { a: 'another' } });
    await expect.poll(() => statusOf(runId), patient).toBe('completed');
    return models.received.length - asked;
  };

  it.each([
    ['record', ({ runId }) => Promise.all(idsOf(runId).map((id) => ok(own.api('DELETE', `/records/${id}`))))],
    ['run', ({ runId }) => ok(own.api('DELETE', `/runs/${runId}`))],
    ['metric', ({ metricId }) => ok(own.api('DELETE', `/metrics/${metricId}`))],
    ['project', () => ok(own.api('DELETE', `/projects/${projectId}`))],
  ] as [string, (made: { runId: string; metricId: string }) => Promise<unknown>][])(
    'is asked no more once its %s is deleted',
    async (_, remove) => {
      const made = await judged();
      const since = await whileAsked(made.runId, () => remove(made));
      expect(await anotherIsJudged()).toBe(1);
      expect(since()).toBe(1);
    },
  );
  const idsOf = (runId: string) => Array.from({ length: 10 }, (_, i) => `${runId}-${i + 1}`);

  it('is not asked of a provider that was revoked, and says so', async () => {
    const { runId, configId } = await judged();
    const since = await whileAsked(runId, () => ok(own.api('DELETE', `/providers/${providerId}`)));
    await expect.poll(() => statusOf(runId), patient).toBe('completed');
    expect(since()).toBe(0);
    for (const id of idsOf(runId).slice(1)) {
      expect(await ok(own.api('GET', `/records/${id}/scores/${configId}`))).toMatchObject({
        state: 'failed',
        reason: expect.stringContaining("no provider 'ours'"),
      });
    }
  });

  it('is asked with the key that the provider has by then', async () => {
    const { runId } = await judged();
    const since = await whileAsked(runId, () =>
      ok(own.api('PATCH', `/providers/${providerId}`, { apiKey: 'the next one' })),
    );
    await expect.poll(() => statusOf(runId), patient).toBe('completed');
    expect(since()).toBe(9);
    const keys = models.received.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(['Bearer k', ...Array(9).fill('Bearer the next one')]);
  });
});

it('a prompt system is not sent to a revoked provider, not even by calls that the executor already holds', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  models.answer({ reply: 'An answer.', after: promise });
  const testset = await createTestset(own.api, projectId);
  await createTestcases(own.api, testset.id, 8);
  const config = { promptTemplate: 'Say something.', modelName: 'ours/model' };
  const version = await ok(own.api('POST', `/projects/${projectId}/systems`, { config }), 201);
  const run = await createRun(own.api, projectId, [], {
    testsetId: testset.id,
    systemVersionId: version.productionVersion.id,
    execute: true,
  });
  await expect.poll(() => models.received.length, patient).toBe(1);
  await ok(own.api('DELETE', `/providers/${providerId}`));
  resolve();
  const summary = () => ok(own.api('GET', `/runs/${run.id}/details`)).then(({ executions }) => executions);
  await expect.poll(async () => (await summary()).pending, patient).toBe(0);
  expect(models.received).toHaveLength(1);
  const { data } = await ok(own.api('GET', `/runs/${run.id}/executions?state=failed`));
  expect(data.map(({ lastError }: { lastError: string }) => lastError)).toEqual(
    Array(7).fill(expect.stringContaining("no provider 'ours'")),
  );
});

it('a score that the provider asked to come back for later is not due before that', async () => {
  models.answer({ status: 429, headers: { 'retry-after': '1800' }, body: '{}' });
  const { runId } = await judged();
  await createRecord(own.api, runId, { outputs: { a: 1 } });
  const waits = async () => {
    const [row] = await app.db.read(
      system,
      (sql) => sql<{ seconds: number; attempts: number }[]>`
        select extract(epoch from due_at - updated_at)::float8 as seconds, attempts from score
        where run_id = ${runId} and last_error is not null`,
    );
    return row;
  };
  await expect.poll(waits, patient).toBeDefined();
  const { seconds, attempts } = (await waits())!;
  expect([Math.round(seconds), attempts]).toEqual([1800, 1]);
});

it('the very same question is asked again where verdicts are not to be reused', async () => {
  const { runId } = await judged();
  for (const asked of [1, 2]) {
    await createRecord(own.api, runId, { outputs: { a: 'the same' } });
    await expect
      .poll(async () => (await ok(own.api('GET', `/runs/${runId}`))).numScores, patient)
      .toBe(asked);
    expect(models.received).toHaveLength(asked);
  }
});

it('votes that were paid for count in the next attempt, though every third call fails', async () => {
  const metric = await createMetric(own.api, projectId, {
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'ours/judge',
    promptTemplate: '{{ outputs.a }}',
  });
  await ok(own.api('PATCH', `/metrics/${metric.id}/settings`, { judgeRepeats: 5 }));
  const run = await createRun(own.api, projectId, [metric.id]);
  let calls = 0;
  models.answer(() => (++calls % 3 === 0 ? { status: 503, body: '{}' } : verdict));
  await createRecord(own.api, run.id, { outputs: { a: 1 } });
  await expect.poll(() => statusOf(run.id), { ...patient, timeout: 60_000 }).toBe('completed');
  const [row] = await app.db.read(
    system,
    (sql) => sql<{ evidence: string; state: string; inputTokens: bigint }[]>`
      select state, evidence::text as evidence, input_tokens as "inputTokens" from score where run_id = ${run.id}`,
  );
  const { votes, inputTokens } = JSON.parse(row!.evidence);
  // Two votes, a failure; one more vote makes a majority of five that the next failure can't change, or five are there.
  expect([row!.state, votes.length >= 3]).toEqual(['scored', true]);
  expect(calls - Math.floor(calls / 3)).toBe(votes.length);
  expect([inputTokens, Number(row!.inputTokens)]).toEqual([votes.length * 100, votes.length * 100]);
}, 90_000);

it('a provider that does not answer keeps no other waiting: neither of this organization nor of another', async () => {
  const slow = await openOpenAiServer();
  const { promise: answers, resolve: letAnswer } = Promise.withResolvers<void>();
  slow.answer({ ...verdict, after: answers });
  const judgeBy = async (organization: Organization, name: string, baseUrl: string, records: number) => {
    const { api } = organization;
    const provider = { name, kind: 'openai-compatible', baseUrl, apiKey: 'k', maxConcurrency: 2 };
    await ok(api('POST', '/providers', provider), 201);
    const project = await createProject(api);
    const metric = await createMetric(api, project.id, {
      evalType: 'ai',
      outputType: 'boolean',
      evalModelName: `${name}/judge`,
      promptTemplate: '{{ outputs.a }}',
    });
    const run = await createRun(api, project.id, [metric.id]);
    const items = Array.from({ length: records }, (_, a) => ({ inputs: {}, expected: {}, outputs: { a } }));
    await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    return async () => (await ok(api('GET', `/runs/${run.id}`))).numScores;
  };
  const slowScores = await judgeBy(own, 'slow', slow.url, 400);
  await expect.poll(() => slow.received.length, patient).toBe(2);
  const fast = [
    await judgeBy(own, 'fast', models.url, 50),
    await judgeBy(await app.organization(), 'fast', models.url, 50),
  ];
  for (const scores of fast) await expect.poll(scores, patient).toBe(50);
  expect([slow.received.length, await slowScores()]).toEqual([2, 0]);
  letAnswer();
  await expect.poll(slowScores, patient).toBe(400);
  await slow.close();
}, 90_000);
