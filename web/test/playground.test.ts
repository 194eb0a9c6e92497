import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEndpoint } from '../../server/test/endpoint.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { chunk, openStreaming, usageChunk } from '../../server/test/streaming-model.ts';
import { photograph } from './screens/look.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let provider: Awaited<ReturnType<typeof openStreaming>>;
let asked = 0;
let lastBody = '';

beforeAll(async () => {
  // Answers in capitals when the prompt says so, in two parts.
  provider = await openStreaming((body) => {
    asked += 1;
    lastBody = body;
    const answer = body.includes('CAPITALS') ? ['PAR', 'IS'] : ['Par', 'is'];
    return [
      chunk({ role: 'assistant', content: answer[0] }),
      chunk({ content: answer[1] }, 'stop'),
      usageChunk(1000, 1000),
    ];
  });
  site = await openSite({ DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true', DOKIMA_WORKERS: '0' });
  const prices = { small: { input: 100, output: 100 } };
  const local = { name: 'local', kind: 'openai-compatible', baseUrl: provider.url, prices };
  await ok(site.api('POST', '/providers', local), 201);
}, 120_000);
afterAll(async () => {
  await site.close();
  provider.close();
});

const openProject = async (testcases: number) => {
  const { id } = await createProject(site.api);
  const testset = await createTestset(site.api, id, { name: 'Capitals' });
  const items = Array.from({ length: testcases }, (_, i) => ({
    jsonData: { question: `Capital of France, asked the ${i + 1}th time?`, answer: 'PARIS' },
  }));
  await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  await createMetric(site.api, id, {
    name: 'Loud',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines:
      'function score(inputs, outputs) { const loud = outputs.answer === outputs.answer.toUpperCase(); return { score: loud, reasoning: loud ? "All in capitals." : "Too quiet." } }',
  });
  return id as string;
};

it('prompt, playground, save, run on the testset and promote, in clicks', async () => {
  const projectId = await openProject(10);
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${projectId}/systems`);
  await page.getByRole('link', { name: 'New prompt' }).first().click();
  const a = page.getByRole('region', { name: 'Variant A' });
  await a.getByLabel('Model of A').fill('local/small');
  await a.getByLabel('Message 1', { exact: true }).fill('Answer: {{ inputs.question }}');
  await page.getByLabel('inputs.question').waitFor();
  await a.getByRole('button', { name: 'Copy variant A' }).click();
  const b = page.getByRole('region', { name: 'Variant B' });
  await b.getByLabel('Message 1', { exact: true }).fill('Answer in CAPITALS: {{ inputs.question }}');
  await page.getByLabel('Examples').selectOption({ label: 'Capitals' });
  await page.getByRole('checkbox', { name: /Loud/ }).check();
  await page.getByLabel('Budget, USD').fill('10');
  await page.getByText('10 examples can show a difference only if 6 or more change').waitFor();
  // The prompts and the testcases are read, and a page of text is assumed as the answer.
  await page.getByText(/About \$0\.\d+ for 20 answers/).waitFor();
  await page.getByRole('button', { name: 'Ask 2 variants about 10 examples' }).click();
  await page.getByText('Loud: 0 of 10 pass').waitFor();
  await page.getByText('Loud: 10 of 10 pass; 10 better and 0 worse than A').waitFor();
  // Each score says why, those that pass too.
  expect(await page.getByText('All in capitals.').count()).toBe(10);
  expect(await page.getByText('Too quiet.').count()).toBe(10);
  expect(await page.getByText('$0.20', { exact: false }).count()).toBeGreaterThan(0);
  expect(asked).toBe(20);
  await page.getByLabel('Show what differs from A').check();
  await page.locator('ins', { hasText: 'PARIS' }).first().waitFor();
  await page.getByLabel('Show what differs from A').uncheck();
  for (const [card, name] of [
    [a, 'quiet'],
    [b, 'loud'],
  ] as const) {
    await card.getByRole('button', { name: 'Save version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save version' });
    if (name === 'quiet') await dialog.getByLabel('Name of the prompt').fill('capitals');
    else await dialog.getByLabel('Prompt', { exact: true }).selectOption({ label: 'capitals' });
    await dialog.getByLabel('Name of the version').fill(name);
    await dialog.getByRole('button', { name: 'Save version' }).click();
    await card.getByRole('button', { name: 'Saved' }).waitFor();
  }
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await photograph(page, theme, 'playground-answers');
  }
  await page.getByRole('button', { name: 'Run on the whole testset' }).click();
  await page
    .getByRole('dialog', { name: 'Run on a testset' })
    .getByRole('button', { name: 'Start 2 runs' })
    .click();
  await page.waitForURL(/\/compare\?runs=/);
  const { data } = await ok(site.api('GET', `/projects/${projectId}/run-details`));
  expect(data.map(({ name }: { name: string }) => name).sort()).toEqual([
    'capitals: loud',
    'capitals: quiet',
  ]);
  await page.goto(`/projects/${projectId}/systems`);
  await page.getByRole('link', { name: 'capitals' }).click();
  await page.getByRole('heading', { name: 'loud' }).waitFor();
  await page.getByLabel('Compare with').selectOption({ label: 'quiet · production' });
  await page.locator('ins', { hasText: 'in CAPITALS' }).waitFor();
  await page.getByRole('button', { name: 'Promote' }).click();
  // Two clicks: production is chosen, and the dialog says which version it leaves.
  const dialog = page.getByRole('dialog', { name: 'Promote loud' });
  await dialog.getByText('get loud instead of quiet').waitFor();
  await dialog.getByRole('button', { name: 'Promote to production' }).click();
  await page.getByRole('button', { name: 'loud production latest' }).waitFor();
  const path = `/projects/${projectId}/systems/capitals/versions/production`;
  expect((await ok(site.api('GET', path))).name).toBe('loud');
  expect(complaints).toEqual([]);
}, 60_000);

it('asks an endpoint that is not saved about the whole testset, and a link brings another member the same setup', async () => {
  const projectId = await openProject(12);
  const endpoint = await openEndpoint(() => ({ body: JSON.stringify({ answer: 'LYON' }) }));
  const { page, context, complaints } = await site.member('admin');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/projects/${projectId}/playground`);
  const a = page.getByRole('region', { name: 'Variant A' });
  await a.getByLabel('Model of A').fill('local/small');
  await a.getByLabel('Message 1', { exact: true }).fill('Answer: {{ inputs.question }}');
  await page.getByRole('button', { name: 'Add variant' }).click();
  const b = page.getByRole('region', { name: 'Variant B' });
  await b.getByLabel('Version of B').selectOption('New endpoint');
  await b.getByLabel('Address of B').fill('ftp://no');
  await page.getByLabel('Examples').selectOption({ label: 'Capitals' });
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('checkbox', { name: /Loud/ }).check();
  await page.getByLabel('Budget, USD').fill('10');
  const ask = page.getByRole('button', { name: 'Ask 2 variants about 12 examples' });
  await ask.waitFor();
  expect(await ask.isDisabled()).toBe(true);
  await b.getByLabel('Address of B').fill(endpoint.url);
  await page.getByText(/About \$0\.\d+ for 24 answers, without the unknown cost of 1 variant/).waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await ask.click();
  await page.getByText('Loud: 12 of 12 pass; 12 better and 0 worse than A').waitFor();
  expect(endpoint.received).toHaveLength(12);
  expect(JSON.parse(endpoint.received[0]!.text)).toMatchObject({ inputs: { question: expect.any(String) } });
  for (const list of ['systems', 'runs'])
    expect((await ok(site.api('GET', `/projects/${projectId}/${list}`))).data).toEqual([]);
  const other = await site.member('member');
  await other.page.goto(link);
  const theirs = other.page.getByRole('region', { name: 'Variant B' });
  await expect.poll(() => theirs.getByLabel('Address of B').inputValue()).toBe(endpoint.url);
  await other.page.getByRole('button', { name: 'Ask 2 variants about 12 examples' }).waitFor();
  expect(await other.page.getByRole('checkbox', { name: /Loud/ }).isChecked()).toBe(true);
  expect([complaints, other.complaints]).toEqual([[], []]);
  await endpoint.close();
}, 60_000);

it('stops asking when the budget is used up, and keeps the draft over a reload', async () => {
  const projectId = await openProject(10);
  const { page } = await site.member('admin');
  await page.goto(`/projects/${projectId}/playground`);
  await page.getByLabel('Model of A').fill('local/small');
  await page.getByLabel('Message 1', { exact: true }).fill('{{ inputs.question }}');
  await page.getByLabel('Examples').selectOption({ label: 'Capitals' });
  await page.getByLabel('Budget, USD').fill('0.3');
  const before = asked;
  await page.getByRole('button', { name: 'Ask 1 variant about 10 examples' }).click();
  await page.getByText('The budget is used up').waitFor();
  // Each call costs 0.2, and four are made at a time.
  expect(asked - before).toBeLessThanOrEqual(6);
  await page.reload();
  expect(await page.getByLabel('Message 1', { exact: true }).inputValue()).toBe('{{ inputs.question }}');
});

it('an image as an input is chosen or pasted, shown, and reaches the model as an image', async () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAIAAADRv8uKAAAAK0lEQVR42u3NMQ0AAAgDsOlECRKRhQw4mvRvqudExGKxWCwWi8VisVj8N170FIJK9pdwpwAAAABJRU5ErkJggg==';
  const { id: projectId } = await createProject(site.api);
  const { page, context, complaints } = await site.member('admin');
  await page.goto(`/projects/${projectId}/playground`);
  await page.getByLabel('Model of A').fill('local/small');
  await page.getByLabel('Message 1', { exact: true }).fill('What is it? {{ inputs.picture }}');
  const file = { name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
  await page
    .getByLabel('Image or PDF for picture')
    .setInputFiles({ ...file, mimeType: 'image/tiff', name: 'cat.tiff' });
  await page.getByText('Choose a PNG, JPEG, GIF, WebP or PDF.').waitFor();
  await page.getByLabel('Image or PDF for picture').setInputFiles(file);
  await page.getByRole('img', { name: 'inputs.picture' }).waitFor();
  await page.getByText('image/png', { exact: false }).waitFor();
  await photograph(page, 'light', 'playground-image');
  await page.getByRole('button', { name: 'Ask 1 variant about 1 example' }).click();
  await page.getByRole('region', { name: 'Answer of A' }).getByText('Paris').waitFor();
  const content = JSON.parse(lastBody).messages[0].content;
  expect(content).toEqual([
    { type: 'text', text: 'What is it? [image 1]' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  ]);
  await page.getByRole('button', { name: 'Remove the file of inputs.picture' }).click();
  const input = page.getByRole('textbox', { name: 'inputs.picture' });
  await input.waitFor();
  // As a screenshot is pasted: from the clipboard of the browser, with the key.
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const bytes = `Uint8Array.from(atob('${png}'), (char) => char.charCodeAt(0))`;
  const image = `new ClipboardItem({ 'image/png': new Blob([${bytes}], { type: 'image/png' }) })`;
  await page.evaluate(`navigator.clipboard.write([${image}])`);
  await input.press('ControlOrMeta+v');
  await page.getByRole('img', { name: 'inputs.picture' }).waitFor();
  await page.getByRole('button', { name: 'Remove the file of inputs.picture' }).click();
  await page.evaluate("navigator.clipboard.writeText('a cat')");
  await input.press('ControlOrMeta+v');
  await expect.poll(() => input.inputValue()).toBe('a cat');
  expect(complaints).toEqual([]);

  const run = await createRun(site.api, projectId, []);
  const record = await createRecord(site.api, run.id, {
    inputs: {},
    expected: {},
    outputs: { picture: `data:image/png;base64,${png}` },
  });
  await page.goto(`/projects/${projectId}/records/${record.id}`);
  await page.getByRole('img', { name: 'picture' }).waitFor();
  await photograph(page, 'light', 'record-image');
});
