// Longer than 400 lines: one system under test and its set-up, in everything that it can do to a run.
import { describe, expect, it } from 'vitest';
import type { Asked, Reply } from '../../../test/endpoint.ts';
import { executing } from '../../../test/executing.ts';
import { createMetric, createProject, createRun, createTestset, ok } from '../../../test/fixtures.ts';
import { startApp } from '../../../test/harness.ts';
import { system } from '../../platform/db/database.ts';

const world = executing();
const { api, versionOf, records, executions } = world;

const testsetOf = async (questions: string[]) => {
  const testset = await createTestset(api, world.projectId);
  const items = questions.map((question) => ({
    jsonData: { question, answer: `the answer to ${question}` },
  }));
  await ok(api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  return testset.id as string;
};

/** A run of the questions that the service executes itself. */
const execute = async (config: unknown, questions: string[], fields: object = {}, metricIds: string[] = []) =>
  createRun(api, world.projectId, metricIds, {
    testsetId: await testsetOf(questions),
    systemVersionId: await versionOf(config),
    execute: true,
    ...fields,
  });

/** Pauses between attempts are skipped: what is due later is due now. Leases last longer than they do. */
const skipPauses = (runId: string) =>
  world.app.db.transaction(
    system,
    (tx) =>
      tx`update execution set due_at = now() where run_id = ${runId}::text::bigint and state = 'pending' and attempts > 0
        and due_at < now() + interval '30 seconds'`,
  );

const summary = (runId: string) =>
  ok(api('GET', `/runs/${runId}/details`)).then(({ executions }) => executions);
const settled = async (runId: string) => {
  await expect
    .poll(
      async () => {
        await skipPauses(runId);
        return (await summary(runId)).pending;
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBe(0);
  return summary(runId);
};
const status = async (runId: string) => (await ok(api('GET', `/runs/${runId}`))).status;

const questionOf = ({ text }: Asked): string => JSON.parse(text).inputs.question;
const echo = (asked: Asked): Reply => ({ body: JSON.stringify({ outputs: { answer: questionOf(asked) } }) });

describe('a run with execute', () => {
  it('calls the system in an order that it drew, one pass after the other: a testset may begin with its easy part', async () => {
    world.answer = echo;
    const questions = Array.from({ length: 40 }, (_, i) => `question ${i}`);
    const first = await execute({ endpoint: world.endpoint.url }, questions, { trials: 2 });
    const second = await createRun(api, world.projectId, [], {
      testsetId: first.testsetId,
      systemVersionId: first.systemVersionId,
      execute: true,
    });
    const orderOf = async (runId: string): Promise<{ n: number; trial: number }[]> =>
      (await ok(api('GET', `/runs/${runId}/executions?limit=100`))).data.map(
        ({ testcaseId, trial }: { testcaseId: string; trial: number }) => ({
          n: Number(testcaseId.split('-')[1]),
          trial,
        }),
      );
    const [ofFirst, ofSecond] = [await orderOf(first.id), await orderOf(second.id)];
    const passes = [1, 2].map((trial) => ofFirst.filter((one) => one.trial === trial).map(({ n }) => n));
    const sorted = questions.map((_, i) => i + 1);
    expect(passes.map((numbers) => numbers.toSorted((a, b) => a - b))).toEqual([sorted, sorted]);
    expect(ofFirst.map(({ trial }) => trial)).toEqual(ofFirst.map((_, i) => (i < 40 ? 1 : 2)));
    expect(passes[0]).not.toEqual(sorted);
    expect(ofSecond.map(({ n }) => n)).not.toEqual(passes[0]);
    await settled(first.id);
    await settled(second.id);
  });

  it('asks the endpoint once for each testcase, and scores the records that it makes of the answers', async () => {
    world.answer = echo;
    const metric = await createMetric(api, world.projectId, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score(inputs, outputs) { return outputs.answer === inputs.question; }',
    });
    const config = { endpoint: world.endpoint.url, headers: { authorization: 'Bearer of-the-system' } };
    const run = await execute(config, ['one', 'two', 'three'], {}, [metric.id]);
    expect(run).toMatchObject({ status: 'awaiting_execution', numExpectedRecords: 3 });
    await expect.poll(() => status(run.id), { timeout: 30_000 }).toBe('completed');
    expect(await records(run.id)).toMatchObject(
      ['one', 'two', 'three'].map((question, i) => ({
        testcaseId: `${run.testsetId}-${i + 1}`,
        inputs: { question },
        expected: { answer: `the answer to ${question}` },
        outputs: { answer: question },
        scores: [{ score: { binaryScore: true } }],
      })),
    );
    expect(world.endpoint.received).toHaveLength(3);
    for (const { text, headers } of world.endpoint.received) {
      // The expected value is not sent: a system that sees it is not tested.
      expect(Object.keys(JSON.parse(text))).toEqual(['inputs', 'testcaseId', 'runId', 'trial']);
      expect(text).not.toContain('the answer to');
      expect(headers).toMatchObject({
        authorization: 'Bearer of-the-system',
        'content-type': 'application/json',
      });
    }
    expect(new Set(world.endpoint.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  it('keeps inputs and outputs digit by digit', async () => {
    const testset = await createTestset(api, world.projectId, {
      jsonSchema: {},
      fieldMapping: { inputs: ['a'], expected: ['b'], metadata: [] },
    });
    const raw = '{"items":[{"jsonData":{"a":12345678901234567890,"b":1.10}}]}';
    await ok(api('POST', `/testsets/${testset.id}/testcases`, undefined, { raw }), 201);
    world.answer = () => ({
      body: '{"outputs": {"10": 1.10, "2": 12345678901234567890, "__proto__": "\\u0000"}}',
    });
    const systemVersionId = await versionOf({ endpoint: world.endpoint.url });
    const run = await createRun(api, world.projectId, [], {
      testsetId: testset.id,
      systemVersionId,
      execute: true,
    });
    await settled(run.id);
    expect(world.endpoint.received[0]!.text).toContain('"inputs":{"a":12345678901234567890}');
    const { text } = await api('GET', `/runs/${run.id}/records`);
    expect(text).toContain('{"10": 1.10, "2": 12345678901234567890, "__proto__": "\\u0000"}');
    expect(text).toContain('{"b":1.10}');
  });

  it('takes an object without outputs as the outputs, and what the system says of its use apart', async () => {
    world.answer = (asked) =>
      questionOf(asked) === 'plain'
        ? { body: '{"text":"hello","score":1}' }
        : { body: '{"outputs":{},"usage":{"inputTokens":7,"outputTokens":2,"costUsd":0.25}}' };
    const run = await execute({ endpoint: world.endpoint.url }, ['plain', 'used']);
    expect(await settled(run.id)).toMatchObject({
      numExecutions: 2,
      done: 2,
      costUsd: null,
      inputTokens: null,
    });
    const [plain, used] = await executions(run.id);
    expect(plain).toMatchObject({
      state: 'done',
      numAttempts: 1,
      lastError: null,
      costUsd: null,
      evidence: null,
    });
    expect(used).toMatchObject({ inputTokens: 7, outputTokens: 2, costUsd: 0.25 });
    expect(used.latencyMs).toBeGreaterThanOrEqual(0);
    const outputs = new Map(
      (await records(run.id)).map((one: { id: string; outputs: object }) => [one.id, one.outputs]),
    );
    expect(outputs.get(plain.recordId)).toEqual({ text: 'hello', score: 1 });
    expect(outputs.get(used.recordId)).toEqual({});
  });

  it('puts each testcase to the system as often as trials says', async () => {
    world.answer = echo;
    const run = await execute({ endpoint: world.endpoint.url }, ['a', 'b'], { trials: 3 });
    expect(run.numExpectedRecords).toBe(6);
    expect((await settled(run.id)).done).toBe(6);
    const times = Map.groupBy(await records(run.id), (one: { testcaseId: string }) => one.testcaseId);
    expect([...times.values()].map((made) => made.length)).toEqual([3, 3]);
    expect(world.endpoint.received.map(({ text }) => JSON.parse(text).trial).sort()).toEqual([
      1, 1, 2, 2, 3, 3,
    ]);
  });

  it('asks the model of a prompt with the rendered prompt as it is, and keeps its tokens and cost', async () => {
    world.model.answer({ reply: 'Paris', usage: { input: 1_000_000, output: 100_000 } });
    const run = await execute(
      {
        promptTemplate: 'Answer: {{ inputs.question }}',
        modelName: 'gpt-4o',
        temperature: 0.5,
        maxOutputTokens: 50,
      },
      ['Which city?'],
    );
    const { costUsd } = await settled(run.id);
    // gpt-4o-2024-08-06 and its kin: 2.50 and 10.00 USD per million tokens.
    expect(costUsd).toBeCloseTo(3.5);
    expect(await records(run.id)).toMatchObject([{ outputs: { answer: 'Paris' } }]);
    const [request] = world.model.received;
    expect(request).toMatchObject({ system: '', messages: ['Answer: Which city?'] });
    expect(request!.body).toMatchObject({ model: 'gpt-4o', temperature: 0.5, max_tokens: 50 });
    expect(request!.body).not.toHaveProperty('response_format');
    expect((await executions(run.id))[0].evidence).toEqual({
      modelAsked: 'gpt-4o',
      modelAnswered: 'gpt-4o-2025-01-01',
      finishReason: 'stop',
      prompt: 'Answer: Which city?',
    });
  });
});

describe('an execution that fails', () => {
  it('is tried again while trying makes sense, with the same Idempotency-Key', async () => {
    world.answer = (asked) =>
      world.endpoint.received.length < 3 ? { status: 503, body: 'busy' } : echo(asked);
    const run = await execute({ endpoint: world.endpoint.url }, ['again']);
    expect(await settled(run.id)).toMatchObject({ done: 1, failed: 0 });
    expect(await executions(run.id)).toMatchObject([{ numAttempts: 3, lastError: null, state: 'done' }]);
    expect(new Set(world.endpoint.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await records(run.id)).toHaveLength(1);
  });

  it('says why, is waited for no more, and is made by a retry once the system is well', async () => {
    const secret = 'secret-of-the-system';
    world.answer = (asked) =>
      questionOf(asked) === 'bad' ? { status: 400, body: `no: ${asked.headers.authorization}` } : echo(asked);
    const run = await execute({ endpoint: world.endpoint.url, headers: { authorization: secret } }, [
      'good',
      'bad',
    ]);
    expect(await settled(run.id)).toMatchObject({ done: 1, failed: 1 });
    expect(await executions(run.id, '&state=failed')).toMatchObject([
      {
        testcaseId: `${run.testsetId}-2`,
        numAttempts: 1,
        recordId: null,
        lastError: 'the endpoint answers 400: no: [header]',
      },
    ]);
    expect(await ok(api('GET', `/runs/${run.id}`))).toMatchObject({
      status: 'completed',
      numRecords: 1,
      numExpectedRecords: 2,
    });
    world.answer = echo;
    expect(await ok(api('POST', `/runs/${run.id}/retry`, { of: 'executions' }))).toMatchObject({
      numExecutions: 1,
      numScores: 0,
      numProposals: 0,
    });
    expect(await settled(run.id)).toMatchObject({ done: 2, failed: 0 });
    expect((await records(run.id)).length).toBe(2);
  });

  it('gives up a system that stays down after four attempts', async () => {
    world.answer = () => ({ status: 500, body: 'down' });
    const run = await execute({ endpoint: world.endpoint.url }, ['down']);
    expect(await settled(run.id)).toMatchObject({ failed: 1 });
    expect(world.endpoint.received).toHaveLength(4);
    expect(await status(run.id)).toBe('completed');
  });

  it('is counted with all that have the same error, in the summary and in the progress of the run', async () => {
    world.answer = (asked) =>
      questionOf(asked) === 'good' ? echo(asked) : { status: 400, body: questionOf(asked).slice(0, 1) };
    const run = await execute({ endpoint: world.endpoint.url }, ['good', 'a1', 'a2', 'a3', 'b1']);
    expect(await settled(run.id)).toMatchObject({
      errors: [
        { state: 'failed', error: 'the endpoint answers 400: a', numExecutions: 3, maxAttempts: 1 },
        { state: 'failed', error: 'the endpoint answers 400: b', numExecutions: 1, maxAttempts: 1 },
      ],
    });
    expect(await ok(api('GET', `/runs/${run.id}/details`)).then(({ progress }) => progress)).toMatchObject({
      numFailedCalls: 4,
      numErrors: 4,
      working: false,
    });
  });

  it('and waits for its next attempt is in the summary with its attempts and the error of the system itself', async () => {
    world.answer = (asked) => (questionOf(asked) === 'good' ? echo(asked) : { status: 500, body: 'boom' });
    const run = await execute(
      { endpoint: world.endpoint.url },
      Array.from({ length: 12 }, (_, i) => `bad ${i}`),
    );
    const errors = async () => (await summary(run.id)).errors;
    await expect.poll(errors, { timeout: 30_000 }).toEqual([
      {
        state: 'pending',
        error: 'the endpoint answers 500: boom',
        numExecutions: 12,
        maxAttempts: expect.any(Number),
      },
    ]);
    const retried = async () =>
      (await ok(api('GET', `/runs/${run.id}/details`)).then(({ progress }) => progress)).numRetriedCalls;
    expect(await retried()).toBe(12);
    await ok(api('POST', `/runs/${run.id}/cancel`, { of: 'executions' }));
    expect([await errors(), await retried()]).toEqual([[], 0]);
  });

  it('names what is wrong with an answer that can not be one', async () => {
    const deep = '['.repeat(250) + ']'.repeat(250);
    const answers: Record<string, [Reply, string]> = {
      text: [{ body: 'hello' }, 'is not JSON'],
      list: [{ body: '[1]' }, 'must be a JSON object'],
      outputs: [{ body: '{"outputs":"x"}' }, 'outputs must be a JSON object'],
      deep: [{ body: `{"outputs":{"a":${deep}}}` }, "can't be kept"],
      redirect: [{ status: 302, headers: { location: 'http://127.0.0.1/' }, body: '' }, 'redirect (302)'],
      large: [{ body: `{"outputs":{"a":"${'x'.repeat(10_500_000)}"}}` }, 'longer than 10000000 bytes'],
    };
    world.answer = (asked) => answers[questionOf(asked)]![0];
    const run = await execute({ endpoint: world.endpoint.url }, Object.keys(answers));
    expect(await settled(run.id)).toMatchObject({ failed: Object.keys(answers).length });
    for (const [i, [, reason]] of Object.values(answers).entries()) {
      expect((await executions(run.id))[i]).toMatchObject({
        numAttempts: 1,
        lastError: expect.stringContaining(reason),
      });
    }
    expect(await records(run.id)).toEqual([]);
  });

  it('ends a call that takes longer than the system may', async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    world.answer = () => promise;
    const run = await execute({ endpoint: world.endpoint.url, timeoutMs: 20 }, ['slow']);
    await settled(run.id);
    expect(await executions(run.id)).toMatchObject([
      { numAttempts: 4, lastError: 'the system took longer than 0.02 s' },
    ]);
    resolve({ body: '{}' });
  });

  it('of a prompt that asks for more than the inputs says so: systems do not see what is expected', async () => {
    const config = { promptTemplate: '{{ expected.answer }}', modelName: 'gpt-4o' };
    const run = await execute(config, ['q']);
    await settled(run.id);
    expect(await executions(run.id)).toMatchObject([{ lastError: 'missing_placeholder: expected.answer' }]);
    expect(world.model.received).toEqual([]);
  });

  it('of a model without a provider says what to set', async () => {
    const run = await execute({ promptTemplate: 'x', modelName: 'claude-4' }, ['q']);
    await settled(run.id);
    expect(await executions(run.id)).toMatchObject([
      { lastError: expect.stringContaining('set ANTHROPIC_API_KEY') },
    ]);
  });

  it('at a private address says so, unless the operator allows them', async () => {
    const strict = await startApp({ DOKIMA_WORKERS: '1' });
    const { api } = await strict.organization();
    const project = await createProject(api);
    const testset = await createTestset(api, project.id);
    await ok(
      api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData: { question: 'q' } }] }),
      201,
    );
    const made = await ok(
      api('POST', `/projects/${project.id}/systems`, { config: { endpoint: world.endpoint.url } }),
      201,
    );
    const run = await createRun(api, project.id, [], {
      testsetId: testset.id,
      systemVersionId: made.productionVersion.id,
      execute: true,
    });
    const list = async () => (await ok(api('GET', `/runs/${run.id}/executions`))).data;
    await expect.poll(async () => (await list())[0].state, { timeout: 30_000 }).toBe('failed');
    expect(await list()).toMatchObject([
      {
        lastError: expect.stringMatching(
          /127\.0\.0\.1 is a private.*DOKIMA_ALLOW_PRIVATE_ADDRESSES=127\.0\.0\.1:\d+/,
        ),
      },
    ]);
    const tried = { config: { endpoint: world.endpoint.url }, testcaseId: `${testset.id}-1` };
    expect(await ok(api('POST', `/projects/${project.id}/systems/try`, tried))).toMatchObject({
      state: 'failed',
      outputs: null,
      error: expect.stringContaining('DOKIMA_ALLOW_PRIVATE_ADDRESSES='),
    });
    expect(world.endpoint.received).toEqual([]);
    await strict.close();
  });
});

describe('the list', () => {
  it('pages through every execution once', async () => {
    world.answer = echo;
    const run = await execute({ endpoint: world.endpoint.url }, ['a', 'b', 'c']);
    await settled(run.id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await ok(api('GET', `/runs/${run.id}/executions?limit=1&cursor=${cursor}`));
      seen.push(...page.data.map((execution: object) => JSON.stringify(execution)));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(seen).toEqual(
      (await ok(api('GET', `/runs/${run.id}/executions`))).data.map((execution: object) =>
        JSON.stringify(execution),
      ),
    );
    expect(new Set(seen).size).toBe(3);
  });
});

describe('cancelling', () => {
  it('leaves what is made, makes no more, and drops the answers that are under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.answer = async (asked) => {
      // Any of them can come first: the order of calls is not guaranteed.
      if (world.endpoint.received.length > 1) await promise;
      return echo(asked);
    };
    const run = await execute(
      { endpoint: world.endpoint.url },
      Array.from({ length: 41 }, (_, i) => `${i}`),
    );
    await expect.poll(async () => (await summary(run.id)).done, { timeout: 30_000 }).toBe(1);
    expect(await status(run.id)).toBe('running_execution');
    // Eight at a time wait for it, after the one that was answered.
    await expect.poll(() => world.endpoint.received.length, { timeout: 30_000 }).toBe(9);
    expect(await ok(api('POST', `/runs/${run.id}/cancel`, { of: 'executions' }))).toMatchObject({
      numExecutions: 40,
      numScores: 0,
      numProposals: 0,
    });
    expect(await status(run.id)).toBe('completed');
    resolve();
    // A run that comes later is done: what was under way before it has ended.
    const later = await execute({ endpoint: world.endpoint.url }, ['later']);
    await settled(later.id);
    expect(await summary(run.id)).toMatchObject({ done: 1, cancelled: 40, pending: 0 });
    expect(await records(run.id)).toHaveLength(1);
    // No call began after it but the later run's own.
    expect(world.endpoint.received.length).toBe(10);
    expect(await ok(api('POST', `/runs/${run.id}/retry`, { of: 'executions' }))).toMatchObject({
      numExecutions: 40,
      numScores: 0,
      numProposals: 0,
    });
    expect(await settled(run.id)).toMatchObject({ done: 41 });
  });

  it('by deleting the run ends it all', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.answer = async (asked) => {
      await promise;
      return echo(asked);
    };
    const run = await execute({ endpoint: world.endpoint.url }, ['a', 'b']);
    await expect.poll(() => world.endpoint.received.length, { timeout: 30_000 }).toBe(2);
    await ok(api('DELETE', `/runs/${run.id}`));
    resolve();
    world.answer = echo;
    await settled((await execute({ endpoint: world.endpoint.url }, ['c'])).id);
    expect((await api('GET', `/runs/${run.id}/executions`)).status).toBe(404);
  });
});

describe('POST /projects/:projectId/systems/try', () => {
  const trySystem = (body: object) => api('POST', `/projects/${world.projectId}/systems/try`, body);

  it('200 has the answer of the system to one testcase, and nothing is written', async () => {
    world.answer = (asked) => ({
      body: `{"outputs":{"answer":"${questionOf(asked)}","n":1.10},"usage":{"inputTokens":7}}`,
    });
    const testcaseId = `${await testsetOf(['one', 'two'])}-2`;
    const tried = await trySystem({ config: { endpoint: world.endpoint.url }, testcaseId });
    expect(tried.text).toContain('"n":1.10');
    expect(tried.body).toEqual({
      state: 'answered',
      outputs: { answer: 'two', n: 1.1 },
      error: null,
      latencyMs: expect.any(Number),
      inputTokens: 7,
      outputTokens: null,
      costUsd: null,
    });
    expect(JSON.parse(world.endpoint.received[0]!.text)).toMatchObject({
      inputs: { question: 'two' },
      testcaseId,
    });
    expect((await ok(api('GET', `/projects/${world.projectId}/runs`))).data).toEqual([]);
    const systemVersionId = await versionOf({ endpoint: world.endpoint.url });
    expect((await trySystem({ systemVersionId, testcaseId })).body).toMatchObject({ state: 'answered' });
  });

  it('200 has the error of a system that does not answer, once', async () => {
    world.answer = () => ({ status: 500, body: 'boom' });
    const testcaseId = `${await testsetOf(['one'])}-1`;
    expect((await trySystem({ config: { endpoint: world.endpoint.url }, testcaseId })).body).toMatchObject({
      state: 'failed',
      outputs: null,
      error: 'the endpoint answers 500: boom',
    });
    expect(world.endpoint.received).toHaveLength(1);
  });

  it('400 for a config that can not be called, 404 for a testcase or version of elsewhere', async () => {
    const testcaseId = `${await testsetOf(['one'])}-1`;
    const config = { endpoint: world.endpoint.url };
    expect(await trySystem({ config: {}, testcaseId })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('/config') },
    });
    expect((await trySystem({ testcaseId })).status).toBe(400);
    expect((await trySystem({ config, testcaseId: '1-1' })).status).toBe(404);
    const systemVersionId = await versionOf(config);
    const other = await world.app.organization();
    const elsewhere = await createProject(other.api);
    const path = `/projects/${elsewhere.id}/systems/try`;
    expect((await other.api('POST', path, { config, testcaseId })).status).toBe(404);
    expect((await other.api('POST', path, { systemVersionId, testcaseId })).status).toBe(404);
    world.projectId = elsewhere.id;
    expect((await trySystem({ config, testcaseId })).status).toBe(404);
  });
});

describe('POST /projects/:projectId/runs with execute', () => {
  it('400 says what is missing or wrong', async () => {
    const testsetId = await testsetOf(['q']);
    const empty = await testsetOf(['q']);
    await ok(api('POST', '/testcases/bulk-delete', { ids: [`${empty}-1`] }));
    const good = { endpoint: world.endpoint.url };
    const cases: [object, unknown, string][] = [
      [{ testsetId: null }, good, '/testsetId is required'],
      [{ testsetId: empty }, good, '/testsetId must name a testset with testcases'],
      [{ systemVersionId: null }, good, '/systemVersionId is required'],
      [{ execute: false, trials: 2 }, good, '/trials needs execute'],
      [{ trials: 0 }, good, '/trials must be an integer from 1 to 100'],
      [{}, {}, 'must say how to call it'],
      [{}, { ...good, promptTemplate: 'x' }, 'not both'],
      [{}, { endpoint: 'ftp://x' }, 'endpoint must be a URL'],
      [{}, { endpoint: 'https://user:pass@example.com' }, 'must not hold a user name'],
      [{}, { ...good, headers: { Host: 'x' } }, 'headers must not set Host'],
      [{}, { ...good, headers: { 'a b': 'x' } }, '"a b" does not'],
      [{}, { ...good, timeoutMs: 0 }, 'timeoutMs must be an integer from 1'],
      [{}, { promptTemplate: 'x' }, 'modelName is required'],
      [{}, { promptTemplate: '{{ x', modelName: 'gpt-4o' }, 'promptTemplate, line 1'],
    ];
    for (const [fields, config, message] of cases) {
      const body = {
        metricIds: [],
        testsetId,
        systemVersionId: await versionOf(config),
        execute: true,
        ...fields,
      };
      const refused = await api('POST', `/projects/${world.projectId}/runs`, body);
      expect(`${refused.status} ${refused.body.message}`).toContain(message);
      expect(refused.status).toBe(400);
    }
  });

  it('a run without it makes no executions, whatever its system is', async () => {
    const run = await execute({ endpoint: world.endpoint.url }, ['q'], { execute: false });
    expect(await summary(run.id)).toMatchObject({ numExecutions: 0, costUsd: null, medianLatencyMs: null });
    expect(run.status).toBe('awaiting_execution');
    expect(world.endpoint.received).toEqual([]);
  });
});
