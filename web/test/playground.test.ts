import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../server/test/fixtures.ts';
import { chunk, openStreaming, usageChunk } from '../../server/test/streaming-model.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let provider: Awaited<ReturnType<typeof openStreaming>>;
let asked = 0;

beforeAll(async () => {
  // Answers in capitals when the prompt says so, in two parts.
  provider = await openStreaming((body) => {
    asked += 1;
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
    ...{ name: 'Loud', evalType: 'heuristic', outputType: 'boolean' },
    guidelines: 'function score(inputs, outputs) { return outputs.answer === outputs.answer.toUpperCase() }',
  });
  return id as string;
};

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
