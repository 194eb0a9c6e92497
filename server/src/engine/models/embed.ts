import { createHash } from 'node:crypto';
import { openLibrary } from './library.ts';
import type { ResolvedModel } from './provider.ts';

export type Embeddings = { vectors: number[][]; inputTokens: number | null };
/** Makes one request for all texts. Throws the errors of the provider's library: see failure.ts. */
export type Embed = (texts: string[], signal: AbortSignal) => Promise<Embeddings>;

/** Made-up embeddings, for trying the product without a key: texts with the same words are near. */
const fakeVector = (text: string): number[] => {
  const vector = new Array<number>(64).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [])
    vector[createHash('sha256').update(word).digest().readUInt32BE(0) % vector.length]! += 1;
  return vector;
};

/** Opens a model of embeddings. */
export const openEmbedder = ({ provider, model }: ResolvedModel, fetch: typeof globalThis.fetch): Embed => {
  if (provider.kind === 'fake') return async (texts) => ({ vectors: texts.map(fakeVector), inputTokens: 0 });
  return async (texts, signal) => {
    const { embedder } = await openLibrary(provider, fetch);
    if (!embedder) throw new Error('its API has no embeddings: choose a model of another provider');
    const { embeddings, usage } = await embedder(model).doEmbed({ values: texts, abortSignal: signal });
    return { vectors: embeddings, inputTokens: usage?.tokens ?? null };
  };
};

/** The cosine of two vectors; null if it does not exist: for different lengths, or a vector of zeros. */
export const cosineOf = (a: readonly number[], b: readonly number[]): number | null => {
  if (a.length !== b.length || a.length === 0) return null;
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  const cosine = dot / Math.sqrt(aa * bb);
  return Number.isFinite(cosine) ? cosine : null;
};
