import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tour } from './look.ts';
import { openWorld } from './world.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.site.close());

describe('axe finds nothing', () => {
  it('on a phone', async () => {
    const { phone, ids } = world;
    const ofProject = [
      ...['', '/review', '/records/$recordId', '/records', '/runs', '/runs/$runId'],
      ...['/sessions', '/sessions/$sessionId', '/users'],
      ...['/metrics/$metricId/judge', '/plan', '/gate', '/dashboard', '/monitors/$monitorId'],
      ...['/systems', '/systems/$systemId', '/playground'],
    ];
    const decisions = [
      '/compare?runs=$allRuns&by=metadata.topic',
      '/compare?runs=$comparedRuns',
      '/report?runs=$comparedRuns',
    ];
    const paths = [...ofProject, ...decisions].map((path) => `/projects/$projectId${path}`);
    for (const path of [...paths, '/settings/members', '/settings/keys']) {
      const found = await tour(phone, 'phone-', [path], ids);
      expect(found).toEqual([]);
      // Nothing is wider than the screen: a page that slides sideways can't be read with a thumb.
      expect(await phone.page.evaluate('document.documentElement.scrollWidth'), path).toBe(390);
    }
  }, 600_000);
});
