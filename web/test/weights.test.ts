import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../server/test/fixtures.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
let [before, after] = ['', ''];

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
  const metric = await createMetric(site.api, projectId, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const testset = await createTestset(site.api, projectId, {
    fieldMapping: { inputs: ['question'], expected: [], metadata: ['intent'] },
  });
  const intentOf = (i: number) => (i % 3 === 0 ? 'refund' : 'order');
  const items = Array.from({ length: 30 }, (_, i) => ({
    jsonData: { question: `q ${i}`, ...(i < 29 && { intent: intentOf(i) }) },
  }));
  const made = await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const runOf = async (passes: (i: number) => boolean) => {
    const records = made.items.map(({ id }: { id: string }, i: number) => ({
      testcaseId: id,
      inputs: { question: `q ${i}` },
      scores: { [metric.id]: passes(i) },
    }));
    return (await createRunOf(site.api, projectId, [metric], records, { testsetId: testset.id })).run.id;
  };
  before = await runOf((i) => intentOf(i) === 'refund');
  after = await runOf(() => true);
});
afterAll(() => site.close());

const shares = 'metadata.intent:refund=0.9,order=0.1';
/** The values of the form are those with most records first. */
const sentence =
  /^Rates, means and differences are weighted to the traffic by metadata\.intent: (refund 90 %, order 10 %|order 10 %, refund 90 %); one testcase without it is left out\.$/;

/** Opens the form, chooses the field and writes the shares of its values in per cent. */
const weigh = async (page: Visitor['page'], refund: string, order: string) => {
  await page.getByRole('button', { name: /^Weigh/ }).click();
  const form = page.getByRole('dialog', { name: 'Weigh testcases' });
  await form.getByLabel('Field of the testcase').selectOption('metadata.intent');
  await form.getByLabel('Share of refund').fill(refund);
  await form.getByLabel('Share of order').fill(order);
  return form;
};

describe('weights', () => {
  it('of a run are chosen by value on its page, stay in the address, and stand beside its numbers', async () => {
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/runs/${before}`);
    await page.getByRole('columnheader', { name: /^Pass rate, 95 % interval/ }).waitFor();
    await page.getByRole('button', { name: 'Weigh testcases' }).click();
    const opened = page.getByRole('dialog', { name: 'Weigh testcases' });
    await opened.getByLabel('Field of the testcase').selectOption('metadata.intent');
    // The shares of the run itself come first; the testcase without an intent has none.
    await opened.getByText('34.5 % of the run: 10 records').waitFor();
    expect(await opened.getByLabel('Share of order').inputValue()).toBe('65.52');
    await page.keyboard.press('Escape');
    const form = await weigh(page, '90', '5');
    await form.getByText('Sum 95 %: the shares must add up to 100 %').waitFor();
    expect(await form.getByRole('button', { name: 'Weigh' }).isDisabled()).toBe(true);
    await form.getByLabel('Share of order').fill('10');
    await form.getByText('Sum 100 %', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Weigh' }).click();
    await page.getByText(sentence).first().waitFor();
    await page.getByRole('columnheader', { name: 'Pass rate, weighted, 95 % interval' }).waitFor();
    expect(new URL(page.url()).searchParams.get('weights')).toBe('metadata.intent:order=0.1,refund=0.9');
    const table = page.getByRole('table', { name: 'Metrics of the run' });
    expect(await table.innerText()).toContain('90.0');
    await page.reload();
    await page.getByText(sentence).first().waitFor();
    await page.getByRole('button', { name: 'Weighed by metadata.intent' }).click();
    expect(await form.getByLabel('Share of refund').inputValue()).toBe('90');
    await form.getByLabel('Field of the testcase').selectOption('');
    await form.getByRole('button', { name: 'Count each testcase the same' }).click();
    await page.getByRole('columnheader', { name: /^Pass rate, 95 % interval/ }).waitFor();
    expect(new URL(page.url()).searchParams.has('weights')).toBe(false);
  });

  it('of a comparison too, and an error leaves the choice there', async () => {
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}&weights=${shares}`);
    await page.getByText(sentence).waitFor();
    await page.goto(
      `/projects/${projectId}/compare?runs=${before},${after}&weights=metadata.intent:refund=0.9`,
    );
    await page.getByText(/must add up to 1, but add up to 0.9/).waitFor();
    const form = await weigh(page, '90', '10');
    await form.getByRole('button', { name: 'Weigh' }).click();
    await page.getByText(sentence).waitFor();
    // Such a test has no weights: the way back stays.
    await page.getByLabel('Comparison type').selectOption('Runs in progress (always-valid test)');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Comparison type').selectOption('Final');
    await page.getByText(sentence).waitFor();
  });

  it('go with a comparison to its report and back, where slices are said to have none', async () => {
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}&weights=${shares}`);
    await page.getByRole('link', { name: 'Report' }).click();
    await page.getByText(sentence).waitFor();
    await page.getByText(/^Not tested: a slice has no weighted number/).waitFor();
    await page.getByText(/^Latency, tokens and cost have no weighted number/).waitFor();
    const table = page.getByRole('table', { name: `Run ${after} against Run ${before}` });
    expect(await table.innerText()).toMatch(/\+10\.0/);
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.waitForURL(/\/compare\?.*weights=/);
    await page.goto(`/projects/${projectId}/report?runs=${before},${after}`);
    await table.waitFor();
    expect(await table.innerText()).toMatch(/\+66\.7|\+63\.3/);
  });

  it('weigh the rates of the latest runs on the home page, and stay in the address', async () => {
    const { page } = visitor;
    await page.goto(`/projects/${projectId}`);
    await page.getByRole('button', { name: 'Weigh testcases' }).click();
    const dialog = page.getByRole('dialog', { name: 'Weigh testcases' });
    await dialog.getByLabel('Field of the testcase').selectOption('metadata.intent');
    await dialog.getByRole('button', { name: 'Weigh', exact: true }).click();
    await page.getByRole('button', { name: 'Weighed by metadata.intent' }).waitFor();
    await page.goto(`/projects/${projectId}?weights=${shares}`);
    const query = `shares=${shares}&kind=evaluation&scored=true`;
    const { metrics } = await ok(site.api('GET', `/projects/${projectId}/trends?${query}`));
    const { estimate, method } = metrics[0].points.at(-1).passRate;
    expect(method).toContain('weighted by metadata.intent');
    await page
      .getByText(`${(100 * estimate).toFixed(1)} %`)
      .first()
      .waitFor();
  });
});
