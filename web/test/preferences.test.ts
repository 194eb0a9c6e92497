import type { Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { comparableRuns } from '../../server/test/preferences.ts';
import { photograph } from './screens/look.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let models: ModelServer;

beforeAll(async () => {
  models = await openOpenAiServer();
  site = await openSite({ DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true', DOKIMA_WORKERS: '1' });
});
afterAll(() => Promise.all([site.close(), models.close()]));

it('a member asks which of two runs is better, compares blind by keys, and reads the ranking beside the model’s', async () => {
  models.answer({ reply: { reasoning: 'The first is clearer.', intScore: 2 } });
  const provider = { name: 'stand-in', kind: 'openai-compatible', baseUrl: models.url, maxConcurrency: 1 };
  const prices = { priced: { input: 10, output: 10 } };
  await ok(site.api('POST', '/providers', { ...provider, prices }), 201);
  const { id } = await createProject(site.api);
  const runIds = await comparableRuns(site.api, id, [
    ['Paris', 'Rome', 'Madrid'],
    ['paris?', 'Milan', 'Lisbon'],
  ]);
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${id}/compare?runs=${runIds.join(',')}`);
  await page.getByRole('button', { name: 'Start a side-by-side study' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a side-by-side study' });
  await dialog.getByText('3 pairs on 3 of 3 shared testcases.').waitFor();
  await dialog.getByLabel('Who compares').selectOption({ label: 'People and a model' });
  await dialog.getByLabel('Model', { exact: true }).fill('stand-in/judge');
  await dialog.getByText('The model answers 6 questions: its price is unknown.').waitFor();
  await photograph(page, 'light', 'preference-ask');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.getByText('stand-in/judge: 3 of 3 pairs').waitFor();
  // The verdict followed the order each time, so nothing is preferred.
  await page.getByText('0 won, 3 tied, 0 lost.').waitFor();
  await page.getByRole('link', { name: 'Compare pairs' }).click();
  await page.getByText('0 of 3 compared by you').waitFor();
  expect(await page.locator('main').textContent()).not.toContain(`Run ${runIds[0]}`);
  await photograph(page, 'light', 'preference-pair');
  const first = await page.getByRole('region', { name: /^Pair \d$/ }).getAttribute('aria-label');
  await page.keyboard.press('c');
  await page.keyboard.type('Left and right: ←');
  await page.keyboard.press('ArrowLeft');
  await page.getByText('0 of 3 compared by you').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowLeft');
  await page.getByText('1 of 3 compared by you').waitFor();
  // The comment comes back with the preference that is taken back.
  await page.keyboard.press('u');
  await page.getByText('0 of 3 compared by you').waitFor();
  await page.getByRole('region', { name: first! }).waitFor();
  await expect.poll(() => page.getByLabel('Comment').inputValue()).toBe('Left and right: ←');
  await page.keyboard.press('ArrowLeft');
  await page.getByText('1 of 3 compared by you').waitFor();
  await expect.poll(() => page.getByLabel('Comment').inputValue()).toBe('');
  await page.keyboard.press('ArrowRight');
  await page.getByText('2 of 3 compared by you').waitFor();
  await page.getByRole('button', { name: 'Tie' }).click();
  await page.getByRole('heading', { name: 'You have compared all pairs' }).waitFor();
  await page.getByRole('link', { name: 'See the result' }).click();
  await page.getByRole('table', { name: 'By people' }).waitFor();
  await page.getByText(/^3 of \d+ pairs judged by people, 3 by you/).waitFor();
  // The model has no preference, and the person has one on two of three pairs.
  const disagreements = page.getByRole('list', { name: 'Disagreements' });
  await expect.poll(() => disagreements.locator('> li').count()).toBe(2);
  await disagreements.getByText('Left and right: ←').waitFor();
  await photograph(page, 'light', 'preference-result');
  // A model that has spent its budget goes on with a new one.
  const spending = { modelName: 'stand-in/priced', budgetUsd: 0.000001 };
  const studyId = page.url().split('/').at(-1)!;
  await ok(site.api('PUT', `/preference-studies/${studyId}/judge`, spending));
  const reads = new Set<Request>();
  page.on('request', (request) => request.url().includes(studyId) && reads.add(request));
  page.on('requestfinished', (request) => reads.delete(request));
  page.on('requestfailed', (request) => reads.delete(request));
  await page.reload();
  await page.getByText('stopped at its budget').waitFor();
  await page.getByRole('button', { name: 'Continue…' }).click();
  const budget = page.getByRole('dialog', { name: 'Continue comparing' });
  await budget.getByLabel('Budget, USD').fill('0.0000001');
  await budget.getByText(/^Must be more than/).waitFor();
  await photograph(page, 'light', 'preference-budget');
  await budget.getByLabel('Budget, USD').fill('1');
  await budget.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(/stand-in\/priced: 3 of 3 pairs, \$\S+ of \$1\.00/).waitFor();
  // Votes on a record outlast it.
  const [pair] = (await ok(site.api('GET', `/preference-studies/${studyId}/comparisons?only=disagreements`)))
    .data;
  await ok(site.api('DELETE', `/records/${pair.firstRecordId}`));
  await page.reload();
  await disagreements.getByText('This record was deleted.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  // A read that is still under way would find nothing, and the browser would say so.
  await expect.poll(() => reads.size).toBe(0);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete comparison' }).click();
  await page.getByRole('heading', { name: 'No comparisons yet' }).waitFor();
  // The browser says itself that the deleted record was not found, at each read.
  expect(complaints.filter((text) => !text.includes(`/records/${pair.firstRecordId}`))).toEqual([]);
});

it('says that a circle of preferences is no ranking, and which pairs differ although it has no order', async () => {
  const { id } = await createProject(site.api);
  const names = ['A', 'B', 'C'];
  const answers = names.map((name) => Array.from({ length: 30 }, (_, i) => `${name} ${i}`));
  const runIds = await comparableRuns(site.api, id, answers);
  const body = { criterion: 'The better one.', runIds };
  const study = await ok(site.api('POST', `/projects/${id}/preference-studies`, body), 201);
  const path = `/preference-studies/${study.id}`;
  // A beats B, B beats C, and C beats A, except on each seventh testcase: pairs come in a random order.
  for (let { pair } = await ok(site.api('GET', `${path}/next`)); pair; ) {
    const [left, right] = [pair.left, pair.right].map(({ answer }) => names.indexOf(answer[0]));
    const isLeft = (right! - left! + 3) % 3 === 1;
    const testcase = Number(pair.left.answer.slice(2));
    const choice = isLeft === testcase % 7 > 0 ? 'left' : 'right';
    await ok(site.api('POST', `${path}/preferences`, { pairNumber: pair.number, choice }));
    ({ pair } = await ok(site.api('GET', `${path}/next`)));
  }
  const { page, complaints } = await site.member('viewer');
  await page.goto(`/projects/${id}/preferences/${study.id}`);
  await page.getByRole('table', { name: 'By people' }).waitFor();
  const pairs = page.getByText(/^Run \d+ against run \d+: \d+ won/);
  expect(await pairs.count()).toBe(3);
  for (const text of await pairs.allTextContents())
    expect(text).toMatch(
      /Not shown to differ\. But their own comparisons tell them apart \(the first is preferred in .*\), though the ranking does not/,
    );
  await page.getByText(/^The ranking does not describe its pairs/i).waitFor();
  await page.getByText(/^Tests of all 3 comparisons together \(Holm\) decide/).waitFor();
  expect(complaints).toEqual([]);
});
