import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import {
  fromProtobuf,
  newTraceId,
  post,
  requestOf,
  spanId,
  type TestSpan,
  toProtobuf,
  warningOf,
} from '../../../test/otlp.ts';
import { rowsOf } from '../../../test/rows.ts';

const { app, own } = await openApp({ DOKIMA_SPANS_WITHOUT_PROJECT: 'refuse' });
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

const requestFor = (spans: TestSpan[]) =>
  requestOf(spans, { 'dokima.project_id': projectId, 'service.name': 'agent' });
const send = async (spans: TestSpan[]) => {
  const { status, body } = await post(app, own.key, requestFor(spans));
  expect(`${status} ${body}`).toBe('200 {}');
};
const records = async () => (await ok(own.api('GET', `/projects/${projectId}/records?limit=100`))).data;
const spansOf = async (recordId: string): Promise<{ traceId: string; spanId: string }[]> =>
  (await ok(own.api('GET', `/records/${recordId}/spans`))).data;
const search = async (query = '') =>
  (await ok(own.api('GET', `/projects/${projectId}/spans?limit=100${query}`))).data;

const root = (fields: Partial<TestSpan> = {}): TestSpan => ({
  traceId,
  n: 1,
  ms: 100,
  attributes: { 'input.value': '{"question":"2+2?"}', 'output.value': '4' },
  ...fields,
});
const chat = (n: number, fields: Partial<TestSpan> = {}): TestSpan => ({
  traceId,
  n,
  parent: 1,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `q${n}` }] }]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: `a${n}` }] },
    ]),
  },
  ...fields,
});

describe('encodings', () => {
  it.each(['/otel/v1/traces', '/otel/v1/traces/', '/v1/traces', '/v1/traces/'])(
    '%s takes both',
    async (url) => {
      const json = await post(app, own.key, requestFor([root()]), {}, url);
      expect({ ...json, body: String(json.body) }).toMatchObject({
        status: 200,
        type: expect.stringContaining('application/json'),
        body: '{}',
      });
      traceId = newTraceId();
      const protobuf = await post(app, own.key, toProtobuf(requestFor([root()])), {}, url);
      expect(protobuf).toMatchObject({ status: 200, type: 'application/x-protobuf' });
      expect(fromProtobuf('Response', protobuf.body)).toEqual({});
      expect(await records()).toHaveLength(2);
    },
  );

  it('protocol buffers and JSON of one request are stored alike, whatever the values', async () => {
    const span = {
      ...root(),
      traceState: 'a=b',
      kind: 3,
      attributes: {
        text: 'é \u{1f600} \u0000 "',
        whole: 12_345_678_901_234_567_890n % 2n ** 63n,
        negative: -5n,
        fraction: 0.1,
        yes: true,
        no: false,
        list: ['a', 1, [false]],
        nested: { ['__proto__']: 'x', deep: { er: 1 } },
        empty: '',
      },
      events: [{ name: 'exception', attributes: { 'exception.message': 'no' } }],
      links: [{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), attributes: [] }],
      status: { code: 2, message: 'broken' },
      droppedAttributesCount: 3,
    };
    const read = async () => {
      const { text } = await own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`);
      return text.replaceAll(traceId, 'TRACE').replace(/"recordId":"[^"]*"/, '');
    };
    expect((await post(app, own.key, requestFor([span]))).status).toBe(200);
    const fromJson = await read();
    traceId = newTraceId();
    expect((await post(app, own.key, toProtobuf(requestFor([{ ...span, traceId }])))).status).toBe(200);
    expect(await read()).toBe(fromJson);
    for (const part of [
      '"whole":3122306864379792082',
      '"negative":-5',
      '"__proto__":"x"',
      '\\u0000',
      '"error":"broken"',
    ])
      expect(fromJson).toContain(part);
  });

  it('gzip is taken, other encodings and types are a 415, what is no OTLP is a 400', async () => {
    const body = gzipSync(toProtobuf(requestFor([root()])));
    expect((await post(app, own.key, body, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await post(app, own.key, body, { 'content-encoding': 'br' })).status).toBe(415);
    const text = await post(app, own.key, body, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
    expect(String(text.body)).toContain('application/x-protobuf or application/json');
    for (const wrong of [body, Buffer.from([0x0a, 0x7f, 1]), Buffer.from([0x0f])]) {
      const answer = await post(app, own.key, wrong);
      expect(answer.status).toBe(400);
      expect(fromProtobuf('RpcStatus', answer.body)).toMatchObject({ code: 3 });
    }
    expect((await post(app, own.key, Buffer.from('no gzip'), { 'content-encoding': 'gzip' })).status).toBe(
      400,
    );
    for (const wrong of [
      '{',
      '[]',
      '{"resourceSpans":7}',
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":7}]}]}]}',
    ]) {
      const answer = await post(app, own.key, Buffer.from(wrong), { 'content-type': 'application/json' });
      expect(answer.status).toBe(400);
      const message = expect.stringMatching(/^Not OTLP: .*\.$/);
      expect(JSON.parse(String(answer.body))).toEqual({ code: 3, message, details: [] });
    }
    expect(await records()).toHaveLength(1);
  });

  it('a key is taken as exporters write it that don’t decode OTEL_EXPORTER_OTLP_HEADERS', async () => {
    const headers = { authorization: `Bearer%20${own.key}` };
    expect((await post(app, undefined, requestFor([root()]), headers)).status).toBe(200);
    headers.authorization = 'Bearer%20ak_unknown';
    expect((await post(app, undefined, requestFor([root()]), headers)).status).toBe(401);
  });

  it('a key is taken as the SDKs of Langfuse and LangSmith send theirs, and where they send it', async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const path = '/api/public/otel/v1/traces';
    const send = async (headers: Record<string, string>) =>
      (await post(app, undefined, requestFor([root()]), headers, path)).status;
    expect(await send(basic(`anything:${own.key}`))).toBe(200);
    expect(await send({ 'x-api-key': own.key })).toBe(200);
    for (const wrong of [
      basic('anything:ak_unknown'),
      basic(own.key),
      basic(''),
      { 'x-api-key': 'ak_unknown' },
    ])
      expect(await send(wrong)).toBe(401);
    const { status } = await own.as(undefined)('GET', '/me', undefined, {
      headers: { 'x-api-key': own.key },
    });
    expect(status).toBe(401);
  });

  it('401 without a valid key, 403 with one that only reads, nothing written', async () => {
    expect((await post(app, undefined, requestFor([root()]))).status).toBe(401);
    const { key } = await ok(own.api('POST', '/keys', { name: 'r', access: 'read' }), 201);
    const answer = await post(app, key, toProtobuf(requestFor([root()])));
    expect(answer.status).toBe(403);
    expect(fromProtobuf('RpcStatus', answer.body)).toMatchObject({ code: 7 });
    expect(await records()).toEqual([]);
  });
});

describe('a batch', () => {
  it('sent twice, or its spans twice within it, changes nothing', async () => {
    const spans = [root(), chat(2), chat(3)];
    await send([...spans, chat(3)]);
    // The audit log has both requests.
    const rows = async () =>
      (await rowsOf(app.db, own.organizationId)).split('\n').filter((row) => !row.startsWith('audit_event'));
    const before = await rows();
    await send(spans);
    expect(await rows()).toEqual(before);
    const [record] = await records();
    expect(await spansOf(record.id)).toHaveLength(3);
  });

  it('that can be stored in part says how much was not and why, and stores the rest', async () => {
    const bad = [
      { ...root(), traceId: '0'.repeat(32) },
      { ...root(), spanId: 'ab' },
      { ...root(), attributes: { 'dokima.project_id': '999999999' } },
    ];
    const answer = await post(app, own.key, toProtobuf(requestFor([root(), ...bad])));
    expect(answer.status).toBe(200);
    const { partialSuccess } = fromProtobuf('Response', answer.body) as {
      partialSuccess: { errorMessage: string };
    };
    expect(partialSuccess).toMatchObject({ rejectedSpans: '3' });
    for (const reason of ['trace id must be 16 bytes', 'span id must be 8 bytes', 'no project "999999999"'])
      expect(partialSuccess.errorMessage).toContain(reason);
    expect(await search()).toHaveLength(1);
  });

  it('without a span that can be stored is a 400 that says why', async () => {
    const answer = await post(app, own.key, requestOf([root()]));
    expect(answer.status).toBe(400);
    expect(String(answer.body)).toContain('dokima.project_id');
  });

  it('a span that comes again when it has ended replaces the one that had not, in either order', async () => {
    const running = root({ ms: 0, name: 'running' });
    const ended = root({ ms: 50, name: 'ended' });
    await send([running]);
    await send([ended]);
    expect(warningOf(await post(app, own.key, requestFor([running])))).toContain('ended later is stored');
    expect(await search()).toMatchObject([{ name: 'ended', durationMs: 50 }]);
  });
});

describe('the project', () => {
  it('is the span’s or the resource’s, under either name, else the key’s default', async () => {
    const { key } = await ok(own.api('POST', '/keys', { name: 'd', defaultProjectId: projectId }), 201);
    const named = [{ 'dokima.project_id': projectId }, { 'scorecard.project_id': Number(projectId) }];
    for (const resource of named) {
      expect((await post(app, own.key, requestOf([root({ traceId: newTraceId() })], resource))).status).toBe(
        200,
      );
      const span = root({ traceId: newTraceId(), attributes: resource });
      expect((await post(app, own.key, requestOf([span]))).status).toBe(200);
    }
    expect((await post(app, key, requestOf([root()]))).status).toBe(200);
    expect(await records()).toHaveLength(5);
  });

  it('of another organization is refused like one that does not exist', async () => {
    const stranger = await app.organization();
    const foreign = await post(app, stranger.key, requestFor([root()]));
    const missing = await post(app, stranger.key, requestOf([root()], { 'dokima.project_id': '999999999' }));
    expect(foreign.status).toBe(400);
    expect(String(foreign.body).replace(projectId, '999999999')).toBe(String(missing.body));
    expect(await records()).toEqual([]);
  });
});

describe('the record of a trace', () => {
  const content = async () =>
    (await records()).map(({ inputs, outputs, sessionId }: Record<string, unknown>) => ({
      inputs,
      outputs,
      sessionId,
    }));

  it('is in the project’s run of the day on which it began, tagged by the trace', async () => {
    await send([
      root({ attributes: { tags: ['a', ' b '], 'scorecard.tags': '["c"]', 'dokima.tags': 'd,e' } }),
    ]);
    await send([root({ traceId: newTraceId() })]);
    const [second, first] = await records();
    expect(first.tags.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(second.runId).toBe(first.runId);
    const { data } = await ok(own.api('GET', `/records/${first.id}/tags`));
    expect(data).toHaveLength(5);
    for (const tag of data) expect(tag).toMatchObject({ source: 'otel', userId: null });
    expect((await ok(own.api('GET', `/runs/${first.runId}/details`))).notes).toBe('Traces of 2026-11-20');
  });

  it('has inputs and outputs of the root, else of the first and last call of a model', async () => {
    await send([root(), chat(2)]);
    expect(await content()).toEqual([
      { inputs: { question: '2+2?' }, outputs: { output: '4' }, sessionId: null },
    ]);
    await ok(own.api('DELETE', `/projects/${projectId}/traces/${traceId}`));
    await send([root({ attributes: {} }), chat(2), chat(3)]);
    expect(await content()).toMatchObject([
      { inputs: { input: 'q2', messages: [{ role: 'user', content: 'q2' }] }, outputs: { output: 'a3' } },
    ]);
  });

  it('is not that of a call beside it, such as for the title of a session', async () => {
    const aside = (n: number, at: number): TestSpan => ({
      traceId,
      n,
      at,
      attributes: { ...chat(n).attributes, 'llm_request.context': 'standalone' },
    });
    await send([aside(2, -50), chat(3), aside(4, 300)]);
    expect(await content()).toMatchObject([{ inputs: { input: 'q3' }, outputs: { output: 'a3' } }]);
    const [record] = await records();
    const { data } = await ok(own.api('GET', `/records/${record.id}/conversation`));
    expect(data.map((message: { content: string }) => message.content)).toEqual(['q3', 'a3']);
  });

  it('is the same whether its spans come whole, one by one, or in the other order', async () => {
    const spans = [root({ attributes: { 'input.value': 'in' } }), chat(2), chat(3), chat(4, { at: 200 })];
    await send(spans);
    const whole = await content();
    expect(whole).toMatchObject([{ inputs: { input: 'in' }, outputs: { output: 'a4' } }]);
    for (const order of [spans, spans.toReversed()]) {
      await ok(own.api('DELETE', `/projects/${projectId}/traces/${traceId}`));
      expect(await records()).toEqual([]);
      for (const span of order) await send([span]);
      expect(await content()).toEqual(whole);
    }
  });

  it('is one for all traces of a session, whichever span says so and whenever it comes', async () => {
    const session = { 'session.id': 's1' };
    const other = newTraceId();
    await send([chat(2)]);
    await send([{ traceId: other, n: 1, at: 500, attributes: { ...session, 'output.value': 'last' } }]);
    expect(await records()).toHaveLength(2);
    await send([root({ attributes: { ...session, 'input.value': 'first' } })]);
    expect(await content()).toEqual([
      { inputs: { input: 'first' }, outputs: { output: 'last' }, sessionId: 's1' },
    ]);
    const [record] = await records();
    expect((await spansOf(record.id)).map((span) => span.traceId).sort()).toEqual(
      [traceId, traceId, other].sort(),
    );
  });

  it('stays where a person has said something of it, when its trace moves to another', async () => {
    await send([chat(2)]);
    const [record] = await records();
    await ok(own.api('POST', `/records/${record.id}/annotations`, { rating: true, spanId: spanId(2) }), 201);
    await send([{ traceId: newTraceId(), n: 1, attributes: { 'session.id': 's2' } }]);
    await send([root({ attributes: { 'session.id': 's2' } })]);
    expect((await ok(own.api('GET', `/records/${record.id}/annotations`))).data).toHaveLength(1);
  });

  it('is the one with its link, no matter which came first, and then the trace makes none', async () => {
    const run = await createRun(own.api, projectId, []);
    const link = { 'scorecard.otel_link_id': `link ${traceId}` };
    await send([chat(2)]);
    await send([root({ attributes: link })]);
    expect(await records()).toEqual([]);
    expect(await search()).toMatchObject([{ recordId: null }, { recordId: null }]);
    const record = await createRecord(own.api, run.id, { otelLinkId: link['scorecard.otel_link_id'] });
    expect(await spansOf(record.id)).toHaveLength(2);
    await send([chat(3)]);
    expect(await spansOf(record.id)).toHaveLength(3);
    expect(await search()).toMatchObject([
      { recordId: record.id },
      { recordId: record.id },
      { recordId: record.id },
    ]);
    expect(await records()).toHaveLength(1);
  });

  it('with several links gives each record its own spans and what is above them', async () => {
    const run = await createRun(own.api, projectId, []);
    const linked = (n: number, parent: number, link: string) =>
      chat(n, { parent, attributes: { 'dokima.otel_link_id': `${link} ${traceId}` } });
    await send([
      root(),
      linked(2, 1, 'a'),
      linked(3, 1, 'b'),
      chat(4, { parent: 2 }),
      chat(5, { parent: 3 }),
    ]);
    const a = await createRecord(own.api, run.id, { otelLinkId: `a ${traceId}` });
    const b = await createRecord(own.api, run.id, { otelLinkId: `b ${traceId}` });
    const ids = async (record: { id: string }) => (await spansOf(record.id)).map((span) => span.spanId);
    expect(await ids(a)).toEqual([1, 2, 4].map(spanId));
    expect(await ids(b)).toEqual([1, 3, 5].map(spanId));
  });

  it('is one when the spans of one trace, and of one session, come all at once', async () => {
    const traces = Array.from({ length: 4 }, newTraceId);
    const batches = Array.from({ length: 16 }, (_, i) => [
      root({ traceId: traces[i % 4]!, n: i + 1, attributes: { 'session.id': 'all' } }),
    ]);
    const answers = await Promise.all(batches.map((spans) => post(app, own.key, requestFor(spans))));
    expect(answers.map(({ status }) => status)).toEqual(batches.map(() => 200));
    const all = await records();
    expect(all).toHaveLength(1);
    expect(await spansOf(all[0].id)).toHaveLength(16);
  });
});
