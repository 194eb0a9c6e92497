import { expect, it } from 'vitest';
import { computedCost } from './span-cost.ts';

const prices = {
  'openai/gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
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
