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
  const testset = await createTestset(site.api, projectId);
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
const sentence =
  'Rates, means and differences are weighted to the traffic by metadata.intent: refund 90 %, order 10 %; one testcase without it is left out.';

describe('weights', () => {
  it('of a run are asked for on its page, stay in the address, and stand beside its numbers', async () => {
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/runs/${before}`);
    await page.getByRole('columnheader', { name: /^Pass rate, 95 % interval/ }).waitFor();
    await page.getByLabel('Weigh testcases by').fill(shares);
    await page.getByLabel('Weigh testcases by').press('Enter');
    await page.getByText(sentence).first().waitFor();
    await page.getByRole('columnheader', { name: 'Pass rate, weighted, 95 % interval' }).waitFor();
    expect(new URL(page.url()).searchParams.get('weights')).toBe(shares);
    const table = page.getByRole('table', { name: 'Metrics of the run' });
    expect(await table.innerText()).toContain('90');
    await page.reload();
    await page.getByText(sentence).first().waitFor();
  });

  it('of a comparison too, and an error leaves the field there', async () => {
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}&weights=${shares}`);
    await page.getByText(sentence).waitFor();
    await page
      .getByText(/weighted/)
      .first()
      .waitFor();
    await page.getByLabel('Weigh testcases by').fill('metadata.intent:refund=0.9');
    await page.getByLabel('Weigh testcases by').press('Enter');
    await page.getByText(/must add up to 1, but add up to 0.9/).waitFor();
    expect(await page.getByLabel('Weigh testcases by').inputValue()).toBe('metadata.intent:refund=0.9');
    await page.getByLabel('Weigh testcases by').fill(shares);
    await page.getByLabel('Weigh testcases by').press('Enter');
    await page.getByText(sentence).waitFor();
    // Such a test has no weights: the way back stays.
    await page.getByLabel('Test', { exact: true }).selectOption('Runs that still grow');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Test', { exact: true }).selectOption('Finished runs');
    await page.getByText(sentence).waitFor();
  });
});
