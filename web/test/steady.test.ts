import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMany, createRealistic } from './realistic.ts';
import { openSite, type Site, type Visitor } from './site.ts';

// Content that someone reads, edits or is about to click does not move while the rest of the page loads.

let site: Site;
let visitor: Visitor;
let project: string;
let many: string;
let ids: Awaited<ReturnType<typeof createRealistic>>;
let manyRunId: string;

/** Answers come apart, and not in the order in which they were asked for. */
const delays = [340, 20, 260, 120, 400, 60, 200];

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('admin');
  const me = await (await visitor.context.request.get('/api/v2/me')).json();
  ids = await createRealistic(site.api, me.user.id);
  const crowd = await createMany(site.api, 20);
  manyRunId = crowd.runId;
  project = `/projects/${ids.projectId}`;
  many = `/projects/${crowd.projectId}`;
  let asked = 0;
  await visitor.context.route('**/api/v2/**', async (route) => {
    asked += 1;
    await setTimeout(delays[asked % delays.length]);
    await route.fallback().catch(() => {});
  });
  await visitor.page.addInitScript(`
    globalThis.moves = [];
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        moves.push({ value, what: sources.map(({ node }) => node?.textContent.slice(0, 60)).join(' | ') });
    }).observe({ type: 'layout-shift', buffered: true });
  `);
}, 120_000);
afterAll(() => site.close());

/** Layout shift of the page until all of it has loaded: share of the screen times distance, summed. */
const movesOn = async (path: string): Promise<{ sum: number; what: string[] }> => {
  const { page } = visitor;
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => {
    const { dataset } = document.documentElement;
    if (document.querySelector('.skeleton')) delete dataset.wholeSince;
    else dataset.wholeSince ??= String(performance.now());
    return performance.now() - Number(dataset.wholeSince ?? performance.now()) > 600;
  });
  const moves = (await page.evaluate('moves')) as { value: number; what: string }[];
  return { sum: moves.reduce((sum, { value }) => sum + value, 0), what: moves.map(({ what }) => what) };
};

describe('nothing moves while it comes', () => {
  const pages: [name: string, path: () => string][] = [
    ['the home of a project', () => project],
    ['the home of a project with more metrics than it shows', () => many],
    ['the list of runs', () => `${project}/runs`],
    ['a run: failures, slices, rescorings and notes', () => `${project}/runs/${ids.runIds.at(-1)}`],
    ['a run of many metrics', () => `${many}/runs/${manyRunId}`],
    ['a new run', () => `${project}/runs/new`],
    ['a new metric', () => `${project}/metrics/new`],
    ['a record that people score', () => `${project}/records/${ids.recordId}`],
    ['the review queue', () => `${project}/review?metric=${ids.humanMetricId}`],
    ['two runs compared, changed answers and all', () => `${project}/compare?runs=${ids.runIds.slice(0, 2)}`],
    ['a metric', () => `${project}/metrics/${ids.humanMetricId}`],
  ];
  it.each(pages)('on %s', async (_name, path) => {
    const { sum, what } = await movesOn(path());
    // A word that grows by a pixel is not a jump; a field that slides down by its height is more than this.
    expect(sum, what.join('\n')).toBeLessThan(0.001);
  });
});

it('notes of a run that are being written are there after a reload', async () => {
  const { page } = visitor;
  await page.goto(`${project}/runs/${ids.runIds[0]}`);
  const notes = page.getByRole('textbox', { name: 'Notes' });
  await notes.fill('Half a thought');
  await page.reload();
  await expect.poll(() => notes.inputValue()).toBe('Half a thought');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => notes.inputValue()).toBe('');
  await page.reload();
  await notes.waitFor();
  expect(await notes.inputValue()).toBe('');
});
