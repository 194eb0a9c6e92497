import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, type TestSpan } from '../../../test/otlp.ts';

/** A framework and the client that it calls may both report a call of a model: tokens and cost count once. */

const { app, own } = await openApp();
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

const send = async (spans: TestSpan[]) => {
  const answer = await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(answer.status, String(answer.body)).toBe(200);
};
const call = (n: number, parent: number, input: number, output: number, cost?: number): TestSpan => ({
  traceId,
  n,
  parent,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    ...(cost !== undefined && { 'gen_ai.usage.cost': cost }),
  },
});
const root = (): TestSpan => ({ traceId, n: 1, attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
const sums = async () => {
  const [trace] = (await ok(own.api('GET', `/projects/${projectId}/traces`))).data;
  const [{ measures }] = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
  expect(measures).toMatchObject({
    inputTokens: trace.inputTokens,
    outputTokens: trace.outputTokens,
    costUsd: trace.costUsd,
  });
  return [trace.numSpans, trace.inputTokens, trace.outputTokens, trace.costUsd];
};

/** An agent's call, reported by the framework, by the router below it, and by the client below that; and one that only one reports. */
const spans = () => [
  root(),
  call(2, 1, 100, 10, 0.5),
  call(3, 2, 100, 10),
  call(4, 3, 100, 10, 0.5),
  call(5, 1, 7, 3),
];

const orders: [string, number[][]][] = [
  ['at once', [[0, 1, 2, 3, 4]]],
  ['from the root, one by one', [[0], [1], [2], [3], [4]]],
  ['from the innermost, one by one', [[4], [3], [2], [1], [0]]],
  ['twice', [[0, 1, 2, 3, 4], [1, 2], [3], [0, 1, 2, 3, 4]]],
];

describe('calls of models within calls of models', () => {
  it.each(orders)('count once, sent %s', async (_, requests) => {
    for (const request of requests) await send(request.map((i) => spans()[i]!));
    expect(await sums()).toEqual([5, 107, 13, 0.5]);
  });

  it.each(orders.slice(0, 3))('keep what only one of them reports, sent %s', async (_, requests) => {
    // Two attempts: the framework reports the last one. And a guard's call within a larger one.
    const all = [root(), call(2, 1, 100, 10), call(3, 2, 90, 0), call(4, 2, 100, 10), call(5, 1, 300, 30)];
    for (const request of requests) await send(request.map((i) => all[i]!));
    expect(await sums()).toEqual([5, 490, 40, null]);
  });

  it('of separate branches all count', async () => {
    await send([root(), call(2, 1, 100, 10), { traceId, n: 3, parent: 2 }, call(4, 3, 50, 5)]);
    expect(await sums()).toEqual([4, 150, 15, null]);
  });

  it('count once when the trace joins the project that a later span names', async () => {
    const oldest = requestOf([spans()[1]!, spans()[2]!, spans()[3]!]);
    expect((await post(app, own.key, oldest)).status).toBe(200);
    await send([spans()[0]!, spans()[4]!]);
    expect(await sums()).toEqual([5, 107, 13, 0.5]);
  });
});
