import type { OpenModel } from '../../engine/models/ask.ts';
import type { Call } from '../../engine/models/ask-accepting.ts';
import { cosineOf } from '../../engine/models/embed.ts';
import type { Vote } from './vote.ts';

/**
 * Returns the similarity of two texts as a verdict: the cosine of their embeddings, none below 0. Throws what the provider's library
 * throws.
 */
export const compare = async (
  model: OpenModel,
  texts: [string, string],
  record: (call: Call) => void,
): Promise<Vote> => {
  const { vectors, inputTokens } = await model.embed(texts);
  record({
    text: null,
    schemaSent: false,
    temperatureSent: null,
    modelAnswered: null,
    inputTokens,
    outputTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    billedUsd: null,
  });
  const [a = [], b = []] = vectors;
  const cosine = cosineOf(a, b);
  if (cosine === null) return { reason: 'invalid_judge_output', error: 'the two embeddings have no cosine' };
  const reasoning = `The cosine of the two embeddings is ${cosine.toFixed(4)} (${a.length} dimensions).`;
  // Rounding may lift the cosine of equal texts above 1.
  return { verdict: { value: Math.min(1, Math.max(0, cosine)), reasoning } };
};
