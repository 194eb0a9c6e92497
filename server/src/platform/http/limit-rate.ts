import rateLimit from '@fastify/rate-limit';
import { rateLimited } from '../errors.ts';
import type { App } from './http.ts';

/**
 * Limits the requests a minute that a key or a session may make of this part of the service; 0 is no limit. The parts count
 * apart, so a key that sends too many traces still reads and writes in the API.
 */
export const limitRate = async (part: App, max: number): Promise<void> => {
  await part.register(rateLimit, {
    global: max > 0,
    max,
    timeWindow: '1 minute',
    // The authentication hook has run by now. The header won't do: each spelling of it would count as another key.
    keyGenerator: ({ scope, ip }) => scope?.keyId ?? scope?.sessionId ?? ip,
    errorResponseBuilder: (_request, { ttl }) => rateLimited(Math.ceil(ttl / 1000)),
  });
};
