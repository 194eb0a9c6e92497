import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, ok } from '../../server/test/fixtures.ts';
import { createMonitor, decide, sendSpans } from '../../server/test/monitors.ts';
import { newTraceId, spanId, type TestSpan } from '../../server/test/otlp.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
const traceId = newTraceId();
const tool = (n: number, name: string): TestSpan => ({
  traceId,
  n,
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
    { traceId, n: 1, name: 'agent' },
    tool(2, 'refund'),
    tool(3, 'search'),
  ]);
  await decide(site.app);
});
afterAll(() => site.close());

it('a person scores a chosen span beside the tree, which then has a mark; other spans have no form', async () => {
  const { page, complaints } = visitor;
  const open = (n: number) => page.goto(`/projects/${projectId}/traces/${traceId}?span=${spanId(n)}`);
  await open(2);
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

it('a monitor of such a metric says on Checks how many spans its rate is of', async () => {
  const { page, complaints } = visitor;
  await page.goto(`/projects/${projectId}/checks`);
  await page.getByText('1 span', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
