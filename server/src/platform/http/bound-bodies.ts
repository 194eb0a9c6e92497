import { openBudget } from './byte-budget.ts';
import { type App, bodyLimitBytes } from './http.ts';

/** Bodies up to this size are read without asking: most requests are far smaller. */
const freeBytes = 256 * 1024;

/**
 * Bytes of larger bodies that are under way at a time, from their first byte to the answer. A body of 14 MB takes ten times its size:
 * its text, its values, the parameters of the statement and the answer.
 */
const maxBytes = 2 * bodyLimitBytes;

/** Longest wait for a part of these. The body is not read until then. */
const longestMs = 10_000;

/** Limits the memory that the bodies of all requests take together. Routes that stream their body, of any size, are left out. */
export const boundBodies = (app: App, { budget = maxBytes, waitMs = longestMs } = {}): void => {
  const take = openBudget(budget, waitMs);
  app.addHook('preParsing', async (request, reply) => {
    const { headers, routeOptions, scope } = request;
    const limit = routeOptions.bodyLimit ?? bodyLimitBytes;
    if (limit > bodyLimitBytes) return;
    const isChunked = headers['transfer-encoding'] !== undefined;
    const bytes = isChunked ? limit : Number(headers['content-length'] ?? 0);
    // One above the limit is refused without being read.
    if (bytes <= freeBytes || bytes > limit) return;
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const release = await take({ owner: scope?.organizationId ?? '', bytes, signal: left.signal });
    if (left.signal.aborted) release();
    else left.signal.addEventListener('abort', release);
  });
};
