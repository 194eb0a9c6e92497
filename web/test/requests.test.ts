import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createTestset, ok } from '../../server/test/fixtures.ts';
import { fill, settled, siteMap } from './screens/look.ts';
import { openWorld } from './screens/world.ts';
import type { Visitor } from './site.ts';

// A page asks once. What it shows together comes together: a request for each row, or a second one for what is known, is a defect.

/** The most requests of each page of a project and of the settings. */
const budgets: Record<string, number> = {};

/** Longer than a stream takes to tell a change, and a table to gather changes before it reads again. */
const quietMs = 2_500;

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.site.close());

/** The requests of a page that is opened anew, by method and address, until it asks no more. Streams are none. */
const requestsOf = async ({ page }: Visitor, url: string): Promise<string[]> => {
  const asked: string[] = [];
  let last = performance.now();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/api/v2/') || pathname.endsWith('/events')) return;
    asked.push(`${request.method()} ${pathname.slice('/api/v2'.length)}${search}`);
    last = performance.now();
  });
  await page.goto(url);
  await settled(page);
  while (performance.now() - last < quietMs) await setTimeout(100);
  return asked;
};

/** Something of each kind that the pages follow. */
const writeSomething = async () => {
  const { site, ids } = world;
  await createMetric(site.api, ids.projectId!, { evalType: 'human', outputType: 'boolean' });
  await createTestset(site.api, ids.projectId!);
  await ok(site.api('POST', `/records/${ids.recordId}/tags`, { text: 'looked at' }), 201);
  await ok(site.api('PUT', `/runs/${ids.runId}/notes`, { notes: 'Looked at.' }));
  await ok(site.api('PATCH', `/projects/${ids.projectId}`, { description: 'Looked at.' }));
};

it('every page asks what it shows once, also when something was written just before', async () => {
  const { site, ids, desk } = world;
  const paths = [
    ...(await siteMap()).filter((path) => !/^\/(sign-in$|welcome$|guide)/.test(path)),
    '/projects/$projectId/compare?runs=$comparedRuns',
    '/projects/$projectId/report?runs=$comparedRuns',
  ];
  await writeSomething();
  const found: Record<string, { requests: number; twice: string[] }> = {};
  const queue = [...paths];
  const visit = async () => {
    const visitor = await site.visitor();
    await visitor.context.addCookies(await desk.context.cookies());
    for (let path = queue.shift(); path; path = queue.shift()) {
      const page = await visitor.context.newPage();
      const asked = await requestsOf({ ...visitor, page }, fill(path, ids));
      await page.close();
      const twice = asked.filter((each, i) => asked.indexOf(each) < i);
      found[path] = { requests: asked.length, twice };
      if (process.env.WEB_TEST_REQUESTS) console.log(path, asked.length, asked.join('\n   '));
    }
  };
  await Promise.all([visit(), visit(), visit(), visit()]);
  expect(Object.keys(found).filter((path) => found[path]!.twice.length > 0)).toEqual([]);
  expect(Object.fromEntries(Object.entries(found).map(([path, { requests }]) => [path, requests]))).toEqual(budgets);
}, 300_000);
