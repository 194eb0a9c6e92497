import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from './site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('the faces', () => {
  it('come from here alone, only those whose letters are shown, and no text moves when they are late', async () => {
    const { page, complaints } = await site.visitor();
    const asked: string[] = [];
    page.on('request', (request) => request.resourceType() === 'font' && asked.push(request.url()));
    let letCome = () => {};
    const mayCome = new Promise<void>((resolve) => {
      letCome = resolve;
    });
    await page.route('**/*.woff2', async (route) => {
      await mayCome;
      await route.continue();
    });
    await page.goto('/sign-in', { waitUntil: 'commit' });
    const title = page.getByRole('heading', { name: 'Sign in' });
    const widthOfTitle = () =>
      title.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().width;
      });
    const before = await widthOfTitle();
    letCome();
    await expect
      .poll(() => page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length))
      .toBeGreaterThan(0);
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    expect(await widthOfTitle()).toBe(before);
    expect(asked.map((url) => url.replace(/-[\w-]{8}\.woff2$/, ''))).toEqual([
      `${site.url}/assets/inter-latin-wght-normal`,
    ]);
    expect(complaints).toEqual([]);
  });

  it('are what text is drawn in', async () => {
    const { page, context } = await site.visitor();
    await page.goto('/sign-in');
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    // Now they are at hand, however busy the machine was.
    await page.reload();
    const devtools = await context.newCDPSession(page);
    const facesOf = async (selector: string) => {
      const { root } = await devtools.send('DOM.getDocument');
      const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
      return fonts.map(({ familyName, isCustomFont }) => ({ familyName, isCustomFont }));
    };
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await facesOf('h1')).toEqual([
      { familyName: expect.stringMatching(/^Inter/), isCustomFont: true },
    ]);
  });
});
