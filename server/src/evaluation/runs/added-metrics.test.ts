import { beforeEach, describe, expect, it } from 'vitest';
import { openEndpoint } from '../../../test/endpoint.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
let projectId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const patient = { timeout: 30_000, interval: 20 };
const code = (guidelines = 'function score() { return true; }') =>
  createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean', guidelines });
const statusOf = async (runId: string) => (await ok(own.api('GET', `/runs/${runId}`))).status;

describe('POST /runs/:runId/metrics', () => {
  const add = (runId: string, metricIds: string[]) =>
    own.api('POST', `/runs/${runId}/metrics`, { metricIds });

  it('200 takes a finished run back to scoring and on to completed, with every record scored', async () => {
    const [first, second] = [await code(), await code()];
    const run = await createRun(own.api, projectId, [first.id]);
    for (let i = 0; i < 5; i++) await createRecord(own.api, run.id);
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    const added = await ok(add(run.id, [second.id]));
    expect(added).toMatchObject({ metricIds: [first.id, second.id], status: 'running_scoring' });
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    expect(await ok(own.api('GET', `/runs/${run.id}`))).toMatchObject({ numScores: 10 });
    // And so are records to come.
    await createRecord(own.api, run.id);
    await expect.poll(async () => (await ok(own.api('GET', `/runs/${run.id}`))).numScores, patient).toBe(12);
  });

  it('200 changes nothing the second time, though the metric has another configuration by then', async () => {
    const metric = await code();
    const run = await createRun(own.api, projectId, []);
    await createRecord(own.api, run.id);
    const once = await ok(add(run.id, [metric.id]));
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    const kind = { evalType: 'heuristic', outputType: 'boolean' };
    await ok(
      own.api('PATCH', `/metrics/${metric.id}`, {
        ...kind,
        guidelines: 'function score() { return false; }',
      }),
    );
    const { metricVersionIds } = once;
    expect(await ok(add(run.id, [metric.id]))).toMatchObject({ metricVersionIds, status: 'completed' });
    expect((await ok(own.api('GET', `/runs/${run.id}`))).numScores).toBe(1);
  });

  it('a score that a client has given already stays', async () => {
    const metric = await code();
    const [configId] = (await createRun(own.api, projectId, [metric.id])).metricVersionIds;
    const run = await createRun(own.api, projectId, []);
    const record = await createRecord(own.api, run.id);
    const score = { binaryScore: false };
    await ok(own.api('PUT', `/records/${record.id}/scores/${configId}`, { score }));
    expect(await ok(add(run.id, [metric.id]))).toMatchObject({ status: 'completed', numScores: 1 });
    const { scores } = await ok(own.api('GET', `/records/${record.id}`));
    expect(scores).toMatchObject([{ score }]);
  });

  it('people are asked for a human metric', async () => {
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const run = await createRun(own.api, projectId, []);
    await createRecord(own.api, run.id);
    expect(await ok(add(run.id, [metric.id]))).toMatchObject({ status: 'awaiting_human_scoring' });
  });

  it('records that come at the same time have each score once', async () => {
    const metric = await code();
    const run = await createRun(own.api, projectId, []);
    await Promise.all([
      ...Array.from({ length: 20 }, () => createRecord(own.api, run.id)),
      ok(add(run.id, [metric.id])),
      ...Array.from({ length: 20 }, () => createRecord(own.api, run.id)),
    ]);
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    expect(await ok(own.api('GET', `/runs/${run.id}`))).toMatchObject({ numRecords: 40, numScores: 40 });
  });

  it('404 for a metric of another project or a deleted one, and then none is added', async () => {
    const [metric, deleted] = [await code(), await code()];
    await ok(own.api('DELETE', `/metrics/${deleted.id}`));
    const elsewhere = (await createProject(own.api)).id;
    const foreign = await createMetric(own.api, elsewhere, { evalType: 'human', outputType: 'int' });
    const run = await createRun(own.api, projectId, []);
    for (const id of [foreign.id, deleted.id]) expect((await add(run.id, [metric.id, id])).status).toBe(404);
    expect((await ok(own.api('GET', `/runs/${run.id}`))).metricIds).toEqual([]);
    expect((await add(run.id, [metric.id, metric.id])).status).toBe(400);
  });
});

describe('POST /runs/:runId/cancel', () => {
  it('stops the calls of the system as well as scores, and retries take it back', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const endpoint = await openEndpoint(async () => {
      await promise;
      return { body: '{"outputs":{"a":1}}' };
    });
    const testset = await createTestset(own.api, projectId);
    await createTestcases(own.api, testset.id, 3);
    const config = { endpoint: endpoint.url };
    const made = await ok(own.api('POST', `/projects/${projectId}/systems`, { config }), 201);
    const run = await createRun(own.api, projectId, [(await code()).id], {
      testsetId: testset.id,
      systemVersionId: made.productionVersion.id,
      execute: true,
    });
    await expect.poll(() => endpoint.received.length, patient).toBe(3);
    expect(await ok(own.api('POST', `/runs/${run.id}/cancel`, {}))).toEqual({
      numExecutions: 3,
      numScores: 0,
      numProposals: 0,
    });
    resolve();
    expect(await statusOf(run.id)).toBe('completed');
    await ok(own.api('POST', `/runs/${run.id}/retry`, { of: 'executions' }));
    await expect.poll(async () => (await ok(own.api('GET', `/runs/${run.id}`))).numScores, patient).toBe(3);
    expect(await ok(own.api('GET', `/runs/${run.id}`))).toMatchObject({ numRecords: 3, status: 'completed' });
    await endpoint.close();
  });
});
