import { afterAll, beforeEach, expect, it } from 'vitest';
import { openOpenAiServer } from '../../../test/model-server.ts';
import { openAllowedAddresses } from './allowed-addresses.ts';
import { ask, askForObject, type Models, openModels } from './ask.ts';
import { loadPrices } from './price-list.ts';
import type { ProviderConfig } from './provider.ts';
import { openProviderHealth } from './provider-health.ts';

const server = await openOpenAiServer();
const prices = await loadPrices();
const openai: ProviderConfig = {
  name: 'openai',
  kind: 'openai',
  baseUrl: server.url,
  apiKey: 'sk-of-a-test',
  maxConcurrency: 1,
};
let providers: ProviderConfig[];
let models: Models;
beforeEach(() => {
  models?.close();
  providers = [openai];
  models = openModels({
    health: openProviderHealth(),
    providersOf: async () => providers,
    clock: Date.now,
    prices: () => prices,
    allowedAddresses: openAllowedAddresses('true'),
  });
  server.received.length = 0;
});
afterAll(async () => {
  models.close();
  await server.close();
});

const model = { organizationId: 1n, modelName: 'gpt-4o-mini' };
const budget = { timeoutMs: 10_000 };
const names = { type: 'object' as const, properties: { names: { type: 'array' as const } } };

it('an answer has its text, its tokens and its cost', async () => {
  server.answer({ reply: 'Paris', usage: { input: 100, output: 20 } });
  expect(await ask(models, model, 'The capital of France?', budget)).toMatchObject({
    state: 'answered',
    reply: { text: 'Paris' },
    usage: { inputTokens: 100, outputTokens: 20, costUsd: expect.any(Number) },
  });
});

it('a data URI in a prompt is shown as a file', async () => {
  server.answer({ reply: 'A dot.' });
  await ask(models, model, 'What is {"image":"data:image/png;base64,iVBORw0KGgo="}?', budget);
  expect(server.received[0]!.body.messages).toMatchObject([
    { content: [{ text: 'What is {"image":"[image 1]' }, { type: 'image_url' }, { text: '"}?' }] },
  ]);
});

it('an object is one of JSON; a reply that is none was paid for', async () => {
  server.answer([{ reply: { names: ['a'] } }, { reply: 'Well.' }]);
  const asked = () => askForObject(models, model, 'Name them.', names, budget);
  expect(await asked()).toMatchObject({ state: 'answered', object: { names: ['a'] }, inputTokens: 100 });
  expect(await asked()).toMatchObject({ state: 'failed', retryable: false, spent: { inputTokens: 100 } });
});

it('a provider that fails five times in a row is not asked again for a while, and the answer says why', async () => {
  server.answer({ status: 500, body: '{"error":{"message":"down"}}' });
  for (let i = 0; i < 5; i++) await ask(models, model, 'Q', budget);
  expect(await ask(models, model, 'Q', budget)).toMatchObject({
    state: 'failed',
    unasked: true,
    because: expect.stringContaining('failed (500)'),
  });
  expect(server.received).toHaveLength(5);
});

it('the provider is looked up again when the turn comes: a deleted one is not asked', async () => {
  const first = Promise.withResolvers<void>();
  server.answer({ after: first.promise, reply: 'Late' });
  const both = [1, 2].map(() => ask(models, model, 'Q', budget));
  await expect.poll(() => server.received.length).toBe(1);
  providers = [];
  first.resolve();
  expect(await Promise.all(both)).toMatchObject([
    { state: 'answered' },
    { state: 'failed', error: expect.stringContaining("no provider 'openai'") },
  ]);
  expect(server.received).toHaveLength(1);
});

it('a call ends with its caller and at its time, also while it waits for its turn', async () => {
  const never = new Promise<never>(() => {});
  server.answer({ after: never, reply: 'Never' });
  const late = ask(models, model, 'Q', { timeoutMs: 50 });
  expect(await late).toMatchObject({ error: "provider 'openai' took longer than 0.05 s", retryable: true });
  const [asking, waiting] = [new AbortController(), new AbortController()];
  const asked = ask(models, model, 'Q', { ...budget, signal: asking.signal });
  const waits = ask(models, model, 'Q', { ...budget, signal: waiting.signal });
  await expect.poll(() => server.received.length).toBe(2);
  waiting.abort();
  expect(await waits).toMatchObject({ state: 'failed', error: 'cancelled', unasked: true });
  asking.abort();
  expect(await asked).toMatchObject({ state: 'failed', error: 'cancelled', unasked: true });
});

it('the time of a provider comes before the one that the question has', async () => {
  server.answer({ after: new Promise(() => {}), reply: 'Never' });
  providers = [{ ...openai, timeoutMs: 50 }];
  expect(await ask(models, model, 'Q', budget)).toMatchObject({
    error: "provider 'openai' took longer than 0.05 s",
  });
  server.answer({ reply: 'Late' });
  providers = [{ ...openai, timeoutMs: 10_000 }];
  expect(await ask(models, model, 'Q', { timeoutMs: 0 })).toMatchObject({ reply: { text: 'Late' } });
});

it('what is not wanted any more when its turn comes is not asked', async () => {
  const notWanted = { ...budget, isWanted: async () => false };
  expect(await ask(models, model, 'Q', notWanted)).toMatchObject({ error: 'cancelled', unasked: true });
  expect(server.received).toEqual([]);
});
