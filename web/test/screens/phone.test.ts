import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look, settled, tour } from './look.ts';
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
      '',
      '/review',
      '/records/$recordId',
      '/records',
      '/runs',
      '/runs/$runId',
      '/sessions',
      '/sessions/$sessionId',
      '/users',
      '/metrics/$metricId/judge',
      '/plan',
      '/gate',
      '/decisions',
      '/dashboard',
      '/monitors/$monitorId',
      '/systems',
      '/systems/$systemId',
      '/playground',
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

  it('on a phone, while a model writes testcases and failures are grouped: empty, loading, refused, full', async () => {
    const { phone, ids } = world;
    const { page } = phone;
    /** What the model answers: JSON with a status, or nothing yet. */
    let answer: { status: number; json: object } | undefined;
    const asked = /\/api\/v2\/.*\/(drafts|failure-clusters)$/;
    await page.route(asked, (route) =>
      answer && route.request().method() === 'POST' ? route.fulfill(answer) : undefined,
    );
    const seen = async (name: string) => {
      await settled(page);
      expect(await look(page, `phone-${name}`)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(390);
    };
    const refused = {
      status: 503,
      json: { code: 'UNAVAILABLE', message: 'The service is being restarted.', details: {} },
    };

    const project = `/projects/${ids.projectId}`;
    await page.goto(`${project}/testsets/${ids.testsetId}/drafts`);
    await page.getByRole('heading', { name: 'No drafts' }).waitFor();
    await seen('drafts-empty');
    await page.getByLabel('What they should be about').fill('Refunds');
    await page.getByRole('button', { name: 'Write 10 drafts' }).click();
    await page.getByRole('button', { name: 'The model writes…' }).waitFor();
    await seen('drafts-loading');
    answer = refused;
    await page.reload();
    await page.getByLabel('What they should be about').fill('Refunds');
    await page.getByRole('button', { name: 'Write 10 drafts' }).click();
    await page.getByRole('alert').getByText('being restarted').waitFor();
    await seen('drafts-refused');
    const draft = (question: string, similarTo: string | null) => ({
      similarTo,
      similarity: similarTo ? 0.82 : 0.1,
      jsonData: { question, answer: 'Within 30 days.', origin: 'generated' },
    });
    const drafts = [
      draft('May I send back a lamp that I bought forty days ago, without its box?', null),
      draft('May I send back a lamp that I bought forty days ago?', 'draft 1'),
    ];
    const usage = { inputTokens: 900, outputTokens: 80, costUsd: 0.002, numCompared: 40 };
    answer = { status: 200, json: { drafts, ...usage, modelName: 'local/writer', error: null } };
    await page.getByRole('button', { name: 'Write 10 drafts' }).click();
    await page.getByRole('region', { name: 'Draft 2' }).waitFor();
    await seen('drafts-full');

    answer = undefined;
    const run = `${project}/runs/${ids.runId}`;
    await page.goto(run);
    await page.getByRole('button', { name: 'Group failures' }).click();
    const heading = page.getByRole('heading', { name: 'Failures', exact: true });
    const part = page.locator('section').filter({ has: heading });
    await part.getByText('Loading').waitFor({ state: 'attached' });
    await heading.scrollIntoViewIfNeeded();
    expect(await look(page, 'phone-groups-loading')).toEqual([]);
    answer = refused;
    await page.reload();
    await page.getByRole('button', { name: 'Group failures' }).click();
    await page.getByRole('alert').getByText('being restarted').waitFor();
    await seen('groups-refused');
    const share = { estimate: 0.533, interval: { low: 0.301, high: 0.752 }, n: 15 };
    const basis = {
      others: [`${ids.runId}-9`],
      numFailures: 15,
      numGrouped: 15,
      basis: 'reasoning',
      embeddingModelName: null,
      namedBy: 'local/writer',
      problem: null,
      costUsd: 0.001,
    };
    answer = { status: 200, json: { clusters: [], ...basis } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No groups: these failures').waitFor();
    await seen('groups-empty');
    const name = 'Promises a refund that the policy does not allow, in a very friendly tone';
    const recordIds = Array.from({ length: 8 }, (_, i) => `${ids.runId}-${i + 1}`);
    const clusters = [{ name, words: ['refund', 'policy'], recordIds, share }];
    answer = { status: 200, json: { clusters, ...basis, embeddingModelName: 'local/embed' } };
    await page.getByLabel('Group by a model of embeddings').fill('local/embed');
    await page.getByRole('button', { name: 'Group again' }).click();
    const groups = page.getByRole('list', { name: 'Groups of failures' });
    await groups.getByText(name).waitFor();
    await page.getByText('Grouped by embeddings of what their scores say').waitFor();
    await seen('groups-full');
    // Everything of a group is on the screen, its menu too.
    const box = (await groups.getByRole('button', { name: `Use ${name}` }).boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    // A message leaves the bar at the bottom free.
    await page.unroute(asked);
    await groups.getByRole('button', { name: `Use ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Tag as a slice' }).click();
    const message = page.getByRole('dialog').filter({ hasText: 'Tagged' });
    await message.waitFor();
    await page.mouse.move(0, 0);
    const [said, bar] = await Promise.all([
      message.boundingBox(),
      page.getByRole('navigation', { name: 'Main' }).last().boundingBox(),
    ]);
    expect(said!.y + said!.height).toBeLessThanOrEqual(bar!.y);
  }, 600_000);
});
