import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from './main.ts';
import { delayMs, retryAfterMs } from './retry.ts';

type Reply = { status: number; headers?: Record<string, string>; body?: string } | 'hang up' | 'break off';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts a server that gives these replies one after the other, and collects its requests. */
const replying = async (...replies: Reply[]) => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const reply = replies.shift() ?? { status: 500 };
    if (reply === 'hang up') {
      request.socket.destroy();
      return;
    }
    if (reply === 'break off') {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"id":', () => request.socket.destroy());
      return;
    }
    response.writeHead(reply.status, reply.headers).end(reply.body ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
};

const atOnce = { 'retry-after': '0' };
const made = { status: 201, body: '{"id":"1"}' };
const project = { name: 'P', description: '' };

describe('a request with a transient failure', () => {
  it('is sent again with the same Idempotency-Key; another call has another key', async () => {
    const { baseUrl, requests } = await replying({ status: 503, headers: atOnce }, made, made);
    const client = createClient({ baseUrl });
    expect(await client.createProject(project)).toEqual({ id: '1' });
    await client.createProject(project);
    const keys = requests.map((request) => request.headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it.each<Reply>(['hang up', 'break off', { status: 502, headers: atOnce, body: '<html>' }])(
    'is sent again after %o',
    async (reply) => {
      const { baseUrl } = await replying(reply, made);
      expect(await createClient({ baseUrl }).createProject(project)).toEqual({ id: '1' });
    },
  );

  it('throws the last answer after the given number of retries', async () => {
    const body = '{"code":"UNAVAILABLE","message":"The database is unavailable.","details":{}}';
    const replies = Array.from({ length: 9 }, () => ({ status: 503, headers: atOnce, body }));
    const { baseUrl, requests } = await replying(...replies);
    const call = createClient({ baseUrl, retries: 2 }).getMe();
    await expect(call).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    expect(requests).toHaveLength(3);
  });

  it('throws the reason if no answer came', async () => {
    const { baseUrl } = await replying('hang up');
    await expect(createClient({ baseUrl, retries: 0 }).getMe()).rejects.toMatchObject({
      code: 'NO_ANSWER',
      status: undefined,
      message: expect.stringContaining(`${baseUrl} does not answer`),
    });
  });

  it('waits as long as Retry-After says', async () => {
    const { baseUrl, requests } = await replying({ status: 429, headers: { 'retry-after': '1' } }, made);
    const began = performance.now();
    await createClient({ baseUrl }).createProject(project);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    expect(requests).toHaveLength(2);
  });

  it("ends with the signal's reason while it waits", async () => {
    const { baseUrl, requests } = await replying({ status: 429, headers: { 'retry-after': '30' } });
    const stop = new AbortController();
    const call = createClient({ baseUrl }).getMe({ signal: stop.signal });
    await expect.poll(() => requests.length).toBe(1);
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});

it.each([400, 401, 403, 404, 409, 413])('%i is not sent again', async (status) => {
  const { baseUrl, requests } = await replying({ status, body: 'plain text' });
  await expect(createClient({ baseUrl }).getMe()).rejects.toMatchObject({ code: `HTTP_${status}`, status });
  expect(requests).toHaveLength(1);
});

describe('delays', () => {
  it('double up to eight seconds and are spread over their upper half', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const full = Math.min(250 * 2 ** attempt, 8_000);
        const delay = delayMs(attempt, undefined, random);
        expect(delay).toBeGreaterThanOrEqual(full / 2);
        expect(delay).toBeLessThanOrEqual(full);
      }),
    );
  });

  it('Retry-After is read as seconds or as a date, up to a minute', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(retryAfterMs('3', now)).toBe(3_000);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000);
    expect(retryAfterMs('Thu, 01 Jan 2025 00:00:05 GMT', now)).toBe(0);
    expect(retryAfterMs('86400', now)).toBe(60_000);
    expect(retryAfterMs('soon', now)).toBeUndefined();
    expect(retryAfterMs(null, now)).toBeUndefined();
    expect(delayMs(5, 1_234, 0.5)).toBe(1_234);
  });
});

it('a request that waits for a model has an hour, and is not sent again when its time is over', async () => {
  let calls = 0;
  const fetch = async () => {
    calls++;
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error('late'), { code: 'UND_ERR_HEADERS_TIMEOUT' }),
    });
  };
  const limit = vi.spyOn(AbortSignal, 'timeout');
  const client = createClient({ baseUrl: 'http://localhost', fetch, retries: 1 });
  await expect(client.testProvider('1', { modelName: 'm' })).rejects.toMatchObject({ code: 'NO_ANSWER' });
  expect([calls, limit.mock.lastCall]).toEqual([1, [3_600_000]]);
  await expect(client.getMe()).rejects.toMatchObject({ code: 'NO_ANSWER' });
  expect([calls, limit.mock.lastCall]).toEqual([3, [60_000]]);
  limit.mockRestore();
});
