import { glob, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passagesOf, readContents } from '../build-guide.ts';
import { placeOf } from '../src/guide/places.ts';
import { openSite, type Site, type Visitor } from './site.ts';

const docs = new URL('../../docs/', import.meta.url);
const sections = await readContents();
const pages = sections.flatMap((section) => section.pages.map(({ path }) => path));
const texts = new Map(
  await Promise.all(
    pages.map(async (path) => [path, await readFile(new URL(`${path}.md`, docs), 'utf8')] as const),
  ),
);
const anchorsOf = (path: string) => passagesOf(path, texts.get(path)!).map(({ anchor }) => anchor);

describe('the contents', () => {
  it('name every page of docs once', async () => {
    const files: string[] = [];
    for await (const file of glob('**/*.md', { cwd: docs })) files.push(file.replace(/\.md$/, ''));
    const expected = files.filter((file) => file !== 'README' && !file.startsWith('decisions/'));
    expect(pages.toSorted()).toEqual(expected.toSorted());
  });

  it('have a heading for each link with an anchor', () => {
    const broken: string[] = [];
    for (const [path, text] of texts) {
      for (const [, target, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*\.md)?#([^)]+)\)/g)) {
        const page = target
          ? new URL(target, `file:///${path}`).pathname.slice(1).replace(/\.md$/, '')
          : path;
        if (texts.has(page) && !anchorsOf(page).includes(anchor!))
          broken.push(`${path}: ${target ?? ''}#${anchor}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('have the page that each route names as its help', async () => {
    const source = await readFile(new URL('../src/routes.tsx', import.meta.url), 'utf8');
    const routes = [...source.matchAll(/path: '(\/[^']*)'/g)].map(([, path]) => path!);
    expect(routes).toContain('/gate');
    for (const route of routes.flatMap((path) => [path, `/projects/$projectId${path}`])) {
      const [page = '', anchor] = placeOf(route).split('#');
      expect(pages, route).toContain(page);
      if (anchor) expect(anchorsOf(page), route).toContain(anchor);
    }
  });
});

describe('in a browser', () => {
  let site: Site;
  let visitor: Visitor;

  beforeAll(async () => {
    site = await openSite();
    visitor = await site.visitor();
  });
  afterAll(() => site.close());

  it('without a sign-in, a search leads to the part that has the words', async () => {
    const { page, complaints } = visitor;
    await page.goto('/guide');
    await page.getByRole('heading', { name: 'Concepts', level: 1 }).waitFor();
    await page.getByRole('searchbox', { name: 'Search the guide' }).fill('passingThreshold default');
    await page
      .getByRole('region', { name: 'Results' })
      .getByRole('link', { name: /^Metric concepts/ })
      .click();
    await page.waitForURL('**/guide/concepts#metric');
    await expect.poll(() => page.locator('#metric').boundingBox()).toMatchObject({ y: expect.any(Number) });
    expect((await page.locator('#metric').boundingBox())!.y).toBeLessThan(100);
    expect(complaints).toEqual([]);
  });

  it('a link between pages stays in the guide, and each page says what comes before and after it', async () => {
    const { page } = visitor;
    await page.goto('/guide/concepts');
    await page.getByRole('article').getByRole('link', { name: 'reviews' }).first().click();
    await page.waitForURL('**/guide/reviews');
    await page.getByRole('navigation', { name: 'Neighbours' }).getByRole('link').first().click();
    await page.waitForURL(`**/guide/${pages[pages.indexOf('reviews') - 1]}`);
  });

  it('the help of a page opens its place in the guide', async () => {
    const { page } = await site.member('admin');
    await page.goto('/settings/providers');
    const help = page.getByRole('link', { name: 'Help for this page' });
    expect(await help.getAttribute('href')).toBe(`/guide/${placeOf('/settings/providers')}`);
  });

  it('each page has a twin in Markdown, and llms.txt lists them', async () => {
    const read = async (path: string) => {
      const answer = await fetch(`${site.url}${path}`);
      const { status, headers } = answer;
      return { status, type: headers.get('content-type'), text: await answer.text() };
    };
    const list = await read('/llms.txt');
    for (const path of pages) {
      expect(list.text).toContain(`(/guide/${path}.md)`);
      const twin = await read(`/guide/${path}.md`);
      expect(twin.type).toMatch(/^text\/markdown/);
      expect(twin.text).toBe(texts.get(path));
    }
    // A program that asks for the page as a browser does, but takes no HTML in particular.
    expect(await read('/guide')).toEqual(list);
    expect((await read('/guide/coming-from/atif?a=b')).text).toBe(texts.get('coming-from/atif'));
    expect((await read('/guide/no-such-page')).status).toBe(404);
  });

  it('a page that does not exist is said', async () => {
    const { page } = visitor;
    await page.goto('/guide/no-such-page');
    await page.getByText('The guide has no such page.').waitFor();
  });
});
