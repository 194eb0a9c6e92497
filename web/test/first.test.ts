import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { openSite, password, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
let models: ModelServer;

beforeAll(async () => {
  models = await openOpenAiServer();
  site = await openSite({
    DOKIMA_WORKERS: '1',
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOKIMA_JUDGE_MODEL: '',
  });
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
});
afterAll(() => Promise.all([site.close(), models.close()]));

it('leads from a table of answers to a verdict and the next step on one page, without a model', async () => {
  const { page, complaints } = visitor;
  // A new account lands in the only project.
  await page.goto('/');
  await page.waitForURL(`**/projects/${projectId}`);
  await page.getByRole('link', { name: 'Get a first result' }).click();
  await page
    .getByLabel('Paste here')
    .fill('mail,expected_city,answer\nMy parcel to Oslo,Oslo,the oslo.\nI live in Bergen,Bergen,Rome\n');
  // The metric has the reader's fields in it, and is tried on the reader's first row before anything is stored.
  const judged = page.getByRole('region', { name: 'Judged by' });
  const match = judged.getByRole('listitem').filter({ hasText: 'Normalized match' });
  await match.getByRole('img', { name: 'passes' }).waitFor();
  expect(await match.getByRole('checkbox').isChecked()).toBe(true);
  expect((await ok(site.api('GET', `/projects/${projectId}/metrics`))).data).toEqual([]);
  await page.getByRole('button', { name: 'Evaluate 2 answers' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('50.0 %').waitFor();
  const { data: runs } = await ok(site.api('GET', `/projects/${projectId}/runs`));
  const { data: records } = await ok(site.api('GET', `/runs/${runs[0].id}/records`));
  expect(records).toMatchObject([
    {
      inputs: { mail: 'My parcel to Oslo' },
      expected: { expected_city: 'Oslo' },
      outputs: { answer: 'the oslo.' },
    },
    {
      inputs: { mail: 'I live in Bergen' },
      expected: { expected_city: 'Bergen' },
      outputs: { answer: 'Rome' },
    },
  ]);
  // The result is at its address.
  await page.reload();
  await result.getByText('50.0 %').waitFor();
  await result.getByRole('link', { name: 'Read the 1 failure' }).click();
  await page.getByText('Rome').first().waitFor();
  expect(complaints).toEqual([]);
});

/** Clicks and keys of a user, counted. A pasted text is two keys, a native list two clicks. */
const counted = ({ page, context }: Visitor) => {
  const count = { clicks: 0, keys: 0 };
  return {
    count,
    click: async (target: Locator) => {
      count.clicks += 1;
      await target.click();
    },
    choose: async (list: Locator, option: string) => {
      count.clicks += 2;
      await list.selectOption(option);
    },
    /** Pastes where the focus is. */
    paste: async (text: string) => {
      count.keys += 2;
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
      await page.keyboard.press('Control+V');
    },
  };
};

it('a model that does not answer is not made the default without a second word', async () => {
  models.list([{ id: 'mute-1' }]);
  const { page } = await site.member('admin');
  await page.goto('/settings/providers');
  await page.getByRole('button', { name: 'New provider' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^OpenAI-compatible/ }).check();
  await dialog.getByLabel('Name').fill('mute');
  await dialog.getByLabel('Address').fill(models.url);
  await dialog.getByRole('button', { name: 'Create provider' }).click();
  models.answer({ status: 401, body: '{}' });
  await dialog.getByRole('button', { name: 'Test and use as the default' }).click();
  await dialog.getByText('does not work', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Use it without a verdict' }).waitFor();
  await dialog.getByRole('button', { name: 'Without a default' }).click();
  expect((await ok(site.api('GET', '/judge-models'))).defaultModelName).toBe(null);

  // The way in then asks for its model alone. Another provider stays a click away.
  await page.goto(`/projects/${(await createProject(site.api)).id}/first`);
  await page.getByRole('radio', { name: /^A prompt/ }).check();
  await page.getByRole('button', { name: 'Connect a model' }).first().click();
  await page.getByRole('dialog', { name: 'Choose a model' }).waitFor();
  await page.getByRole('button', { name: 'Connect another provider' }).click();
  await page.getByRole('dialog', { name: 'Connect a model' }).waitFor();
  const { data } = await ok(site.api('GET', '/providers'));
  for (const { id } of data) await ok(site.api('DELETE', `/providers/${id}`));
});

it('leads from an invitation to the verdict on a prompt in 9 clicks, with a tested model', async () => {
  models.list([{ id: 'text-embedding-9' }, { id: 'writer-9' }]);
  const invited = await site.visitor();
  const { page, complaints } = invited;
  const { count, click, paste } = counted(invited);
  const person = { name: 'Ann', email: 'ann@example.org', role: 'admin' };
  const { id } = await ok(site.api('POST', '/members', person), 201);
  const { url } = await ok(site.api('POST', `/members/${id}/sign-in-links`), 201);
  await page.goto(`/welcome${new URL(url).hash}`);
  await page.getByLabel('Password').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(password);
  await click(page.getByRole('button', { name: 'Choose password and sign in' }));
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const empty = (await createProject(site.api)).id;
  await page.goto(`/projects/${empty}`);
  await click(page.getByRole('link', { name: 'Get a first result' }));
  await click(page.getByRole('radio', { name: /^A prompt/ }));
  await click(page.getByRole('button', { name: 'Connect a model' }).first());
  const dialog = page.getByRole('dialog');
  await click(dialog.getByRole('radio', { name: /^OpenAI-compatible/ }));
  expect(await dialog.getByLabel('Name').inputValue()).toBe('local');
  // The field that this provider needs has the focus.
  await paste(models.url);
  expect(await dialog.getByLabel('Address').inputValue()).toBe(models.url);
  await click(dialog.getByRole('button', { name: 'Find its models' }));
  // The provider's own list; a model of embeddings writes no answers.
  await expect.poll(() => dialog.getByLabel('Default model').inputValue()).toBe('local/writer-9');
  models.answer({ reply: { reasoning: 'Short.', binaryScore: true } });
  await click(dialog.getByRole('button', { name: 'Test and use as the default' }));
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Model', { exact: true }).inputValue()).toBe('local/writer-9');
  await click(page.getByLabel('Paste here'));
  await paste('question,expected\nCapital of Norway?,Oslo\nCapital of Italy?,Rome\n');
  models.answer({ reply: 'oslo' });
  await click(page.getByRole('button', { name: 'Evaluate 2 answers' }));
  await page.getByRole('region', { name: 'Result' }).getByText('50.0 %').waitFor();
  // Beside the password, two texts are pasted.
  expect(count).toEqual({ clicks: 9, keys: 4 });
  expect(complaints).toEqual([]);
});

it('tries the first testcase before it starts, and asks for the use of a column that it cannot guess', async () => {
  const { page, complaints } = await site.member('member');
  await page.goto(`/projects/${projectId}/first`);
  await page.getByRole('radio', { name: /^A prompt/ }).check();
  await page.getByLabel('Paste here').fill('city,country\nOslo,Norway\nRome,Italy\n');
  await page.getByLabel('Use of country').selectOption('Expected');
  expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toContain('{{ inputs.city }}');
  models.answer({ reply: 'norway' });
  await page.getByRole('button', { name: 'Try the first testcase' }).click();
  const match = page.getByRole('listitem').filter({ hasText: 'Normalized match' });
  await match.getByRole('img', { name: 'passes' }).waitFor();
  await page.getByRole('button', { name: 'Evaluate 2 answers' }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('50.0 %').waitFor();
  expect(complaints).toEqual([]);
});

/** How many there are of what an attempt makes. */
const madeIn = async (project: string) => {
  const numOf = async (path: string) =>
    (await ok(site.api('GET', `/projects/${project}/${path}`))).data.length as number;
  const [testsets, metrics, runs] = await Promise.all(['testsets', 'metrics', 'runs'].map(numOf));
  const { data: systems } = await ok(site.api('GET', `/projects/${project}/systems`));
  return {
    testsets,
    metrics,
    runs,
    versions: systems.flatMap((each: { versions: [] }) => each.versions).length,
  };
};

it('keeps the table over a reload, and an attempt after a failure goes on with what the failed one made', async () => {
  const { page, context } = await site.member('member');
  const project = (await createProject(site.api)).id;
  await page.goto(`/projects/${project}/first`);
  await page.getByRole('radio', { name: /^A prompt/ }).check();
  await page.getByLabel('Paste here').fill('city,country\nOslo,Norway\nRome,Italy\n');
  await page.getByLabel('Use of country').selectOption('Expected');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Which country? {{ inputs.city }}');
  models.answer({ reply: 'norway' });
  // The run is refused once; the testset, the metric and the prompt are made.
  const runs = `**/api/v2/projects/${project}/runs`;
  await context.route(runs, (route) =>
    route.fulfill({ status: 400, json: { code: 'X', message: 'Refused.' } }),
  );
  const evaluate = page.getByRole('button', { name: 'Evaluate 2 answers' });
  await evaluate.click();
  await page.getByText('Refused.').waitFor();
  expect(await madeIn(project)).toEqual({ testsets: 1, metrics: 1, runs: 0, versions: 1 });
  await context.unroute(runs);
  await page.reload();
  expect(await page.getByLabel('Use of country').inputValue()).toBe('expected');
  expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe(
    'Which country? {{ inputs.city }}',
  );
  await evaluate.click();
  await page.getByRole('region', { name: 'Result' }).getByText('50.0 %').waitFor();
  expect(await madeIn(project)).toEqual({ testsets: 1, metrics: 1, runs: 1, versions: 1 });
  // Another prompt about the same table is another run of the same testset.
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Name the country of {{ inputs.city }}');
  await evaluate.click();
  await expect.poll(() => madeIn(project)).toEqual({ testsets: 1, metrics: 1, runs: 2, versions: 2 });
});

it('an answer that is lost on the way makes no second testset and no second run of a table of answers', async () => {
  const { page, context } = await site.member('member');
  const project = (await createProject(site.api)).id;
  await page.goto(`/projects/${project}/first`);
  await page.getByRole('button', { name: 'Use sample data' }).click();
  // Records arrive, their answer does not. The client gives up after its retries of a status that it does not repeat.
  let isLost = true;
  await context.route('**/api/v2/runs/*/records/bulk-create', async (route) => {
    if (!isLost) return route.continue();
    await route.fetch();
    isLost = false;
    await route.fulfill({ status: 400, json: { code: 'X', message: 'Lost.' } });
  });
  const evaluate = page.getByRole('button', { name: 'Evaluate 24 answers' });
  await evaluate.click();
  await page.getByText('Lost.').waitFor();
  await evaluate.click();
  await page.getByRole('region', { name: 'Result' }).getByText('of 24 answers pass').first().waitFor();
  expect(await madeIn(project)).toMatchObject({ testsets: 1, metrics: 1, runs: 1 });
  const { data: runs } = await ok(site.api('GET', `/projects/${project}/run-details`));
  expect(runs[0].numRecords).toBe(24);
});

it('a model drafts the testcases, drafts are left out, and a testset that is there can be chosen', async () => {
  const { page, complaints } = await site.member('member');
  const project = (await createProject(site.api)).id;
  await page.goto(`/projects/${project}/first`);
  await page.getByRole('radio', { name: /^A prompt/ }).check();
  await page.getByRole('button', { name: 'Drafted by a model' }).click();
  await page.getByLabel('What they should be about').fill('Capitals');
  await page.getByLabel('Number').fill('3');
  const testcases = [
    { question: 'Capital of Norway?', expected: 'Oslo' },
    { question: 'Where does the Pope live?', expected: 'Rome' },
    { question: 'Which town has the Louvre?', expected: 'Paris' },
  ].map((each) => JSON.stringify(each));
  models.answer({ reply: { testcases } });
  await page.getByRole('button', { name: 'Draft 3 testcases' }).click();
  await page.getByRole('button', { name: 'Leave out draft 2' }).click();
  await page.getByRole('list', { name: 'Drafts' }).getByText('Paris').waitFor();
  models.answer({ reply: 'Oslo' });
  await page.getByRole('button', { name: 'Evaluate 2 answers' }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('50.0 %').waitFor();
  // One testset: the one that the drafts were written for.
  expect(await madeIn(project)).toMatchObject({ testsets: 1, runs: 1 });
  await page.getByRole('button', { name: 'A testset of this project' }).click();
  await page.getByLabel('Testset').selectOption('Capitals: 2 testcases');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Say it: {{ inputs.question }}');
  await page.getByRole('button', { name: 'Evaluate 2 answers' }).click();
  await expect.poll(() => madeIn(project)).toMatchObject({ testsets: 1, runs: 2, versions: 2 });
  expect(complaints).toEqual([]);
});

it('a form whose labels are hidden does not make the document taller than the window', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto(`/projects/${projectId}/runs/new`);
  await page.getByRole('button', { name: 'Start run' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
});
