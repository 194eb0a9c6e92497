import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { createMonitor } from '../../server/test/monitors.ts';
import { newTraceId, post, requestOf, spanId } from '../../server/test/otlp.ts';
import { agentTrace, finalAnswer } from './agent-trace.ts';
import { createMany, createRealistic } from './realistic.ts';
import { openSite, type Site, type Visitor } from './site.ts';

// Every screen with the data that people have, in both themes: looked at by axe, and photographed for those who look themselves.

const screenshots = new URL('../screenshots/', import.meta.url);
const themes = ['light', 'dark'] as const;

let site: Site;
let desk: Visitor;
let phone: Visitor;
/** What stands for the parameters of the site map. */
type Ids = Record<string, string>;
let ids: Ids;
let empty: Ids;
let many: Ids;
let traced: Ids;

beforeAll(async () => {
  site = await openSite();
  desk = await site.member('admin');
  phone = await site.visitor({ viewport: { width: 390, height: 844 } });
  // Given once to a browser, which runs it on each page: its 650 KB were sent twice a screen, and took as long as what it does.
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await Promise.all([desk, phone].map(({ page }) => page.addInitScript({ path: axe })));
  await phone.context.addCookies(await desk.context.cookies());
  const me = await (await desk.context.request.get('/api/v2/me')).json();
  const { runIds, ...realistic } = await createRealistic(site.api, me.user.id);
  ids = {
    ...realistic,
    runId: runIds.at(-1)!,
    comparedRuns: runIds.slice(0, 2).join(),
    allRuns: runIds.join(),
  };
  empty = { projectId: (await createProject(site.api)).id };
  many = await createMany(site.api, 60);
  ids.monitorId = (await createMonitor(site.api, ids.projectId!, [ids.metricId!])).id;
  const traceId = newTraceId();
  const spans = requestOf(agentTrace(traceId), {
    'dokima.project_id': ids.projectId!,
    'service.name': 'weather',
  });
  await post(site.app, site.organization.key, spans);
  const turns = ['Where is my order?', 'And when does it come?'].map((question, i) => ({
    ...{ traceId: newTraceId(), n: 1, name: 'answer', at: i * 60_000, ms: 1_400 },
    attributes: {
      ...{ 'session.id': 'visit-42', 'user.id': 'ada@example.com', 'gen_ai.operation.name': 'chat' },
      ...{
        'gen_ai.request.model': 'small',
        'gen_ai.usage.input_tokens': 820,
        'gen_ai.usage.output_tokens': 64,
      },
      ...{ 'gen_ai.usage.cost': 0.0021, 'input.value': question, 'output.value': 'It is on its way to you.' },
    },
  }));
  const session = requestOf(turns, { 'dokima.project_id': ids.projectId!, 'service.name': 'shop' });
  await post(site.app, site.organization.key, session);
  ids.sessionId = 'visit-42';
  const { data } = await ok(site.api('GET', `/projects/${ids.projectId}/spans?traceId=${traceId}`));
  traced = {
    ...{ projectId: ids.projectId!, recordId: data[0].recordId, traceId },
    span: `${traceId}-${spanId(3)}`,
  };
  const passage = { path: '/output/0/content', start: finalAnswer.indexOf('sunny'), text: 'sunny' };
  const said = { rating: true, comment: 'Well put.', spanId: spanId(10), passage };
  await ok(site.api('POST', `/records/${traced.recordId}/annotations`, said), 201);
}, 120_000);
afterAll(() => site.close());

/** The paths of the site map, as `paths.ts` links to them. */
const siteMap = async (): Promise<string[]> => {
  const source = await readFile(new URL('../src/routes.tsx', import.meta.url), 'utf8');
  const routes = new Map(
    [...source.matchAll(/const (\w+) = createRoute\(\{(.*?)(?: |\n)\}\);\n/gs)].map(([, name, body]) => [
      name!,
      {
        parent: /getParentRoute: \(\) => (\w+)/.exec(body!)![1]!,
        path: /path: '([^']*)'/.exec(body!)?.[1] ?? '',
        isScreen: /component: lazy|component: \w+Page/.test(body!),
      },
    ]),
  );
  const pathOf = (name: string): string => {
    const route = routes.get(name);
    return route ? `${pathOf(route.parent)}${route.path}`.replace('//', '/') : '';
  };
  return [...routes].filter(([, { isScreen }]) => isScreen).map(([name]) => pathOf(name));
};

/** Waits until nothing on the page stands for what is still to come. */
const settled = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => {
    const now = performance.now();
    const isWhole = document.fonts.status === 'loaded' && !document.querySelector('.skeleton');
    // One part asks after another has come, so it must stay so for a while.
    const { dataset } = document.documentElement;
    if (!isWhole) delete dataset.wholeSince;
    else dataset.wholeSince ??= String(now);
    return now - Number(dataset.wholeSince ?? now) > 250;
  });
};

/** What axe finds, a line each: the rule, the element, why. */
const violationsOn = async (page: Page, rules: readonly string[] | undefined): Promise<string[]> => {
  const experimental = { 'label-content-name-mismatch': { enabled: true } };
  const options = {
    ...(rules ? { runOnly: rules } : { rules: experimental }),
    // What passes is most of a page, and a selector for each of its elements takes longer than the rules themselves.
    resultTypes: ['violations'],
    selectors: false,
  };
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as AxeResults['violations'];
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, any, all }) => {
      const why = [...any, ...all].map(({ message }) => message).join(' ');
      return `${id}: ${html.slice(0, 200)} ${why.slice(0, 200)}`;
    }),
  );
};

/** The screen in both themes: photographed, and what axe finds. The second theme has the same elements in other colours. */
const look = async (page: Page, name: string): Promise<string[]> => {
  const found: string[] = [];
  for (const theme of themes) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await mkdir(new URL(theme, screenshots), { recursive: true });
    await page.screenshot({ path: new URL(`${theme}/${name}.png`, screenshots).pathname });
    const violations = await violationsOn(page, theme === 'dark' ? ['color-contrast'] : undefined);
    found.push(...violations.map((violation) => `${name}, ${theme}: ${violation}`));
  }
  return found;
};

const nameOf = (path: string) => path.replaceAll(/\$|^\/|\/$/g, '').replaceAll(/[/?&=]/g, '-') || 'start';
const fill = (path: string, values: Ids) =>
  path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (!value) throw new Error(`Say in createRealistic what stands for $${name} of ${path}.`);
    return value;
  });

/** What the sheet of keys lists on a page: its parts, each with what its keys do. */
const sheetOf = async (page: Page): Promise<Record<string, string[]>> => {
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
  await dialog.getByRole('heading', { name: 'Everywhere' }).waitFor();
  const sections = await dialog.locator('section').all();
  const parts = await Promise.all(
    sections.map(async (section) => [
      await section.getByRole('heading').textContent(),
      await section.getByRole('definition').allTextContents(),
    ]),
  );
  return Object.fromEntries(parts);
};

/** The screens that listen to keys of their own, and what the sheet calls those. */
const ownKeys: Record<string, string[]> = {
  '/projects/$projectId/records': ['Records'],
  '/projects/$projectId/records/$recordId': ['A record'],
  '/projects/$projectId/review': ['Review'],
  '/projects/$projectId/testsets/$testsetId': ['Testcases'],
  '/projects/$projectId/metrics/new': ['A metric'],
  '/projects/$projectId/metrics/$metricId': ['A metric'],
  '/projects/$projectId/traces': ['Traces'],
};

describe('axe finds nothing, and everything is photographed', () => {
  /** Opens each path and looks; `prefix` names the pictures apart. Says all that is found, not only the first. */
  const tour = async (
    { page }: Visitor,
    prefix: string,
    paths: readonly string[],
    values: Ids,
    andThen = async (_path: string) => {},
  ) => {
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(fill(path, values));
      await settled(page);
      found.push(...(await look(page, `${prefix}${nameOf(path)}`)));
      await andThen(path);
    }
    return found;
  };

  it('on each screen of the site map, with the data of a week; its sheet of keys lists those of that screen, and of every screen', async () => {
    const compared = '/projects/$projectId/compare?runs=$comparedRuns';
    const ranked = '/projects/$projectId/compare?runs=$allRuns&by=metadata.topic';
    const report = '/projects/$projectId/report?runs=$comparedRuns';
    const started = '/projects/$projectId/runs/new?testset=$testsetId';
    const screens = await siteMap();
    const withKeys = screens.filter((path) => !/^\/(sign-in|welcome)$/.test(path));
    expect(withKeys).toEqual(expect.arrayContaining(Object.keys(ownKeys)));
    const sheets = new Map<string, Record<string, string[]>>();
    const readSheet = async (path: string) => {
      if (withKeys.includes(path)) sheets.set(path, await sheetOf(desk.page));
    };
    expect(await tour(desk, '', [...screens, compared, ranked, report, started], ids, readSheet)).toEqual([]);

    expect([...sheets.keys()]).toEqual(withKeys);
    for (const [path, { Everywhere: everywhere, ...parts }] of sheets) {
      expect({ path, parts: Object.keys(parts) }).toEqual({ path, parts: ownKeys[path] ?? [] });
      expect(everywhere, path).toContain('Keyboard shortcuts');
      for (const rows of Object.values(parts)) expect(rows.length, path).toBeGreaterThan(0);
    }
  }, 600_000);

  it('in a project where nothing is yet', async () => {
    const paths = (await siteMap()).filter((path) => /^\/projects\/\$projectId(?!.*\$.*Id)/.test(path));
    expect(paths.length).toBeGreaterThan(5);
    expect(await tour(desk, 'empty-', paths, empty)).toEqual([]);
  }, 600_000);

  it('with 60 metrics', async () => {
    const paths = ['', '/runs', '/runs/$runId', '/records', '/metrics'];
    const found = await tour(
      desk,
      'many-',
      paths.map((path) => `/projects/$projectId${path}`),
      many,
    );
    expect(found).toEqual([]);
    // The tour ends on the metrics: their table needs no scrolling to the side, whatever they are called.
    const table = desk.page.getByRole('table', { name: 'Metrics' });
    expect(
      await table.evaluate((element) => {
        const frame = element.parentElement!;
        return frame.scrollWidth - frame.clientWidth;
      }),
    ).toBe(0);
  }, 600_000);

  it('on a phone', async () => {
    const ofProject = [
      ...['', '/review', '/records/$recordId', '/records', '/runs', '/runs/$runId'],
      ...['/sessions', '/sessions/$sessionId', '/users'],
      ...['/metrics/$metricId/judge', '/plan', '/gate', '/dashboard', '/monitors/$monitorId'],
    ];
    const decisions = [
      '/compare?runs=$allRuns&by=metadata.topic',
      '/compare?runs=$comparedRuns',
      '/report?runs=$comparedRuns',
    ];
    const paths = [...ofProject, ...decisions].map((path) => `/projects/$projectId${path}`);
    for (const path of [...paths, '/settings/members', '/settings/keys']) {
      const found = await tour(phone, 'phone-', [path], ids);
      expect(found).toEqual([]);
      // Nothing is wider than the screen: a page that slides sideways can't be read with a thumb.
      expect(await phone.page.evaluate('document.documentElement.scrollWidth'), path).toBe(390);
    }
  }, 600_000);

  it('on the parts of a record with a trace, at a desk and on a phone', async () => {
    const paths = ['conversation', 'timeline', 'spans', 'timeline&span=$span', 'spans&span=$span'].map(
      (tab) => `/projects/$projectId/records/$recordId?tab=${tab}`,
    );
    expect(
      await tour(
        desk,
        'trace-',
        [
          ...paths,
          '/projects/$projectId/traces?open=$span&every=yes',
          '/projects/$projectId/traces?open=$traceId',
          '/projects/$projectId/traces?q=latncy:>2s',
        ],
        traced,
      ),
    ).toEqual([]);
    for (const path of [
      ...paths,
      '/projects/$projectId/traces',
      '/projects/$projectId/traces?open=$traceId',
    ]) {
      expect(await tour(phone, 'phone-trace-', [path], traced)).toEqual([]);
      expect(await phone.page.evaluate('document.documentElement.scrollWidth'), path).toBe(390);
    }
  }, 300_000);

  it('on what opens over a page', async () => {
    const { page } = desk;
    const runs = `/projects/${ids.projectId}/runs`;
    const dialogs = [
      { name: 'palette', path: runs, open: () => page.keyboard.press('Control+k') },
      { name: 'keys', path: runs, open: () => page.keyboard.press('?') },
      {
        name: 'add-to-testset',
        path: `/projects/${traced.projectId}/records/${traced.recordId}`,
        open: () => page.getByRole('button', { name: 'Add to testset' }).click(),
      },
    ];
    for (const { name, path, open } of dialogs) {
      await page.goto(path);
      await settled(page);
      await open();
      await page.getByRole('dialog').waitFor();
      await settled(page);
      expect(await look(page, `over-${name}`)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  }, 600_000);

  it('on the search, while it offers what can be written', async () => {
    const { page } = desk;
    for (const [name, path, words] of [
      ['search-records', `/projects/${ids.projectId}/records`, 's'],
      ['search-sorted', `/projects/${ids.projectId}/records?q=sort:-latency`, 'latency:>1s sc'],
    ] as const) {
      await page.goto(path);
      await settled(page);
      await page.getByRole('combobox', { name: 'Search records' }).fill(words);
      await page.getByRole('listbox', { name: 'Search help' }).waitFor();
      expect(await look(page, `over-${name}`)).toEqual([]);
    }
  }, 600_000);
});

it('the sheet of keys lists what a trace and its timeline listen to, the arrow keys of the tree too', async () => {
  const { page } = desk;
  const record = `/projects/${traced.projectId}/records/${traced.recordId}`;
  const sheetOn = async (path: string) => {
    await page.goto(path);
    await settled(page);
    return sheetOf(page);
  };
  const timeline = await sheetOn(`${record}?tab=timeline`);
  expect(timeline['A trace']).toEqual(expect.arrayContaining(['The span below', 'Next failure']));
  expect(timeline['The timeline']).toContain('Zoom in');
  expect(Object.keys(await sheetOn(`${record}?tab=spans`))).not.toContain('The timeline');
});
