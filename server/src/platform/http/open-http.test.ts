import { Readable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openHttp } from './open-http.ts';

it('HEAD closes the stream that GET would send, instead of reading it', async () => {
  const app = await openHttp(pino({ level: 'silent' }), []);
  const stream = new Readable({ read: () => {} });
  app.get('/endless', (_request, reply) => reply.type('text/event-stream').send(stream));
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/endless' });
  expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/event-stream', '']);
  expect(stream.destroyed).toBe(true);
  await app.close();
});

it('no browser or proxy keeps an answer, and it tells to come back by https where its address is', async () => {
  for (const isHttps of [false, true]) {
    const app = await openHttp(pino({ level: 'silent' }), [], { isHttps });
    app.post('/', (_request, reply) => reply.json('{}'));
    app.get('/kept', (_request, reply) => reply.header('cache-control', 'public').send('kept'));
    const { headers } = await app.inject({ method: 'POST', url: '/' });
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['strict-transport-security']).toBe(isHttps ? 'max-age=31536000' : undefined);
    expect((await app.inject({ url: '/kept' })).headers['cache-control']).toBe('public');
    expect((await app.inject({ url: '/none' })).headers['cache-control']).toBe('no-store');
    await app.close();
  }
});
