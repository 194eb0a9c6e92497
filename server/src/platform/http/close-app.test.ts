import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import { createProject, createRun, ok } from '../../../test/fixtures.ts';
import { startApp } from '../../../test/harness.ts';
import { closeApp } from './close-app.ts';

it('cuts off a client that never ends its request, and closes', async () => {
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

it('sends all of an answer that its client reads slowly', async () => {
  const test = await startApp({});
  const { key, api } = await test.organization();
  const { id } = await createRun(api, (await createProject(api)).id, []);
  const outputs = { text: 'x'.repeat(14_000_000) };
  await ok(api('POST', `/runs/${id}/records`, { inputs: {}, expected: {}, outputs }), 201);
  const asked = get(`${await test.url()}/api/v2/runs/${id}/records`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const closing = closeApp(test.app, 20_000);
  let length = 0;
  for await (const chunk of answer) length += (chunk as Buffer).length;
  expect(length).toBe(Number(answer.headers['content-length']));
  await closing;
  await test.close();
});
