import { costOf } from '../../engine/models/prices.ts';
import type { PriceTable } from '../../engine/models/provider.ts';
import { type Attributes, firstAmount, firstText } from '../conventions/attribute.ts';
import { fields } from '../conventions/fields.ts';
import { usageOf } from '../conventions/understand.ts';

/** Kinds of the price table by the words in the names that instrumentations give to providers. */
const kinds: readonly (readonly [kind: string, words: RegExp])[] = [
  ['openai', /openai|azure/i],
  ['anthropic', /anthropic|claude/i],
  ['google', /google|gemini|gcp|vertex/i],
];

/**
 * Returns the cost of a call of a model in USD, from its tokens and the price table; null if the table lacks the model or the
 * tokens are unknown. Many instrumentations name a framework as the provider; then the model's name alone decides.
 */
export const computedCost = (models: PriceTable, attributes: Attributes): number | null => {
  const { provider, inputTokens, outputTokens, cachedInputTokens } = usageOf(attributes);
  const cacheWriteTokens = firstAmount(attributes, fields.cacheWriteTokens) ?? null;
  const usage = { inputTokens, outputTokens, cachedTokens: cachedInputTokens, cacheWriteTokens };
  const named = kinds.filter(([, words]) => words.test(provider ?? ''));
  const inOrder = [...new Set([...named, ...kinds])].map(([kind]) => kind);
  for (const key of fields.model) {
    // Routers put the provider before the model's name: `openai/gpt-4o`.
    const name = firstText(attributes, [key])?.split('/').at(-1);
    if (name === undefined) continue;
    for (const kind of inOrder) {
      const cost = costOf(models, `${kind}/${name}`, usage);
      if (cost !== null) return cost;
    }
  }
  return null;
};
