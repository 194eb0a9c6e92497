import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRescoring,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../../test/model-server.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { addPayments, addUpPayments, findDueRun } from '../queue/queries.ts';

const maxConcurrency = 2;
/** Cost of the 100 and 20 tokens that the model server reports, at the price below. */
const verdictUsd = 0.12;
const prices = { date: '2025-01-01', models: { 'openai-compatible/priced': { input: 1000, output: 1000 } } };

let directory: string;
let app: TestApp;
let models: ModelServer;
let own: Organization;
let projectId: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dokima-test-'));
  await writeFile(join(directory, 'prices.json'), JSON.stringify(prices));
  models = await openOpenAiServer();
  app = await startApp({
    DOKIMA_WORKERS: '1',
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    // Equal questions of the tests are each paid for.
    DOKIMA_REUSE_VERDICTS: 'false',
    DOKIMA_PRICES_FILE: join(directory, 'prices.json'),
  });
  own = await app.organization();
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, maxConcurrency };
  await ok(own.api('POST', '/providers', provider), 201);
});
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  models.answer({ reply: { reasoning: 'Yes.', binaryScore: true } });
});
afterAll(async () => {
  await Promise.all([app.close(), models.close()]);
  await rm(directory, { recursive: true });
});

const patient = { timeout: 30_000, interval: 20 };
const judged = (model = 'priced') =>
  createMetric(own.api, projectId, {
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: 'Is {{ outputs.a }} right?',
    evalModelName: `local/${model}`,
  });
const createRecords = (runId: string, count: number) => {
  const items = Array.from({ length: count }, (_, a) => ({ inputs: {}, expected: {}, outputs: { a } }));
  return ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201);
};
const budgetOf = (runId: string) =>
  ok(own.api('GET', `/runs/${runId}/details`)).then(({ judgeBudget }) => judgeBudget);
const statusOf = async (runId: string) => (await ok(own.api('GET', `/runs/${runId}`))).status;

describe('a run with a judge budget', () => {
  it('stops cleanly when it is used up, over by no more than what was in flight, and goes on with a higher one', async () => {
    const before = models.received.length;
    const metric = await judged();
    const run = await createRun(own.api, projectId, [metric.id], { judgeBudgetUsd: 5 * verdictUsd });
    await createRecords(run.id, 20);
    await expect.poll(async () => (await budgetOf(run.id)).stopped, patient).toBe(true);
    // What is in flight ends and counts; then no worker has a score of the run.
    const leases = () => app.db.read(own, (sql) => sql`select from score_lease where run_id = ${run.id}`);
    await expect.poll(async () => (await leases()).length, patient).toBe(0);
    expect(Math.round((await budgetOf(run.id)).spentUsd / verdictUsd)).toBe(models.received.length - before);
    const asked = models.received.length;
    const { numScores } = await ok(own.api('GET', `/runs/${run.id}`));
    const stopped = await budgetOf(run.id);
    expect(stopped.spentUsd).toBeCloseTo(numScores * verdictUsd);
    expect(numScores).toBeGreaterThanOrEqual(5);
    expect(numScores).toBeLessThan(5 + maxConcurrency);
    expect(stopped).toMatchObject({ budgetUsd: 5 * verdictUsd, numUnpriced: 0, numWaiting: 20 - numScores });
    expect(await statusOf(run.id)).toBe('running_scoring');
    const stream = await own.api('GET', `/runs/${run.id}/details`, undefined, {
      headers: { accept: 'text/event-stream' },
    });
    expect(stream.text).toContain('"stoppedBy" : "judgeBudget"');
    expect(stream.text).toMatch(/event: done/);
    expect(models.received.length).toBe(asked);
    await ok(own.api('PATCH', `/runs/${run.id}/details`, { judgeBudgetUsd: 5 }));
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    expect(await budgetOf(run.id)).toMatchObject({ stopped: false, numWaiting: 0 });
    expect((await budgetOf(run.id)).spentUsd).toBeCloseTo(20 * verdictUsd);
  });

  it.runIf(engine === 'server')(
    'is used up by payments that do not wait for each other, and this is noted',
    async () => {
      const metric = await judged();
      const run = await createRun(own.api, projectId, [metric.id], { judgeBudgetUsd: 1 });
      const pay = (tx: Sql) =>
        addPayments(tx, { runId: BigInt(run.id), id: newUuid() }, [{ number: 1, costUsd: 0.5, unpriced: 0 }]);
      await app.db.transaction(system, async (tx) => {
        await pay(tx);
        await app.db.transaction(system, pay);
      });
      const asked = models.received.length;
      await createRecords(run.id, 1);
      expect(await budgetOf(run.id)).toMatchObject({ spentUsd: 1, stopped: true, numWaiting: 1 });
      const [due] = await app.db.read(system, (sql) =>
        findDueRun(sql, { queue: 'score', lane: 'judge' }, BigInt(run.id) - 1n),
      );
      expect(due?.runId).not.toBe(BigInt(run.id));
      expect(models.received.length).toBe(asked);
      const archive = await own.api('GET', `/projects/${projectId}/archive`);
      expect(archive.text).toMatch(/"part":"run_judging".*"spent_usd" : 1,/);
      // Alerts read when it stopped.
      const add = () => app.db.transaction(system, async (tx) => void (await addUpPayments(tx)));
      await app.db.transaction(
        system,
        (tx) => tx`
      update judge_payment set at = now() - interval '2 minutes' where run_id = ${run.id}`,
      );
      await Promise.all([add(), add()]);
      const [judging] = await app.db.read(
        system,
        (sql) => sql`
      select spent_usd as "spentUsd", stopped_at is not null as stopped from run_judging where run_id = ${run.id}`,
      );
      expect(judging).toEqual({ spentUsd: 1, stopped: true });
      expect((await budgetOf(run.id)).spentUsd).toBe(1);
    },
  );

  it('ends the walk of a judge through a long trace, whose requests are paid one by one', async () => {
    const before = models.received.length;
    models.answer({
      reply: {
        reasoning: 'On.',
        calls: [{ tool: 'list_spans', argument: '', from: 0 }],
        evidence: [],
        binaryScore: null,
      },
    });
    const traceId = newTraceId();
    const spans = Array.from({ length: 300 }, (_, i) => ({
      traceId,
      n: i + 1,
      attributes: {
        'dokima.otel_link_id': traceId,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.call.result': 'x'.repeat(900),
      },
    }));
    await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }));
    const metric = await createMetric(own.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Good? {{ toolCalls }}',
      evalModelName: 'local/priced',
    });
    const run = await createRun(own.api, projectId, [metric.id], { judgeBudgetUsd: 3 * verdictUsd });
    const record = await createRecord(own.api, run.id, { otelLinkId: traceId });
    await expect.poll(async () => (await budgetOf(run.id)).stopped, patient).toBe(true);
    const leases = () => app.db.read(own, (sql) => sql`select from score_lease where run_id = ${run.id}`);
    await expect.poll(async () => (await leases()).length, patient).toBe(0);
    expect(models.received.length - before).toBe(3);
    expect((await budgetOf(run.id)).spentUsd).toBeCloseTo(3 * verdictUsd);
    const [score] = (await ok(own.api('GET', `/records/${record.id}`))).scoreStates;
    expect(score.state).toBe('pending');
  });

  it('leaves other runs and code alone', async () => {
    const metric = await judged();
    const code = await createMetric(own.api, projectId, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score() { return true; }',
    });
    const broke = await createRun(own.api, projectId, [metric.id, code.id], { judgeBudgetUsd: 0 });
    const other = await createRun(own.api, projectId, [metric.id]);
    const record = await createRecord(own.api, broke.id, { outputs: { a: 'one' } });
    await createRecord(own.api, other.id, { outputs: { a: 'two' } });
    await expect.poll(() => statusOf(other.id), patient).toBe('completed');
    const states = async () =>
      (await ok(own.api('GET', `/records/${record.id}`))).scoreStates
        .map(({ state }: { state: string }) => state)
        .sort();
    await expect.poll(states, patient).toEqual(['pending', 'scored']);
    expect(await budgetOf(broke.id)).toMatchObject({ spentUsd: 0, stopped: true, numWaiting: 1 });
  });

  it('counts rescorings too, and stops them', async () => {
    const metric = await judged();
    const run = await createRun(own.api, projectId, [metric.id], { judgeBudgetUsd: 2 * verdictUsd });
    await createRecords(run.id, 1);
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    await createRecords(run.id, 1);
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    const path = await createRescoring(own.api, run.id, metric.id);
    expect(await ok(own.api('GET', path))).toMatchObject({
      state: 'running',
      stoppedBy: 'judgeBudget',
      changes: { pending: 2 },
    });
    await ok(own.api('PATCH', `/runs/${run.id}/details`, { judgeBudgetUsd: null }));
    await expect.poll(async () => (await ok(own.api('GET', path))).state, patient).toBe('ready');
    const { spentUsd } = await budgetOf(run.id);
    expect(spentUsd).toBeCloseTo(4 * verdictUsd);
    // What it cost does not come back with what is thrown away.
    await ok(own.api('POST', `${path}/decide`, { decision: 'discarded' }));
    expect((await budgetOf(run.id)).spentUsd).toBe(spentUsd);
  });

  it('takes the price that the organization entered with its provider before that of the server', async () => {
    const { data } = await ok(own.api('GET', '/providers'));
    const prices = { own: { input: 2000, output: 500 }, priced: { input: 0, output: 100 } };
    expect(await ok(own.api('PATCH', `/providers/${data[0].id}`, { prices }))).toMatchObject({ prices });
    const cost = async (model: string) => {
      const run = await createRun(own.api, projectId, [(await judged(model)).id], { judgeBudgetUsd: 1 });
      await createRecords(run.id, 1);
      await expect.poll(() => statusOf(run.id), patient).toBe('completed');
      return (await budgetOf(run.id)).spentUsd;
    };
    expect(await cost('own')).toBeCloseTo(0.21);
    expect(await cost('priced')).toBeCloseTo(0.002);
    // Another change of the provider keeps them; an empty list takes them back.
    const path = `/providers/${data[0].id}`;
    expect(await ok(own.api('PATCH', path, { maxConcurrency }))).toMatchObject({ prices });
    expect(await ok(own.api('PATCH', path, { prices: {} }))).toMatchObject({ prices: {} });
    const wrong = await own.api('PATCH', path, { prices: { m: { input: -1, output: 1 } } });
    expect(wrong.body.details.issues).toMatchObject([{ path: '/prices/m/input' }]);
  });

  it('does not ask a judge whose price is unknown, and says what to do', async () => {
    const metric = await judged('unknown');
    const run = await createRun(own.api, projectId, [metric.id], { judgeBudgetUsd: 1 });
    const asked = models.received.length;
    const record = await createRecord(own.api, run.id, { outputs: { a: 'x' } });
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    expect((await ok(own.api('GET', `/records/${record.id}`))).scoreStates).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('DOKIMA_PRICES_FILE') },
    ]);
    expect(models.received.length).toBe(asked);
    await ok(own.api('PATCH', `/runs/${run.id}/details`, { judgeBudgetUsd: null }));
    await ok(own.api('POST', `/runs/${run.id}/retry`, { of: 'scores' }));
    await expect.poll(async () => (await budgetOf(run.id)).numUnpriced, patient).toBe(1);
    expect(await budgetOf(run.id)).toMatchObject({ budgetUsd: null, spentUsd: 0 });
  });
});

describe('POST /projects/:projectId/runs/estimate', () => {
  const estimate = (body: unknown) => ok(own.api('POST', `/projects/${projectId}/runs/estimate`, body));

  it('goes by the length of the prompt at first, then by what verdicts took', async () => {
    const testset = await createTestset(own.api, projectId);
    await createTestcases(own.api, testset.id, 4);
    const metric = await judged();
    const code = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const body = { metricIds: [code.id, metric.id], testsetId: testset.id, trials: 5 };
    const first = await estimate(body);
    expect(first).toMatchObject({
      numRecords: 20,
      metrics: [
        { metricId: code.id, basis: 'free', costUsd: 0 },
        { metricId: metric.id, basis: 'template', numMeasured: 0, outputTokens: 4000, seconds: null },
      ],
    });
    const { inputTokens, outputTokens, costUsd } = first.metrics[1];
    expect(costUsd).toBeCloseTo((inputTokens + outputTokens) / 1000);
    expect(first.costUsd).toBe(costUsd);
    const run = await createRun(own.api, projectId, [metric.id]);
    await createRecords(run.id, 3);
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    const then = await estimate(body);
    expect(then.metrics[1]).toMatchObject({
      basis: 'earlierScores',
      numMeasured: 3,
      inputTokens: 2000,
      outputTokens: 400,
      seconds: expect.any(Number),
    });
    expect(then.costUsd).toBeCloseTo(20 * verdictUsd);
  });

  it('counts criteria: those of the metric and of testcases, in one call or in one each, for each vote', async () => {
    const testset = await createTestset(own.api, projectId);
    const items = [
      { jsonData: { q: 'a', criteria: ['Is it kind?', 'Is it short?'] } },
      { jsonData: { q: 'b' } },
    ];
    await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    const six = Array.from({ length: 6 }, (_, i) => `Criterion number ${i}`);
    const estimated = async (criteria: object | null, judgeRepeats = 1) => {
      const { id } = await createMetric(own.api, projectId, {
        evalType: 'ai',
        outputType: 'float',
        promptTemplate: 'Good? {{ outputs.text }}',
        evalModelName: 'local/judge',
        ...(criteria && { criteria }),
      });
      if (judgeRepeats > 1) await ok(own.api('PATCH', `/metrics/${id}/settings`, { judgeRepeats }));
      return (await estimate({ metricIds: [id], testsetId: testset.id })).metrics[0];
    };
    const plain = await estimated(null);
    const together = await estimated({ items: six });
    const isolated = await estimated({ items: six, isolate: true });
    // Two records: 200 tokens for a verdict, 100 for each further criterion, or six verdicts.
    expect([plain, together, isolated].map(({ outputTokens }) => outputTokens)).toEqual([400, 1_400, 2_400]);
    expect(isolated.inputTokens).toBeGreaterThan(5 * plain.inputTokens);
    expect(together.inputTokens).toBeLessThan(2 * plain.inputTokens);
    // Three votes; one criterion on average comes from the testcases.
    expect((await estimated({ items: six, fromExpected: true, isolate: true }, 3)).outputTokens).toBe(8_400);
  });

  it('is about the split and the snapshot that the run would be about', async () => {
    const testset = await createTestset(own.api, projectId);
    const long = { question: 'long '.repeat(2_000), answer: '' };
    const items = [{ jsonData: { question: 'a', answer: 'b' }, split: 'dev' }, { jsonData: long }];
    await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    await ok(own.api('POST', `/testsets/${testset.id}/snapshots`, {}), 201);
    await ok(own.api('POST', '/testcases/bulk-delete', { ids: [`${testset.id}-1`] }));
    const metric = await judged();
    const sizeOf = async (part: object) => {
      const { numRecords, metrics } = await estimate({
        metricIds: [metric.id],
        testsetId: testset.id,
        ...part,
      });
      return [numRecords, metrics[0].inputTokens > 2_000];
    };
    expect(await sizeOf({})).toEqual([1, true]);
    expect(await sizeOf({ snapshot: 1 })).toEqual([2, true]);
    expect(await sizeOf({ snapshot: 1, split: 'dev', trials: 3 })).toEqual([3, false]);
    for (const [part, path] of [
      [{ testsetId: testset.id, split: 'dev' }, '/split'],
      [{ numRecords: 3, split: 'dev' }, '/split'],
      [{ numRecords: 3, snapshot: 1 }, '/snapshot'],
    ] as const) {
      const body = { metricIds: [metric.id], ...part };
      const { status, body: said } = await own.api('POST', `/projects/${projectId}/runs/estimate`, body);
      expect([status, said.details.issues[0].path]).toEqual([400, path]);
    }
  });

  it('leaves files out of the length, and says so', async () => {
    const testset = await createTestset(own.api, projectId);
    const image = `data:image/png;base64,${'A'.repeat(40_000)}`;
    const items = [{ jsonData: { question: image, answer: 'a cat' } }];
    await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    const metric = await judged();
    const estimated = await estimate({ metricIds: [metric.id], testsetId: testset.id });
    expect(estimated.leavesOutFiles).toBe(true);
    expect(estimated.metrics[0].inputTokens).toBeLessThan(2_000);
  });

  it('says how long code will take once it was timed, and not before; of people never', async () => {
    const guidelines = 'function score() { return { score: true }; }';
    const code = await createMetric(own.api, projectId, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines,
    });
    const human = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const secondsOf = async (numRecords: number) =>
      (await estimate({ metricIds: [code.id, human.id], numRecords })).metrics.map(
        ({ seconds }: { seconds: number | null }) => seconds,
      );
    expect(await secondsOf(1_000)).toEqual([null, null]);
    const run = await createRun(own.api, projectId, [code.id]);
    await createRecords(run.id, 30);
    await expect.poll(() => statusOf(run.id), patient).toBe('completed');
    const [one] = await secondsOf(1_000);
    expect(one).toBeGreaterThan(0);
    expect(one).toBeLessThan(600);
    expect(await secondsOf(10_000)).toEqual([expect.closeTo(10 * one!, 6), null]);
    // Another configuration is other code.
    await ok(
      own.api('PATCH', `/metrics/${code.id}`, {
        evalType: 'heuristic',
        outputType: 'boolean',
        guidelines: `${guidelines} `,
      }),
    );
    expect(await secondsOf(1_000)).toEqual([null, null]);
  });

  it('is null, not 0, where a price is not known', async () => {
    const metric = await judged('unknown');
    expect(await estimate({ metricIds: [metric.id], numRecords: 10 })).toMatchObject({
      costUsd: null,
      metrics: [{ costUsd: null }],
    });
  });

  it('400 without a size, 404 for a metric or testset of another project', async () => {
    const metric = await judged();
    const elsewhere = await createProject(own.api);
    const testset = await createTestset(own.api, elsewhere.id);
    const foreign = await createMetric(own.api, elsewhere.id, { evalType: 'human', outputType: 'int' });
    const post = (body: unknown) => own.api('POST', `/projects/${projectId}/runs/estimate`, body);
    expect((await post({ metricIds: [metric.id] })).status).toBe(400);
    expect((await post({ metricIds: [metric.id], testsetId: testset.id })).status).toBe(404);
    expect((await post({ metricIds: [foreign.id], numRecords: 1 })).status).toBe(404);
  });
});
