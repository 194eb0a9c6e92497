import { expect, it } from 'vitest';
import { readPriceFiles } from '../../engine/models/price-list.ts';
import { computedCost } from './span-cost.ts';

const prices = {
  'openai/gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
  'azure/gpt-4o-mini': { input: 0.3, output: 0.6 },
  'bedrock/anthropic.claude-sonnet-4-v1:0': { input: 5, output: 15 },
  'openai-compatible/gemma3': { input: 1, output: 1 },
  'openai-compatible/meta-llama/Llama-3.3-70B': { input: 2, output: 2 },
  'openai/speaks': {
    input: 1,
    output: 2,
    cachedInput: 0.5,
    audioInput: 10,
    cachedAudioInput: 5,
    audioOutput: 20,
  },
  'anthropic/claude-sonnet-4': { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
};
const tokens = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 };

it.each<[string, Record<string, unknown>, number | null]>([
  ['tokens by the price of the model', { 'gen_ai.request.model': 'gpt-4o-mini' }, 210],
  ['a dated version as its model', { 'gen_ai.response.model': 'gpt-4o-mini-2024-07-18' }, 210],
  ['a model behind a router', { 'gen_ai.request.model': 'openai/gpt-4o-mini' }, 210],
  [
    'cached tokens at their price',
    { 'gen_ai.request.model': 'gpt-4o-mini', 'gen_ai.usage.cache_read.input_tokens': 600 },
    165,
  ],
  [
    'tokens that were written into a cache at theirs',
    {
      'gen_ai.request.model': 'claude-sonnet-4',
      'gen_ai.usage.cache_read.input_tokens': 600,
      'gen_ai.usage.cache_creation.input_tokens': 200,
    },
    600 * 0.3 + 200 * 3.75 + 200 * 3 + 1500,
  ],
  [
    'sound at its prices, with what of it was in the cache',
    {
      'gen_ai.request.model': 'speaks',
      'gen_ai.usage.cache_read.input_tokens': 500,
      'gen_ai.usage.details.input_audio_tokens': 300,
      'gen_ai.usage.details.cache_audio_read_tokens': 200,
      'gen_ai.usage.details.output_audio_tokens': 40,
    },
    // 1000 read: 300 of text in the cache, 200 of sound in it, 100 of sound, 400 of text. 100 written: 40 of sound.
    300 * 0.5 + 200 * 5 + 100 * 10 + 400 * 1 + 60 * 2 + 40 * 20,
  ],
  [
    'no more sound in the cache than there must be, if that was not said',
    {
      'gen_ai.request.model': 'speaks',
      'gen_ai.usage.cache_read.input_tokens': 800,
      'llm.token_count.prompt_details.audio': 300,
      'llm.token_count.completion_details.audio': 500,
    },
    700 * 0.5 + 100 * 5 + 200 * 10 + 100 * 20,
  ],
  [
    'sound as text where the table has no price of it',
    { 'gen_ai.request.model': 'gpt-4o-mini', 'llm.token_count.prompt_details.audio': 900 },
    210,
  ],
  [
    "a deployment of Azure by Azure's price",
    { 'gen_ai.request.model': 'gpt-4o-mini', 'gen_ai.provider.name': 'azure.ai.openai' },
    360,
  ],
  [
    'a model on Bedrock by its price there',
    { 'gen_ai.request.model': 'anthropic.claude-sonnet-4-v1:0', 'gen_ai.provider.name': 'aws.bedrock' },
    6500,
  ],
  [
    'a model that the organization runs',
    { 'gen_ai.request.model': 'gemma3', 'gen_ai.system': 'ollama' },
    1100,
  ],
  [
    'a model whose name has a slash',
    { 'gen_ai.request.model': 'meta-llama/Llama-3.3-70B', 'gen_ai.provider.name': 'vllm' },
    2200,
  ],
  [
    'a framework named as the provider',
    { 'gen_ai.request.model': 'gpt-4o-mini', 'gen_ai.provider.name': 'strands-agents' },
    210,
  ],
  [
    'the model that was asked, if the one that answered has no price',
    { 'gen_ai.response.model': 'weights-7', 'gen_ai.request.model': 'gpt-4o-mini' },
    210,
  ],
  ['no cost of a model without a price', { 'gen_ai.request.model': 'weights-7' }, null],
  ['no cost without a model', {}, null],
  [
    'no cost of unknown tokens',
    { 'gen_ai.request.model': 'gpt-4o-mini', 'gen_ai.usage.output_tokens': '' },
    null,
  ],
])('%s', (_, attributes, microdollars) => {
  const cost = computedCost(prices, new Map(Object.entries({ ...tokens, ...attributes })), 0n);
  if (microdollars === null) expect(cost).toBeNull();
  else expect(cost! * 1e6).toBeCloseTo(microdollars, 9);
});

it.each([
  ['gemini-4-argon', '2026-12-01', { input: 2, output: 10 }, { input: 4, output: 20 }],
  ['gemini-3.8-flash', '2027-01-01', { input: 0.75, output: 3.75 }, { input: 1.5, output: 7.5 }],
])('%s costs more for calls from %s on, whenever they arrive', async (model, day, before, after) => {
  const { models } = (await readPriceFiles()).shipped;
  const attributes = new Map(Object.entries({ ...tokens, 'gen_ai.request.model': model }));
  const costAt = (time: number) => computedCost(models, attributes, BigInt(time) * 1_000_000n)! * 1e6;
  const of = ({ input, output }: { input: number; output: number }) => 1000 * input + 100 * output;
  const first = Date.parse(`${day}T00:00:00Z`);
  expect(costAt(first - 1)).toBeCloseTo(of(before), 9);
  expect(costAt(first)).toBeCloseTo(of(after), 9);
  expect(costAt(Date.UTC(2031, 0))).toBeCloseTo(of(after), 9);
});
