import { expect, it } from 'vitest';
import { computedCost } from './span-cost.ts';

const prices = {
  'openai/gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
  'azure/gpt-4o-mini': { input: 0.3, output: 0.6 },
  'bedrock/anthropic.claude-sonnet-4-v1:0': { input: 5, output: 15 },
  'openai-compatible/gemma3': { input: 1, output: 1 },
  'openai-compatible/meta-llama/Llama-3.3-70B': { input: 2, output: 2 },
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
  const cost = computedCost(prices, new Map(Object.entries({ ...tokens, ...attributes })));
  if (microdollars === null) expect(cost).toBeNull();
  else expect(cost! * 1e6).toBeCloseTo(microdollars, 9);
});
