import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { promised } from '../../client/test/promised.ts';
import { openSite, type Site } from './site.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

let site: Site;
let directory: string;
beforeAll(async () => {
  site = await openSite();
  directory = await mkdtemp(join(tmpdir(), 'dokima-client-'));
  const args = ['-p', path('../../client/tsconfig.build.json'), '--outDir', directory];
  await promisify(execFile)(path('../../node_modules/.bin/tsc'), args);
});
afterAll(async () => {
  await site.close();
  await rm(directory, { recursive: true, force: true });
});

it('the published client does in a browser all that it promises', async () => {
  const { page, complaints } = await site.visitor();
  await page.route('**/under-test/**/*.js', async (route) => {
    const [, name] = new URL(route.request().url()).pathname.split('/under-test/') as [string, string];
    const file = name === 'everywhere.js' ? path('../../client/test/everywhere.js') : join(directory, name);
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(file) });
  });
  await page.goto('/sign-in');
  complaints.length = 0;
  // As text: what the test runner makes of a function's imports means nothing in the page.
  const found = await page.evaluate(`(async () => {
    const [client, { everywhere }] = await Promise.all(
      ['client/src/main', 'everywhere'].map((name) => import('/under-test/' + name + '.js')));
    return everywhere(client, ${JSON.stringify(site.url)}, ${JSON.stringify(site.organization.key)});
  })()`);
  expect(found).toEqual(promised);
  // The one refusal that it asks for.
  expect(complaints).toEqual([expect.stringContaining('404')]);
});
