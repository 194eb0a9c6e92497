import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from './http.ts';
import { openHttp } from './open-http.ts';

const limitMs = 200;
const logged: string[] = [];
let app: App;
let release: () => void;
beforeAll(async () => {
  app = await openHttp(pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }), []);
  app.server.setTimeout(limitMs);
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.post('/slow', async () => {
    await held;
    return 'answered';
  });
  app.get('/endless', (_request, reply) => reply.type('text/plain').send('x'.repeat(50_000_000)));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

/** Sends text over a new connection. */
const open = (text: string) => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  return socket;
};
const head = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;

describe('a connection on which nothing moves', () => {
  it('stays open while the service works on the answer, however long', async () => {
    const socket = open(`${head('POST', '/slow')}Content-Length: 0\r\n\r\n`);
    let received = '';
    socket.on('data', (part) => {
      received += part;
    });
    // The limit passes three times over: there is no event to wait for.
    await sleep(3 * limitMs);
    expect(socket.closed).toBe(false);
    release();
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 200 .*answered$/s);
    expect(logged).toEqual([]);
  });

  it.each([
    [
      'whose client stops in its body',
      `${head('POST', '/slow')}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a`,
    ],
    ['whose client does not read its answer', `${head('GET', '/endless')}\r\n`],
  ])('is closed, with a line in the log: one %s', async (_, text) => {
    logged.length = 0;
    const socket = open(text);
    socket.on('error', () => {});
    await expect.poll(() => logged.length, { timeout: 20 * limitMs }).toBe(1);
    expect(logged[0]).toContain('a connection on which nothing moved was closed');
    socket.destroy();
  });
});
