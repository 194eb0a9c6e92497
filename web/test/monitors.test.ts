import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { createCodeMetric, createMonitor, decide, sendSpans } from '../../server/test/monitors.ts';
import { newTraceId } from '../../server/test/otlp.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
let metric: { id: string };

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
  metric = await createCodeMetric(site.api, projectId);
});
afterAll(() => site.close());

const monitors = async () => (await ok(site.api('GET', `/projects/${projectId}/monitors`))).data;

it('makes a monitor, shows what comes of it, and changes, pauses, resumes and deletes it', async () => {
  const { page, complaints } = visitor;
  await page.goto(`/projects/${projectId}/monitors`);
  await page.getByRole('heading', { name: 'No monitors yet' }).waitFor();
  await page.getByRole('button', { name: 'New monitor' }).click();
  const dialog = page.getByRole('dialog', { name: 'New monitor' });
  const make = dialog.getByRole('button', { name: 'Create monitor' });
  expect(await make.isDisabled()).toBe(true);
  await dialog.getByLabel('Name', { exact: true }).fill('Failures');
  await dialog.getByRole('checkbox', { name: 'Metric' }).check();
  await dialog.getByLabel('Share of traces, in %').fill('100');
  await dialog.getByLabel('Wait after the last span, in seconds').fill('0');
  await dialog.getByLabel('Service').fill('agent');
  await dialog.getByLabel('Result').selectOption('Failed');
  await make.click();
  const row = page.getByRole('row', { name: /Failures/ });
  await row.getByText('service agent, failed').waitFor();
  expect(await monitors()).toMatchObject([
    { samplingRate: 1, settleSeconds: 0, filter: { service: 'agent', error: true }, metricIds: [metric.id] },
  ]);

  const status = { code: 2 };
  const traces = Array.from({ length: 5 }, (_, i) => ({
    traceId: newTraceId(),
    n: 1,
    ...(i > 0 && { status }),
  }));
  await sendSpans(site.app, site.organization.key, projectId, traces);
  await decide(site.app);
  const { data } = await ok(site.api('GET', `/projects/${projectId}/records`));
  const scored = data.filter(({ scoreStates }: { scoreStates: unknown[] }) => scoreStates.length > 0);
  expect(scored).toHaveLength(4);
  for (const [i, { id, scoreStates }] of scored.slice(0, 3).entries()) {
    const score = { binaryScore: i > 0 };
    await ok(site.api('PUT', `/records/${id}/scores/${scoreStates[0].metricConfigId}`, { score }));
  }
  await page.reload();
  await row.getByText('4 of 4').waitFor();
  await row.getByText('3 · 1 pending').waitFor();
  await row.getByText('66.7 %').waitFor();
  await row.getByText(/n = 3/).waitFor();

  await page.getByRole('button', { name: 'Change Failures' }).click();
  const change = page.getByRole('dialog', { name: 'Change Failures' });
  expect(await change.getByLabel('Service').inputValue()).toBe('agent');
  await change.getByLabel('Service').fill('');
  await change.getByLabel('Share of traces, in %').fill('12.5');
  await change.getByRole('button', { name: 'Save' }).click();
  await row.getByText('12.5 %').waitFor();
  expect(await monitors()).toMatchObject([{ samplingRate: 0.125, filter: { error: true } }]);
  await page.getByRole('button', { name: 'Pause Failures' }).click();
  await row.getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Resume Failures' }).click();
  await page.getByRole('button', { name: 'Pause Failures' }).waitFor();
  await page.getByRole('button', { name: 'Delete Failures' }).click();
  await page.getByRole('button', { name: 'Delete monitor' }).click();
  await page.getByRole('heading', { name: 'No monitors yet' }).waitFor();
  expect(complaints).toEqual([]);
});

it('says what the service refuses, beside the field', async () => {
  const { page } = visitor;
  await createMonitor(site.api, projectId, [metric.id], { name: 'Whole' });
  await page.goto(`/projects/${projectId}/monitors`);
  await page.getByRole('button', { name: 'Change Whole' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Whole' });
  await dialog.getByLabel('Tag of the record').fill('x'.repeat(300));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog
    .getByText(/^must be a string/)
    .first()
    .waitFor();
});

it('a viewer sees the monitors and can change none', async () => {
  const viewer = await site.member('viewer');
  await viewer.page.goto(`/projects/${projectId}/monitors`);
  await viewer.page.getByRole('row', { name: /Whole/ }).getByText('every trace').waitFor();
  expect(await viewer.page.getByRole('button', { name: /monitor|Whole/ }).count()).toBe(0);
});
