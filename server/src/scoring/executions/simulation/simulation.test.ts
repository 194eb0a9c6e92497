import { describe, expect, it } from 'vitest';
import type { Asked, Reply } from '../../../../test/endpoint.ts';
import { executing } from '../../../../test/executing.ts';
import { createMetric, createRun, createTestset, ok } from '../../../../test/fixtures.ts';
import type { Received } from '../../../../test/model-server.ts';

const world = executing();
const { api, versionOf, records, executions } = world;
const userPrompt = {
  promptTemplate: 'You are {{ inputs.persona }} and want: {{ inputs.goal }}',
  modelName: 'gpt-4o-mini',
};

const fields = ['persona', 'scenario', 'goal', 'opening', 'order'];
const cells = [
  { persona: 'Impatient', scenario: 'Late parcel', goal: 'the new date', opening: 'Where is it?', order: 7 },
  { persona: 'Patient', scenario: 'Late parcel', goal: 'the new date', order: 7 },
];
const testsetOf = async (items: object[]): Promise<string> => {
  const testset = await createTestset(api, world.projectId, {
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs: fields, expected: [], metadata: [] },
  });
  await ok(
    api('POST', `/testsets/${testset.id}/testcases`, { items: items.map((jsonData) => ({ jsonData })) }),
    201,
  );
  return testset.id;
};

const simulate = async (simulation: object, rest: object = {}, metricIds: string[] = []) =>
  createRun(api, world.projectId, metricIds, { execute: true, simulation, ...rest });
const finished = async (runId: string) => {
  await expect
    .poll(async () => (await ok(api('GET', `/runs/${runId}`))).status, { timeout: 30_000 })
    .toBe('completed');
  return records(runId);
};

/** The user asks on until the assistant names the day. */
const askOn = ({ messages }: Received) => ({
  reply: messages.at(-1)!.includes('Friday')
    ? 'Thanks! [GOAL REACHED]'
    : `And when, question ${messages.length}?`,
});
const bodyOf = ({ text }: Asked) => JSON.parse(text);
const said = (text: string): Reply => ({ body: JSON.stringify({ outputs: { answer: text } }) });
/** The endpoint names the day in its second reply. */
const slow = (asked: Asked): Reply =>
  said(bodyOf(asked).messages.length < 3 ? 'I will look.' : 'It comes on Friday.');

describe('a run with simulation', () => {
  it('makes one record of each conversation, scored like any other, until the user has reached the goal', async () => {
    world.model.answer(askOn);
    world.answer = slow;
    const metric = await createMetric(api, world.projectId, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: `function score(inputs, outputs, expected, { conversation }) {
        return outputs.stop === 'goalReached' && conversation.at(-1).content === 'Thanks!';
      }`,
    });
    const userVersionId = await versionOf(userPrompt);
    const run = await simulate(
      { userVersionId },
      {
        testsetId: await testsetOf(cells),
        systemVersionId: await versionOf({ endpoint: world.endpoint.url }),
        trials: 2,
      },
      [metric.id],
    );
    const records = await finished(run.id);
    expect(records).toHaveLength(4);
    expect(records[0].inputs).toEqual(cells[0]);
    expect(records[0].outputs).toEqual({
      messages: [
        { role: 'user', content: 'Where is it?' },
        { role: 'assistant', content: 'I will look.' },
        { role: 'user', content: 'And when, question 3?' },
        { role: 'assistant', content: 'It comes on Friday.' },
        { role: 'user', content: 'Thanks!' },
      ],
      turns: 2,
      stop: 'goalReached',
    });
    const { breakdown, metrics } = await ok(
      api('GET', `/runs/${run.id}/summary?by=inputs.persona&across=inputs.scenario`),
    );
    expect(metrics[0].passRate.estimate).toBe(1);
    expect(breakdown.groups.map(({ value }: { value: string }) => value)).toEqual(['Impatient', 'Patient']);
    expect(breakdown.crossed.groups).toMatchObject([{ value: 'Late parcel', numRecords: 4 }]);
    const cell = { column: 'Late parcel', numRecords: 2, metrics: [{ scored: 2, passed: 2 }] };
    const rows = breakdown.crossed.cells.toSorted((a: { row: string }, b: { row: string }) =>
      a.row < b.row ? -1 : 1,
    );
    expect(rows).toMatchObject([
      { row: 'Impatient', ...cell },
      { row: 'Patient', ...cell },
    ]);
    expect(breakdown.crossed.passRates[0].passRate).toMatchObject({ estimate: 1, interval: null });
    expect(await ok(api('GET', `/runs/${run.id}/details`))).toMatchObject({
      simulation: { userVersionId, maxTurns: 10, replayOf: null },
    });
    const [first] = await executions(run.id);
    expect(first.evidence).toMatchObject({
      user: { modelAsked: 'gpt-4o-mini', calls: 2, inputTokens: 200, costUsd: expect.any(Number) },
      latenciesMs: [expect.any(Number), expect.any(Number)],
    });
    expect(first.evidence.user.prompt).toMatch(/^You are Impatient and want: the new date\n\nRules/);
  });

  it('tells the system what was said and the facts of the testcase, but nothing that describes the user', async () => {
    world.model.answer(askOn);
    world.answer = slow;
    const run = await simulate(
      { userVersionId: await versionOf(userPrompt) },
      {
        testsetId: await testsetOf([cells[0]!]),
        systemVersionId: await versionOf({ endpoint: world.endpoint.url }),
      },
    );
    await finished(run.id);
    const [first, second] = world.endpoint.received.map(bodyOf);
    expect(first).toMatchObject({
      inputs: { order: 7 },
      messages: [{ role: 'user', content: 'Where is it?' }],
    });
    expect(Object.keys(first.inputs)).toEqual(['order']);
    expect(second.messages).toHaveLength(3);
    expect(second.conversationId).toBe(first.conversationId);
    const keys = world.endpoint.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('puts the conversation in the place of the last message of a prompt', async () => {
    world.model.answer(({ system, messages }: Received) =>
      system.startsWith('You are Patient')
        ? { reply: messages.length > 2 ? 'Fine. [DONE]' : 'Hello' }
        : { reply: 'Good day' },
    );
    const run = await simulate(
      { userVersionId: await versionOf(userPrompt) },
      {
        testsetId: await testsetOf([cells[1]!]),
        systemVersionId: await versionOf({
          messages: [
            { role: 'system', content: 'Order {{ inputs.order }}.' },
            { role: 'user', content: '{{ inputs.question }}' },
          ],
          modelName: 'gpt-4o',
        }),
      },
    );
    const [record] = await finished(run.id);
    expect(record.outputs).toMatchObject({ turns: 1, stop: 'userDone' });
    const asked = world.model.received.filter(({ system }) => system === 'Order 7.');
    expect(asked.map(({ messages }) => messages)).toEqual([['Hello']]);
  });

  it('has an estimate of its cost, in which each call reads all that was said', async () => {
    const testsetId = await testsetOf(cells);
    const estimate = (fields: object) =>
      api('POST', `/projects/${world.projectId}/runs/estimate`, { metricIds: [], testsetId, ...fields });
    const systemVersionId = await versionOf({ promptTemplate: 'Help.', modelName: 'gpt-4o-mini' });
    const userVersionId = await versionOf(userPrompt);
    const costAt = async (maxTurns: number) =>
      (await ok(estimate({ systemVersionId, trials: 2, simulation: { userVersionId, maxTurns } })))
        .simulation;
    const short = await costAt(5);
    expect(short).toMatchObject({ numConversations: 4, maxUserCalls: 20, maxSystemCalls: 20 });
    // Twice as many turns read four times as much and write twice as much.
    const ratio = (await costAt(10)).systemCostUsd / short.systemCostUsd;
    expect(ratio).toBeGreaterThan(2);
    expect(ratio).toBeLessThan(4);
    const endpointId = await versionOf({ endpoint: world.endpoint.url });
    expect(
      (await ok(estimate({ systemVersionId: endpointId, simulation: { userVersionId } }))).simulation,
    ).toMatchObject({ numConversations: 2, systemCostUsd: null });
    expect((await estimate({ simulation: { userVersionId } })).status).toBe(400);
  });

  it('has the same estimate before its testcases, system and user are stored, and the estimate stores nothing', async () => {
    const estimate = (fields: object) =>
      api('POST', `/projects/${world.projectId}/runs/estimate`, { metricIds: [], trials: 3, ...fields });
    const system = { promptTemplate: 'Help the caller.', modelName: 'gpt-4o-mini' };
    const stored = await ok(
      estimate({
        testsetId: await testsetOf(cells),
        systemVersionId: await versionOf(system),
        simulation: { userVersionId: await versionOf(userPrompt), maxTurns: 4 },
      }),
    );
    const counts = async () => {
      const of = async (path: string) =>
        (await ok(api('GET', `/projects/${world.projectId}/${path}?limit=100`))).data.length;
      return [await of('systems'), await of('testsets')];
    };
    const before = await counts();
    const drafted = { testcases: cells, systemConfig: system, userConfig: userPrompt };
    const asked = await ok(estimate({ ...drafted, simulation: { maxTurns: 4 } }));
    expect(asked.simulation.systemCostUsd).toBe(stored.simulation.systemCostUsd);
    expect(asked.simulation.userCostUsd).toBeCloseTo(stored.simulation.userCostUsd, 4);
    expect(asked.numRecords).toBe(stored.numRecords);
    expect(await counts()).toEqual(before);
    const refused = async (fields: object) => (await estimate(fields)).body.details.issues[0].path;
    const simulation = { maxTurns: 4 };
    expect(await refused({ ...drafted, testsetId: '1', simulation })).toBe('/testcases');
    expect(await refused({ ...drafted, systemConfig: undefined, simulation })).toBe('/systemVersionId');
    expect(
      await refused({ ...drafted, userConfig: { endpoint: 'https://users.example.com' }, simulation }),
    ).toBe('/userConfig');
    expect(await refused({ ...drafted, simulation: { userVersionId: await versionOf(userPrompt) } })).toBe(
      '/userConfig',
    );
  });

  it('is tried with one conversation: its messages come as they are said, and nothing is stored', async () => {
    world.model.answer(askOn);
    world.answer = slow;
    const tried = {
      config: { endpoint: world.endpoint.url },
      inputs: cells[0],
      simulation: { userConfig: userPrompt, maxTurns: 3 },
    };
    const path = `/projects/${world.projectId}/systems/try`;
    const streamed = await api('POST', path, tried, { headers: { accept: 'text/event-stream' } });
    const events = streamed.text.split('\n\n').filter(Boolean);
    const kinds = events.map((event) => /^event: (\w+)/.exec(event)![1]);
    expect(kinds).toEqual(['message', 'message', 'message', 'message', 'message', 'result']);
    expect(events[0]).toContain('{"role":"user","content":"Where is it?"}');
    // A user who is replied to twice, and whom the prompt gets by its fields; the system gets the others.
    const result = JSON.parse(/data: (.*)/.exec(events.at(-1)!)![1]!);
    expect(result).toMatchObject({ state: 'answered', outputs: { turns: 2, stop: 'goalReached' } });
    expect(result.outputs.messages.at(-1)).toEqual({ role: 'user', content: 'Thanks!' });
    expect(world.endpoint.received.map(bodyOf)[0]).toMatchObject({ inputs: { order: 7 } });
    expect(Object.keys(world.endpoint.received.map(bodyOf)[0].inputs)).toEqual(['order']);
    expect((await ok(api('GET', `/projects/${world.projectId}/runs`))).data).toEqual([]);
    // A failure after the first message says in which turn, and ends the events.
    world.answer = () => ({ status: 400, body: 'no' });
    expect((await api('POST', path, tried)).body).toMatchObject({
      state: 'failed',
      error: 'turn 1, system: the endpoint answers 400: no',
    });
    const wrong = await api('POST', path, { ...tried, simulation: { userConfig: { endpoint: 'http://x' } } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.message).toContain('/simulation/userConfig');
  });

  it('ends at maxTurns', async () => {
    world.model.answer({ reply: 'Again' });
    world.answer = () => said('No');
    const run = await simulate(
      { userVersionId: await versionOf(userPrompt), maxTurns: 3 },
      {
        testsetId: await testsetOf([cells[1]!]),
        systemVersionId: await versionOf({ endpoint: world.endpoint.url }),
      },
    );
    const [record] = await finished(run.id);
    expect(record.outputs).toMatchObject({ turns: 3, stop: 'maxTurns' });
    expect(record.outputs.messages).toHaveLength(6);
  });

  it('repeats a call that failed, and not the conversation before it', async () => {
    world.model.answer(askOn);
    let calls = 0;
    world.answer = (asked) => (++calls === 2 ? { status: 503, body: 'busy' } : slow(asked));
    const run = await simulate(
      { userVersionId: await versionOf(userPrompt) },
      {
        testsetId: await testsetOf([cells[0]!]),
        systemVersionId: await versionOf({ endpoint: world.endpoint.url }),
      },
    );
    const [record] = await finished(run.id);
    expect(record.outputs.stop).toBe('goalReached');
    expect(world.model.received).toHaveLength(2);
    const keys = world.endpoint.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[1]).toBe(keys[2]);
  });

  it('makes no record of a conversation that breaks off, but keeps what was said, its cost, and who failed in which turn', async () => {
    world.model.answer(askOn);
    world.answer = (asked) =>
      bodyOf(asked).messages.length > 1
        ? { status: 400, body: 'no' }
        : {
            body: '{"outputs":{"answer":"I will look."},"usage":{"inputTokens":7,"outputTokens":2,"costUsd":0.5}}',
          };
    const run = await simulate(
      { userVersionId: await versionOf(userPrompt) },
      {
        testsetId: await testsetOf([cells[0]!]),
        systemVersionId: await versionOf({ endpoint: world.endpoint.url }),
      },
    );
    expect(await finished(run.id)).toEqual([]);
    expect((await executions(run.id))[0]).toMatchObject({
      state: 'failed',
      lastError: 'turn 2, system: the endpoint answers 400: no',
      recordId: null,
      inputTokens: 7,
      outputTokens: 2,
      costUsd: 0.5,
      latencyMs: null,
      userCostUsd: expect.any(Number),
      evidence: {
        messages: [
          { role: 'user', content: 'Where is it?' },
          { role: 'assistant', content: 'I will look.' },
          { role: 'user', content: 'And when, question 3?' },
        ],
        user: { calls: 1 },
      },
    });
    const { costUsd, userCostUsd } = await ok(api('GET', `/runs/${run.id}/details`)).then(
      ({ executions }) => executions,
    );
    expect([costUsd, userCostUsd]).toEqual([0.5, expect.any(Number)]);
    expect(userCostUsd).toBeGreaterThan(0);
    // A retry adds to it.
    const spending = () => ({
      body: '{"outputs":{"answer":"On Friday."},"usage":{"inputTokens":3,"outputTokens":1,"costUsd":0.25}}',
    });
    world.answer = spending;
    await ok(api('POST', `/runs/${run.id}/retry`, { of: 'executions' }));
    await expect.poll(async () => (await executions(run.id))[0].state, { timeout: 30_000 }).toBe('done');
    const [again] = await executions(run.id);
    expect(again).toMatchObject({ inputTokens: 10, outputTokens: 3, costUsd: 0.75, lastError: null });
    expect(again.userCostUsd).toBeGreaterThan(userCostUsd);
    expect(again.evidence).not.toHaveProperty('messages');
    // So does the record that it makes: both attempts were paid for.
    const { measured } = await ok(api('GET', `/runs/${run.id}/details`)).then(({ executions }) => executions);
    expect(measured).toMatchObject({ numRecords: 1, tokensPerRecord: 13, costUsdPerRecord: 0.75 });
  });

  it.each([2, 3])(
    'that is cancelled in turn 2 of %s keeps what was said and what it cost',
    async (maxTurns) => {
      let release = () => {};
      const after = new Promise<void>((resolve) => (release = resolve));
      world.model.answer(askOn);
      world.answer = async (asked) => {
        if (bodyOf(asked).messages.length > 1) await after;
        return {
          body: '{"outputs":{"answer":"I will look."},"usage":{"inputTokens":7,"outputTokens":2,"costUsd":0.5}}',
        };
      };
      const run = await simulate(
        { userVersionId: await versionOf(userPrompt), maxTurns },
        {
          testsetId: await testsetOf(cells),
          systemVersionId: await versionOf({ endpoint: world.endpoint.url }),
        },
      );
      // Both wait for their second reply, which comes after the run was cancelled.
      await expect.poll(() => world.endpoint.received.length, { timeout: 30_000 }).toBe(4);
      await ok(api('POST', `/runs/${run.id}/cancel`, { of: 'executions' }));
      release();
      const costOf = async () =>
        (await ok(api('GET', `/runs/${run.id}/details`)).then(({ executions }) => executions)).costUsd;
      await expect.poll(costOf, { timeout: 30_000 }).toBe(2);
      expect(await records(run.id)).toEqual([]);
      const [first] = await executions(run.id);
      expect(first).toMatchObject({
        state: 'cancelled',
        lastError: null,
        recordId: null,
        inputTokens: 14,
        costUsd: 1,
        userCostUsd: expect.any(Number),
      });
      expect(first.evidence.messages).toHaveLength(4);
    },
  );

  it('counts a reply without a message, of the user and of the system', async () => {
    world.model.answer({ reply: '' });
    world.answer = () => ({ body: '{"outputs":{"a":1,"b":2},"usage":{"costUsd":0.5}}' });
    const run = await simulate(
      { userVersionId: await versionOf(userPrompt) },
      {
        testsetId: await testsetOf(cells),
        systemVersionId: await versionOf({ endpoint: world.endpoint.url }),
      },
    );
    expect(await finished(run.id)).toEqual([]);
    const [opened, silent] = await executions(run.id);
    expect([opened.lastError, opened.costUsd]).toEqual([expect.stringContaining('have no text'), 0.5]);
    expect(silent.lastError).toContain('wrote no message');
    expect(silent.userCostUsd).toBeGreaterThan(0);
  });

  it('replays the messages of the user against another version without asking a model', async () => {
    world.model.answer(askOn);
    world.answer = slow;
    const testsetId = await testsetOf(cells);
    const first = await simulate(
      { userVersionId: await versionOf(userPrompt) },
      { testsetId, systemVersionId: await versionOf({ endpoint: world.endpoint.url }), trials: 2 },
    );
    await finished(first.id);
    world.model.received.length = 0;
    world.answer = () => said('Yes.');
    const replay = await simulate(
      { replayOf: first.id },
      { testsetId, systemVersionId: await versionOf({ endpoint: world.endpoint.url, version: 2 }) },
    );
    const records = await finished(replay.id);
    expect(records).toHaveLength(4);
    expect(records[0].outputs).toEqual({
      messages: [
        { role: 'user', content: 'Where is it?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'And when, question 3?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Thanks!' },
      ],
      turns: 2,
      stop: 'replayEnd',
    });
    expect(world.model.received).toEqual([]);
    expect(await ok(api('GET', `/runs/${replay.id}/details`))).toMatchObject({
      simulation: { userVersionId: null, replayOf: first.id },
    });
  });

  it('400 says why it can not be held', async () => {
    const testsetId = await testsetOf(cells);
    const systemVersionId = await versionOf({ endpoint: world.endpoint.url });
    const userVersionId = await versionOf(userPrompt);
    const other = await createRun(api, world.projectId, [], { testsetId });
    const cases: [object, object, number, string][] = [
      [{ userVersionId }, { execute: false }, 400, 'needs execute'],
      [{}, {}, 400, 'either userVersionId or replayOf'],
      [{ userVersionId, replayOf: other.id }, {}, 400, 'either userVersionId or replayOf'],
      [{ userVersionId: systemVersionId }, {}, 400, 'must name a version that is a prompt'],
      [{ userVersionId, maxTurns: 51 }, {}, 400, 'maxTurns'],
      [{ replayOf: other.id }, {}, 404, 'simulation of the project'],
    ];
    for (const [simulation, more, status, message] of cases) {
      const body = { metricIds: [], testsetId, systemVersionId, execute: true, simulation, ...more };
      const refused = await api('POST', `/projects/${world.projectId}/runs`, body);
      expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(message)]);
    }
  });
});
