import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { openSite, type Site } from './site.ts';
import { createTwoWeeks } from './two-weeks.ts';

let site: Site;
let projectId: string;
let monitorId: string;

beforeAll(async () => {
  site = await openSite({ DOKIMA_WORKERS: '0', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  ({ projectId, monitorId } = await createTwoWeeks(site));
});
afterAll(() => site.close());

it('shows latency, cost and scores of records, splits them, and a point opens exactly its records', async () => {
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${projectId}/dashboard?range=30d`);
  const volume = page.getByRole('slider', { name: 'Records', exact: true });
  await volume.waitFor();
  await page.getByText('140 in all', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Helpful: pass rate' }).waitFor();
  await page.getByRole('link', { name: 'Unusable: not validated yet' }).waitFor();
  await page.getByLabel('Split').selectOption('model');
  await page.getByText('large', { exact: true }).waitFor();
  await volume.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  expect(await volume.getAttribute('aria-valuetext')).toMatch(/UTC\), large: [34]$/);
  const n = Number((await volume.getAttribute('aria-valuetext'))!.at(-1));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/records\?q=after/);
  const q = new URL(page.url()).searchParams.get('q')!;
  expect(q).toMatch(/^after:\S+T00:00:00Z before:\S+T00:00:00Z model:large$/);
  const { data } = await ok(site.api('GET', `/projects/${projectId}/records?q=${encodeURIComponent(q)}`));
  expect(data).toHaveLength(n);
  expect(complaints).toEqual([]);
});

it('tests each day and each model, keeps the test in the address, and says what a test is not', async () => {
  const { page, complaints } = await site.member('viewer');
  await page.goto(`/projects/${projectId}/dashboard?range=30d`);
  await page.getByLabel('Test').selectOption('Test each day');
  await page.waitForURL(/compare=buckets/);
  await page.getByText(/^\d+ changes were tested together \(Holm\).* use an alert\.$/).waitFor();
  await page
    .getByText(/: a model gives these scores; the interval leaves the judge's errors out\.$/)
    .waitFor();
  await page.getByText(/^\d+ changes that are not shown: cannot tell$/).click();
  const table = page.getByRole('table', { name: 'Changes that are not shown' });
  expect(await table.innerText()).toMatch(
    /Helpful\s+Cannot tell\s+20\d\d-\d\d-\d\d\s+[\d.]+ %, n = \d+\s+20[\d-]+\s+[\d.]+ %, n = \d+\s+\S+ points\s+\S+ to \S+; among \d+ tests \S+ to \S+ \(99\.\d\d %\), p [\d.]+ \(Holm\)/,
  );
  // The row has the interval and p; a sentence with the same would say it twice.
  expect(await page.getByText(/contains 0/).count()).toBe(0);
  await page.getByLabel('Split').selectOption('model');
  await page.getByLabel('Test').selectOption('Test each group');
  // The judge scored the larger model alone.
  await page.getByText(/^Nothing is compared: no metric has scores in two of the parts\./).waitFor();
  await page.getByLabel('Split').selectOption('');
  expect(await page.getByLabel('Test').inputValue()).toBe('');
  await page.goto(`/projects/${projectId}/monitors/${monitorId}?range=30d&bucket=week&compare=buckets`);
  await page.getByRole('heading', { name: 'Changes of pass rates' }).waitFor();
  await page.getByText(/^(\d+ changes were tested together|One change was tested)/).waitFor();
  expect(await page.getByLabel('Test').inputValue()).toBe('buckets');
  expect(complaints).toEqual([]);
});

it('keeps a choice of charts as a view of the dashboard, and not of the records', async () => {
  const { page } = await site.member('admin');
  await page.goto(`/projects/${projectId}/dashboard`);
  await page.getByRole('button', { name: 'Charts' }).click();
  for (const name of ['Tokens', 'Cost'])
    await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Speed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Speed' }).waitFor();
  await page.goto(`/projects/${projectId}/dashboard`);
  await page.getByRole('slider', { name: 'Cost', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Speed' }).click();
  await page.getByRole('button', { name: 'Speed' }).waitFor();
  await page.getByRole('slider', { name: 'Records', exact: true }).waitFor();
  expect(await page.getByRole('slider', { name: 'Cost', exact: true }).count()).toBe(0);
  await page.goto(`/projects/${projectId}/records`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByText('A view is a search with a name.').waitFor();
});

it('a monitor has the charts of what it drew', async () => {
  const { page } = await site.member('viewer');
  await page.goto(`/projects/${projectId}/monitors`);
  await page.getByRole('link', { name: 'Production' }).click();
  await page.waitForURL(new RegExp(`/monitors/${monitorId}`));
  await page.getByLabel('Range').selectOption('30d');
  await page.getByText('47 in all').waitFor();
  await page.getByRole('slider', { name: 'Helpful: pass rate' }).waitFor();
});

it('stacks the labels of a category, in a run and over time, opens the records of a part and the testcases that moved, and an alert watches one', async () => {
  const project = (await createProject(site.api)).id;
  const labels = { items: ['Wrong', 'Half "right"', 'Right'], passing: ['Right'], ordered: true };
  const fields = { evalType: 'human', outputType: 'category', name: 'Grade', labels } as const;
  const metric = await createMetric(site.api, project, fields);
  const testset = await createTestset(site.api, project);
  const cases: string[] = (await createTestcases(site.api, testset.id, 4)).map(
    (one: { id: string }) => one.id,
  );
  const runs: string[] = [];
  for (const given of [
    ['Right', 'Right', 'Wrong', 'Wrong'],
    ['Wrong', 'Half "right"', 'Half "right"', 'Right'],
  ]) {
    const run = await createRun(site.api, project, [metric.id], { testsetId: testset.id });
    const items = given.map((categoryScore, i) => ({
      testcaseId: cases[i]!,
      inputs: { i },
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: run.metricVersionIds[0], score: { categoryScore } }],
    }));
    await ok(site.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    runs.push(run.id);
  }
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${project}/dashboard?range=7d`);
  const stack = page.getByRole('slider', { name: 'Grade: labels' });
  await stack.waitFor();
  await page.getByText('8 scores, worst at the bottom').waitFor();
  await stack.focus();
  for (const key of ['End', 'ArrowDown']) await page.keyboard.press(key);
  expect(await stack.getAttribute('aria-valuetext')).toMatch(
    /UTC\), Half "right": 25.0 %, [\d.]+ % to [\d.]+ %, n = 8$/,
  );
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/records\?q=/);
  const q = new URL(page.url()).searchParams.get('q')!;
  const { data } = await ok(site.api('GET', `/projects/${project}/records?q=${encodeURIComponent(q)}`));
  expect(data.map(({ inputs }: { inputs: { i: number } }) => inputs.i).sort()).toEqual([1, 2]);
  await page.goto(`/projects/${project}`);
  await page.getByRole('slider', { name: 'Labels of Grade' }).waitFor();
  await page.goto(`/projects/${project}/compare?runs=${runs.join(',')}`);
  await page.getByText('Labels', { exact: true }).click();
  await page.getByRole('button', { name: '1 from Right to Half "right"' }).click();
  const chip = page.getByRole('button', { name: 'From Right to Half "right" Show all changes' });
  await chip.waitFor();
  await page.getByText(cases[1]!, { exact: true }).waitFor();
  await page.getByText(cases[0]!, { exact: true }).waitFor({ state: 'detached' });
  await chip.click();
  await page.getByText(cases[0]!, { exact: true }).waitFor();
  await page.goto(`/projects/${project}/checks`);
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Refusals');
  await dialog.getByLabel('URL').fill('http://127.0.0.1:9/');
  await dialog.getByLabel('Send by').selectOption('Slack');
  await dialog.getByLabel('Monitor got worse').check();
  await dialog.getByLabel('Alert when the pass rate drops below').fill('');
  await dialog.getByLabel('Metric', { exact: true }).selectOption('Grade');
  await dialog.getByLabel('Label', { exact: true }).selectOption('Wrong');
  await dialog.getByLabel('Highest share').fill('12.5');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const [alert] = (await ok(site.api('GET', `/projects/${project}/alerts`))).data;
  expect(alert).toMatchObject({
    minPassRate: null,
    labelMetricId: metric.id,
    label: 'Wrong',
    maxLabelShare: 0.125,
  });
  expect(complaints).toEqual([]);
});
