import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRescoring,
  createRun,
  ok,
} from '../../server/test/fixtures.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { photograph } from './screens/look.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let models: ModelServer;
let axe: string;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  models = await openOpenAiServer();
  site = await openSite({
    DOKIMA_WORKERS: '1',
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOKIMA_JUDGE_MODEL: '',
  });
  visitor = await site.member('member');
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url };
  await ok(site.api('POST', '/providers', provider), 201);
});
afterAll(() => Promise.all([site.close(), models.close()]));

const patient = { timeout: 30_000, interval: 50 };
const heuristic = { evalType: 'heuristic', outputType: 'boolean' };
const code = (condition: string) =>
  `function score(inputs) { return { score: ${condition}, reasoning: 'It is ' + inputs.i + '.' }; }`;
const completed = (runId: string) =>
  expect.poll(async () => (await ok(site.api('GET', `/runs/${runId}`))).status, patient).toBe('completed');

const createScored = async (count: number) => {
  const { id: projectId } = await createProject(site.api);
  const metric = await createMetric(site.api, projectId, {
    ...heuristic,
    name: 'Even',
    guidelines: code('inputs.i % 2 === 0'),
  });
  const run = await createRun(site.api, projectId, [metric.id]);
  for (let i = 0; i < count; i++) await createRecord(site.api, run.id, { inputs: { i } });
  await completed(run.id);
  return { projectId, metric, run };
};

/** The violations that axe finds in a part of the page. */
const findViolations = async (page: Page, part: string) => {
  await page.evaluate(`window.axe || (() => { ${axe} })()`);
  const { violations } = (await page.evaluate(`axe.run('${part}')`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

const hasFocus = (target: Locator) => target.evaluate((it) => it === document.activeElement);
/** Presses a key until the focus is there; more often than there are places to go, and it can't be reached. */
const pressUntil = async (page: Page, key: string, target: Locator) => {
  await target.waitFor();
  for (let i = 0; i < 150; i++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} is not reached by ${key}.`);
};
const tabTo = async (page: Page, target: Locator) => {
  await target.and(page.locator(':enabled')).waitFor();
  await pressUntil(page, 'Tab', target);
};

describe('rescoring', () => {
  it('a sample first, then all, then the difference, then adopted', async () => {
    const { page } = visitor;
    const { projectId, metric, run } = await createScored(12);
    await ok(
      site.api('PATCH', `/metrics/${metric.id}`, { ...heuristic, guidelines: code('inputs.i % 3 === 0') }),
    );
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByRole('button', { name: 'Score', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Re-score…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Re-score the run' });
    await dialog.getByRole('combobox', { name: 'Metric' }).selectOption({ label: 'Even' });
    await dialog.getByRole('spinbutton', { name: 'Records' }).fill('4');
    expect(await findViolations(page, '[role=dialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Score the sample' }).click();
    await page.getByRole('heading', { name: 'Rescoring of Even' }).waitFor();
    await page.getByRole('button', { name: 'Re-score the remaining 8' }).click();
    await page.getByText('Ready to decide').waitFor();
    await page.getByRole('button', { name: 'Pass → fail 4' }).waitFor();
    expect(await findViolations(page, 'main')).toEqual([]);
    await page.getByRole('button', { name: 'Fail → pass 2' }).click();
    await page.getByRole('row', { name: new RegExp(`${run.id}-4 .*It is 3`) }).waitFor();
    expect(await page.getByRole('row').count()).toBe(1 + 2);
    await page.getByRole('button', { name: 'Adopt…' }).click();
    await page.getByRole('dialog').getByText('12 records get the proposed score of Even').waitFor();
    expect((await ok(site.api('GET', `/records/${run.id}-4`))).scores[0].score.binaryScore).toBe(false);
    await page.getByRole('dialog').getByRole('button', { name: 'Adopt', exact: true }).click();
    await page.getByText('Adopted', { exact: true }).waitFor();
    expect((await ok(site.api('GET', `/records/${run.id}-4`))).scores[0].score.binaryScore).toBe(true);
    await page.getByRole('link', { name: `Run ${run.id}` }).click();
    await page
      .getByRole('table', { name: 'Rescorings' })
      .getByRole('row', { name: /Even Adopted 4 pass → fail, 2 fail → pass of 12 records/ })
      .waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('a second one of the same metric leads to the one that is open; discarded, it changes nothing', async () => {
    const { page } = visitor;
    const { projectId, metric, run } = await createScored(2);
    const path = await createRescoring(site.api, run.id, metric.id);
    await expect.poll(async () => (await ok(site.api('GET', path))).state, patient).toBe('ready');
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByRole('button', { name: 'Score', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Re-score…' }).click();
    await page.getByRole('checkbox', { name: 'Start with a random sample' }).uncheck();
    await page.getByRole('button', { name: 'Re-score', exact: true }).click();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('The proposals are deleted').waitFor();
    expect(await ok(site.api('GET', path))).toMatchObject({ state: 'discarded' });
    visitor.complaints.length = 0;
  });

  it.each([
    ['adopted', 'Adopt…'],
    ['discarded', 'Discard'],
  ])('is begun, read and %s from the keyboard alone', async (state, decision) => {
    const { page } = visitor;
    const { projectId, metric, run } = await createScored(3);
    await ok(
      site.api('PATCH', `/metrics/${metric.id}`, { ...heuristic, guidelines: code('inputs.i % 3 === 0') }),
    );
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await tabTo(page, page.getByRole('button', { name: 'Score', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Re-score…' }).waitFor();
    await pressUntil(page, 'ArrowDown', page.getByRole('menuitem', { name: 'Re-score…' }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Re-score the run' });
    await tabTo(page, dialog.getByRole('combobox', { name: 'Metric' }));
    await page.keyboard.type('Even');
    const sample = dialog.getByRole('checkbox', { name: 'Start with a random sample' });
    await tabTo(page, sample);
    await page.keyboard.press('Space');
    await tabTo(page, dialog.getByRole('button', { name: 'Re-score', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByText('Ready to decide').waitFor();
    const changed = page.getByRole('button', { name: 'Pass → fail 1' });
    await tabTo(page, changed);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pass → fail 1', pressed: true }).waitFor();
    await page.getByRole('row', { name: /It is 2/ }).waitFor();
    await tabTo(page, page.getByRole('button', { name: decision }));
    await page.keyboard.press('Enter');
    if (state === 'adopted') {
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Adopt', exact: true }));
      await page.keyboard.press('Enter');
    }
    // The button that had the focus is gone: the focus moves to the page's heading.
    const heading = page.getByRole('heading', { name: 'Rescoring of Even' });
    await page.waitForFunction((it) => it === document.activeElement, await heading.elementHandle());
    const list = `/trials?runId=${run.id}`;
    await expect.poll(async () => (await ok(site.api('GET', list))).data[0].state, patient).toBe(state);
    expect((await ok(site.api('GET', `/records/${run.id}-3`))).scores[0].score.binaryScore).toBe(
      state === 'discarded',
    );
    expect(visitor.complaints).toEqual([]);
  });

  it('a viewer sees the difference and decides nothing', async () => {
    const { projectId, metric, run } = await createScored(2);
    const rescoring = await createRescoring(site.api, run.id, metric.id);
    const { page } = await site.member('viewer');
    await page.goto(`/projects/${projectId}${rescoring}`);
    await page.getByRole('button', { name: 'Unchanged 2' }).waitFor();
    expect(await page.getByRole('button', { name: /Adopt|Discard/ }).count()).toBe(0);
  });
});

describe('a run', () => {
  it('gets another metric, and its records their scores', async () => {
    const { page } = visitor;
    const { projectId, run } = await createScored(3);
    await createMetric(site.api, projectId, {
      ...heuristic,
      name: 'Small',
      guidelines: code('inputs.i < 2'),
    });
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByRole('button', { name: 'Score', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add metric…' }).click();
    // The only metric that it lacks is chosen.
    expect(await page.getByRole('checkbox', { name: /Small/ }).isChecked()).toBe(true);
    await page.getByText('judging costs nothing').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page
      .getByRole('table', { name: 'Metrics of the run' })
      .getByRole('row', { name: /Small/ })
      .waitFor();
    await completed(run.id);
    expect((await ok(site.api('GET', `/runs/${run.id}`))).numScores).toBe(6);
    await page.goto(`/projects/${projectId}/runs`);
    await page.getByRole('columnheader', { name: 'Small' }).waitFor();
  });

  it('says that its judges wait for a higher budget, and goes on with one', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    models.answer({ reply: { reasoning: 'Yes.', binaryScore: true } });
    const metric = await createMetric(site.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Is {{ outputs.a }} right?',
      evalModelName: 'local/judge',
    });
    const run = await createRun(site.api, projectId, [metric.id], { judgeBudgetUsd: 0 });
    await createRecord(site.api, run.id);
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    const budget = page.getByRole('region', { name: 'Judge budget' });
    await budget.getByText('Stopped: the budget is used up').waitFor();
    await budget.getByRole('button', { name: 'Raise the budget' }).click();
    await page.getByRole('spinbutton', { name: 'Budget, USD' }).fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await completed(run.id);
    expect((await ok(site.api('GET', `/runs/${run.id}`))).numScores).toBe(1);
  });
});

it('Ask is off without a model; with one it answers in claims that link to what it read, with their count', async () => {
  const { page, complaints } = visitor;
  const { projectId, run } = await createScored(6);
  await page.goto(`/projects/${projectId}/runs`);
  await page.getByRole('button', { name: 'Ask about this project' }).click();
  await page.getByRole('heading', { name: 'Ask is off' }).waitFor();
  await ok(site.api('PATCH', '/organization', { judgeModelName: 'local/judge' }));
  await page.reload();
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').locator('input:focus').waitFor();
  await page.keyboard.type('What fails?');
  await page.getByRole('option', { name: 'Ask: What fails?' }).click();
  const { data } = await ok(site.api('GET', `/runs/${run.id}/records`));
  const odd = data.find(({ inputs }: { inputs: { i: number } }) => inputs.i === 1).id;
  const turn = (tool: string, args: object, claims: object[] = []) => ({
    reply: { tool, arguments: JSON.stringify(args), claims },
  });
  const looking = Promise.withResolvers<void>();
  models.answer([{ ...turn('what_failed', { runId: run.id }), after: looking.promise }, turn('', {}, [])]);
  const claims = [
    { text: 'Odd numbers fail.', runIds: [run.id], recordIds: [odd], n: 6 },
    { text: 'The moon is cheese.', runIds: [], recordIds: ['999999-1'], n: 1 },
  ];
  expect(await page.getByRole('textbox', { name: 'Question' }).inputValue()).toBe('What fails?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  // A closed panel does not end the question, and Stop does. Then it is asked again.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Ask about this project' }).click();
  const busy = page.getByRole('region', { name: 'Being answered' });
  await busy.getByText('Looking it up…').waitFor();
  await busy.getByRole('button', { name: 'Stop' }).click();
  await busy.waitFor({ state: 'detached' });
  looking.resolve();
  models.answer([turn('what_failed', { runId: run.id }), turn('', {}, claims)]);
  await page.getByRole('textbox', { name: 'Question' }).fill('What fails?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const answer = page.getByRole('region', { name: 'Answer' });
  const claim = answer.getByRole('listitem').filter({ hasText: 'Odd numbers fail.' });
  await claim.getByText('n = 6').waitFor();
  await claim.getByRole('link', { name: `Run ${run.id}` }).waitFor();
  await answer.getByText(`1. what failed run ${run.id}`).waitFor();
  await answer.getByText('has read: 1.').waitFor();
  expect(await answer.getByText('The moon is cheese.').count()).toBe(0);
  await photograph(page, 'light', 'ask');
  await claim.getByRole('link', { name: `Record ${odd}` }).click();
  await page.waitForURL(`**/records/${odd}`);
  await page.getByRole('button', { name: 'Ask about this project' }).click();
  await answer.getByText('Odd numbers fail.').waitFor();
  expect(complaints).toEqual([]);
});
