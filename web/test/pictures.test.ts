import { glob, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createDemo } from '../../server/src/archive/demo/create-demo.ts';
import { settled, siteMap } from './screens/look.ts';
import { openSite } from './site.ts';

// The pictures of the guide show the demo project, which every reader has. `DOKIMA_PICTURES=1` takes them again:
// DOKIMA_PICTURES=1 npx vitest run --project web web/test/pictures.test.ts

const docs = new URL('../../docs/', import.meta.url);
const project = '/projects/$projectId';

/** Each picture in docs/images: the page that it shows, with the demo's ids. */
const pictures: Record<string, { route: string; query?: string }> = {
  home: { route: project },
  runs: { route: `${project}/runs` },
  run: { route: `${project}/runs/$runId` },
  compare: { route: `${project}/compare`, query: '?runs=1,2' },
  record: { route: `${project}/records/$recordId` },
  review: { route: `${project}/review` },
  testset: { route: `${project}/testsets/$testsetId` },
  metric: { route: `${project}/metrics/new` },
};
const ids: Record<string, string> = { projectId: '1', runId: '2', recordId: '2-1', testsetId: '1' };

describe('the pictures', () => {
  it.skipIf(!process.env.DOKIMA_PICTURES)('are taken (skipped without DOKIMA_PICTURES)', async () => {
    const site = await openSite({ DOKIMA_WORKERS: '1' });
    const schemas = { schemaErrors: async (_schema: string, values: string[]) => values.map(() => []) };
    await createDemo(
      { db: site.app.db, schemas: schemas as never, judgeModel: undefined },
      site.organization,
    );
    const pending = async () => {
      const { body } = await site.api('GET', '/runs/2/summary');
      return body.metrics
        .slice(0, 3)
        .some(({ states }: { states: { pending: number } }) => states.pending > 0);
    };
    await expect.poll(pending).toBe(false);
    const { page, context, complaints } = await site.member('admin');
    const session = await context.newCDPSession(page);
    const clip = { x: 0, y: 0, width: 1280, height: 680, scale: 1 };
    for (const [name, { route, query = '' }] of Object.entries(pictures)) {
      await page.goto(route.replaceAll(/\$(\w+)/g, (_, id: string) => ids[id]!) + query);
      await settled(page);
      const taken = await session.send('Page.captureScreenshot', { format: 'webp', quality: 58, clip });
      await writeFile(new URL(`images/${name}.webp`, docs), Buffer.from(taken.data, 'base64'));
    }
    expect(complaints).toEqual([]);
    await site.close();
  });

  it('show pages that exist, are named in the guide, and are small', async () => {
    const screens = (await siteMap()).map((path) => path.replace(/\/$/, ''));
    for (const { route } of Object.values(pictures)) expect(screens).toContain(route);

    const named = new Set<string>();
    for await (const page of glob('**/*.md', { cwd: docs })) {
      const text = await readFile(new URL(page, docs), 'utf8');
      for (const [, name] of text.matchAll(/!\[[^\]]+\]\((?:\.\.\/)*images\/(\w+)\.webp\)/g))
        named.add(name!);
    }
    expect([...named].sort()).toEqual(Object.keys(pictures).sort());
    for (const name of named)
      expect((await stat(new URL(`images/${name}.webp`, docs))).size, name).toBeLessThan(60_000);
  });
});
