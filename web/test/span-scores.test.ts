import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, ok } from '../../server/test/fixtures.ts';
import { createMonitor, decide, sendSpans } from '../../server/test/monitors.ts';
import { newTraceId, spanId, type TestSpan, testStart } from '../../server/test/otlp.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
const traceId = newTraceId();
/** A few minutes ago: charts show the last days. */
const at = Date.now() - testStart - 300_000;
const tool = (n: number, name: string): TestSpan => ({
  traceId,
  n,
  at,
  parent: 1,
  name,
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
});

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
  const metric = await createMetric(site.api, projectId, {
    evalType: 'human',
    outputType: 'boolean',
    spans: 'kind:tool name:refund',
  });
  await createMonitor(site.api, projectId, [metric.id]);
  await sendSpans(site.app, site.organization.key, projectId, [
    { traceId, n: 1, at, name: 'agent' },
    tool(2, 'refund'),
    tool(3, 'search'),
  ]);
  await decide(site.app);
});
afterAll(() => site.close());

it('a person scores a chosen span beside the tree, which then has a mark; other spans have no form', async () => {
  const { page, complaints } = visitor;
  const open = (n: number) => page.goto(`/projects/${projectId}/traces/${traceId}?span=${spanId(n)}`);
  await page.goto(`/projects/${projectId}/traces/${traceId}`);
  await page.getByText('People score its spans: choose a span in the trace.').first().waitFor();
  await open(2);
  // Its start is shown as a time after the first span.
  await page.getByText('After the first', { exact: true }).waitFor();
  const part = page.getByRole('region', { name: 'Scores of the span' });
  await part.getByRole('button', { name: /: Fail$/ }).click();
  await part.getByText('Fail', { exact: true }).first().waitFor();
  await page
    .getByRole('treegrid')
    .getByRole('img', { name: /fails$/ })
    .waitFor();
  const { recordId } = await ok(
    site.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(2)}`),
  );
  const { data } = await ok(site.api('GET', `/records/${recordId}/span-scores`));
  expect(data).toMatchObject([{ spanId: spanId(2), passed: false }]);
  await part.getByRole('button', { name: /: Pass$/ }).click();
  await part.getByText('Pass', { exact: true }).first().waitFor();
  await part.getByText('Prompt, reply, cost, history').click();
  const replaced = part.getByRole('region', { name: 'Replaced verdicts (1)' });
  await replaced.getByText('Fail', { exact: true }).waitFor();
  await part.getByRole('button', { name: /: Fail$/ }).click();
  await part.getByRole('region', { name: 'Replaced verdicts (2)' }).waitFor();
  await open(3);
  await page.getByRole('heading', { name: 'Annotations' }).first().waitFor();
  expect(await part.count()).toBe(0);
  expect(complaints).toEqual([]);
});

it('a monitor of such a metric says of how many spans its rate is, and its charts say that they count spans', async () => {
  const { page, complaints } = visitor;
  await page.goto(`/projects/${projectId}/checks`);
  await page.getByText('1 span', { exact: true }).waitFor();
  const { data } = await ok(site.api('GET', `/projects/${projectId}/monitors`));
  await page.goto(`/projects/${projectId}/monitors/${data[0].id}`);
  await page.getByText(/^of 1 span pass Metric: /).waitFor();
  const note = 'Counts spans. Those of one record are one unit of the interval.';
  await page.getByText(note).first().waitFor();
  await page.goto(`/projects/${projectId}/dashboard`);
  await page.getByText(note).first().waitFor();
  expect(complaints).toEqual([]);
});

it('turns of a session have their own marks, also where their spans have the same ids', async () => {
  const { page, complaints } = visitor;
  const turns = [newTraceId(), newTraceId()];
  const attributes = { 'session.id': 'one visit' };
  for (const turn of turns)
    await sendSpans(site.app, site.organization.key, projectId, [
      { traceId: turn, n: 1, at, name: 'agent', attributes },
      { ...tool(2, 'refund'), traceId: turn },
    ]);
  await decide(site.app);
  const { recordId } = await ok(site.api('GET', `/projects/${projectId}/traces/${turns[0]}`));
  const { toScore } = await ok(site.api('GET', `/records/${recordId}/span-scores`));
  const path = `/records/${recordId}/scores/${toScore[0].metricConfigId}/spans/${spanId(2)}`;
  await ok(site.api('PUT', path, { score: { binaryScore: false }, traceId: turns[0] }));
  const marks = async (turn: string) => {
    await page.goto(`/projects/${projectId}/traces/${turn}`);
    const mark = page.getByRole('treegrid').getByRole('img', { name: /^Metric / });
    await mark.waitFor();
    return mark.getAttribute('aria-label');
  };
  expect(await marks(turns[0]!)).toBe('Metric fails');
  expect(await marks(turns[1]!)).toBe('Metric is not scored');
  expect(complaints).toEqual([]);
});
