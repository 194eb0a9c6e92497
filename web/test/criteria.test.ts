import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createRun, createTestset, ok } from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
});
afterAll(() => site.close());

/** One test of the whole way: each step needs the one before. */
it('criteria are written in a form, ticked by keys, and read by run and record', async () => {
  const { page } = visitor;
  const projectId = (await createProject(site.api)).id as string;

  await page.goto(`${site.url}/projects/${projectId}/metrics/new`);
  await page.getByLabel('Name', { exact: true }).fill('Refund answer');
  await page.getByLabel('Scored by').selectOption({ label: 'People' });
  await page.getByLabel('Score type').selectOption({ label: '0 to 1' });
  for (const [i, text] of ['Is it polite?', 'Is the amount right?'].entries()) {
    await page.getByRole('button', { name: 'Add criterion' }).click();
    await page.getByLabel(`Criterion ${i + 1}`, { exact: true }).fill(text);
  }
  await page.getByLabel('Weight').nth(1).fill('3');
  await page.getByRole('button', { name: /^Create/ }).click();
  await page.waitForURL(/metrics\/\d+/);
  const metricId = /metrics\/(\d+)/.exec(page.url())![1]!;
  const { criteria } = await ok(site.api('GET', `/metrics/${metricId}`));
  expect(criteria.items).toEqual([
    { id: 'is-it-polite', text: 'Is it polite?', weight: 1, mustPass: false },
    { id: 'is-the-amount-right', text: 'Is the amount right?', weight: 3, mustPass: false },
  ]);

  const runs = await Promise.all([1, 2].map(() => createRun(site.api, projectId, [metricId])));
  const items = ['A', 'B'].map((name) => ({ inputs: { name }, expected: {}, outputs: { answer: name } }));
  const [{ ids }] = await Promise.all(
    runs.map((run) => ok(site.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201)),
  );

  await page.goto(`${site.url}/projects/${projectId}/review?metricId=${metricId}&runId=${runs[0].id}`);
  const submit = page.getByRole('button', { name: 'Submit & next' });
  const ticks = page.getByRole('list', { name: 'Criteria' });
  await ticks.getByText('Is it polite?').waitFor();
  await page.keyboard.press('2');
  // A criterion without a verdict is no "no": the reviewer says it.
  expect(await submit.isDisabled()).toBe(true);
  await page.keyboard.press('1');
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await ok(site.api('GET', `/records/${ids[0]}`))).scoreStates[0])
    .toMatchObject({
      state: 'scored',
      score: {
        floatScore: 0.75,
        criteria: [
          { id: 'is-it-polite', met: false },
          { id: 'is-the-amount-right', met: true },
        ],
      },
    });

  await page.goto(`${site.url}/projects/${projectId}/runs/${runs[0].id}`);
  await page.getByRole('button', { name: 'Refund answer' }).click();
  const table = page.getByRole('table', { name: 'Criteria' });
  await table.getByRole('row').nth(2).waitFor();
  expect(await table.getByRole('row').nth(1).textContent()).toContain('Is it polite?');
  expect(await table.getByRole('row').nth(1).textContent()).toContain('never met');

  await page.goto(`${site.url}/projects/${projectId}/records/${ids[0]}`);
  const verdicts = page.getByRole('list', { name: 'Criteria' });
  await verdicts.getByText('Is the amount right?').waitFor();
  expect(await verdicts.getByRole('listitem').allTextContents()).toEqual([
    expect.stringContaining('Not met'),
    expect.stringContaining('Met'),
  ]);
  await page.goto(`${site.url}/projects/${projectId}/metrics/${metricId}`);
  await page.getByLabel('Criterion 2', { exact: true }).waitFor();

  // The other run is compared, criterion by criterion.
  const configId = runs[1].metricVersionIds[0];
  const said = [true, false].map((met, i) => ({
    recordId: `${runs[1].id}-${i + 1}`,
    metricConfigId: configId,
    score: { criteria: criteria.items.map(({ id }: { id: string }) => ({ id, met })) },
  }));
  await ok(site.api('POST', `/runs/${runs[1].id}/scores/bulk-upsert`, { items: said }));
  await page.goto(`${site.url}/projects/${projectId}/runs/${runs[1].id}`);
  await page.getByRole('button', { name: 'Refund answer' }).click();
  await page.getByRole('table', { name: 'Criteria' }).getByText('50').first().waitFor();
});

it('selected records get a verdict on each criterion at once, and one with a negative weight is good when it is not met', async () => {
  const { page } = visitor;
  const projectId = (await createProject(site.api)).id as string;
  const items = [
    { text: 'Is it polite?' },
    { text: 'Is the amount right?', weight: 2, mustPass: true },
    { text: 'Does it promise money?', weight: -1 },
  ];
  const kind = { evalType: 'human', outputType: 'float', passingThreshold: 0.5, criteria: { items } };
  const metric = await createMetric(site.api, projectId, { ...kind, name: 'Refund answer' });
  const run = await createRun(site.api, projectId, [metric.id]);
  const records = ['A', 'B'].map((name) => ({ inputs: { name }, expected: {}, outputs: { answer: name } }));
  const { ids } = await ok(site.api('POST', `/runs/${run.id}/records/bulk-create`, { items: records }), 201);

  await page.goto(`${site.url}/projects/${projectId}/records?q=run:${run.id}`);
  await page.getByRole('grid').getByRole('row').nth(2).waitFor();
  await page.getByRole('checkbox', { name: /^Select all/ }).click();
  await page
    .getByRole('toolbar', { name: 'Selected records' })
    .getByRole('button', { name: 'Score', exact: true })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Score 2 records' });
  const score = dialog.getByRole('button', { name: 'Score', exact: true });
  const say = (text: string, word: string) =>
    dialog.getByRole('group', { name: text }).getByRole('button', { name: word }).click();
  await say('Is it polite?', 'No');
  await say('Is the amount right?', 'Yes');
  // A criterion without a verdict is no "no".
  expect(await score.isDisabled()).toBe(true);
  await say('Does it promise money?', 'Yes');
  await score.click();
  await page.getByText('by Refund answer: 2 records.').waitFor();
  for (const id of ids)
    expect((await ok(site.api('GET', `/records/${id}`))).scoreStates[0]).toMatchObject({
      state: 'scored',
      // (2 − 1) ÷ 3
      score: { floatScore: 1 / 3, criteria: [{ met: false }, { met: true }, { met: true }] },
      madeBy: 'person',
    });

  await page.goto(`${site.url}/projects/${projectId}/runs/${run.id}`);
  await page.getByRole('button', { name: 'Refund answer' }).click();
  const table = page.getByRole('table', { name: 'Criteria' });
  await table.getByRole('row').nth(3).waitFor();
  const rows = await table.getByRole('row').allTextContents();
  // Worst first: what must not happen happened always, as what must happen never did.
  expect(rows.slice(1).map((row) => /polite|amount|promise/.exec(row)?.[0])).toEqual([
    'polite',
    'promise',
    'amount',
  ]);
  expect(rows[2]).toContain('always met');
  expect(visitor.complaints).toEqual([]);
});

it('a testcase edits its criteria in a form, and the testset gets their field from it', async () => {
  const { page } = visitor;
  const { api } = site;
  const projectId = (await createProject(api)).id as string;
  await createMetric(api, projectId, {
    name: 'By the case',
    evalType: 'human',
    outputType: 'float',
    criteria: { fromExpected: true },
  });
  const testset = await createTestset(api, projectId);
  const fieldMapping = { inputs: ['question'], expected: [], metadata: [] };
  const { name, description } = testset;
  await ok(api('PATCH', `/testsets/${testset.id}`, { name, description, jsonSchema: {}, fieldMapping }));
  const { items } = await ok(
    api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData: { question: 'Eggs?' } }] }),
    201,
  );
  const stored = async () => (await ok(api('GET', `/testcases/${items[0].id}`))).jsonData;

  await page.goto(`${site.url}/projects/${projectId}/testsets/${testset.id}`);
  await page.getByRole('gridcell', { name: 'Eggs?' }).click();
  await page.getByRole('button', { name: 'Add criteria to the testset' }).click();
  const form = page.getByRole('group', { name: 'criteria' });
  await form.getByRole('button', { name: 'Add criterion' }).click();
  await form.getByLabel('Criterion 1', { exact: true }).fill('Says eight minutes');
  await form.getByRole('button', { name: 'Add criterion' }).click();
  await form.getByLabel('Criterion 2', { exact: true }).fill('Says to eat it next week');
  await form.getByLabel('Id 2').fill('next-week');
  await form.getByLabel('Weight').nth(0).fill('-2');
  // Nothing could be reached: it is said where it is written, and not stored.
  await form.getByLabel('Weight').nth(1).fill('-1');
  await form.getByText('needs a criterion with a positive weight').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await form.getByLabel('Weight').nth(0).fill('5');
  await form.getByLabel('Must pass').first().check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toEqual({
    question: 'Eggs?',
    criteria: [
      { text: 'Says eight minutes', weight: 5, mustPass: true },
      { id: 'next-week', text: 'Says to eat it next week', weight: -1 },
    ],
  });
  // As JSON it is the same; a criterion that says nothing else is a text.
  await form.getByRole('button', { name: 'As JSON' }).click();
  await page
    .getByLabel('criteria', { exact: true })
    .fill('["Is it polite?", {"text": "Short?", "tags": ["a"]}]');
  await page.getByRole('button', { name: 'As a form' }).click();
  await form.getByLabel('Weight').nth(1).fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await stored()).criteria)
    .toEqual(['Is it polite?', { text: 'Short?', weight: 2, tags: ['a'] }]);
});
