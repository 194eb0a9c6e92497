import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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

/** Returns a signal that is aborted when the answer or its connection ends. An answer behind another on its connection tells nothing. */
const untilEnd = (socket: Socket, answer: ServerResponse): AbortSignal => {
  const ended = new AbortController();
  const end = () => {
    socket.off('close', end);
    answer.off('close', end);
    ended.abort();
  };
  socket.once('close', end);
  answer.once('close', end);
  // Both have closed already if the client left while it was authenticated.
  if (socket.destroyed) end();
  return ended.signal;
};

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
    const signal = untilEnd(request.raw.socket, reply.raw);
    const release = await take({ owner: scope?.organizationId ?? '', bytes, signal });
    if (signal.aborted) release();
    else signal.addEventListener('abort', release);
  });
};
