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
/** Returns a generator of whole numbers below a limit. */
const randomFrom = (seed: number) => {
  let state = seed * 7919;
  return (below: number): number => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
};
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

  it('count with the larger amount at each depth, also where one of them says nothing', async () => {
    // A router in the middle reports less, and the framework above reports the cost alone.
    const cost = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.cost': 0.25 };
    const all = [root(), call(2, 1, 10, 1), call(3, 2, 2, 1), call(4, 3, 10, 1), call(6, 5, 100, 10)];
    for (const span of [...all, { traceId, n: 5, parent: 1, attributes: cost }]) await send([span]);
    expect(await sums()).toEqual([6, 110, 11, 0.25]);
  });

  it('in a chain of 3,000 are looked up one by one, each by its key', async () => {
    const began = performance.now();
    await send(Array.from({ length: 3000 }, (_, i) => call(i + 1, i, 100, 10)));
    await send([call(3001, 3000, 100, 10)]);
    // 1.5 s; 10 s where each look-up read all calls of the trace.
    expect(performance.now() - began).toBeLessThan(6000);
    expect((await sums())[1]).toBe(100);
  });

  it('of a circle count once, and a call that names itself its parent counts', async () => {
    await send([call(2, 3, 100, 10), call(3, 2, 100, 10), call(4, 4, 7, 3)]);
    await send([call(5, 4, 7, 3)]);
    expect(await sums()).toEqual([4, 107, 13, null]);
  });

  it('lose what a new version no longer says', async () => {
    await send([root(), call(2, 1, 100, 10, 0.1), call(3, 2, 100, 10, 0.2), call(4, 1, 5, 5, 0.7)]);
    await send([{ traceId, n: 3, parent: 2, attributes: { 'gen_ai.operation.name': 'chat' } }]);
    expect(await sums()).toEqual([4, 105, 15, 0.8]);
    await send([{ traceId, n: 2, parent: 1, attributes: {} }]);
    expect(await sums()).toEqual([4, 5, 5, 0.7]);
  });

  it('have the sums of one request however spans arrive, are sent again and move', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = randomFrom(seed);
      const version = (n: number): TestSpan =>
        random(4) === 0
          ? { traceId, n, parent: random(12), attributes: {} }
          : call(n, random(4) === 0 ? 0 : random(12), random(5), random(5), [undefined, 0.1, 0.2][random(3)]);
      traceId = newTraceId();
      const last = new Map<number, TestSpan>();
      for (let request = 0; request < 6; request++) {
        const sent = new Map(
          Array.from({ length: 4 }, () => version(1 + random(11))).map((span) => [span.n, span]),
        );
        for (const [n, span] of sent) last.set(n, span);
        await send([...sent.values()]);
      }
      const found = await sums();
      projectId = (await createProject(own.api)).id;
      await send([...last.values()]);
      const [spans, ...expected] = await sums();
      // Zero tells that there were amounts before.
      expect(found, `seed ${seed}`).toEqual([
        spans,
        ...expected.map((sum) => sum ?? expect.toBeOneOf([null, 0])),
      ]);
      projectId = (await createProject(own.api)).id;
    }
  });

  it('count once when the trace joins the project that a later span names', async () => {
    const oldest = requestOf([spans()[1]!, spans()[2]!, spans()[3]!]);
    expect((await post(app, own.key, oldest)).status).toBe(200);
    await send([spans()[0]!, spans()[4]!]);
    expect(await sums()).toEqual([5, 107, 13, 0.5]);
  });
});
