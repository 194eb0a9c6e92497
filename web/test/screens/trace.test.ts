import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled, sheetOf, tour } from './look.ts';
import { openWorld } from './world.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.site.close());

describe('axe finds nothing', () => {
  it('on the parts of a record with a trace, at a desk and on a phone', async () => {
    const { desk, phone, traced } = world;
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
          '/projects/$projectId/traces/$traceId',
          '/projects/$projectId/traces/$traceId?span=$span',
          '/projects/$projectId/traces?q=latncy:>2s',
        ],
        traced,
      ),
    ).toEqual([]);
    for (const path of [...paths, '/projects/$projectId/traces', '/projects/$projectId/traces/$traceId']) {
      expect(await tour(phone, 'phone-trace-', [path], traced)).toEqual([]);
      expect(await phone.page.evaluate('document.documentElement.scrollWidth'), path).toBe(390);
    }
  }, 300_000);
});

it('the sheet of keys lists what a trace and its timeline listen to, the arrow keys of the tree too', async () => {
  const { desk, traced } = world;
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
