// Longer than 400 lines: one trace, in everything that it is read as until it is deleted.
import { beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, spanId, type TestSpan } from '../../../test/otlp.ts';
import { submit } from '../../../test/reviews.ts';
import { system } from '../../platform/db/database.ts';
import { purgeTraces } from '../retention/purge-traces.ts';

const { app, own } = await openApp({});
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

const send = async (spans: TestSpan[], resource = {}) => {
  const request = requestOf(spans, { 'dokima.project_id': projectId, 'service.name': 'agent', ...resource });
  const { status, body } = await post(app, own.key, request);
  expect(`${status} ${body}`).toBe('200 {}');
};
const records = async () => (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
const numberOf = (span: { spanId: string }) => Number.parseInt(span.spanId, 16);
const messages = (...list: object[]) => JSON.stringify(list);
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string, ...calls: string[]) => ({
  role: 'assistant',
  content,
  ...(calls.length > 0 && {
    tool_calls: calls.map((id) => ({ id, function: { name: 'search', arguments: '{"q":1}' } })),
  }),
});
const toolAnswer = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

const agent = (n: number, fields: Partial<TestSpan> = {}): TestSpan => ({
  traceId,
  n,
  ms: 1_000,
  ...fields,
  attributes: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': `agent ${n}`,
    ...fields.attributes,
  },
});
const chat = (
  n: number,
  parent: number,
  input: object[],
  output: object[],
  fields: Partial<TestSpan> = {},
): TestSpan => ({
  traceId,
  n,
  parent,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.input.messages': messages(...input),
    'gen_ai.output.messages': messages(...output),
  },
  ...fields,
});
const tool = (
  n: number,
  parent: number,
  id: string,
  output: string,
  fields: Partial<TestSpan> = {},
): TestSpan => ({
  traceId,
  n,
  parent,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'search',
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.result': output,
  },
  ...fields,
});

describe('GET /records/:recordId/spans', () => {
  it('lists each span after its parent, siblings by start, with times to the nanosecond', async () => {
    await send([
      { traceId, n: 4, parent: 2, at: 5 },
      { traceId, n: 3, parent: 1, at: 4 },
      { traceId, n: 2, parent: 1, at: 2, ms: 2.5, kind: 3 },
      { traceId, n: 1, at: 0, name: 'root', status: { code: 2 } },
    ]);
    const [record] = await records();
    const { data, truncated } = await ok(own.api('GET', `/records/${record.id}/spans`));
    expect(data.map((span: { spanId: string; depth: number }) => [numberOf(span), span.depth])).toEqual([
      [1, 0],
      [2, 1],
      [4, 2],
      [3, 1],
    ]);
    expect(truncated).toBe(false);
    expect(data[0]).toMatchObject({
      traceId,
      name: 'root',
      service: 'agent',
      failed: true,
      parentSpanId: null,
    });
    const first = await ok(own.api('GET', `/records/${(await records())[0].id}/spans?limit=1`));
    expect({ spans: first.data.map(numberOf), truncated: first.truncated }).toEqual({
      spans: [1],
      truncated: true,
    });
    expect(data[1]).toMatchObject({
      kind: 'client',
      durationMs: 2.5,
      failed: false,
      startTime: '2026-11-20T12:00:00.002000000Z',
    });
  });
});

describe('GET /records/:recordId/conversation', () => {
  const conversation = async () => ok(own.api('GET', `/records/${(await records())[0].id}/conversation`));

  it('has each message once, although each call repeats what was said, with tools’ answers, errors and a retry', async () => {
    const before = [user('find it')];
    const asked = assistant('', 'c1');
    const failed = toolAnswer('c1', 'timeout');
    const again = assistant('', 'c2');
    await send([
      agent(1),
      chat(2, 1, before, [asked]),
      tool(3, 1, 'c1', 'timeout', { status: { code: 2, message: 'late' } }),
      chat(4, 1, [...before, asked, failed], [again]),
      tool(5, 1, 'c2', 'here'),
      chat(6, 1, [...before, asked, failed, again, toolAnswer('c2', 'here')], [assistant('It is here.')]),
    ]);
    const { data, agents, truncated } = await conversation();
    expect(
      data.map((entry: { role: string; content: string; spanId: string; error: string }) => [
        numberOf(entry),
        entry.role,
        entry.content,
        entry.error,
      ]),
    ).toEqual([
      [2, 'user', 'find it', null],
      [2, 'assistant', '', null],
      [3, 'tool', 'timeout', 'late'],
      [4, 'assistant', '', null],
      [5, 'tool', 'here', null],
      [6, 'assistant', 'It is here.', null],
    ]);
    expect(data.map(({ path }: { path: string }) => path)).toEqual([
      '/input/0/content',
      '/output/0/content',
      '/tool/result',
      '/output/0/content',
      '/tool/result',
      '/output/0/content',
    ]);
    expect(data[1].toolCalls).toEqual([{ id: 'c1', name: 'search', arguments: { q: 1 } }]);
    expect({ agents, truncated }).toEqual({ agents: [], truncated: false });
  });

  it('takes of spans that begin in one millisecond the one that ends first, but a parent before its children', async () => {
    const before = [user('find it')];
    const asked = assistant('', 'c1');
    await send([
      agent(9, { at: 1 }),
      chat(8, 9, before, [asked], { at: 1, ms: 1 }),
      tool(7, 9, 'c1', 'timeout', { at: 2, ms: 0.3, status: { code: 2, message: 'late' } }),
      chat(6, 9, [...before, asked, toolAnswer('c1', 'timeout')], [assistant('', 'c2')], { at: 2, ms: 3 }),
      tool(5, 6, 'c2', 'here', { at: 2, ms: 1 }),
      tool(3, 9, 'c1', 'late', { at: 6, ms: 2 }),
      tool(4, 9, 'c3', 'soon', { at: 6, ms: 1 }),
    ]);
    const { data } = await conversation();
    expect(
      data.map((entry: { role: string; spanId: string; error: string }) => [
        numberOf(entry),
        entry.role,
        entry.error,
      ]),
    ).toEqual([
      [8, 'user', null],
      [8, 'assistant', null],
      [7, 'tool', 'late'],
      [6, 'assistant', null],
      [5, 'tool', null],
      [4, 'tool', null],
    ]);
  });

  it('keeps what a sub-agent said apart, below the agent that it works for', async () => {
    await send([
      agent(1),
      chat(2, 1, [user('do it')], [assistant('', 'c1')]),
      agent(3, { parent: 1 }),
      chat(4, 3, [user('sub task')], [assistant('sub answer')]),
      agent(5, { parent: 3 }),
      chat(6, 5, [user('deeper')], [assistant('deepest')]),
    ]);
    const { data, agents } = await conversation();
    expect(agents).toMatchObject([
      { spanId: spanId(3), name: 'agent 3', parentAgentSpanId: null },
      { spanId: spanId(5), name: 'agent 5', parentAgentSpanId: spanId(3) },
    ]);
    const said = (agentSpanId: string | null) =>
      data
        .filter((entry: { agentSpanId: string | null }) => entry.agentSpanId === agentSpanId)
        .map((entry: { content: string }) => entry.content);
    expect([said(null), said(spanId(3)), said(spanId(5))]).toEqual([
      ['do it', ''],
      ['sub task', 'sub answer'],
      ['deeper', 'deepest'],
    ]);
  });

  it('runs through all traces of a session', async () => {
    const session = { 'session.id': `s ${traceId}` };
    const first = [user('one'), assistant('1')];
    await send([agent(1, { attributes: session }), chat(2, 1, [first[0]!], [first[1]!])]);
    traceId = newTraceId();
    const at = { at: 10_000 };
    await send([
      agent(1, { attributes: session, ...at }),
      chat(2, 1, [...first, user('two')], [assistant('2')], at),
    ]);
    const { data } = await conversation();
    expect(data.map(({ content }: { content: string }) => content)).toEqual(['one', '1', 'two', '2']);
  });

  it('of an agent whose calls say nothing is what the agent was asked and answered', async () => {
    const attributes = { 'input.value': 'in', 'output.value': 'out' };
    await send([
      agent(1, { attributes }),
      { traceId, n: 2, parent: 1, attributes: { 'gen_ai.operation.name': 'chat' } },
    ]);
    const { data } = await conversation();
    expect(data).toMatchObject([
      { role: 'user', content: 'in', path: '/attributes/input.value' },
      { role: 'assistant', content: 'out', path: '/attributes/output.value' },
    ]);
  });
});

describe('GET /projects/:projectId/traces/:traceId', () => {
  it('is the trace as the list has it; its spans and conversation are its own, not those of its session', async () => {
    const other = newTraceId();
    const turn = (id: string, said: object[], answer: string): TestSpan => {
      const { parent: _, attributes, ...span } = chat(1, 0, said, [assistant(answer)]);
      return { ...span, traceId: id, attributes: { ...attributes, 'session.id': 'visit' } };
    };
    await send([turn(traceId, [user('one')], '1')]);
    await send([turn(other, [user('one'), assistant('1'), user('two')], '2')]);
    expect(await records()).toHaveLength(1);
    const path = `/projects/${projectId}/traces`;
    const { data } = await ok(own.api('GET', path));
    for (const trace of data) expect(await ok(own.api('GET', `${path}/${trace.traceId}`))).toEqual(trace);
    const spans = await ok(own.api('GET', `${path}/${other}/spans`));
    expect(spans).toMatchObject({ data: [{ traceId: other, depth: 0 }], truncated: false });
    const said = await ok(own.api('GET', `${path}/${other.toUpperCase()}/conversation`));
    expect(said.data.map(({ content }: { content: string }) => content)).toEqual(['one', '1', 'two', '2']);
    for (const part of ['', '/spans', '/conversation'])
      expect((await own.api('GET', `${path}/${newTraceId()}${part}`)).status).toBe(404);
  });

  it('of a trace whose record has not arrived is there too', async () => {
    await send([agent(1, { attributes: { 'dokima.otel_link_id': `later ${traceId}` } })]);
    const path = `/projects/${projectId}/traces/${traceId}`;
    expect(await ok(own.api('GET', path))).toMatchObject({ traceId, numSpans: 1, recordId: null });
    expect((await ok(own.api('GET', `${path}/spans`))).data).toHaveLength(1);
  });
});

describe('GET /projects/:projectId/spans', () => {
  it('narrows by trace, service, name, model, error, duration and time, page by page', async () => {
    await send([
      { traceId, n: 1, name: 'slow', ms: 5_000 },
      { traceId, n: 2, name: 'broken', status: { code: 2 }, at: 60_000 },
      chat(3, 1, [], []),
    ]);
    const other = newTraceId();
    await send([{ traceId: other, n: 4, at: 90_000 }], { 'service.name': 'other' });
    const found = async (query: string) =>
      (await ok(own.api('GET', `/projects/${projectId}/spans?${query}`))).data.map(numberOf);
    expect(await found('')).toEqual([4, 2, 3, 1]);
    expect(await found(`traceId=${traceId.toUpperCase()}`)).toEqual([2, 3, 1]);
    expect(await found(`traceId=${'e'.repeat(32)}`)).toEqual([]);
    expect(await found('service=other')).toEqual([4]);
    expect(await found('name=slow')).toEqual([1]);
    expect(await found('modelName=m')).toEqual([3]);
    expect(await found('root=true')).toEqual([4, 2, 1]);
    expect(await found('root=false')).toEqual([3]);
    expect(await found('error=true')).toEqual([2]);
    expect(await found('error=false')).toEqual([4, 3, 1]);
    expect(await found('minDurationMs=5000')).toEqual([1]);
    expect(await found('maxDurationMs=4999')).toEqual([4, 2, 3]);
    expect(await found('startedAfter=2026-11-20T12:01:00Z')).toEqual([4, 2]);
    expect(await found('startedBefore=2026-11-20T12:01:00Z')).toEqual([3, 1]);
    const first = await ok(own.api('GET', `/projects/${projectId}/spans?limit=3`));
    const next = await ok(own.api('GET', `/projects/${projectId}/spans?limit=3&cursor=${first.nextCursor}`));
    expect([...first.data, ...next.data].map(numberOf)).toEqual([4, 2, 3, 1]);
    expect((await own.api('GET', `/projects/${projectId}/spans?traceId=xyz`)).status).toBe(400);
  });
});

describe('GET one span', () => {
  it('has what is understood of it, and everything as it came', async () => {
    await send([
      chat(1, 9, [user('q')], [assistant('a')], {}),
      tool(2, 1, 'c1', '{"found":1}', { status: { code: 2, message: 'no' } }),
    ]);
    const read = (n: number) =>
      ok(own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(n)}`));
    const [record] = await records();
    expect(await read(1)).toMatchObject({
      recordId: record.id,
      operation: 'chat',
      modelName: 'm',
      input: [user('q')],
      output: [assistant('a')],
      tool: null,
      error: null,
      attributes: { 'gen_ai.request.model': 'm' },
      resource: { 'service.name': 'agent' },
      scope: { name: 'test' },
    });
    expect(await read(2)).toMatchObject({
      error: 'no',
      tool: { id: 'c1', name: 'search', result: { found: 1 } },
    });
    for (const path of [`${traceId}/spans/${spanId(7)}`, `${'e'.repeat(32)}/spans/${spanId(1)}`, 'x/spans/y'])
      expect((await own.api('GET', `/projects/${projectId}/traces/${path}`)).status).toBe(404);
  });

  it('says whether its cost came with it or was computed', async () => {
    const usage = { 'gen_ai.usage.input_tokens': 1_000_000, 'gen_ai.usage.output_tokens': 0 };
    const priced = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o-mini', ...usage };
    await send([
      { traceId, n: 1, attributes: priced },
      { traceId, n: 2, attributes: { ...priced, 'gen_ai.usage.cost': 0.5 } },
      { traceId, n: 3, attributes: { ...priced, 'gen_ai.request.model': 'weights-7' } },
    ]);
    const cost = async (n: number) => {
      const span = await ok(own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(n)}`));
      return [span.costUsd, span.costComputed];
    };
    expect([await cost(1), await cost(2), await cost(3)]).toEqual([
      [0.15, true],
      [0.5, false],
      [null, false],
    ]);
  });
});

describe('annotations on spans', () => {
  it('are taken for a span of the record, in any case, and for no other', async () => {
    await send([agent(0xab)]);
    await send([{ traceId: newTraceId(), n: 0xcd }]);
    const record = (await records()).find(({ inputs }: { inputs: object }) => inputs)!;
    const path = `/records/${record.id}/annotations`;
    const [span] = (await ok(own.api('GET', `/records/${record.id}/spans`))).data;
    const made = await ok(own.api('POST', path, { rating: false, spanId: span.spanId.toUpperCase() }), 201);
    expect(made.spanId).toBe(span.spanId);
    const other = numberOf(span) === 0xab ? 0xcd : 0xab;
    for (const wrong of [spanId(other), spanId(1), 'x', `${span.spanId}0`])
      expect((await own.api('POST', path, { rating: true, spanId: wrong })).status).toBe(400);
  });
});

describe('POST /records/:recordId/testcase', () => {
  it('makes the inputs of a trace a testcase, and its outputs what is expected', async () => {
    const attributes = {
      'input.value': '{"question":"big","id":12345678901234567890}',
      'output.value': '42',
    };
    await send([{ traceId, n: 1, attributes }]);
    const [record] = await records();
    const testset = await createTestset(own.api, projectId);
    const testcase = await ok(
      own.api('POST', `/records/${record.id}/testcase`, { testsetId: testset.id }),
      201,
    );
    expect(testcase).toMatchObject({ testsetId: testset.id, jsonData: { question: 'big', answer: '42' } });
    const elsewhere = await createTestset(own.api, (await createProject(own.api)).id);
    const refused = await own.api('POST', `/records/${record.id}/testcase`, { testsetId: elsewhere.id });
    expect(refused.status).toBe(404);
  });
});

describe('deletion and retention', () => {
  /** Rows, because no answer shows a span whose trace is deleted. */
  const storedSpans = async () => {
    const [row] = await app.db.read(
      system,
      (sql) => sql<{ count: number }[]>`select count(*)::integer from span where project_id = ${projectId}`,
    );
    return row!.count;
  };

  it('a deleted trace is gone with its record; one that a person annotated stays', async () => {
    await send([agent(1)]);
    const kept = newTraceId();
    await send([{ traceId: kept, n: 1 }]);
    const annotated = (await ok(own.api('GET', `/projects/${projectId}/spans?traceId=${kept}`))).data[0]
      .recordId;
    await ok(own.api('POST', `/records/${annotated}/annotations`, { rating: true }), 201);
    for (const id of [traceId, kept]) await ok(own.api('DELETE', `/projects/${projectId}/traces/${id}`));
    expect((await ok(own.api('GET', `/projects/${projectId}/spans`))).data).toEqual([]);
    expect(await storedSpans()).toBe(0);
    expect((await records()).map(({ id }: { id: string }) => id)).toEqual([annotated]);
    expect((await own.api('DELETE', `/projects/${projectId}/traces/${traceId}`)).status).toBe(404);
  });

  it('so does one that has the first review of three, which makes no score yet', async () => {
    await send([agent(1)]);
    const [record] = await records();
    const { id: metricId } = await createMetric(own.api, projectId, {
      evalType: 'human',
      outputType: 'boolean',
    });
    await ok(own.api('PATCH', `/metrics/${metricId}/settings`, { numReviewers: 3, reviewRule: 'majority' }));
    const [config] = (await ok(own.api('GET', `/metrics/${metricId}/versions`))).data;
    await submit(own, { configId: config.id }, record.id);
    await ok(own.api('DELETE', `/projects/${projectId}/traces/${traceId}`));
    expect((await records()).map(({ id }: { id: string }) => id)).toEqual([record.id]);
  });

  it('a deleted project leaves nothing of its traces in any table', async () => {
    await send([agent(1), { traceId: newTraceId(), n: 1, attributes: { 'dokima.otel_link_id': 'x' } }]);
    await ok(own.api('PATCH', `/projects/${projectId}/settings`, { traceDays: 7 }));
    const count = async () => {
      const rows = await app.db.read(
        system,
        (sql) => sql<{ rows: number[] }[]>`
          select array[
            (select count(*) from trace where project_id = ${projectId}),
            (select count(*) from span where project_id = ${projectId}),
            (select count(*) from span_source where project_id = ${projectId}),
            (select count(*) from trace_link where project_id = ${projectId}),
            (select count(*) from trace_run where project_id = ${projectId}),
            (select count(*) from project_settings where project_id = ${projectId})]::integer[] as rows`,
      );
      return rows[0]!.rows;
    };
    expect(await count()).toEqual([2, 2, 1, 1, 1, 1]);
    await ok(own.api('DELETE', `/projects/${projectId}`));
    expect(await count()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('a deleted record is gone with its trace', async () => {
    await send([agent(1)]);
    await ok(own.api('DELETE', `/records/${(await records())[0].id}`));
    expect((await ok(own.api('GET', `/projects/${projectId}/spans`))).data).toEqual([]);
    expect(await storedSpans()).toBe(0);
  });

  it('traces are kept forever, or as many days as the project says', async () => {
    const path = `/projects/${projectId}/settings`;
    expect(await ok(own.api('GET', path))).toMatchObject({ traceDays: null });
    await send([agent(1)]);
    const old = newTraceId();
    await send([{ traceId: old, n: 2 }]);
    await app.db.transaction(
      system,
      (tx) =>
        tx`update trace set created_at = now() - interval '8 days' where otel_id = ${Buffer.from(old, 'hex')}`,
    );
    const left = async () => {
      await app.db.transaction(system, purgeTraces);
      return (await ok(own.api('GET', `/projects/${projectId}/spans`))).data.map(numberOf).sort();
    };
    expect(await left()).toEqual([1, 2]);
    expect(await ok(own.api('PATCH', path, { traceDays: 9 }))).toMatchObject({ traceDays: 9 });
    expect(await left()).toEqual([1, 2]);
    await ok(own.api('PATCH', path, { traceDays: 7 }));
    expect(await left()).toEqual([1]);
    expect(await storedSpans()).toBe(1);
    expect(await records()).toHaveLength(1);
    expect((await own.api('PATCH', path, { traceDays: 0 })).status).toBe(400);
  });
});
