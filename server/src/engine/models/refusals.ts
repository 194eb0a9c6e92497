import { createHash } from 'node:crypto';
import { type Clock, type Outcome, systemClock, type Unasked } from './gate.ts';
import type { ResolvedModel } from './provider.ts';

/**
 * Remembers who refuses whoever asks: a key that is wrong, a model that is not there. Ten thousand scores would otherwise make
 * ten thousand requests to hear it, one each, and many a provider locks out who does that.
 */
export type Refusals = {
  /**
   * Does the work, unless the last ones for the same model and key were refused: then it fails as they did, and nobody is asked.
   * From time to time one finds out whether that is still so; another key, or another base URL, is asked at once.
   */
  run<T extends Outcome>(
    organizationId: bigint,
    asked: ResolvedModel,
    work: () => Promise<T>,
  ): Promise<T | Unasked>;
};

/** In a row: a gateway that looks at what it is sent may refuse one record alone. */
const refusalsToStop = 5;
/** Short, because who set something right at the provider retries the scores soon after. */
const pauseMs = 10_000;
/** While one finds out, the others wait: it may be that all is well again. */
const probeWaitMs = 1_000;
const remembered = 1_000;

type Refused = { inARow: number; askAgainAt: number; probing: boolean; error: string };

/** One for each place, key and model of an organization. A hash, because keys should not lie about in memory. */
const nameOf = (organizationId: bigint, { provider, model }: ResolvedModel): string => {
  const { kind, name, baseUrl, apiKey, options } = provider;
  const parts = [String(organizationId), kind, name, baseUrl, apiKey, options, model];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
};

export const openRefusals = (clock: Clock = systemClock): Refusals => {
  const known = new Map<string, Refused>();

  const learn = (name: string, outcome: Outcome) => {
    if (outcome.state !== 'failed') known.delete(name);
    if (!outcome.refuses) return;
    const before = known.get(name) ?? { inARow: 0, probing: false };
    known.set(name, {
      ...before,
      inARow: before.inARow + 1,
      askAgainAt: clock.now() + pauseMs,
      error: outcome.error ?? 'it was refused',
    });
    if (known.size > remembered) known.delete(known.keys().next().value!);
  };

  return {
    run: async (organizationId, asked, work) => {
      const name = nameOf(organizationId, asked);
      const refused = known.get(name);
      if (!refused || refused.inARow < refusalsToStop) {
        const outcome = await work();
        learn(name, outcome);
        return outcome;
      }
      const unasked = { state: 'failed' as const, unasked: true as const };
      if (clock.now() < refused.askAgainAt) {
        const error = `${refused.error} (not asked this time: it was refused ${refusalsToStop} times and more)`;
        return { ...unasked, error, retryable: false };
      }
      if (refused.probing) {
        const error = `the provider is being tried again, because: ${refused.error}`;
        return { ...unasked, error, retryable: true, retryAfterMs: probeWaitMs };
      }
      refused.probing = true;
      try {
        const outcome = await work();
        learn(name, outcome);
        return outcome;
      } finally {
        const now = known.get(name);
        if (now) now.probing = false;
      }
    },
  };
};
