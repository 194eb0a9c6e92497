import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../server/test/fixtures.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
});
afterAll(() => site.close());

/** The truth of a record, and what the judge says of it: wrong for every eighth record. */
const truth = (i: number) => i % 5 > 1;
const verdict = (i: number) => (i % 8 === 1 ? !truth(i) : truth(i));

/** A project with a run of 240 records that a judge has scored. */
const createJudged = async () => {
  const { id: projectId } = await createProject(site.api);
  const judge = await createMetric(site.api, projectId, {
    ...{ name: 'Correct', evalType: 'ai', outputType: 'boolean', evalModelName: 'fake/judge' },
    promptTemplate: 'Is {{ outputs.answer }} right?',
    guidelines: 'Passes if the answer is right.',
  });
  const testset = await createTestset(site.api, projectId, {
    fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: ['document'] },
  });
  const items = Array.from({ length: 100 }, (_, i) => ({
    jsonData: { question: `q${i}`, answer: 'a', document: `d${i % 10}` },
  }));
  const made = await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const runOf = async (says: (i: number) => boolean) => {
    // Those after the first hundred belong to no testcase.
    const records = Array.from({ length: 240 }, (_, i) => ({
      testcaseId: made.items[i]?.id,
      outputs: { answer: `Record ${i}: ${truth(i) ? 'right' : 'wrong'}` },
      scores: { [judge.id]: says(i) },
    }));
    const { run } = await createRunOf(site.api, projectId, [judge], records, { testsetId: testset.id });
    return run.id as string;
  };
  return { projectId, judge, testset, runOf };
};

describe('the page of a judge', () => {
  it('leads from a judge that no one labelled over 40 labels to a corrected rate and another answer', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createJudged();
    const runId = await runOf(verdict);
    await page.goto(`/projects/${projectId}/metrics/${judge.id}`);
    await page.getByRole('link', { name: 'Can it be trusted?' }).click();
    await page.getByRole('heading', { name: 'This judge may not gate yet' }).waitFor();
    await page.getByText('No person has scored what this judge scored').waitFor();
    await page.getByRole('button', { name: `Draw 40 records of run ${runId} and label them` }).click();

    await page.getByText('40 records waiting').waitFor();
    for (let left = 40; left > 0; left--) {
      const record = page.getByRole('article');
      const said = await record.getByText(/^Record \d+: (right|wrong)$/).textContent();
      await page.keyboard.press(said!.endsWith('right') ? 'p' : 'f');
      await page.keyboard.press('Enter');
      if (left > 1) await record.getByText(said!, { exact: true }).waitFor({ state: 'detached' });
    }
    await page.getByRole('heading', { name: 'No records to review' }).waitFor();

    await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
    await page.getByRole('heading', { name: 'This judge may gate' }).waitFor();
    const answer = await ok(site.api('GET', `/metrics/${judge.id}/calibration?labels=auto&runId=${runId}`));
    expect(answer.n).toBe(40);
    const { sensitivity, matrix } = answer;
    await page
      .getByRole('row', { name: /Sensitivity/ })
      .first()
      .getByText(`${(100 * sensitivity.estimate).toFixed(1)} %`)
      .waitFor();
    const lines = page.getByRole('table', { name: 'Judge against people' });
    await lines.getByRole('row', { name: `Judge fails ${matrix.falseNegatives} too strict` }).waitFor();
    // Both reasons stand side by side, and lead into the record.
    const items = page.getByRole('list', { name: 'Disagreements' }).getByRole('listitem');
    expect(await items.count()).toBe(Math.min(5, answer.disagreements));
    await items.first().getByText('People').waitFor();
    await items
      .first()
      .getByRole('link', { name: new RegExp(`^${runId}-`) })
      .waitFor();
    const { labelsToHalve } = answer.corrected.predictionPowered;
    expect(labelsToHalve).toBeGreaterThan(0);
    await page.getByText(`${labelsToHalve} more labels halve the interval of the corrected rate.`).waitFor();
    // The corrected rate stands beside the judged one, here and on the page of the run.
    const { roganGladen, predictionPowered } = answer.corrected;
    const rate = predictionPowered.interval ? predictionPowered : roganGladen;
    const corrected = new RegExp(`^corrected ${(100 * rate.estimate).toFixed(1)} %`);
    await page
      .getByRole('table', { name: 'Runs that it scored' })
      .getByRole('link', { name: corrected })
      .waitFor();
    await page.goto(`/projects/${projectId}/runs/${runId}`);
    await page
      .getByRole('row', { name: /Correct/ })
      .getByRole('link', { name: corrected })
      .waitFor();
  }, 120_000);

  it('compares configurations, pins labelled records, and marks where the rate moved', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createJudged();
    const before = await runOf(truth);
    const after = await runOf((i) => i % 4 === 0);
    await ok(
      site.api('PATCH', `/metrics/${judge.id}`, {
        evalType: 'ai',
        outputType: 'boolean',
        guidelines: 'Stricter.',
      }),
    );
    await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
    await page.getByText('It has scored no run yet, so there is nothing to label.').waitFor();
    const rows = page.getByRole('table', { name: 'Configurations of the judge' }).getByRole('row');
    expect(await rows.count()).toBe(3);
    await page
      .getByText(`Run ${after}: the rate moved: its interval does not overlap that of run ${before}`)
      .waitFor();
    await rows.last().getByRole('link').click();
    await page.getByRole('button', { name: /Draw 40 records/ }).waitFor();
  });
});

it('no page has complained', () => {
  expect(visitor.complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
});
