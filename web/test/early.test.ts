import { afterAll, beforeAll, expect, it } from 'vitest';
import { system } from '../../server/src/platform/db/database.ts';
import { createScoredRun } from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

/** What public/early.js asks for must be what the program asks for first: else it is asked for twice, and nothing says so. */

let site: Site;
let visitor: Visitor;
let ids: Record<'project' | 'record', string>;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  const { project, recordIds } = await createScoredRun(site.api, 1);
  ids = { project: project.id, record: recordIds[0]! };
  // What has just changed is read again.
  await site.app.db.transaction(system, (tx) => tx`delete from change`);
});
afterAll(() => site.close());

const fill = (path: string) => path.replace('PROJECT', ids.project).replace('RECORD', ids.record);

it.each([
  ['/projects/PROJECT/records', ['/me', '/projects/PROJECT/records?limit=100']],
  ['/projects/PROJECT/records/RECORD', ['/me', '/records/RECORD']],
  [
    '/projects/PROJECT/records/RECORD?tab=conversation',
    ['/me', '/records/RECORD', '/records/RECORD/conversation'],
  ],
  ['/projects/PROJECT/records/RECORD?tab=timeline', ['/me', '/records/RECORD', '/records/RECORD/spans']],
  ['/projects/PROJECT/records/RECORD?tab=spans', ['/me', '/records/RECORD', '/records/RECORD/spans']],
])(
  '%s asks for what it begins with, and for its code, before its program is there, and only once',
  async (path, first) => {
    const page = await visitor.context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/v2/')) asked.push(pathname.slice('/api/v2'.length) + search);
    });
    const program = Promise.withResolvers<void>();
    const code: string[] = [];
    await page.route(/\/assets\/(?!theme-|early-)/, async (route) => {
      code.push(route.request().url());
      await program.promise;
      await route.continue();
    });
    await page.goto(fill(path), { waitUntil: 'commit' });
    const wanted = first.map(fill);
    await expect.poll(() => asked.toSorted(), { timeout: 30_000 }).toEqual(wanted.toSorted());
    const own = path.includes('tab=')
      ? ['record-page', 'trace-tab']
      : [path.endsWith('RECORD') ? 'record-page' : 'records-page'];
    for (const each of own)
      await expect
        .poll(() => code.filter((url) => url.includes(`/assets/${each}-`)), { timeout: 30_000 })
        .toHaveLength(1);
    const early = [...code];
    program.resolve();
    const shown = path.endsWith('/records')
      ? page.getByRole('grid', { name: 'Records' }).getByRole('row').nth(1)
      : page.getByRole('heading', { name: ids.record });
    await shown.waitFor();
    for (const each of wanted) expect(asked.filter((one) => one === each)).toEqual([each]);
    // What the page needs besides is small and comes later: nothing that was there early is fetched again.
    expect(code.filter((url) => early.includes(url)).toSorted()).toEqual(early.toSorted());
    await page.close();
  },
);
