import { costOf } from '../../engine/models/prices.ts';
import type { PriceTable } from '../../engine/models/provider.ts';
import { type Attributes, firstAmount, firstText } from '../conventions/attribute.ts';
import { fields } from '../conventions/fields.ts';
import { usageOf } from '../conventions/understand.ts';

/** Kinds of the price table by the words in the names that instrumentations give to providers. */
const kinds: readonly (readonly [kind: string, words: RegExp])[] = [
  ['azure', /azure/i],
  ['bedrock', /bedrock/i],
  ['openai', /openai|azure/i],
  ['anthropic', /anthropic|claude/i],
  ['google', /google|gemini|gcp|vertex/i],
];
/** Kinds in the order in which a model is looked up whose provider is unknown or has no price for it. */
const others = ['openai', 'anthropic', 'google', 'openai-compatible', 'azure', 'bedrock'];

/**
 * Returns the cost of a call of a model in USD, from its tokens and the prices of the day on which it began; null if the table lacks the model or
 * the tokens are unknown. Many instrumentations name a framework as the provider; then the model's name alone decides.
 */
export const computedCost = (models: PriceTable, attributes: Attributes, start: bigint): number | null => {
  const { provider, inputTokens, outputTokens, cachedInputTokens } = usageOf(attributes);
  const amount = (keys: readonly string[]) => firstAmount(attributes, keys) ?? null;
  const usage = {
    inputTokens,
    outputTokens,
    cachedTokens: cachedInputTokens,
    cacheWriteTokens: amount(fields.cacheWriteTokens),
    audioInputTokens: amount(fields.audioInputTokens),
    cachedAudioTokens: amount(fields.cachedAudioTokens),
    audioOutputTokens: amount(fields.audioOutputTokens),
  };
  const at = new Date(Number(start / 1_000_000n));
  const named = kinds.filter(([, words]) => words.test(provider ?? ''));
  const inOrder = new Set([...named.map(([kind]) => kind), ...others]);
  for (const key of fields.model) {
    const whole = firstText(attributes, [key]);
    if (whole === undefined) continue;
    // Routers put the provider before the model's name: `openai/gpt-4o`. Models that an organization runs have such names themselves.
    const names = new Set([whole, whole.split('/').at(-1)!]);
    for (const kind of inOrder)
      for (const name of names) {
        const cost = costOf(models, `${kind}/${name}`, usage, at);
        if (cost !== null) return cost;
      }
  }
  return null;
};
