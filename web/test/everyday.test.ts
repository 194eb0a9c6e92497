import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
});
afterAll(() => site.close());

const newProject = async (name: string): Promise<string> => {
  const { id } = await createProject(site.api);
  await ok(site.api('PATCH', `/projects/${id}`, { name }));
  return id;
};

describe('project settings', () => {
  it('rename a project wherever its name is read', async () => {
    const id = await newProject('Draft');
    const { page } = visitor;
    await page.goto(`/projects/${id}/settings`);
    const save = page.getByRole('button', { name: 'Save changes' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('Support answers');
    await save.click();
    await page.getByText('Project saved.').waitFor();
    await page.getByRole('button', { name: 'Project: Support answers' }).waitFor();
    await expect.poll(() => page.title()).toBe('Project settings · Support answers · Dokima');
    expect((await ok(site.api('GET', `/projects/${id}`))).name).toBe('Support answers');
  });

  it('delete a project only after its name is typed, and say first what is lost', async () => {
    const id = await newProject('Old trial');
    await createTestset(site.api, id);
    const { page } = visitor;
    await page.goto(`/projects/${id}/settings`);
    const archive = await page.getByRole('link', { name: 'download an archive' }).getAttribute('href');
    const answer = await page.request.get(archive!);
    expect((await answer.text()).startsWith('{"part":"archive"')).toBe(true);
    await page.getByRole('button', { name: 'Delete project…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Old trial?' });
    await dialog.getByText('1 testset with all testcases').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete project' });
    const field = dialog.getByLabel('Type “Old trial” to confirm');
    await field.fill('Old');
    expect(await confirm.isDisabled()).toBe(true);
    await field.press('Enter');
    await field.fill('Old trial');
    await confirm.click();
    await page.getByText('Project Old trial deleted.').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/projects');
    expect((await site.api('GET', `/projects/${id}`)).status).toBe(404);
  });

  it('are read-only for a viewer', async () => {
    const id = await newProject('Seen');
    const { page } = await site.member('viewer');
    await page.goto(`/projects/${id}/settings`);
    await page.getByText('A member can change this.').waitFor();
    expect(await page.getByRole('button', { name: /Delete|Save/ }).count()).toBe(0);
  });
});

describe('the title of a tab', () => {
  it('names the page, where it is, and the project', async () => {
    const id = await newProject('Weather');
    const { id: testsetId } = await createTestset(site.api, id, { name: 'Cities' });
    const { page } = visitor;
    const titleAt = async (path: string, title: string) => {
      await page.goto(path);
      await expect.poll(() => page.title()).toBe(title);
    };
    await titleAt(`/projects/${id}`, 'Weather · Dokima');
    await titleAt(`/projects/${id}/runs`, 'Runs · Weather · Dokima');
    await titleAt(`/projects/${id}/testsets/${testsetId}`, 'Cities · Testsets · Weather · Dokima');
    await titleAt('/settings/providers', 'Providers · Dokima');
    await titleAt('/projects/999999999', 'Not found · Dokima');
    await page.goto(`/projects/${id}/metrics`);
    await page.getByRole('button', { name: 'All parts' }).click();
    await page.getByRole('link', { name: 'Checks' }).click();
    await expect.poll(() => page.title()).toBe('Production checks · Weather · Dokima');
    const { page: stranger } = await site.visitor();
    await stranger.goto('/sign-in');
    await expect.poll(() => stranger.title()).toBe('Sign in · Dokima');
  });
});

it('a time names its zone, and is written alike on every page', async () => {
  const { page } = visitor;
  const zoned = /^\d{1,2} \w{3,4} \d{4}, \d{2}:\d{2}:\d{2} (UTC|GMT[+-]?\d*|[A-Z]{3,4})$/;
  await page.goto('/settings/members');
  const times = page.locator('time');
  await times.first().waitFor();
  for (const each of await times.all()) expect(await each.getAttribute('title')).toMatch(zoned);
});

describe('text that is read', () => {
  it('has the expected answer beside the output, and a choice of Markdown only where there is some', async () => {
    const id = await newProject('Reading');
    const run = await createRun(site.api, id, []);
    const fields = { outputs: { plain: 'It is 3 °C.', rich: '**3 °C**' }, expected: { plain: '3 °C' } };
    const record = await createRecord(site.api, run.id, fields);
    const { page } = await site.member('viewer');
    await page.goto(`/projects/${id}/records/${record.id}`);
    const outputs = page.getByRole('region', { name: 'Outputs' });
    const [left, right] = await Promise.all([
      outputs.boundingBox(),
      page.getByRole('region', { name: 'Expected' }).boundingBox(),
    ]);
    expect(right!.y).toBe(left!.y);
    expect(right!.x).toBeGreaterThan(left!.x + 200);
    expect(await outputs.getByRole('button', { name: 'Markdown' }).count()).toBe(1);
    expect(
      await outputs.getByRole('group', { name: 'Show plain as' }).getByRole('button').allTextContents(),
    ).toEqual(['Text', 'Diff']);
  });

  it('has failures first among many scores, and a score that is set stays at its place', async () => {
    const id = await newProject('Many metrics');
    const metrics = [];
    for (let i = 0; i < 12; i++)
      metrics.push(
        await createMetric(site.api, id, { name: `Metric ${i}`, evalType: 'human', outputType: 'boolean' }),
      );
    const run = await createRun(
      site.api,
      id,
      metrics.map((metric) => metric.id),
    );
    const record = await createRecord(site.api, run.id, {});
    const { scoreStates } = await ok(site.api('GET', `/records/${record.id}`));
    const items = scoreStates.map(({ metricConfigId }: { metricConfigId: string }, i: number) => ({
      recordId: record.id,
      metricConfigId,
      score: { binaryScore: i !== 7 },
    }));
    await ok(site.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    const { page } = visitor;
    await page.goto(`/projects/${id}/records/${record.id}`);
    const names = () =>
      page
        .getByRole('region', { name: /^Scores/ })
        .getByRole('link')
        .allTextContents();
    await expect.poll(async () => (await names())[0]).toBe('Metric 7');
    const before = await names();
    await page
      .getByRole('group', { name: 'Score of Metric 7' })
      .getByRole('button', { name: 'Pass' })
      .click();
    await page
      .getByRole('group', { name: 'Score of Metric 7' })
      .getByRole('button', { name: 'Pass', pressed: true })
      .waitFor();
    expect(await names()).toEqual(before);
  });

  it('has a warning that holds for all metrics of a run once', async () => {
    const id = await newProject('Small');
    const metrics = [];
    for (const name of ['One', 'Two'])
      metrics.push(await createMetric(site.api, id, { name, evalType: 'human', outputType: 'boolean' }));
    const run = await createRun(
      site.api,
      id,
      metrics.map((metric) => metric.id),
    );
    for (let i = 0; i < 3; i++) {
      const record = await createRecord(site.api, run.id, {});
      const { scoreStates } = await ok(site.api('GET', `/records/${record.id}`));
      const items = scoreStates.map(({ metricConfigId }: { metricConfigId: string }) => ({
        recordId: record.id,
        metricConfigId,
        score: { binaryScore: true },
      }));
      await ok(site.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    }
    const { page } = visitor;
    await page.goto(`/projects/${id}/runs/${run.id}`);
    await page.getByText(/^every metric: .*below 100/).waitFor();
    await page.getByRole('button', { name: 'One' }).click();
    await page.getByRole('img', { name: 'Scores of One' }).first().waitFor();
    expect(await page.getByText('below 100').count()).toBe(1);
  });
});

describe('prices of models', () => {
  it('are entered with their provider, changed and taken back', async () => {
    const { page } = await site.member('admin');
    await ok(site.api('POST', '/providers', { name: 'ours', kind: 'openai', apiKey: 'sk-test' }), 201);
    const prices = async () => (await ok(site.api('GET', '/providers'))).data[0].prices;
    await page.goto('/settings/providers');
    await page.getByText(/\d+ models of \d+ \w+ 20\d\d that ship with this version/).waitFor();
    await page.getByText('Each price with its source').click();
    await page.getByLabel('Model', { exact: true }).fill('haiku-5-5');
    const row = page.getByRole('row', { name: 'anthropic/claude-haiku-5-5' });
    expect(await row.getByRole('link', { name: 'platform.claude.com' }).getAttribute('href')).toContain(
      'haiku',
    );
    await page.getByRole('button', { name: 'Prices of ours' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prices of ours' });
    await dialog.getByLabel('Model 1').fill('gpt-9');
    await dialog.getByLabel('Input of gpt-9, USD', { exact: true }).fill('1.25');
    await dialog.getByLabel('Cached input of gpt-9, USD').fill('0.125');
    await dialog.getByLabel('Output of gpt-9, USD').fill('10');
    await dialog.getByRole('button', { name: 'Add model' }).click();
    await dialog.getByLabel('Model 2').fill('gpt-9');
    await dialog.getByText('is listed twice').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save prices' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Model 2').fill('');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await page.getByRole('cell', { name: '1 model' }).waitFor();
    expect(await prices()).toEqual({ 'gpt-9': { input: 1.25, cachedInput: 0.125, output: 10 } });
    await page.getByRole('button', { name: 'Prices of ours' }).click();
    await dialog.getByRole('button', { name: 'Remove gpt-9' }).click();
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await page.getByRole('cell', { name: 'default prices' }).waitFor();
    expect(await prices()).toEqual({});
  });
});
