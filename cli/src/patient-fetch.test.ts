import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { patientFetch } from './patient-fetch.ts';

/** Where the fetch of Node keeps what it connects with. */
const dispatcher = Symbol.for('undici.globalDispatcher.1');
type Dispatchers = { [dispatcher]: { constructor: new (limits: object) => object } };
const dispatchers = globalThis as unknown as Dispatchers;

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));
let url: string;
let usual: Dispatchers[typeof dispatcher];
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  answer = (_, response) => response.end();
  await fetch(url);
  usual = dispatchers[dispatcher];
});
afterEach(() => {
  dispatchers[dispatcher] = usual;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('outlasts the limit of the fetch of Node', async () => {
  // The timer of that limit looks once or twice a second.
  answer = async (_, response) => {
    await delay(1300);
    response.end('{"a":1}');
  };
  dispatchers[dispatcher] = new usual.constructor({ headersTimeout: 100 }) as typeof usual;
  const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  await expect(fetch(url, init)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  expect(await (await patientFetch(url, init)).json()).toEqual({ a: 1 });
});

it('sends method, headers and body, gives status and headers, and follows a redirect', async () => {
  answer = async (request, response) => {
    const { method, headers } = request;
    if (request.url === '/moved') return response.writeHead(307, { location: '/' }).end();
    response.writeHead(409, { 'content-type': 'application/json', 'x-told': ['a', 'b'] });
    return response.end(JSON.stringify({ method, said: await text(request), key: headers['x-key'] }));
  };
  const body = '{"ä":9007199254740993}';
  for (const path of ['', 'moved']) {
    const response = await patientFetch(`${url}${path}`, { method: 'PUT', body, headers: { 'x-key': 'k' } });
    expect([response.status, response.headers.get('x-told')]).toEqual([409, 'a, b']);
    expect(await response.json()).toEqual({ method: 'PUT', said: body, key: 'k' });
  }
  const stream = new Response('a stream').body;
  const streamed = await patientFetch(url, { method: 'POST', body: stream });
  expect(await streamed.json()).toMatchObject({ said: 'a stream' });
});

it('ends with the reason of its signal, and names what a connection lacks', async () => {
  answer = () => {};
  const signal = AbortSignal.timeout(50);
  await expect(patientFetch(url, { method: 'POST', body: '', signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  await expect(patientFetch('http://127.0.0.1:1/', { method: 'POST', body: '' })).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  });
});
