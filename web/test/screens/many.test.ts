import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMany } from '../realistic.ts';
import { tour } from './look.ts';
import { openWorld } from './world.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.site.close());

describe('axe finds nothing', () => {
  it('with 60 metrics', async () => {
    const { desk, site } = world;
    const many = await createMany(site.api, 60);
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
});
