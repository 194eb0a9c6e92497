import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { openSite, type Site, type Visitor } from './site.ts';

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

it('connects a provider, chooses its default model and tests it in one dialog, then asks the model', async () => {
  models.list([{ id: 'text-embedding-9' }, { id: 'writer-9' }]);
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${projectId}/first`);
  await page.getByRole('radio', { name: /^A prompt/ }).check();
  await page.getByRole('button', { name: 'Connect a model' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('API').selectOption('openai-compatible');
  expect(await dialog.getByLabel('Name').inputValue()).toBe('local');
  await dialog.getByLabel('Address').fill(models.url);
  await dialog.getByRole('button', { name: 'Find its models' }).click();
  // The provider's own list; a model of embeddings writes no answers.
  await expect.poll(() => dialog.getByLabel('Default model').inputValue()).toBe('local/writer-9');
  models.answer({ reply: { reasoning: 'Short.', binaryScore: true } });
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await dialog.getByText('works', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Use as the default' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Model', { exact: true }).inputValue()).toBe('local/writer-9');
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

it('a form whose labels are hidden does not make the document taller than the window', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto(`/projects/${projectId}/runs/new`);
  await page.getByRole('button', { name: 'Start run' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
});
