import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { startApp } from '../test/harness.ts';
import { closeApp } from './close-app.ts';

it('cuts off a client that never ends its request, and ends', async () => {
  const test = await startApp({});
  const { key } = await test.organization();
  const sending = request(`${await test.url()}/api/v2/projects`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': 1_000,
      expect: '100-continue',
    },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.write(' ');
  const cutOff = once(sending, 'error');
  await closeApp(test.app, 100);
  expect(await cutOff).toMatchObject([{ code: 'ECONNRESET' }]);
  await test.close();
});
