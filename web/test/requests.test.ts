import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createTestset, ok } from '../../server/test/fixtures.ts';
import { fill, settled } from './screens/look.ts';
import { openWorld } from './screens/world.ts';
import type { Visitor } from './site.ts';

// A page asks once. What it shows together comes together: a request for each row, or a second one for what is known, is a defect.

/** The most requests of the main pages, below their project. */
const budgets: Record<string, number> = {
  '/': 8,
  '/records': 6,
  '/records/$recordId': 9,
  '/runs': 10,
  // One more than before 0248: the registered decisions that it may answer.
  '/runs/$runId': 9,
  // One more than before 0244: how often the testset was looked at.
  // And one more than before 0248: the registered decisions whose baseline it is about.
  '/compare?runs=$comparedRuns': 8,
  '/report?runs=$comparedRuns': 6,
  '/review': 4,
  // One more than before 0260: the numbers of its splits and tags. One more since 0273: its sealed splits.
  '/testsets/$testsetId': 6,
  // One more than before 0267: who created them.
  '/metrics': 6,
  // One more than before 0250: how far people agree with the prompt stands beside it.
  '/metrics/$metricId': 11,
  '/metrics/$metricId/judge': 10,
  '/systems/$systemId': 4,
  '/traces': 5,
  '/dashboard': 7,
  '/checks': 7,
};

/** Longer than a stream takes to tell a change, and a table to gather changes before it reads again. */
const quietMs = 2_500;

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.site.close());

/** The requests of a page that is opened in a new tab, by method and address, until it asks no more. Streams do not count. */
const requestsOf = async ({ page }: Visitor, url: string): Promise<string[]> => {
  const asked: string[] = [];
  let last = performance.now();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/api/v2/') || request.resourceType() === 'eventsource') return;
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
  await ok(site.api('PATCH', `/runs/${ids.runId}/details`, { notes: 'Looked at.' }));
  await ok(site.api('PATCH', `/projects/${ids.projectId}`, { description: 'Looked at.' }));
};

it('each main page asks what it shows once, within its budget, also when something was written just before', async () => {
  const { site, ids, desk } = world;
  // The newest run has a rescoring that makes progress, so its page is read again and again.
  const settledIds = { ...ids, runId: ids.comparedRuns!.split(',')[0]! };
  // No model answers its drift trial, so the page of the judge would be read again and again.
  await ok(site.api('DELETE', `/metrics/${ids.metricId}/pinned-set`));
  await writeSomething();
  const found: Record<string, { asked: string[]; twice: string[] }> = {};
  const queue = Object.keys(budgets);
  const visit = async () => {
    const visitor = await site.visitor();
    await visitor.context.addCookies(await desk.context.cookies());
    for (let path = queue.shift(); path; path = queue.shift()) {
      const page = await visitor.context.newPage();
      const asked = await requestsOf({ ...visitor, page }, fill(`/projects/$projectId${path}`, settledIds));
      await page.close();
      const twice = asked.filter((each, i) => asked.indexOf(each) < i);
      found[path] = { asked, twice };
    }
  };
  await Promise.all([visit(), visit(), visit(), visit()]);
  expect(Object.fromEntries(Object.entries(found).filter(([, { twice }]) => twice.length > 0))).toEqual({});
  const isOver = ([path, { asked }]: [string, { asked: string[] }]) => asked.length > budgets[path]!;
  expect(Object.entries(found).filter(isOver)).toEqual([]);
}, 300_000);
