import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../server/test/fixtures.ts';
import { look, settled } from './look.ts';
import { openWorld } from './world.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.site.close());

describe('axe finds nothing', () => {
  it('on what opens over a page', async () => {
    const { desk, ids, traced } = world;
    const { page } = desk;
    const runs = `/projects/${ids.projectId}/runs`;
    const dialogs = [
      { name: 'palette', path: runs, open: () => page.keyboard.press('Control+k') },
      { name: 'keys', path: runs, open: () => page.keyboard.press('?') },
      {
        name: 'ask-which-is-better',
        path: `/projects/${ids.projectId}/compare?runs=${ids.comparedRuns}`,
        open: () => page.getByRole('button', { name: 'Start a side-by-side study' }).click(),
      },
      {
        name: 'add-to-testset',
        path: `/projects/${traced.projectId}/records/${traced.recordId}`,
        open: () => page.getByRole('button', { name: 'Add to testset' }).click(),
      },
      {
        name: 'new-monitor',
        path: `/projects/${ids.projectId}/checks`,
        open: () => page.getByRole('button', { name: 'New monitor' }).click(),
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
    const { desk, ids } = world;
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

  it('on a report that a guest opens by its link, without an account', async () => {
    const { site, ids, visitWithAxe } = world;
    await ok(site.api('PATCH', '/organization', { reportLinks: true }));
    const body = { runs: ids.comparedRuns!.split(','), measure: 'pass', name: 'Guests', days: 1 };
    const { url } = await ok(site.api('POST', `/projects/${ids.projectId}/report-links`, body), 201);
    const { page } = await visitWithAxe();
    await page.goto(url.slice(url.indexOf('/shared-report')));
    await page.getByRole('heading', { name: 'Verdict' }).waitFor();
    await settled(page);
    expect(await look(page, 'shared-report-of-runs')).toEqual([]);
  }, 600_000);
});
