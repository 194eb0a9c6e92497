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
