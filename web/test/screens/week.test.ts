import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheetOf, siteMap, tour } from './look.ts';
import { openWorld } from './world.ts';

/** The screens that listen to their own keys, and what the sheet calls those. */
const ownKeys: Record<string, string[]> = {
  '/projects/$projectId/records': ['Records'],
  '/projects/$projectId/records/$recordId': ['A record'],
  '/projects/$projectId/review': ['Review'],
  '/projects/$projectId/preferences/$preferenceStudyId/compare': ['Compare'],
  '/projects/$projectId/testsets/$testsetId': ['Testcases'],
  '/projects/$projectId/metrics/new': ['A metric'],
  '/projects/$projectId/metrics/$metricId': ['A metric'],
  '/projects/$projectId/traces': ['Traces'],
  '/projects/$projectId/traces/$traceId': ['A trace', 'A record'],
};

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.site.close());

describe('axe finds nothing', () => {
  it('on each screen of the site map, with the data of a week; its sheet of keys lists those of that screen, and of every screen', async () => {
    const { desk, ids } = world;
    const compared = '/projects/$projectId/compare?runs=$comparedRuns';
    const ranked = '/projects/$projectId/compare?runs=$allRuns&by=metadata.topic';
    const report = '/projects/$projectId/report?runs=$comparedRuns';
    const started = '/projects/$projectId/runs/new?testset=$testsetId';
    const rescoring = '/projects/$projectId/metrics/$metricId/trials/$rescoringNumber';
    const screens = await siteMap();
    const withKeys = screens.filter(
      (path) => !/^\/(sign-in$|welcome$|mail-address$|shared-report$|guide)/.test(path),
    );
    expect(withKeys).toEqual(expect.arrayContaining(Object.keys(ownKeys)));
    const sheets = new Map<string, Record<string, string[]>>();
    const readSheet = async (path: string) => {
      if (withKeys.includes(path)) sheets.set(path, await sheetOf(desk.page));
    };
    const variants = [compared, ranked, report, started, rescoring];
    expect(await tour(desk, '', [...screens, ...variants], ids, readSheet)).toEqual([]);

    expect([...sheets.keys()]).toEqual(withKeys);
    for (const [path, { Everywhere: everywhere, ...parts }] of sheets) {
      expect({ path, parts: Object.keys(parts) }).toEqual({ path, parts: ownKeys[path] ?? [] });
      expect(everywhere, path).toContain('Keyboard shortcuts');
      for (const rows of Object.values(parts)) expect(rows.length, path).toBeGreaterThan(0);
    }
  }, 600_000);
});
