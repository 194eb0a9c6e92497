import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import {
  fromProtobuf,
  newTraceId,
  post,
  requestOf,
  spanId,
  type TestSpan,
  testStart,
  toProtobuf,
  warningOf,
} from '../../../test/otlp.ts';

const { app, own } = await openApp();
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

const requestFor = (span: Partial<TestSpan>) =>
  requestOf([{ traceId, n: 1, ...span }], { 'dokima.project_id': projectId });
const sendBody = (body: unknown, headers: Record<string, string> = {}) =>
  post(app, own.key, body as object, headers);
/** Sends a span and returns the message of partialSuccess; empty without one. */
const send = async (span: Partial<TestSpan>): Promise<string> => warningOf(await sendBody(requestFor(span)));
const traces = async () => (await ok(own.api('GET', `/projects/${projectId}/traces`))).data;
const tags = async () => (await ok(own.api('GET', `/projects/${projectId}/records`))).data[0].tags;

describe('what is not stored as it was sent is said', () => {
  it('tags with a comma, too long and with characters that tags can not have', async () => {
    const message = await send({ attributes: { 'dokima.tags': ['good', 'a, b', 'x'.repeat(257), '..'] } });
    expect(await tags()).toEqual(['good']);
    for (const reason of ['has a comma', 'longer than 256', 'character that tags'])
      expect(message).toContain(reason);
    traceId = newTraceId();
    expect(await send({ attributes: { 'dokima.tags': 'one, two' } })).toBe('');
  });

  it('names that begin with dokima. and are not known, on spans and resources, with the one that was meant', async () => {
    const meant: [wrong: string, right: string][] = [
      ['dokima.project.id', 'dokima.project_id'],
      ['dokima.projectId', 'dokima.project_id'],
      ['dokima_project_id', 'dokima.project_id'],
      ['Dokima.Project_Id', 'dokima.project_id'],
      ['dokima.porject_id', 'dokima.project_id'],
      ['dokima.sesion_id', 'session.id'],
      ['dokima.user_id', 'user.id'],
      ['dokima.testcase.id', 'dokima.testcase_id'],
      ['dokima.otelLinkId', 'dokima.otel_link_id'],
      ['dokima.tag', 'dokima.tags'],
    ];
    for (const [wrong, right] of meant) {
      const hint = `has an attribute "${wrong}", which Dokima stores and does not read: did you mean ${right}?`;
      expect(await send({ attributes: { [wrong]: '1' } })).toBe(`1 span: it ${hint}`);
    }
    const ofResource = requestOf(
      [
        { traceId, n: 1 },
        { traceId, n: 2 },
      ],
      {
        'dokima.project.id': projectId,
        'dokima.project_id': projectId,
      },
    );
    expect(warningOf(await sendBody(ofResource))).toMatch(/^2 spans: .*did you mean dokima\.project_id\?$/);
    expect(await send({ attributes: { 'dokima.colour': 'red' } })).toContain('known are dokima.metric_id, ');
    // Names of others, and what is known, need no hint.
    expect(
      await send({ attributes: { 'dokimasia.project': '1', 'dokima.tags': 'a', project_id: '1' } }),
    ).toBe('');
  });

  it('fields and values that OTLP does not have', async () => {
    const request = { ...requestFor({}), resource_spam: 1 };
    const [span] = request.resourceSpans[0]!.scopeSpans[0]!.spans as object[];
    const attributes = [
      { key: 'a', value: { fancyValue: { deep: [1, '2', true] } } },
      { key: 'b', value: {} },
      { key: 'c', value: { intValue: '1.5e3' } },
    ];
    Object.assign(span!, { attributes, startTimeUnixNano: '1.795176e18', endTimeUnixNano: 1.795176001e18 });
    expect(warningOf(await sendBody(request))).toBe(
      '1 span: OTLP has no field "request.resource_spam", so it was left out',
    );
    expect(
      await ok(own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`)),
    ).toMatchObject({
      attributes: { a: { fancyValue: { deep: [1, '2', true] } }, b: null, c: 1500 },
      durationMs: 1000,
    });
  });

  it('a long session or user keeps its traces together', async () => {
    const long = (end: string) => `${'s'.repeat(300)}${end}`;
    const of = (end: string) => ({ attributes: { 'session.id': long(end), 'user.id': long(end) } });
    const message = await send(of('1'));
    for (const name of ['session id', 'user id'])
      expect(message).toContain(
        `its ${name} is longer than 256 characters, so its end was replaced by a hash`,
      );
    for (const end of ['1', '2']) {
      traceId = newTraceId();
      await send(of(end));
    }
    const found: { sessionId: string; userId: string; recordId: string }[] = await traces();
    expect(new Set(found.map(({ sessionId }) => sessionId)).size).toBe(2);
    expect(new Set(found.map(({ userId }) => userId)).size).toBe(2);
    expect(new Set(found.map(({ recordId }) => recordId)).size).toBe(2);
    for (const { sessionId } of found) expect(sessionId).toMatch(/^s{191}…[0-9a-f]{64}$/);
  });

  it('a link and a testcase that can not be ones', async () => {
    const message = await send({
      attributes: { 'dokima.otel_link_id': 'l'.repeat(300), 'dokima.testcase_id': 'none' },
    });
    expect(message).toContain('its link is longer than 256 characters and was left out');
    expect(message).toContain('its testcase id is no such id and was left out');
  });

  it('fields that OTLP does not have, wherever they are', async () => {
    const request = requestFor({ sessionId: 'x' } as Partial<TestSpan>);
    Object.assign(request.resourceSpans[0]!, { project: 1, schemaUrl: '' });
    const { body } = await sendBody(request);
    const { errorMessage } = JSON.parse(String(body)).partialSuccess;
    expect(errorMessage).toContain('OTLP has no field "span.sessionId", so it was left out');
    expect(errorMessage).toContain('OTLP has no field "resourceSpans.project", so it was left out');
    expect(errorMessage).not.toContain('schemaUrl');
  });

  it('fields that OTLP does not have, in protocol buffers', async () => {
    const field = (number: number, body: Buffer) =>
      Buffer.concat([Buffer.from([number * 8 + 2, body.length]), body]);
    const start = Buffer.alloc(9, 7 * 8 + 1);
    start.writeBigUInt64LE(BigInt(testStart) * 1_000_000n, 1);
    const ids = [
      field(1, Buffer.from(traceId, 'hex')),
      field(2, Buffer.from('0000000000000001', 'hex')),
      start,
    ];
    // Flags are fields of OTLP: number 16, of four bytes. Number 99 is a whole number.
    const flags = Buffer.from([0x85, 0x01, 1, 0, 0, 0]);
    const unknown = Buffer.from([0x98, 0x06, 1]);
    const request = (span: Buffer) => field(1, field(2, field(2, span)));
    const messageOf = async (span: Buffer) =>
      fromProtobuf('Response', (await post(app, own.key, request(span))).body);
    expect(await messageOf(Buffer.concat([...ids, flags]))).toEqual({});
    expect(await messageOf(Buffer.concat([...ids, flags, unknown]))).toMatchObject({
      partialSuccess: { errorMessage: '1 span: OTLP has no field "number 99", so it was left out' },
    });
  });

  it('more than 50 tags of a trace', async () => {
    const tagsFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => `t${from + i}`);
    expect(await send({ attributes: { 'dokima.tags': tagsFrom(0, 50) } })).toBe('');
    traceId = newTraceId();
    expect(await send({ attributes: { 'dokima.tags': tagsFrom(100, 51) } })).toBe(
      '1 span: more than 50 tags of a trace in one request, so the others were left out',
    );
    expect(await tags()).toHaveLength(50);
  });

  it('a version of a span that is older than the stored one, but not the same one again', async () => {
    const outdated = (count: number) =>
      `${count} span${count === 1 ? '' : 's'}: a version of it that ended later is stored, so this one was left out`;
    expect(await send({ name: 'new', ms: 20 })).toBe('');
    expect(await send({ name: 'new', ms: 20 })).toBe('');
    expect(await send({ name: 'old', ms: 10 })).toBe(outdated(1));
    expect(await traces()).toMatchObject([{ name: 'new' }]);
    // Within one request, too.
    traceId = newTraceId();
    const versions = [10, 30, 20].map((ms) => ({ traceId, n: 1, name: `${ms}`, ms }));
    const request = requestOf(versions, { 'dokima.project_id': projectId });
    expect(warningOf(await sendBody(request))).toBe(outdated(2));
  });

  it('names at most twenty reasons', async () => {
    const spans = Array.from({ length: 60 }, (_, n) => ({ traceId, n: n + 1, [`field${n}`]: 1 }));
    const { body } = await sendBody(requestOf(spans, { 'dokima.project_id': projectId }));
    const { errorMessage } = JSON.parse(String(body)).partialSuccess;
    expect(errorMessage.split('; ')).toHaveLength(21);
    expect(errorMessage).toContain('40 spans: further reasons');
  });

  it('a request with something in the place of its spans is a 400', async () => {
    for (const wrong of [{ spans: [] }, { resourceSpans: [{ instrumentationLibrarySpans: [] }] }])
      expect(await sendBody(wrong)).toMatchObject({ status: 400 });
    expect(await sendBody({})).toMatchObject({ status: 200 });
  });
});

describe('JSON with the names of the protocol’s definition', () => {
  const snake = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(snake);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
        snake(item),
      ]),
    );
  };

  it('is stored like the other, digit by digit', async () => {
    const span = {
      status: { code: 2, message: 'broken' },
      attributes: { whole: 9_007_199_254_740_993n, fraction: 0.1, nested: { deep: [1n, true] } },
      events: [{ name: 'exception', attributes: { 'exception.message': 'no' } }],
      links: [{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), attributes: [] }],
      droppedAttributesCount: 3,
    };
    const read = async () => {
      const { text } = await own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`);
      return text.replaceAll(traceId, 'TRACE').replace(/"recordId":"[^"]*"/, '');
    };
    expect(await send(span)).toBe('');
    const camel = await read();
    expect(camel).toContain('"whole":9007199254740993');
    traceId = newTraceId();
    expect(String((await sendBody(snake(requestFor(span)))).body)).toBe('{}');
    expect(await read()).toBe(camel);
  });
});

describe('numbers', () => {
  const numbers = {
    long: [9_007_199_254_740_993n, 2n ** 63n - 1n, -(2n ** 63n), 0n],
    short: [0.1, 1e308, 5e-324, 1e21, 123_456_789.125, -1.5e-7],
  };
  const documents = {
    'input.value': '{"id":107505301260286111,"price":1.10,"many":1E400,"list":[12345678901234567890]}',
    'gen_ai.tool.call.arguments': '{"order":9007199254740993,"share":0.10}',
  };

  it.each([
    ['JSON', (body: object) => body],
    ['protobuf', (body: object) => toProtobuf(body as Parameters<typeof toProtobuf>[0])],
  ])('keep their digits in %s: 64-bit integers, doubles, and those in documents', async (_, encode) => {
    const attributes = { ...numbers, ...documents };
    expect(await sendBody(encode(requestFor({ attributes })))).toMatchObject({ status: 200 });
    const path = `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`;
    const { text } = await own.api('GET', path);
    expect(text).toContain(`"long":[${numbers.long.join(',')}]`);
    expect(text).toContain('"short":[0.1,1e+308,5e-324,1e+21,123456789.125,-1.5e-7]');
    for (const document of Object.values(documents)) expect(text).toContain(JSON.stringify(document));
    const [record] = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
    const stored = (await own.api('GET', `/records/${record.id}`)).text;
    expect(stored).toContain(documents['input.value'].slice(0, -1));
    const listed = (await own.api('GET', `/projects/${projectId}/traces`)).text;
    expect(listed).toContain('107505301260286111');
  });
});

describe('zstd', () => {
  const encoded = (body: Buffer) => sendBody(body, { 'content-encoding': 'zstd' });

  it('is taken like gzip', async () => {
    expect(await encoded(zstdCompressSync(toProtobuf(requestFor({}))))).toMatchObject({ status: 200 });
    expect(await traces()).toHaveLength(1);
  });

  it('that is none, or is cut, is a 400', async () => {
    const whole = zstdCompressSync(toProtobuf(requestFor({})));
    for (const wrong of [whole.subarray(0, -3), Buffer.from('no zstd'), gzipSync('x')])
      expect(await encoded(wrong)).toMatchObject({ status: 400 });
  });

  it('is bounded by what it becomes, and by the memory that a frame asks for', async () => {
    const bomb = zstdCompressSync(Buffer.alloc(65 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await encoded(bomb)).toMatchObject({ status: 413 });
    const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_enableLongDistanceMatching]: 1 };
    const wide = zstdCompressSync(Buffer.alloc(20 * 1024 * 1024), { params });
    expect(await encoded(wide)).toMatchObject({ status: 400 });
  });
});
