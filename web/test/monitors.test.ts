import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, namePeople, ok } from '../../server/test/fixtures.ts';
import { createCodeMetric, createMonitor, decide, sendSpans } from '../../server/test/monitors.ts';
import { newTraceId, testStart } from '../../server/test/otlp.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
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

it('makes a monitor, shows its results, and changes, pauses, resumes and deletes it', async () => {
  const { page, complaints } = visitor;
  await page.goto(`/projects/${projectId}/monitors`);
  await page.getByText('No monitors yet').waitFor();
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

  // The list of metrics shows what it found, though no evaluation was run.
  await page.goto(`/projects/${projectId}/metrics`);
  await page.getByRole('row', { name: /^Metric.*\d %.*Run \d+/ }).waitFor();
  await page.goto(`/projects/${projectId}/monitors`);
  await row.waitFor();
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
  await page.getByText('No monitors yet').waitFor();
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

it('shows beside the rate of a judge how well it is calibrated, and the rate as people would judge', async () => {
  const { page } = visitor;
  const { id: judged } = await createProject(site.api);
  const judge = await createMetric(site.api, judged, {
    name: 'Right',
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'fake/judge',
    promptTemplate: 'Is {{ outputs.answer }} right?',
  });
  const people = await createMetric(site.api, judged, { evalType: 'human', outputType: 'boolean' });
  await namePeople(site.api, judge.id, people.id);
  await createMonitor(site.api, judged, [judge.id], { name: 'Judged' });
  for (let i = 0; i < 10; i++) {
    const traceId = newTraceId();
    // Within the hour, so that its records are counted by the read.
    const at = Date.now() - testStart;
    await sendSpans(site.app, site.organization.key, judged, [{ traceId, n: 1, at }]);
  }
  await decide(site.app);
  await page.goto(`/projects/${judged}/monitors`);
  await page.getByRole('link', { name: 'Unusable: not validated yet' }).waitFor();

  const verdicts: [boolean, boolean, number][] = [
    [true, true, 45],
    [false, true, 5],
    [true, false, 10],
    [false, false, 40],
  ];
  const records = verdicts.flatMap(([verdict, label, count]) =>
    Array.from({ length: count }, () => ({ scores: { [judge.id]: verdict, [people.id]: label } })),
  );
  const { configIds } = await createRunOf(site.api, judged, [judge, people], records);
  const { data } = await ok(
    site.api('GET', `/projects/${judged}/records?metricId=${judge.id}&result=pending`),
  );
  expect(data).toHaveLength(10);
  for (const [i, { id }] of data.entries())
    await ok(site.api('PUT', `/records/${id}/scores/${configIds[0]}`, { score: { binaryScore: i < 6 } }));
  await page.reload();
  // (.6 + .8 − 1) / (.9 + .8 − 1)
  const link = page.getByRole('link', { name: /^corrected 57\.1 %/ });
  await link.waitFor();
  expect(await link.getAttribute('href')).toContain(`/metrics/${judge.id}/judge`);

  // Each point of the chart says it too.
  await page.getByRole('link', { name: 'Judged' }).click();
  const chart = page.getByRole('slider', { name: 'Right: pass rate' });
  await chart.focus();
  await page.keyboard.press('End');
  await expect
    .poll(() => chart.getAttribute('aria-valuetext'))
    .toMatch(/\(UTC\): 60\.0 %, .*, n = 10; corrected 57\.1 %, \S+$/);
});
