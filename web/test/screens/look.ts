import { mkdir, readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Visitor } from '../site.ts';
import type { Ids } from './world.ts';

// Every screen in both themes: axe looks at it. WEB_TEST_PICTURES=on keeps a picture of each for people who look themselves.

const screenshots = process.env.WEB_TEST_PICTURES === 'on' && new URL('../../screenshots/', import.meta.url);
const themes = ['light', 'dark'] as const;

/** The paths of the site map, as `paths.ts` links to them. */
export const siteMap = async (): Promise<string[]> => {
  const source = await readFile(new URL('../../src/routes.tsx', import.meta.url), 'utf8');
  const routes = new Map(
    [...source.matchAll(/const (\w+) = createRoute\(\{([^\n]+ |\n.*?\n)\}\);\n/gs)].map(([, name, body]) => [
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
export const settled = async (page: Page): Promise<void> => {
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

/** Keeps a picture of the page as it is, when someone wants to look. */
export const photograph = async (page: Page, theme: string, name: string): Promise<void> => {
  if (!screenshots) return;
  await mkdir(new URL(theme, screenshots), { recursive: true });
  await page.screenshot({ path: new URL(`${theme}/${name}.png`, screenshots).pathname });
};

/** What axe finds on the screen in both themes. The second theme has the same elements in other colours. */
export const look = async (page: Page, name: string): Promise<string[]> => {
  const found: string[] = [];
  for (const theme of themes) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await photograph(page, theme, name);
    const violations = await violationsOn(page, theme === 'dark' ? ['color-contrast'] : undefined);
    found.push(...violations.map((violation) => `${name}, ${theme}: ${violation}`));
  }
  return found;
};

const nameOf = (path: string) => path.replaceAll(/\$|^\/|\/$/g, '').replaceAll(/[/?&=]/g, '-') || 'start';
export const fill = (path: string, values: Ids) =>
  // The guide has a page for each file of docs/.
  path.replace(/\/\$$/, '/judges').replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (!value) throw new Error(`Say in createRealistic what stands for $${name} of ${path}.`);
    return value;
  });

/** What the sheet of keys lists on a page: its parts, each with what its keys do. */
export const sheetOf = async (page: Page): Promise<Record<string, string[]>> => {
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
  await dialog.getByRole('heading', { name: 'Everywhere' }).waitFor();
  const parts = await dialog.locator('section').evaluateAll((sections) =>
    sections.map((section) => {
      const texts = (tag: string) => [...section.querySelectorAll(tag)].map(({ textContent }) => textContent);
      return [texts('h3')[0]!, texts('dd')] as const;
    }),
  );
  return Object.fromEntries(parts);
};

/** Opens each path and looks; `prefix` names the pictures apart. Says all that is found, not only the first. */
export const tour = async (
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
