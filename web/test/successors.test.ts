import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, ok } from '../../server/test/fixtures.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { photograph } from './screens/look.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let models: ModelServer;
beforeAll(async () => {
  models = await openOpenAiServer();
  site = await openSite({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
});
afterAll(() => Promise.all([site.close(), models.close()]));

it('a successor is tried, shown to decide alike, and adopted, in clicks', async () => {
  models.list([{ id: 'judge-2' }]);
  const listed = { name: 'listed', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(site.api('POST', '/providers', listed), 201);
  await ok(site.api('POST', '/judge-models/refresh'));
  const { page, complaints } = await site.member('member');
  const { id: projectId } = await createProject(site.api);
  const judge = await createMetric(site.api, projectId, {
    name: 'Correct',
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'fake/judge',
    promptTemplate: 'Is {{ outputs.answer }} right?',
  });
  const people = await createMetric(site.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const records = Array.from({ length: 400 }, (_, i) => ({
    inputs: { i },
    outputs: { answer: `answer ${i}` },
    scores: { [people.id]: i % 2 === 0 },
  }));
  const { run } = await createRunOf(site.api, projectId, [judge, people], records);
  await expect
    .poll(async () => (await ok(site.api('GET', `/runs/${run.id}`))).status, { timeout: 60_000 })
    .toBe('completed');
  await ok(site.api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id, size: 400 }));

  await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
  await page.getByText('No trial yet.').waitFor();
  await page.getByRole('button', { name: 'Test replacement models' }).click();
  // The provider's own list is offered: a click takes a model, and another leaves it.
  const offered = page.getByRole('button', { name: 'listed/judge-2' });
  await offered.click();
  expect(await page.getByLabel('Models', { exact: true }).inputValue()).toBe('listed/judge-2');
  await offered.click();
  // The stand-in gives one verdict for one prompt, so the same model decides alike.
  await page.getByLabel('Models', { exact: true }).fill('fake/judge');
  await page.getByRole('button', { name: 'Start the trial' }).click();
  await page.getByRole('table', { name: 'Successors' }).getByText('equivalent', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Adopt…' }).click();
  await page.getByRole('dialog', { name: 'Adopt fake/judge?' }).waitFor();
  await page.getByRole('button', { name: 'Adopt', exact: true }).click();
  // What is behind an open dialog is hidden from roles.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Adopt…' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Successors 1' }).click();
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
  await page.getByText('Adopted', { exact: true }).waitFor();
  const [trial] = (await ok(site.api('GET', `/trials?metricId=${judge.id}`))).data;
  expect(trial.adopted).not.toBeNull();
  await ok(site.api('DELETE', `/runs/${trial.candidates[0].runId}`));
  const row = page.getByRole('table', { name: 'Successors' }).getByRole('row').filter({ hasText: 'deleted' });
  await page.reload();
  await row.getByText('no verdict').waitFor();
  expect(complaints).toEqual([]);
}, 120_000);

it('a run warns of a judge whose model ends, and leads to the successors on the page of the judge and its jury', async () => {
  const endsOn = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  models.list([{ id: 'old', shutdown_date: endsOn }]);
  models.answer(({ body, messages: [text = ''] }) => ({
    reply: {
      reasoning: 'It is an even number.',
      binaryScore: body.model === 'lenient' || /[02468]$/m.test(text.match(/answer \d+/)?.[0] ?? ''),
    },
  }));
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url };
  await ok(site.api('POST', '/providers', provider), 201);
  await ok(site.api('POST', '/judge-models/refresh'));
  const { id: projectId } = await createProject(site.api);
  const judge = await createMetric(site.api, projectId, {
    name: 'Even',
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'local/old',
    promptTemplate: 'Is {{ outputs.answer }} even?',
  });
  const juryModelNames = ['local/lenient', 'local/other'];
  await ok(site.api('PATCH', `/metrics/${judge.id}/settings`, { judgeRepeats: 1, juryModelNames }));
  const people = await createMetric(site.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const records = Array.from({ length: 12 }, (_, i) => ({
    inputs: { i },
    outputs: { answer: `answer ${i}` },
    scores: { [people.id]: i % 2 === 0 },
  }));
  const { run } = await createRunOf(site.api, projectId, [judge, people], records);
  await expect
    .poll(async () => (await ok(site.api('GET', `/runs/${run.id}`))).status, { timeout: 60_000 })
    .toBe('completed');

  const { page, complaints } = await site.member('member');
  await page.goto(`/projects/${projectId}/runs/${run.id}`);
  const warning = page.getByRole('status').filter({ hasText: 'local/old' });
  await warning.getByText(/It judges 1 metric/).waitFor();
  await photograph(page, 'light', 'run-model-ending');
  await warning.getByRole('link', { name: 'Test replacement models' }).click();
  const heading = page.getByRole('heading', { name: 'Successors' });
  const isInView = () =>
    heading.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    });
  await heading.waitFor();
  await expect.poll(isInView).toBe(true);
  const jury = page.getByRole('table', { name: 'Models of the jury' });
  const lenient = jury.getByRole('row').filter({ hasText: 'local/lenient' });
  await lenient.getByText('50.0 %').first().waitFor();
  await expect.poll(isInView).toBe(true);
  await photograph(page, 'light', 'successors-scrolled');
  await jury.scrollIntoViewIfNeeded();
  await photograph(page, 'light', 'jury-of-judge');
  expect(complaints).toEqual([]);
}, 120_000);

it('beside a prompt stands how often people agree with it, as saved and as edited, with its disagreements', async () => {
  let asked = 0;
  models.answer(({ messages }) => {
    asked += 1;
    const text = messages.join();
    const i = Number(/answer (\d+)/.exec(text)![1]);
    const errs = i % (text.includes('carefully') ? 20 : 5) === 0;
    return { reply: { reasoning: `I looked at number ${i}.`, binaryScore: (i % 2 === 0) !== errs } };
  });
  const prices = { judge: { input: 3, output: 15 } };
  const provider = { name: 'live', kind: 'openai-compatible', baseUrl: models.url, prices };
  await ok(site.api('POST', '/providers', provider), 201);
  const { id: projectId } = await createProject(site.api);
  const judge = await createMetric(site.api, projectId, {
    name: 'Even',
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'live/judge',
    promptTemplate: 'Is {{ outputs.answer }} even?',
    guidelines: 'Pass it if the number is even.',
  });
  const people = await createMetric(site.api, projectId, {
    evalType: 'human',
    outputType: 'boolean',
    guidelines: 'Pass it if the number is even.',
  });
  const records = Array.from({ length: 120 }, (_, i) => ({
    inputs: { i },
    outputs: { answer: `answer ${i}` },
    scores: { [people.id]: i % 2 === 0 },
  }));
  const { run } = await createRunOf(site.api, projectId, [judge, people], records);
  await expect
    .poll(async () => (await ok(site.api('GET', `/runs/${run.id}`))).status, { timeout: 60_000 })
    .toBe('completed');

  const { page, complaints } = await site.member('member');
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(new URL(request.url()).pathname);
  });
  await page.goto(`/projects/${projectId}/metrics/${judge.id}`);
  const heading = page.getByRole('heading', { name: 'Agreement with people' });
  const panel = page.locator('section').filter({ has: heading });
  await panel.getByRole('button', { name: 'Pin the labels' }).click();
  const table = panel.getByRole('table', { name: 'Agreement with people' });
  await table
    .getByRole('row', { name: /For tuning/ })
    .getByText(/^8\d\.\d %$/)
    .waitFor();
  await page.reload();
  await panel.getByText('Change the prompt, the guidelines or the model').waitFor();

  [asked, posted.length] = [0, 0];
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Look carefully.');
  const measure = panel.getByRole('button', { name: 'Measure the edited prompt…' });
  await measure.waitFor();
  const asksOfTyping = posted.filter((path) => path.includes('/trials'));
  await measure.click();
  const dialog = page.getByRole('dialog', { name: 'Measure on labels for tuning' });
  await dialog.getByText(/verdicts on \d+ pinned labels for tuning, about \$0\.\d+/).waitFor();
  expect([asked, asksOfTyping]).toEqual([0, []]);
  await dialog.getByLabel('Budget, USD').fill('1');
  await dialog.getByRole('button', { name: 'Ask the judge' }).click();
  const tuning = table.getByRole('row', { name: /For tuning/ });
  await tuning.getByText(/^\+\d+\.\d points .*: better|cannot tell/).waitFor({ timeout: 60_000 });
  const list = panel.getByRole('list', { name: 'Disagreements' });
  await list.getByText('mended by the edit').first().click();
  await list
    .getByText(/I looked at number/)
    .filter({ visible: true })
    .first()
    .waitFor();
  for (const theme of ['light', 'dark'] as const) await photograph(page, theme, 'agreement-beside-prompt');
  // Another edit makes the result pale, until it is measured too.
  await prompt.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('!');
  await panel.getByText('the prompt has changed since').waitFor();

  // The other labels are kept: they give a figure, and no record to read.
  await panel.getByRole('button', { name: 'Check it on kept labels…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ask the judge' }).click();
  await table
    .getByRole('row', { name: /Kept for the check/ })
    .getByText(/points/)
    .waitFor({ timeout: 60_000 });
  expect(complaints).toEqual([]);
}, 120_000);
