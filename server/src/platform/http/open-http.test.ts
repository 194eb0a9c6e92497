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
