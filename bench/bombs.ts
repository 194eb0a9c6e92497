import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Readable } from 'node:stream';
import { deflateSync, gzipSync } from 'node:zlib';
import { requestOf, toProtobuf } from '../server/test/otlp.ts';

/** Requests that cost a service far more memory than their sender. Each is sent as a client could send it. */

/** The service under attack, with a run of its own project. */
export type Target = {
  url: string;
  grpcPort: number;
  key: string;
  projectId: string;
  runId: string;
  /** A run whose records fill pages of many MB. */
  largeProjectId: string;
  largeRunId: string;
  newProject: () => Promise<string>;
  /** Traces of the large project by what they are made of, and paths of its runs with large records. */
  largeTraces: Record<keyof typeof largeTraces, string>;
  comparison: { runs: string; metricId: string };
};

const megabyte = 'a'.repeat(1_000_000);
const said = (text: string) => ({ 'gen_ai.operation.name': 'chat', 'input.value': text });

/** Spans of traces whose trees and conversations are large, by their number. */
export const largeTraces = {
  tree: { spans: 10_000, atOnce: 1_000, spanOf: () => ({ name: 'x'.repeat(500) }) },
  /** 400 MB, stored in 5 MB. */
  compressed: { spans: 400, atOnce: 10, spanOf: (n: number) => ({ attributes: said(`${n}${megabyte}`) }) },
  random: {
    spans: 28,
    atOnce: 7,
    spanOf: () => ({ attributes: said(randomBytes(500_000).toString('hex')) }),
  },
} satisfies Record<string, { spans: number; atOnce: number; spanOf: (n: number) => object }>;

/** The requests that send a trace. */
export function* spansOfTrace(kind: keyof typeof largeTraces, traceId: string, projectId: string) {
  const { spans, atOnce, spanOf } = largeTraces[kind];
  for (let sent = 0; sent < spans; sent += atOnce) {
    const made = Array.from({ length: atOnce }, (_, i) => ({
      traceId,
      n: sent + i + 1,
      ...spanOf(sent + i),
    }));
    yield Buffer.from(JSON.stringify(requestOf(made, { 'dokima.project_id': projectId })));
  }
}

/** Sends the bomb and resolves with the status of the answer. 0 means that the connection broke. */
export type Bomb = { name: string; send: (target: Target) => Promise<number> };

const mega = 1024 * 1024;

type Call = {
  method?: string;
  path: string;
  headers?: Record<string, string | number>;
  body?: Buffer | Readable;
};

/** Sends a request, reads the answer without keeping it, and resolves with its status. */
export const call = async (
  { url, key }: Pick<Target, 'url' | 'key'>,
  { method = 'POST', path, headers = {}, body }: Call,
): Promise<number> => {
  const request = openRequest(`${url}${path}`, {
    method,
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  const answered = once(request, 'response');
  answered.catch(() => {});
  request.on('error', () => {});
  if (body instanceof Readable) body.pipe(request);
  else request.end(body);
  try {
    const [response] = await answered;
    for await (const _ of response);
    return response.statusCode;
  } catch {
    return 0;
  } finally {
    request.destroy();
  }
};

let traces = 0;
const newTraceId = () => (++traces).toString(16).padStart(32, 'b');

const otlpPath = '/otel/v1/traces';
const protobuf = { 'content-type': 'application/x-protobuf' };

type Shape = { n: number; attributes: Record<string, unknown> };

const spansOf = (spans: Shape[], { projectId }: Target) => {
  const traceId = newTraceId();
  return requestOf(
    spans.map((span) => ({ ...span, traceId })),
    { 'dokima.project_id': projectId },
  );
};

const numbered = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key.${i}`, value]));

const shapes: Record<string, () => Shape[]> = {
  'one attribute of 60 MB': () => [{ n: 1, attributes: { 'input.value': 'a'.repeat(60 * mega) } }],
  '60 spans with an attribute of 1 MB': () =>
    Array.from({ length: 60 }, (_, i) => ({ n: i + 1, attributes: { 'input.value': 'a'.repeat(mega) } })),
  '300,000 attributes of a span': () => [{ n: 1, attributes: numbered(300_000, 'x') }],
  '60 attributes of 1 MB': () => [{ n: 1, attributes: numbered(60, 'a'.repeat(mega)) }],
};

const spanBombs: Bomb[] = Object.entries(shapes).flatMap(([name, shape]) => [
  {
    name: `${name}, gzip`,
    send: (target) =>
      call(target, {
        path: otlpPath,
        headers: { ...protobuf, 'content-encoding': 'gzip' },
        body: gzipSync(toProtobuf(spansOf(shape(), target))),
      }),
  },
  {
    name: `${name}, JSON, gzip`,
    send: (target) =>
      call(target, {
        path: otlpPath,
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(JSON.stringify(spansOf(shape(), target))),
      }),
  },
]);

/** Sends one gRPC message, compressed, and resolves with the code of the call; -1 if the stream broke. */
const callGrpc = async ({ grpcPort, key }: Target, message: Buffer): Promise<number> => {
  const session = connectHttp2(`http://127.0.0.1:${grpcPort}`);
  session.on('error', () => {});
  const stream = session.request({
    ':method': 'POST',
    ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    'content-type': 'application/grpc',
    'grpc-encoding': 'gzip',
    authorization: `Bearer ${key}`,
  });
  stream.on('error', () => {});
  let code = -1;
  stream.on('trailers', (trailers) => {
    code = Number(trailers['grpc-status']);
  });
  const prefix = Buffer.alloc(5);
  prefix[0] = 1;
  prefix.writeUInt32BE(message.length, 1);
  stream.resume();
  stream.end(Buffer.concat([prefix, message]));
  await once(stream, 'close').catch(() => {});
  session.destroy();
  return code;
};

const recordOf = (text: string) => `{"inputs":{"q":"${text}"},"outputs":{},"expected":{}}`;
const recordsPath = ({ runId }: Target) => `/api/v2/runs/${runId}/records`;
const createRecord = (name: string, body: () => string): Bomb => ({
  name,
  send: (target) => call(target, { path: recordsPath(target), body: Buffer.from(body()) }),
});

/** Lines of an archive: a header, then testsets whose descriptions have `bytes` each. */
function* archiveOf(rows: number, bytes: number): Generator<string> {
  yield `${JSON.stringify({ part: 'archive', version: 1, projectId: '1', name: 'x', description: 'x' })}\n`;
  for (let i = 0; i < rows; i++) yield `{"part":"run","id":"${i + 1}","notes":"${'a'.repeat(bytes)}"}\n`;
}

/** Sends an archive to a new project, line by line. */
const importArchive = (name: string, lines: () => Iterable<string>): Bomb => ({
  name,
  send: async (target) => {
    const headers = { 'content-type': 'application/x-ndjson' };
    const path = `/api/v2/projects/${await target.newProject()}/archive`;
    return call(target, { method: 'PUT', path, headers, body: Readable.from(lines()) });
  },
});

/** Sends all of a body but its last byte, and leaves after some seconds. */
const stall = (name: string, path: (target: Target) => string, bytes: number, type: string): Bomb => ({
  name,
  send: async (target) => {
    const { url, key } = target;
    const request = openRequest(`${url}${path(target)}`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': type, 'content-length': bytes },
    });
    request.on('error', () => {});
    let status = 0;
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
      response.resume();
    });
    request.write(Buffer.alloc(bytes - 1, ' '));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    request.destroy();
    return status;
  },
});

/** Asks for an answer of many MB, reads none of it, and leaves after some seconds. */
const leaveUnread = (name: string, path: (target: Target) => string): Bomb => ({
  name,
  send: async (target) => {
    const request = openRequest(`${target.url}${path(target)}`, {
      agent: false,
      headers: { authorization: `Bearer ${target.key}` },
    });
    request.on('error', () => {});
    let status = 0;
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
    });
    request.end();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    request.destroy();
    return status;
  },
});

const read = (name: string, path: (target: Target) => string): Bomb => ({
  name,
  send: (target) => call(target, { method: 'GET', path: `/api/v2${path(target)}` }),
});

const traceBombs = (['tree', 'compressed', 'random'] as const).flatMap((kind) => {
  const path = ({ largeProjectId, largeTraces }: Target) =>
    `/projects/${largeProjectId}/traces/${largeTraces[kind]}`;
  return [
    read(`the tree of a trace (${kind})`, (target) => `${path(target)}/spans?limit=10000`),
    read(`the conversation of a trace (${kind})`, (target) => `${path(target)}/conversation`),
  ];
});

export const bombs: Bomb[] = [
  ...traceBombs,
  read('a search of spans', ({ largeProjectId }) => `/projects/${largeProjectId}/spans?limit=100`),
  read(
    'changed testcases with records of 10 MB',
    ({ comparison: { runs, metricId } }) =>
      `/runs/compare/testcases?runs=${runs}&metricId=${metricId}&records=true`,
  ),
  read(
    'a comparison with its worst records of 10 MB',
    ({ comparison: { runs } }) => `/runs/compare?runs=${runs}&worst=10`,
  ),
  {
    name: 'the next review, a record of 10 MB',
    send: (target) => call(target, { path: `/api/v2/projects/${target.largeProjectId}/reviews/next` }),
  },
  ...spanBombs,
  {
    name: 'one attribute of 60 MB, deflate',
    send: (target) =>
      call(target, {
        path: otlpPath,
        headers: { ...protobuf, 'content-encoding': 'deflate' },
        body: deflateSync(toProtobuf(spansOf(shapes['one attribute of 60 MB']!(), target))),
      }),
  },
  {
    name: 'one attribute of 60 MB, gRPC, gzip',
    send: (target) =>
      callGrpc(target, gzipSync(toProtobuf(spansOf(shapes['one attribute of 60 MB']!(), target)))),
  },
  {
    name: '2 GB of zeros, gzip',
    send: (target) =>
      call(target, {
        path: otlpPath,
        headers: { ...protobuf, 'content-encoding': 'gzip' },
        body: Buffer.concat(Array(40).fill(gzipSync(Buffer.alloc(50 * mega)))),
      }),
  },
  {
    name: '3,900,000 empty lists in JSON spans, gzip',
    send: (target) =>
      call(target, {
        path: otlpPath,
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(`{"resourceSpans":[{"x":[${'[],'.repeat(3_900_000)}[]]}]}`),
      }),
  },
  createRecord('a record of 14 MB', () => recordOf('a'.repeat(14 * mega))),
  createRecord('a record of 14 MB, two bytes a letter', () => recordOf('ä'.repeat(7 * mega))),
  createRecord('a record of 14 MB of escapes', () => recordOf('\\u00e9'.repeat((14 * mega) / 6))),
  createRecord('JSON of 190,000 keys', () => `{"inputs":${JSON.stringify(numbered(190_000, 'x'))}}`),
  createRecord('JSON of a million keys', () => `{"inputs":${JSON.stringify(numbered(1_000_000, ''))}}`),
  createRecord('JSON of 390,000 levels', () => `{"inputs":${'['.repeat(390_000)}${']'.repeat(390_000)}}`),
  {
    name: 'bulk create of 14 MB in 14 records',
    send: (target) =>
      call(target, {
        path: `${recordsPath(target)}/bulk-create`,
        body: Buffer.from(
          `{"items":[${Array(14)
            .fill(recordOf('a'.repeat(mega)))
            .join(',')}]}`,
        ),
      }),
  },
  {
    name: 'a page of 40 records of 10 MB',
    send: (target) =>
      call(target, { method: 'GET', path: `/api/v2/runs/${target.largeRunId}/records?limit=100` }),
  },
  {
    name: 'a record of 10 MB, read',
    send: (target) => call(target, { method: 'GET', path: `/api/v2/records/${target.largeRunId}-1` }),
  },
  leaveUnread('a record of 10 MB, not read', ({ largeRunId }) => `/api/v2/records/${largeRunId}-1`),
  leaveUnread(
    'an archive with 400 MB of records, not read',
    ({ largeProjectId }) => `/api/v2/projects/${largeProjectId}/archive`,
  ),
  {
    name: 'an archive with 400 MB of records, read',
    send: (target) =>
      call(target, { method: 'GET', path: `/api/v2/projects/${target.largeProjectId}/archive` }),
  },
  importArchive('an archive with a line of 200 MB', () => archiveOf(1, 200 * mega)),
  importArchive('an archive with lines of 14 MB', () => archiveOf(10, 14 * mega)),
  stall('a record of 14 MB without its end', recordsPath, 14 * mega, 'application/json'),
  stall('spans of 60 MB without their end', () => otlpPath, 60 * mega, 'application/x-protobuf'),
];
