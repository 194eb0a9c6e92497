import { once } from 'node:events';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import {
  fromProtobuf,
  logsOf,
  newTraceId,
  requestOf,
  type TestSpan,
  toProtobuf,
} from '../../../test/otlp.ts';
import { system } from '../../platform/db/database.ts';
import { type GrpcServer, listenGrpc } from './listen-grpc.ts';

/** OTLP over gRPC, as exporters that speak nothing else send it. The client is HTTP/2 with gRPC's framing. */

let app: TestApp;
let own: Organization;
let projectId: string;
let grpc: GrpcServer;
let client: ClientHttp2Session;

beforeAll(async () => {
  app = await startApp({ DOKIMA_RATE_LIMIT_PER_MINUTE: '60' });
  grpc = await listenGrpc(app.app, { host: '127.0.0.1', port: 0 });
  client = connect(`http://127.0.0.1:${grpc.port}`);
});
afterAll(async () => {
  client.close();
  await grpc.close();
  await app.close();
});
beforeEach(async () => {
  own = await app.organization();
  projectId = (await createProject(own.api)).id;
});

const exportTraces = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

const framed = (message: Buffer, { compressed = false, length = message.length } = {}): Buffer => {
  const prefix = Buffer.from([compressed ? 1 : 0, 0, 0, 0, 0]);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
};

type Call = { status: number; message: string; body: Buffer; headers: Record<string, unknown> };
/** Makes a call; without a body, one whose message does not come. */
const call = (body: Buffer | undefined, headers: OutgoingHttpHeaders = {}, by = client): Promise<Call> =>
  new Promise((resolve, reject) => {
    const stream = by.request({
      ':method': 'POST',
      ':path': exportTraces,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${own.key}`,
      ...headers,
    });
    const chunks: Buffer[] = [];
    let found: Record<string, unknown> = {};
    stream.on('response', (given) => (found = { ...found, ...given }));
    stream.on('trailers', (given) => (found = { ...found, ...given }));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('close', () => {
      const message = decodeURIComponent(String(found['grpc-message'] ?? ''));
      resolve({ status: Number(found['grpc-status']), message, body: Buffer.concat(chunks), headers: found });
    });
    if (body) stream.end(body);
    else stream.write(framed(Buffer.alloc(9)).subarray(0, 8));
  });

const messageOf = (spans: TestSpan[], project = projectId) =>
  toProtobuf(requestOf(spans, { 'dokima.project_id': project }));
const spansOf = async () => (await ok(own.api('GET', `/projects/${projectId}/spans`))).data;

describe('a call', () => {
  it('stores spans, plain or compressed, like a request over HTTP', async () => {
    const traceId = newTraceId();
    const plain = await call(framed(messageOf([{ traceId, n: 1 }])));
    expect(plain).toMatchObject({ status: 0, message: '', body: framed(Buffer.alloc(0)) });
    expect(plain.headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc' });
    const zipped = framed(gzipSync(messageOf([{ traceId, n: 2, parent: 1 }])), { compressed: true });
    expect(await call(zipped, { 'grpc-encoding': 'gzip' })).toMatchObject({ status: 0 });
    expect(await spansOf()).toHaveLength(2);
  });

  it('with thousands of spans is stored, beside others on the same connection', async () => {
    const spans = Array.from({ length: 3_000 }, (_, i) => ({
      traceId: newTraceId(),
      n: 1,
      attributes: { text: `${i} `.repeat(100) },
    }));
    const many = call(framed(messageOf(spans)));
    const few = Array.from({ length: 5 }, () => call(framed(messageOf([{ traceId: newTraceId(), n: 1 }]))));
    for (const { status } of await Promise.all([many, ...few])) expect(status).toBe(0);
    const [stored] = await app.db.read(
      system,
      (sql) => sql<{ n: number }[]>`select count(*)::int as n from span where project_id = ${projectId}`,
    );
    expect(stored!.n).toBe(3_005);
  });

  it('that can be stored in part says how much was not and why', async () => {
    const traceId = newTraceId();
    const { status, body } = await call(
      framed(
        messageOf([
          { traceId, n: 1 },
          { traceId: '00', n: 2 },
        ]),
      ),
    );
    expect(status).toBe(0);
    expect(fromProtobuf('Response', body.subarray(5)).partialSuccess).toMatchObject({
      rejectedSpans: '1',
      errorMessage: expect.stringContaining('trace id must be 16 bytes'),
    });
  });

  it('takes and drops metrics', async () => {
    const headers = { ':path': '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export' };
    expect(await call(framed(Buffer.from([10, 0])), headers)).toMatchObject({ status: 0 });
  });

  it('with an evaluation makes a score, and says how many log records are not stored', async () => {
    const traceId = newTraceId();
    await call(framed(messageOf([{ traceId, n: 1 }])));
    const attributes = { 'gen_ai.evaluation.name': 'Kind', 'gen_ai.evaluation.score.value': 1 };
    const request = logsOf(
      [{ name: 'gen_ai.evaluation.result', attributes, traceId, n: 1 }, { name: 'started' }],
      { 'dokima.project_id': projectId },
    );
    const headers = { ':path': '/opentelemetry.proto.collector.logs.v1.LogsService/Export' };
    const { status, body } = await call(framed(toProtobuf(request)), headers);
    expect(status).toBe(0);
    expect(fromProtobuf('Response', body.subarray(5)).partialSuccess).toMatchObject({ rejectedSpans: '1' });
    const [record] = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
    expect(record.scoreStates).toMatchObject([{ metricName: 'Kind', score: { floatScore: 1 } }]);
  });
});

describe('a call that fails says so in its status', () => {
  const message = () => framed(messageOf([{ traceId: newTraceId(), n: 1 }]));

  it('UNAUTHENTICATED without a valid key, PERMISSION_DENIED with one that may only read', async () => {
    for (const authorization of ['none', 'Bearer ak_unknown_unknown_unknown'])
      expect((await call(message(), { authorization })).status).toBe(16);
    const { key } = await ok(own.api('POST', '/keys', { name: 'r', access: 'read' }), 201);
    const { status, message: said } = await call(message(), { authorization: `Bearer ${key}` });
    expect(`${status} ${said}`).toMatch(/^7 This key may only read/);
    expect(await spansOf()).toEqual([]);
  });

  it('INVALID_ARGUMENT for what is not a message, or none that can be stored', async () => {
    const bad: [Buffer, OutgoingHttpHeaders, RegExp][] = [
      [Buffer.alloc(0), {}, /has no message/],
      [Buffer.from([0, 0]), {}, /has no message/],
      [framed(Buffer.from('not a message')), {}, /Not OTLP/],
      [framed(messageOf([{ traceId: newTraceId(), n: 1 }]), { length: 3 }), {}, /says 3/],
      [framed(Buffer.from('x'), { compressed: true }), { 'grpc-encoding': 'gzip' }, /not gzip/],
      [framed(Buffer.from('x'), { compressed: true }), { 'grpc-encoding': 'snappy' }, /not with snappy/],
      [framed(Buffer.alloc(0), { length: 2 ** 31 }), {}, /says 2147483648/],
      [framed(messageOf([{ traceId: '00', n: 1 }])), {}, /was refused: 1 span/],
    ];
    for (const [body, headers, reason] of bad) {
      const { status, message: said } = await call(body, headers);
      expect(`${status} ${said}`).toMatch(/^3 /);
      expect(said).toMatch(reason);
    }
  });

  it('UNIMPLEMENTED for everything else of the service', async () => {
    for (const headers of [
      { ':path': '/api/v2/projects', 'content-type': 'application/json' },
      { ':path': '/otel/v1/traces', 'content-type': 'application/json' },
      { 'content-type': 'application/json' },
    ]) {
      const { status, body } = await call(message(), headers);
      expect(`${status} ${body}`).toBe('12 ');
    }
  });

  it('RESOURCE_EXHAUSTED with the time after which to try again', async () => {
    const { key } = await ok(own.api('POST', '/keys', { name: 'busy' }), 201);
    const calls = Array.from({ length: 61 }, () =>
      call(framed(Buffer.alloc(0)), { authorization: `Bearer ${key}` }),
    );
    const refused = (await Promise.all(calls)).filter(({ status }) => status === 8);
    expect(refused).toHaveLength(1);
    const details = Buffer.from(String(refused[0]!.headers['grpc-status-details-bin']), 'base64');
    expect(String(details)).toContain('type.googleapis.com/google.rpc.RetryInfo');
  });

  it('UNAVAILABLE when its message does not come, RESOURCE_EXHAUSTED beside too many that are under way', async () => {
    const limits = { maxCalls: 2, messageMs: 500, idleMs: 60_000 };
    const limited = await listenGrpc(app.app, { host: '127.0.0.1', port: 0 }, limits);
    const other = connect(`http://127.0.0.1:${limited.port}`);
    const slow = [1, 2].map(() => call(undefined, {}, other));
    await once(other, 'remoteSettings');
    // The calls before it have begun: a connection sends its streams in order.
    const refused = await call(message(), {}, other);
    expect(`${refused.status} ${refused.message}`).toBe('8 Too many calls are under way.');
    for (const { status, message: said } of await Promise.all(slow))
      expect(`${status} ${said}`).toBe('14 The message did not come in 0.5 s. Nothing was written.');
    expect((await call(message(), {}, other)).status).toBe(0);
    other.close();
    await limited.close();
  });

  it('and is not a route of the port for HTTP', async () => {
    const headers = { authorization: `Bearer ${own.key}`, 'content-type': 'application/grpc' };
    const answer = await app.app.inject({ method: 'POST', url: exportTraces, headers, payload: message() });
    expect(answer.statusCode).toBe(415);
  });
});
