import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject } from '../../../server/test/fixtures.ts';
import { siteMap, tour } from './look.ts';
import { openWorld } from './world.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.site.close());

describe('axe finds nothing', () => {
  it('in a project where nothing is yet', async () => {
    const { desk, site } = world;
    const empty = { projectId: (await createProject(site.api)).id };
    const paths = (await siteMap()).filter((path) => /^\/projects\/\$projectId(?!.*\$.*Id)/.test(path));
    expect(paths.length).toBeGreaterThan(5);
    expect(await tour(desk, 'empty-', paths, empty)).toEqual([]);
  }, 600_000);
});
