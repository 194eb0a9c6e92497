import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../src/platform/http/http.ts';
import { readRefusedBodies } from '../src/platform/http/read-refused-bodies.ts';
import { createProject, createRun, ok } from './fixtures.ts';
import { type Organization, startApp, type TestApp } from './harness.ts';
import { rowsOf } from './rows.ts';
import { exchange, type WireAnswer } from './wire.ts';

/** Bytes on a real socket that are not a valid request. None of them hangs, fails with a 5xx or writes. */

let app: TestApp;
let organization: Organization;
let port: number;
let before: string;

beforeAll(async () => {
  app = await startApp();
  organization = await app.organization();
  port = Number(new URL(await app.url()).port);
  before = await rowsOf(app.db, organization.organizationId);
});
afterAll(() => app.close());

const body = '{"name":"P","description":""}';

/** The head of a request with these lines, which asks for the connection to be closed after the answer. */
const head = (start: string, ...lines: string[]) =>
  [
    start,
    'Host: localhost',
    `Authorization: Bearer ${organization.key}`,
    'Connection: close',
    ...lines,
    '',
    '',
  ].join('\r\n');
const post = (...lines: string[]) =>
  head('POST /api/v2/projects HTTP/1.1', 'Content-Type: application/json', ...lines);
const get = (path: string, ...lines: string[]) => head(`GET ${path} HTTP/1.1`, ...lines);

const expectError = ({ status, headers, body: text }: WireAnswer, code: string) => {
  expect(JSON.parse(text)).toEqual({ code, message: expect.any(String), details: expect.any(Object) });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(status).toBe(
    {
      VALIDATION_ERROR: 400,
      NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      UNSUPPORTED_MEDIA_TYPE: 415,
      PAYLOAD_TOO_LARGE: 413,
    }[code],
  );
};

const expectNothingWritten = async () =>
  expect(await rowsOf(app.db, organization.organizationId)).toBe(before);

describe('400, in the form of every error, and nothing written', () => {
  it.each<[string, () => string | Buffer]>([
    ['headers above 16 KB', () => get('/api/v2/me', `X-Long: ${'a'.repeat(20_000)}`)],
    ['a URL above 16 KB', () => get(`/api/v2/me?x=${'a'.repeat(20_000)}`)],
    ['3,000 headers', () => get('/api/v2/me', ...Array.from({ length: 3_000 }, (_, i) => `X-${i}: y`))],
    ['a NUL in a header', () => get('/api/v2/me', 'X-Nul: a\0b')],
    ['a header without a colon', () => get('/api/v2/me', 'nonsense')],
    ['a path that is not ASCII', () => get('/api/v2/projects/é')],
    ['a path with a space', () => get('/api/v2/projects/a b')],
    ['a path that can’t be percent-decoded', () => get('/api/v2/projects/%zz')],
    ['a query that can’t be percent-decoded', () => get('/api/v2/projects?limit=%ff')],
    [
      'a query that can’t be percent-decoded behind its second question mark',
      () => get('/api/v2/projects?x=?%ff'),
    ],
    ['no Host', () => 'GET /api/v2/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ...['evil.example/x', 'a b', 'me@evil.example', '"><script>', '[::1', 'localhost:x'].map(
      (host): [string, () => string] => [
        `the Host ${host}`,
        () => `GET /api/v2/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ],
    ),
    ['a method that HTTP does not have', () => head('TAKE /api/v2/me HTTP/1.1')],
    ['HTTP/2 without asking', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS to a plain port', () => Buffer.from('160301020001000001fc0303', 'hex')],
    ['no HTTP at all', () => 'hello\r\n\r\n'],
    ['two lengths that differ', () => post('Content-Length: 29', 'Content-Length: 30') + body],
    [
      'a length and chunks',
      () => `${post('Content-Length: 29', 'Transfer-Encoding: chunked')}1d\r\n${body}\r\n0\r\n\r\n`,
    ],
    ['a length that is not a number', () => post('Content-Length: many') + body],
    ['a length below the body’s', () => post('Content-Length: 28') + body],
    [
      'a chunk whose length is not a number',
      () => `${post('Transfer-Encoding: chunked')}zz\r\n${body}\r\n0\r\n\r\n`,
    ],
    ['a chunk longer than it says', () => `${post('Transfer-Encoding: chunked')}2\r\n${body}\r\n0\r\n\r\n`],
  ])('%s', async (_, bytes) => {
    const [answer] = await exchange(port, bytes());
    expectError(answer!, 'VALIDATION_ERROR');
    await expectNothingWritten();
  });

  it.each<[string, () => string]>([
    ['in the request line', () => 'GET /api/v2/me HT'],
    ['in the headers', () => post('Content-Length: 29').slice(0, -2)],
    ['before the body', () => post('Content-Length: 29')],
    ['in the body', () => post('Content-Length: 29') + body.slice(0, -1)],
    ['in a chunk', () => `${post('Transfer-Encoding: chunked')}1d\r\n${body.slice(0, 10)}`],
    ['before the last chunk', () => `${post('Transfer-Encoding: chunked')}1d\r\n${body}\r\n`],
  ])('a request that breaks off %s', async (_, bytes) => {
    const [answer] = await exchange(port, bytes(), { end: true });
    expectError(answer!, 'VALIDATION_ERROR');
    await expectNothingWritten();
  });
});

describe('413', () => {
  it('reaches a client that sends its whole body first, and leaves the connection open', async () => {
    const sent = Buffer.alloc(40 * 1024 * 1024, ' ');
    const next = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const kept = post(`Content-Length: ${sent.length}`).replace('Connection: close\r\n', '');
    const answers = await exchange(port, Buffer.concat([Buffer.from(kept), sent, Buffer.from(next)]));
    expect(answers.map(({ status }) => status)).toEqual([413, 200]);
  });

  it.each<[string, () => string | Buffer]>([
    ['is said before the body is sent, by its length', () => post('Content-Length: 15728641')],
    [
      'is said of a body without a length once it is too long',
      () => {
        const chunk = Buffer.alloc(15 * 1024 * 1024 + 1, ' ');
        return Buffer.concat([Buffer.from(`${post('Transfer-Encoding: chunked')}f00001\r\n`), chunk]);
      },
    ],
  ])('%s', async (_, bytes) => {
    const [answer] = await exchange(port, bytes());
    expectError(answer!, 'PAYLOAD_TOO_LARGE');
    await expectNothingWritten();
  });
});

describe('a refused upload', () => {
  const sent = Buffer.alloc(70 * 1024 * 1024, ' ');
  const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

  it.each<[string, number, string, ...string[]]>([
    ['a record', 413, 'POST /api/v2/runs/1/records', 'Content-Type: application/json'],
    ['a record of another type', 415, 'POST /api/v2/runs/1/records', 'Content-Type: text/csv'],
    ['spans', 413, 'POST /otel/v1/traces', 'Content-Type: application/json'],
    ['spans of another type', 415, 'POST /otel/v1/traces', 'Content-Type: text/csv'],
    ['a file without a link', 401, `PUT /api/v2/attachments/${randomUUID()}/content`],
    ['an archive of another type', 415, 'PUT /api/v2/projects/9/archive', 'Content-Type: text/csv'],
    ['an unknown path', 404, 'POST /api/v2/nothing', 'Content-Type: application/json'],
  ])('of %s is read to its end: the connection stays open', async (_, status, start, ...lines) => {
    const request = head(`${start} HTTP/1.1`, ...lines, `Content-Length: ${sent.length}`);
    const kept = request.replace('Connection: close\r\n', '');
    const answers = await exchange(port, Buffer.concat([Buffer.from(kept), sent, Buffer.from(next)]));
    expect(answers.map((answer) => answer.status)).toEqual([status, 200]);
    const [last] = await exchange(port, Buffer.concat([Buffer.from(request), sent]));
    expect(last!.status).toBe(status);
  });

  it('of a client that never ends is cut off', async () => {
    const bare = Fastify();
    readRefusedBodies(bare as unknown as App, 100);
    bare.post('/', (_request, reply) => reply.code(404).send('no'));
    bare.addContentTypeParser('*', (_request, _body, done) => done(null, undefined));
    await bare.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect({ port: (bare.server.address() as AddressInfo).port, allowHalfOpen: true });
    const answer: Buffer[] = [];
    socket.on('data', (piece: Buffer) => answer.push(piece)).on('error', () => {});
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: 999999999\r\n\r\n');
    const more = setInterval(() => socket.write('more'), 10);
    await new Promise((closed) => socket.once('close', closed));
    clearInterval(more);
    expect(String(Buffer.concat(answer))).toMatch(/^HTTP\/1.1 404/);
    await bare.close();
  });
});

describe('405', () => {
  it.each(['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LINK', 'POST'])(
    'for the method %s, with those that the path takes',
    async (method) => {
      const [answer] = await exchange(port, head(`${method} /api/v2/me HTTP/1.1`));
      expectError(answer!, 'METHOD_NOT_ALLOWED');
      expect(answer!.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  it('for the method QUERY, with or without a type', async () => {
    for (const lines of [[], ['Content-Type: application/json', 'Content-Length: 0']]) {
      const [answer] = await exchange(port, head('QUERY /api/v2/me HTTP/1.1', ...lines));
      expectError(answer!, 'METHOD_NOT_ALLOWED');
    }
  });

  it('for a path with ids, and 404 for a path that is not there', async () => {
    const [known] = await exchange(port, head('PUT /api/v2/runs/1/records?x=1 HTTP/1.1'));
    expect(known!.headers.get('allow')).toBe('GET, HEAD, POST');
    for (const path of ['/api/v2/runs/1/records/', '/api/v2/runs//records', '/api/v2/nothing', '/']) {
      const [unknown] = await exchange(port, head(`PUT ${path} HTTP/1.1`));
      expectError(unknown!, 'NOT_FOUND');
    }
  });
});

describe('unusual but harmless', () => {
  it.each([
    'localhost',
    'LOCALHOST:3000',
    '127.0.0.1:',
    '[::1]:3000',
    'my_service.local',
    'xn--bcher-kva.example.',
  ])('the Host %s', async (host) => {
    const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const [answer] = await exchange(port, request);
    expect(answer!.status).toBe(200);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const [answer, more] = await exchange(port, head('HEAD /api/v2/projects HTTP/1.1'));
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(Number(answer!.headers.get('content-length'))).toBeGreaterThan(2);
    expect(more).toBeUndefined();
  });

  it('HEAD of a stream of events has its headers, and ends at once', async () => {
    const { api, key } = await app.organization();
    const { id } = await createProject(api);
    const [answer] = await exchange(
      port,
      `HEAD /api/v2/events?projectId=${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(answer!.headers.get('content-type')).toBe('text/event-stream');
  });

  it('HEAD of a file has the headers of GET', async () => {
    const [answer] = await exchange(port, head('HEAD /docs/static/swagger-ui.css HTTP/1.1'));
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(answer!.headers.get('content-type')).toMatch('text/css');
  });

  it('HEAD of what is not there is 404 without a body', async () => {
    const [answer] = await exchange(port, head('HEAD /api/v2/nothing HTTP/1.1'));
    expect(answer).toMatchObject({ status: 404, body: '' });
  });

  it.each([
    '/api/v2/../../etc/passwd',
    '//api/v2/me',
    '/API/v2/me',
    '/api/v2/me/',
    '/api/v2/me;x=1',
    '/docs/../server/src/main.ts',
    '/docs/..%2f..%2fpackage.json',
    '/docs/static/%2e%2e/%2e%2e/package.json',
  ])('404 for the path %s', async (path) => {
    const [answer] = await exchange(port, get(path));
    expectError(answer!, 'NOT_FOUND');
  });

  it('an overlong id is an unknown id', async () => {
    const [answer] = await exchange(port, get(`/api/v2/projects/${'1'.repeat(15_000)}`));
    expectError(answer!, 'NOT_FOUND');
  });

  it('an expectation or an upgrade that is not known is passed over', async () => {
    for (const line of ['Expect: the-unexpected', 'Connection: Upgrade\r\nUpgrade: websocket']) {
      const [answer] = await exchange(port, get('/api/v2/me', line));
      expect(answer!.status).toBe(200);
    }
  });

  it('pipelined requests are answered in the order sent', async () => {
    const run = await createRun(organization.api, (await createProject(organization.api)).id, []);
    const record = JSON.stringify({ inputs: {}, expected: {}, outputs: {} });
    const open = (text: string) => text.replace('Connection: close\r\n', '');
    const create = head(
      `POST /api/v2/runs/${run.id}/records HTTP/1.1`,
      'Content-Type: application/json',
      `Content-Length: ${record.length}`,
    );
    const answers = await exchange(
      port,
      open(get('/api/v2/nothing')) + open(create + record) + open(get('/api/v2/me')) + create + record,
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 201, 200, 201]);
    expect(JSON.parse(answers[1]!.body).id).toBe(`${run.id}-1`);
    expect(JSON.parse(answers[3]!.body).id).toBe(`${run.id}-2`);
    before = await rowsOf(app.db, organization.organizationId);
  });

  it('a client that leaves without reading its answers takes nothing with it', async () => {
    const requests = Array.from({ length: 50 }, () =>
      exchange(port, get('/api/v2/projects').slice(0, -2), { end: true }),
    );
    await Promise.all(requests);
    await ok(organization.api('GET', '/me'));
    await expectNothingWritten();
  });
});
