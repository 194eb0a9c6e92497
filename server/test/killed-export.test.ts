import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, createRun, ok } from './fixtures.ts';
import type { Client } from './harness.ts';
import { callService, createStorage, endServices, type Service, startService } from './service.ts';

const key = `ak_${'killed-export'.repeat(3)}`;
let storage: Awaited<ReturnType<typeof createStorage>>;
let service: Service;

const start = async () => {
  service = await startService({ ...storage.settings, DOKIMA_BOOTSTRAP_API_KEY: key, DOKIMA_WORKERS: '0' });
};
const api: Client = async (method, path, body, { headers = {} } = {}) => {
  const answer = await callService({ url: service.url, key }, method, path, body, headers);
  return { ...answer, text: JSON.stringify(answer.body), headers: {} };
};

beforeAll(async () => {
  storage = await createStorage();
  await start();
});
afterAll(async () => {
  await endServices();
  await storage.remove();
});

const exportOf = (projectId: string) =>
  fetch(`${service.url}/api/v2/projects/${projectId}/archive`, {
    headers: { authorization: `Bearer ${key}` },
  });

it('an export whose service is killed ends as a broken answer, never as a short archive, and what came is refused', async () => {
  const { id } = await createProject(api);
  const run = await createRun(api, id, []);
  // Random, so that it is not small when it is compressed; more than connections and readers hold.
  const text = () => Array.from({ length: 40_000 }, () => Math.random().toString(36).slice(2)).join('');
  for (let i = 0; i < 40; i++)
    await ok(
      api('POST', `/runs/${run.id}/records`, { inputs: { text: text() }, outputs: {}, expected: {} }),
      201,
    );
  const answer = await exportOf(id);
  expect(answer.status).toBe(200);
  const reader = answer.body!.getReader();
  const got = [(await reader.read()).value!];
  await service.end('SIGKILL');
  const readRest = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'whole';
      got.push(value);
    }
  };
  await expect(readRest()).rejects.toThrow();
  await start();
  const target = await createProject(api);
  const imported = await fetch(`${service.url}/api/v2/projects/${target.id}/archive`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: Buffer.concat(got),
  });
  expect(imported.status).toBe(400);
  expect((await ok(api('GET', `/projects/${target.id}/records`))).data).toEqual([]);
  const whole = (await (await exportOf(id)).text()).trim().split('\n');
  expect(JSON.parse(whole.at(-1)!)).toHaveProperty('part', 'end');
});
