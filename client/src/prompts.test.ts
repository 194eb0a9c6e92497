import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { openPrompts } from './prompts.ts';

let app: TestApp;
let own: Organization;
let projectId: string;
let systemId: string;
let first: string;
let second: string;
let now = 0;
let statuses: number[] = [];
let isAway = false;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
  projectId = (await createProject(own.api)).id;
  const body = { name: 'Support / EU', config: { promptTemplate: 'A', modelName: 'fake/a' } };
  const made = await ok(own.api('POST', `/projects/${projectId}/systems`, body), 201);
  systemId = made.id;
  first = made.productionVersion.id;
  const next = { config: { promptTemplate: 'B', modelName: 'fake/a' } };
  second = (await ok(own.api('POST', `/systems/${systemId}/versions`, next))).id;
});
afterAll(() => app.close());

const open = async () => {
  statuses = [];
  const counted: typeof fetch = async (...args) => {
    if (isAway) throw new TypeError('fetch failed');
    const response = await fetch(...args);
    statuses.push(response.status);
    return response;
  };
  return openPrompts({ baseUrl: await app.url(), apiKey: own.key, fetch: counted, clock: () => now });
};
const promote = (systemVersionId: string) =>
  ok(own.api('PUT', `/systems/${systemId}/labels/production`, { systemVersionId }));

it('serves from its cache, renews in the background, and has a moved label after its age', async () => {
  await promote(first);
  const prompts = await open();
  const get = () => prompts.get(projectId, 'Support / EU');
  const together = await Promise.all([get(), get(), get()]);
  expect(together.map(({ id }) => id)).toEqual([first, first, first]);
  expect(statuses).toEqual([200]);
  now += 59_999;
  await get();
  expect(statuses).toEqual([200]);
  now += 1;
  await get();
  await expect.poll(() => statuses).toEqual([200, 304]);
  await promote(second);
  now += 60_000;
  expect((await get()).id).toBe(first);
  await expect.poll(async () => (await get()).id).toBe(second);
  expect(statuses).toEqual([200, 304, 200]);
});

it('keeps the version while the service is away, and throws when it has none', async () => {
  const prompts = await open();
  const { id } = await prompts.get(projectId, 'Support / EU', 'latest');
  isAway = true;
  now += 60_000;
  expect((await prompts.get(projectId, 'Support / EU', 'latest')).id).toBe(id);
  await expect(prompts.get(projectId, 'Support / EU')).rejects.toMatchObject({ code: 'NO_ANSWER' });
  isAway = false;
  await expect(prompts.get(projectId, 'Support / EU', 'nowhere')).rejects.toMatchObject({ status: 404 });
});
