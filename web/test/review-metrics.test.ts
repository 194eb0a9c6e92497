import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let who: Visitor;

beforeAll(async () => {
  site = await openSite();
  who = await site.member('annotator');
});
afterAll(() => site.close());

/** A run whose records wait for people by three metrics. */
const newQueue = async (count: number) => {
  const { id: projectId } = await createProject(site.api);
  const create = (name: string, outputType: string, criteria?: object) =>
    createMetric(site.api, projectId, { name, evalType: 'human', outputType, ...(criteria && { criteria }) });
  const criteria = {
    items: [
      { id: 'source', text: 'Names its source.' },
      { id: 'date', text: 'Names the date.' },
    ],
  };
  const metrics = [
    await create('Polite', 'boolean'),
    await create('Tone', 'int'),
    await create('Rubric', 'float', criteria),
  ];
  const run = await createRun(
    site.api,
    projectId,
    metrics.map(({ id }) => id),
  );
  const items = Array.from({ length: count }, (_, i) => ({
    inputs: { question: `Question ${i + 1}` },
    expected: {},
    outputs: { answer: `Answer ${i + 1}` },
  }));
  const { ids } = await ok(site.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  return { projectId: projectId as string, metrics, ids: ids as string[] };
};

const recordAt = (id: string) => who.page.getByRole('article', { name: `Record ${id}` });
const metricAt = (name: string) => who.page.getByRole('region', { name });
const scoresOf = async (id: string) =>
  (await ok(site.api('GET', `/records/${id}`))).scores.map(({ score }: { score: object }) => score);
const press = async (...keys: string[]) => {
  for (const key of keys) await who.page.keyboard.press(key);
};

it('all metrics of a record are scored by keys on one screen, kept over a reload, sent at once and undone at once', async () => {
  const { page } = who;
  const { projectId, ids, metrics } = await newQueue(3);
  const [first, second, third] = ids as [string, string, string];
  await page.goto(`/projects/${projectId}/review`);
  await recordAt(first).waitFor();
  // A value leads to the next metric, and its reason still belongs to it.
  await press('f', 'c');
  await page.keyboard.type('Says “no”.');
  await press('Escape', '4');
  await page.reload();
  await metricAt('Tone').getByRole('button', { name: '4', pressed: true }).waitFor();
  await press('1', '0');
  expect(await page.getByText('3 of 3 metrics scored').count()).toBe(1);
  // Back to a metric, and another value for it.
  await press('k', '2', 'Enter');
  await recordAt(second).waitFor();
  expect(await scoresOf(first)).toMatchObject([
    { binaryScore: false, reasoning: 'Says “no”.' },
    { intScore: 2 },
    { floatScore: 0.5 },
  ]);
  await press('u');
  await recordAt(first).waitFor();
  await metricAt('Polite').getByText('Fail', { exact: false }).first().waitFor();
  expect(await scoresOf(first)).toEqual([]);
  // The old scores are there to be sent again.
  await press('p', 'Enter');
  await recordAt(second).waitFor();
  expect(await scoresOf(first)).toMatchObject([{ binaryScore: true }, { intScore: 2 }, { floatScore: 0.5 }]);
  // Enter asks for what is missing, and stores nothing.
  await press('p', 'Enter', 'Enter');
  expect(await scoresOf(second)).toEqual([]);
  // A metric is deleted while it is on the screen: what was entered for the others stays.
  await press('5', '0');
  await ok(site.api('DELETE', `/metrics/${metrics[1]!.id}`));
  await press('Enter');
  await expect.poll(() => metricAt('Tone').count()).toBe(0);
  await metricAt('Polite').getByRole('button', { name: 'Pass', pressed: true }).waitFor();
  await press('Enter');
  await recordAt(third).waitFor();
  // Some of it now, and the rest later.
  await press('p', 'l');
  await expect.poll(() => metricAt('Polite').count()).toBe(0);
  await metricAt('Rubric').waitFor();
  expect(await scoresOf(third)).toMatchObject([{ binaryScore: true }]);
  expect(who.complaints.filter((line) => !/status of 404/.test(line))).toEqual([]);
});

it('nothing that was entered is lost by a broken connection, an ended session or a lost answer, and a score is stored once', async () => {
  const { page, context } = who;
  const { projectId, ids, metrics } = await newQueue(4);
  const [first, second, third, fourth] = ids as [string, string, string, string];
  const submits = '**/records/*/reviews';
  await page.goto(`/projects/${projectId}/review`);
  await recordAt(first).waitFor();
  await page.route(submits, (route) => route.abort());
  await press('p', '4', '1', '0', 'Enter');
  await page.getByRole('alert').first().waitFor();
  await metricAt('Tone').getByRole('button', { name: '4', pressed: true }).waitFor();
  await page.unroute(submits);
  // The service has stored it, and its answer is lost on the way.
  const lost = Promise.withResolvers<void>();
  await page.route(submits, async (route) => {
    await route.fetch();
    await route.abort();
    lost.resolve();
  });
  await press('Enter');
  await lost.promise;
  expect(await scoresOf(first)).toHaveLength(3);
  await page.unroute(submits);
  await expect
    .poll(async () => {
      await press('Enter');
      return recordAt(second).count();
    })
    .toBe(1);
  const [{ id: configId }] = (await ok(site.api('GET', `/metrics/${metrics[1]!.id}/versions`))).data;
  expect((await ok(site.api('GET', `/records/${first}/reviews/${configId}`))).data).toHaveLength(1);

  await press('f', '2');
  const cookies = await context.cookies();
  await context.clearCookies();
  await press('1', '0', 'Enter');
  await page.waitForURL(/sign-in/);
  await context.addCookies(cookies);
  await page.goto(`/projects/${projectId}/review`);
  await metricAt('Polite').getByRole('button', { name: 'Fail', pressed: true }).waitFor();
  await metricAt('Tone').getByRole('button', { name: '2', pressed: true }).waitFor();
  await press('Enter');
  await recordAt(third).waitFor();

  // A record that was deleted since makes room for the next one.
  await press('p', '3', '0');
  await ok(site.api('DELETE', `/records/${third}`));
  await press('Enter');
  await recordAt(fourth).waitFor();
  // A metric that was added since is asked for after the others.
  const late = await createMetric(site.api, projectId, {
    name: 'Late',
    evalType: 'human',
    outputType: 'boolean',
  });
  await ok(site.api('POST', `/runs/${fourth.split('-')[0]}/metrics`, { metricIds: [late.id] }));
  await press('p', '3', '0', 'Enter');
  await metricAt('Late').waitFor();
  await expect.poll(() => metricAt('Tone').count()).toBe(0);
  expect(await scoresOf(fourth)).toHaveLength(3);
  who.complaints.length = 0;
});

it('twenty metrics with long guidelines are scored by keys, each brought into view, and a member assigns and counts', async () => {
  const { id: projectId } = await createProject(site.api);
  const metrics = [];
  for (let i = 0; i < 20; i++)
    metrics.push(
      await createMetric(site.api, projectId, {
        name: `Metric ${i + 1}`,
        evalType: 'human',
        outputType: 'boolean',
        guidelines: `# How\n\n<img src=x onerror="document.title='broken in'">${'A long rule. '.repeat(400)}`,
      }),
    );
  const run = await createRun(
    site.api,
    projectId,
    metrics.map(({ id }) => id),
  );
  const items = Array.from({ length: 6 }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  const { ids } = await ok(site.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);

  // A member deals the records out: two people, three each.
  const owner = await site.member('member');
  await owner.page.goto(`/projects/${projectId}/disagreements`);
  const { user } = await (
    await who.context.request.get('/api/v2/me', { headers: { 'x-requested-with': 'Dokima' } })
  ).json();
  await owner.page.getByRole('button', { name: 'Assign' }).click();
  await owner.page.getByLabel(user.name).first().check();
  await owner.page.getByLabel('At most so many records').fill('3');
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click();
  await owner.page.getByRole('row', { name: new RegExp(`${user.name}.*3`) }).waitFor();
  await owner.page.goto(`/projects/${projectId}`);
  await owner.page.getByText('3 records wait for you').waitFor();
  await owner.page.getByRole('link', { name: 'Queue 3 to review' }).waitFor();

  const { page } = who;
  await page.goto(`/projects/${projectId}/review`);
  await page.getByText('6 records waiting, 3 assigned to you').waitFor();
  await recordAt(ids[0]).waitFor();
  for (let i = 0; i < 19; i++) await press(i % 2 === 0 ? 'p' : 'f');
  const last = metricAt('Metric 20');
  await expect
    .poll(async () => {
      const box = await last.boundingBox();
      return box !== null && box.y < 800;
    })
    .toBe(true);
  await press('p', 'Enter');
  await recordAt(ids[1]).waitFor();
  expect(await scoresOf(ids[0])).toHaveLength(20);
  expect(await page.title()).not.toContain('broken in');
  // Given back, it is for anyone, and the next one of theirs follows.
  await page.getByRole('button', { name: 'Give back' }).click();
  await recordAt(ids[2]).waitFor();
  await page.getByText('5 records waiting, 1 assigned to you').waitFor();
});
