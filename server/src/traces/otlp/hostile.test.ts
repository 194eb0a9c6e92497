import { createSecretKey } from 'node:crypto';
// Longer than 400 lines: one attack after the other, all on one way in.
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { startApp } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import {
  newTraceId,
  noSource,
  post,
  requestOf,
  spanId,
  type TestSpan,
  toProtobuf,
} from '../../../test/otlp.ts';
import { openMasking } from '../../evaluation/masking/masking.ts';
import { openBudget } from '../../platform/http/byte-budget.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ingest } from '../store/ingest.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { receive } from './receive.ts';
import { toSpan } from './to-span.ts';

const { app, own } = await openApp();
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

const resource = () => ({ 'dokima.project_id': projectId });
const sendBytes = (body: Buffer, headers = {}) => post(app, own.key, body, headers);
const send = (spans: TestSpan[]) => sendBytes(toProtobuf(requestOf(spans, resource())));
const record = async () => (await ok(own.api('GET', `/projects/${projectId}/records`))).data[0];
const tree = async () => ok(own.api('GET', `/records/${(await record()).id}/spans`));
const detail = (n = 1) => own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(n)}`);

/** Requests that are made wrong on purpose are changed as text or bytes: an encoder would refuse. */
const jsonText = (spans: TestSpan[]) => JSON.stringify(requestOf(spans, resource()));
const sendText = (text: string) => sendBytes(Buffer.from(text), { 'content-type': 'application/json' });

describe('attributes', () => {
  it('named like parts of every object are attributes like any other', async () => {
    const names = [
      '__proto__',
      'constructor',
      'constructor.prototype.x',
      'toString',
      'llm.input_messages.0.__proto__.x',
      '',
    ];
    const attributes = Object.fromEntries(names.map((name) => [name, 'polluted']));
    expect((await send([{ traceId, n: 1, attributes }])).status).toBe(200);
    const { text, body } = await detail();
    for (const name of names) expect(text).toContain(`${JSON.stringify(name)}:"polluted"`);
    expect(Object.keys(body.attributes).sort()).toEqual([...names].sort());
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    for (const path of [
      `/records/${(await record()).id}/conversation`,
      `/records/${(await record()).id}/spans`,
    ])
      await ok(own.api('GET', path));
  });

  it('of 10 MB are kept, and make the record’s inputs', async () => {
    const attributes = { text: 'x'.repeat(5_000_000), 'input.value': 'y'.repeat(10_000_000) };
    expect((await send([{ traceId, n: 1, attributes }])).status).toBe(200);
    expect((await record()).inputs.input).toHaveLength(10_000_000);
    expect((await detail()).text).toContain(attributes.text);
  });

  it('200,000 of them on one span are kept', { timeout: 240_000 }, async () => {
    const many = Array.from({ length: 200_000 }, (_, i) => `{"key":"a${i}","value":{"intValue":${i}}}`);
    const text = jsonText([{ traceId, n: 1, attributes: { k: 'MANY' } }]);
    const one = '{"key":"k","value":{"stringValue":"MANY"}}';
    expect((await sendText(text.replace(one, many.join()))).status).toBe(200);
    expect((await detail()).text).toContain('"a199999":199999');
  });

  it('that nest 100 levels are kept, deeper ones are a 400', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);
    const spanOf = (levels: number) => [{ traceId, n: 1, attributes: { deep: nested(levels) } }];
    for (const [levels, status] of [
      [100, 200],
      [101, 400],
    ] as const) {
      expect((await sendText(jsonText(spanOf(levels)))).status).toBe(status);
      expect((await send(spanOf(levels))).status).toBe(status);
    }
    const deep = `${'{"arrayValue":{"values":['.repeat(5_000)}{"intValue":1}${']}}'.repeat(5_000)}`;
    const text = jsonText([{ traceId, n: 3, attributes: { k: 'DEEP' } }]).replace(
      '{"stringValue":"DEEP"}',
      deep,
    );
    expect((await sendText(text)).status).toBe(400);
  });

  it('that hold JSON nested deeper than anyone can read stay text', async () => {
    const text = '['.repeat(100_000);
    const closed = text + ']'.repeat(100_000);
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': closed,
      'output.value': text,
    };
    expect((await send([{ traceId, n: 1, attributes }])).status).toBe(200);
    await ok(detail());
    await ok(own.api('GET', `/records/${(await record()).id}/conversation`));
  });

  it('with an index of a thousand million make no list of that length', async () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.prompt.999999999.content': 'x',
      'gen_ai.prompt.0.content': 'y',
    };
    expect((await send([{ traceId, n: 1, attributes }])).status).toBe(200);
    expect((await ok(detail())).input.map(({ content }: { content: string }) => content)).toEqual(['y', 'x']);
  });

  it('with bytes that are no UTF-8, NUL and lone surrogates are kept as far as they are text', async () => {
    const bytes = toProtobuf(
      requestOf([{ traceId, n: 1, name: 'NAME', attributes: { k: 'KEEP' } }], resource()),
    );
    for (const mark of ['NAME', 'KEEP']) bytes.write('\xff\x00', bytes.indexOf(mark), 'latin1');
    expect((await sendBytes(bytes)).status).toBe(200);
    const { body } = await detail();
    expect(body.name).toBe('\ufffd\ufffdME');
    expect(body.attributes.k).toBe('\ufffd\u0000EP');
    const text = jsonText([{ traceId, n: 2, name: 'NAME', attributes: { k: 'KEEP' } }]).replaceAll(
      /NAME|KEEP/g,
      '\\ud800\\u0000',
    );
    expect((await sendText(text)).status).toBe(200);
    expect((await detail(2)).text).toContain('\\ud800\\u0000');
  });

  it('and ids of linked spans that are not hexadecimal digits are text, and end no JSON', async () => {
    const id = '"},"attributes":{"planted":1},"x":{"y":"';
    const span = { traceId, n: 1, links: [{ traceId: id, spanId: '"', attributes: [] }] };
    expect((await sendText(jsonText([span]))).status).toBe(200);
    const { body } = await detail();
    expect(body.links).toEqual([{ traceId: id, spanId: '"', attributes: {} }]);
    expect(body.attributes).not.toHaveProperty('planted');
  });

  it('and names, services, models, links and sessions of HTML and Markdown come back as they were', async () => {
    const evil = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) {{7*7}}';
    const attributes = {
      'gen_ai.request.model': evil,
      'session.id': evil,
      tags: [evil],
      'input.value': evil,
    };
    const request = requestOf(
      [{ traceId, n: 1, name: evil, attributes, status: { code: 2, message: evil } }],
      {
        ...resource(),
        'service.name': evil,
      },
    );
    expect((await post(app, own.key, request)).status).toBe(200);
    expect((await detail()).body).toMatchObject({ name: evil, service: evil, modelName: evil, error: evil });
    expect(await record()).toMatchObject({ sessionId: evil, tags: [evil], inputs: { input: evil } });
  });
});

describe('times', () => {
  it.each([
    ['0', '1970-01-01T00:00:00.000000000Z'],
    ['-1', '1969-12-31T23:59:59.999999999Z'],
    ['9223372036854775808', '2262-04-11T23:47:16.854775808Z'],
    ['18446744073709551615', '2554-07-21T23:34:33.709551615Z'],
  ])('%s nanoseconds are kept', async (nano, iso) => {
    const span = { traceId, n: 1, startTimeUnixNano: nano, endTimeUnixNano: '5' };
    expect((await sendText(jsonText([span]))).status).toBe(200);
    expect((await detail()).body).toMatchObject({
      startTime: iso,
      endTime: '1970-01-01T00:00:00.000000005Z',
    });
    expect((await tree()).data).toHaveLength(1);
    expect((await ok(own.api('GET', `/projects/${projectId}/spans`))).data).toHaveLength(1);
  });

  it('written as bare numbers keep their last digits; beyond 64 bits the span is rejected', async () => {
    const text = jsonText([{ traceId, n: 1, startTimeUnixNano: 'T', endTimeUnixNano: '1' }]);
    expect((await sendText(text.replace('"T"', '1700000000123456789'))).status).toBe(200);
    expect((await detail()).body.startTime).toBe('2023-11-14T22:13:20.123456789Z');
    expect((await sendText(text.replace('"T"', '"99999999999999999999"'))).status).toBe(400);
  });
});

describe('the tree', () => {
  const place = async () =>
    (await tree()).data.map((span: { spanId: string; depth: number; parentMissing: boolean }) => [
      Number.parseInt(span.spanId, 16),
      span.depth,
      span.parentMissing,
    ]);

  it('shows orphans as roots and each span of a cycle once', async () => {
    const spans = [
      { n: 1, parent: 3 },
      { n: 2, parent: 1 },
      { n: 3, parent: 2 },
      { n: 4, parent: 4 },
      { n: 5, parent: 99 },
      { n: 6, parent: 5 },
    ].map((span) => ({ traceId, ...span, attributes: { 'gen_ai.operation.name': 'invoke_agent' } }));
    expect((await send(spans)).status).toBe(200);
    expect(await place()).toEqual([
      [5, 0, true],
      [6, 1, false],
      [1, 0, false],
      [2, 1, false],
      [3, 2, false],
      [4, 0, false],
    ]);
    await ok(own.api('GET', `/records/${(await record()).id}/conversation`));
  });

  it('of 12,000 spans, each the child of the one before, says that it shows 10,000', async () => {
    const spans = Array.from({ length: 12_000 }, (_, i) => ({
      traceId,
      n: i + 1,
      ...(i > 0 && { parent: i }),
    }));
    expect((await send(spans)).status).toBe(200);
    const shown = await tree();
    expect(shown).toMatchObject({ truncated: true });
    expect(shown.data).toHaveLength(10_000);
    expect(shown.data.at(-1)).toMatchObject({ spanId: spanId(10_000), depth: 9_999 });
  });

  it('says of a conversation of more than 2,000 answers that it shows the first 2,000', async () => {
    const said = (n: number) => ({
      traceId,
      n,
      at: n,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: `Answer ${n}` }] },
        ]),
      },
    });
    const conversation = async () => ok(own.api('GET', `/records/${(await record()).id}/conversation`));
    expect((await send(Array.from({ length: 2_000 }, (_, i) => said(i + 1)))).status).toBe(200);
    expect(await conversation()).toMatchObject({ truncated: false });
    expect((await send([said(2_001)])).status).toBe(200);
    const { truncated, data } = await conversation();
    expect(truncated).toBe(true);
    expect(JSON.stringify(data)).toContain('Answer 2000');
    expect(JSON.stringify(data)).not.toContain('Answer 2001');
  });

  it('has a span id that two traces have in each', async () => {
    const other = newTraceId();
    const session = { attributes: { 'session.id': `s ${traceId}` } };
    expect(
      (
        await send([
          { traceId, n: 1, ...session },
          { traceId: other, n: 1, ...session },
        ])
      ).status,
    ).toBe(200);
    expect((await tree()).data).toHaveLength(2);
  });
});

/** A message that has this one in a field. */
const inField = (field: number, message: Buffer): Buffer => {
  const head = [field * 8 + 2];
  let length = message.length;
  for (; length > 0x7f; length = Math.floor(length / 128)) head.push((length & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, length]), message]);
};

describe('bodies', () => {
  it('beyond 64 MB are a 413: as they are, and as a bomb of 100 KB', async () => {
    const zeros = Buffer.alloc(65 * 1024 * 1024);
    expect((await sendBytes(zeros)).status).toBe(413);
    expect((await sendBytes(gzipSync(zeros), { 'content-encoding': 'gzip' })).status).toBe(413);
  });

  it('beyond 32 MB are a 413 in JSON, whose values exist all at once', async () => {
    const body = gzipSync(jsonText([{ traceId, n: 1, attributes: { text: 'x'.repeat(32 * 1024 * 1024) } }]));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await sendBytes(body, headers)).status).toBe(413);
  });

  it.each(['protocol buffers', 'JSON'])(
    'in %s lose a span of more than 15 MB, and no other',
    async (encoding) => {
      const attributes = { text: 'x'.repeat(15 * 1024 * 1024) };
      const spans = [
        { traceId, n: 1, attributes },
        { traceId, n: 2, attributes: { small: 'kept' } },
      ];
      const answer = encoding === 'JSON' ? await sendText(jsonText(spans)) : await send(spans);
      expect(answer.status).toBe(200);
      expect(String(answer.body)).toContain('1 span: a span may have at most 15728640 bytes');
      expect((await detail(1)).status).toBe(404);
      expect((await detail(2)).text).toContain('kept');
    },
  );

  it('with a resource of more than 15 MB are a 400', async () => {
    const large = { ...resource(), text: 'x'.repeat(15 * 1024 * 1024) };
    const answer = await sendBytes(toProtobuf(requestOf([{ traceId, n: 1 }], large)));
    expect(`${answer.status} ${answer.body}`).toMatch(
      /^400 .*a resource or scope has more than 15728640 bytes/s,
    );
  });

  it('more than the process may hold are refused, to be sent again, and are forgotten when they are done', async () => {
    const budget = openBudget(2_000);
    const send = (owner = 1n) =>
      receive({ headers: {} }, Readable.from([Buffer.alloc(900)]), { budget, owner });
    const first = await send();
    await expect(send()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
    const other = await send(2n);
    await expect(send(3n)).rejects.toMatchObject({ status: 503 });
    first.release();
    first.release();
    const second = await send();
    await expect(send()).rejects.toMatchObject({ status: 503 });
    for (const { release } of [second, other]) release();
  });

  it('cut anywhere, or with any byte changed, are taken or refused, never a 500', async () => {
    const body = toProtobuf(
      requestOf([{ traceId, n: 1, attributes: { a: [1, { b: 0.5 }] }, events: [{ name: 'e' }] }], resource()),
    );
    const statuses = new Set<number>();
    for (let i = 0; i < body.length; i += 3) {
      statuses.add((await sendBytes(body.subarray(0, i))).status);
      const changed = Buffer.from(body);
      changed[i] = changed[i]! ^ 0xff;
      statuses.add((await sendBytes(changed)).status);
    }
    expect([...statuses].sort()).toEqual([200, 400]);
  });

  it('in JSON, of more objects than anyone has, are a 400, at once', async () => {
    const many = (text: string) => Buffer.from(`{"resourceSpans":[${text.repeat(5_000_000)}{}]}`);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const ask = async (body: Buffer) => {
      const { status, body: text } = await sendBytes(gzipSync(body), headers);
      return `${status} ${text}`;
    };
    const before = performance.now();
    for (const text of ['{},', '[],'])
      expect(await ask(many(text))).toMatch(/^400 .*more than 1000000 objects and lists/s);
    expect(performance.now() - before).toBeLessThan(60_000);
    // Within a string they are text.
    const spans = jsonText([{ traceId, n: 1, attributes: { code: `\\"${'{['.repeat(2_500_000)}` } }]);
    expect((await sendText(spans)).status).toBe(200);
  });

  it.each([
    ['resources', 1, (empty: Buffer) => empty],
    ['scopes', 2, (empty: Buffer) => inField(1, empty)],
    ['spans', 2, (empty: Buffer) => inField(1, inField(2, empty))],
  ])('of more empty %s than anyone has are a 400, at once', async (_, field, wrap) => {
    const empty = Buffer.alloc(20_000_000, inField(field, Buffer.alloc(0)));
    const body = gzipSync(wrap(empty));
    const before = performance.now();
    const answer = await sendBytes(body, { 'content-encoding': 'gzip' });
    expect(`${answer.status} ${answer.body}`).toMatch(
      /^400 .*more than 1000000 resources, scopes and spans/s,
    );
    expect(performance.now() - before).toBeLessThan(30_000);
  });

  it.each([
    ['attributes', 9, (fields: Buffer) => fields],
    ['events', 11, (fields: Buffer) => fields],
    ['values of a list', 1, (fields: Buffer) => inField(9, inField(2, inField(5, fields)))],
  ])('with a span of more empty %s than anyone has are a 400', async (_, field, wrap) => {
    const fields = Buffer.alloc(12_000_000, inField(field, Buffer.alloc(0)));
    const body = gzipSync(inField(1, inField(2, inField(2, wrap(fields)))));
    const answer = await sendBytes(body, { 'content-encoding': 'gzip' });
    expect(`${answer.status} ${answer.body}`).toMatch(/^400 .*more than 1000000 fields/s);
  });

  it('with lengths beyond the message they are in don’t read what follows it', () => {
    const inner = Buffer.from([0x0a, 0x04, 0x0a, 0x10, 0x41, 0x41]);
    expect(() => [...decodeProtobuf(Buffer.concat([inner, Buffer.alloc(64, 0x41)]))]).toThrow(
      'ends in the middle',
    );
  });
});

describe('too many requests', () => {
  it('are a 429 with Retry-After, counted apart from those of the API', async () => {
    const limited = await startApp({ DOKIMA_RATE_LIMIT_PER_MINUTE: '2' });
    onTestFinished(() => limited.close());
    const busy = await limited.organization();
    const { id } = await createProject(busy.api);
    const body = requestOf([{ traceId, n: 1 }], { 'dokima.project_id': id });
    for (let i = 0; i < 2; i++) expect((await post(limited, busy.key, body)).status).toBe(200);
    const answer = await post(limited, busy.key, body);
    expect(answer.status).toBe(429);
    expect(JSON.parse(String(answer.body))).toMatchObject({ code: 8 });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await ok(busy.api('GET', '/me'));
  });
});

describe('other projects', () => {
  it('the same trace id in two projects is two traces, and neither shows the other’s spans', async () => {
    const second = (await createProject(own.api)).id;
    expect((await send([{ traceId, n: 1 }])).status).toBe(200);
    const elsewhere = requestOf([{ traceId, n: 2 }], { 'dokima.project_id': second });
    expect((await post(app, own.key, elsewhere)).status).toBe(200);
    expect((await tree()).data).toHaveLength(1);
    expect((await ok(own.api('GET', `/projects/${second}/spans`))).data).toMatchObject([
      { spanId: spanId(2) },
    ]);
  });

  it('links and sessions of another organization’s records join nothing', async () => {
    const stranger = await app.organization();
    const theirs = (await createProject(stranger.api)).id;
    const attributes = { 'session.id': 'shared', 'dokima.otel_link_id': 'shared link' };
    await post(app, own.key, requestOf([{ traceId, n: 1, attributes }], resource()));
    const run = await ok(stranger.api('POST', `/projects/${theirs}/runs`, { metricIds: [] }), 201);
    const made = await ok(
      stranger.api('POST', `/runs/${run.id}/records`, {
        inputs: {},
        expected: {},
        outputs: {},
        otelLinkId: 'shared link',
        sessionId: 'shared',
      }),
      201,
    );
    expect((await ok(stranger.api('GET', `/records/${made.id}/spans`))).data).toEqual([]);
  });
});

it('a request without a valid span lets others have their turn, like a request of good spans', async () => {
  let turns = 0;
  let counting = true;
  const count = () => {
    turns++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const bad = Array.from({ length: 20_000 }, () => toSpan({}, noSource, 0));
  const scope = { ...own, keyId: null, signInId: null } as unknown as Scope;
  const { accepted, rejected } = await app.db.transaction(own, (tx) => {
    turns = 0;
    return ingest(tx, scope, bad, {
      now: new Date(),
      withoutProject: 'refuse',
      prices: {},
      masking: openMasking(app.db, createSecretKey(Buffer.alloc(32))),
      onSpans: async () => {},
    });
  });
  counting = false;
  expect([accepted, ...rejected.values()]).toEqual([0, 20_000]);
  expect(turns).toBeGreaterThanOrEqual(20);
});
