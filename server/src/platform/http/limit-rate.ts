import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import { rateLimited } from '../errors.ts';
import type { App } from './http.ts';

const windowMs = 60_000;
/** Most keys that are counted. Beyond it, the one that began first is forgotten. */
const maxKeys = 5_000;

/**
 * Counts the requests of each key, in windows that begin with a key's first request. The library's own store answers all
 * requests of a moment with one object, so each of them sees the count of the last one and too many are refused.
 */
class Counts implements FastifyRateLimitStore {
  readonly #windows = new Map<string, { current: number; beganMs: number }>();

  incr(key: string, callback: Parameters<FastifyRateLimitStore['incr']>[1]): void {
    const nowMs = Date.now();
    let window = this.#windows.get(key);
    if (!window || window.beganMs + windowMs <= nowMs) {
      this.#windows.delete(key);
      window = { current: 0, beganMs: nowMs };
      this.#windows.set(key, window);
      if (this.#windows.size > maxKeys) this.#windows.delete(this.#windows.keys().next().value!);
    }
    window.current++;
    callback(null, { current: window.current, ttl: window.beganMs + windowMs - nowMs });
  }

  /** Routes with their own limit, such as the sign-in, count apart: a flood there forgets no key of the API. */
  child(): Counts {
    return new Counts();
  }
}

/**
 * Limits the requests a minute that a key or a session may make of this part of the service; 0 means no limit. The parts count
 * apart, so a key that sends too many traces still reads and writes in the API.
 */
export const limitRate = async (part: App, max: number): Promise<void> => {
  await part.register(rateLimit, {
    global: max > 0,
    max,
    timeWindow: windowMs,
    store: Counts,
    // The authentication hook has run by now. The header won't do: each spelling of it would count as another key.
    keyGenerator: ({ scope, ip }) => scope?.keyId ?? scope?.signInId ?? ip,
    errorResponseBuilder: (_request, { ttl }) => rateLimited(Math.ceil(ttl / 1000)),
  });
};
