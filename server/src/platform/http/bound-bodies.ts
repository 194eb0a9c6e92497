import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Budget, type Held, weights } from './byte-budget.ts';
import { type App, bodyLimitBytes } from './http.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Bounds the memory that all large requests and answers take together. */
    budget: Budget;
  }
  interface FastifyReply {
    /**
     * Takes the memory of an answer of so many bytes, until it has been sent. Waits for it; throws 503 if it is not free. Up to 64 KB
     * it takes nothing.
     */
    holdAnswer(bytes: number, kind?: 'answer' | 'values'): Promise<void>;
    /**
     * Takes the memory of a body or an answer that is a stream, until the request ends. Resolves to the function that takes `more` for
     * its present part, in place of what it took for the part before; that waits or rejects as `holdAnswer` does.
     */
    holdStream(bytes: number): Promise<(more: number) => Promise<void>>;
    /** Whether it holds a part of the budget. */
    isHeld: boolean;
  }
}

/** Bodies and answers up to this size ask for nothing: most are far smaller. */
export const freeBytes = 64 * 1024;

/** Returns a signal that is aborted when the answer or its connection ends. An answer behind another on its connection tells nothing. */
const untilEnd = ({ raw: { socket } }: FastifyRequest, { raw: answer }: FastifyReply): AbortSignal => {
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

/** Returns the function that closes a connection while a body or an answer is under way on it. The service's own time has no limit here. */
export const cutOf =
  ({ raw: request, log }: FastifyRequest, { raw: answer }: FastifyReply) =>
  (): void => {
    if (request.complete && !answer.headersSent) return;
    log.warn({ address: request.socket.remoteAddress }, 'a slow transfer was cut off, because others waited');
    request.socket.destroy();
  };

/** Takes a part of the budget, until the request ends. */
const hold = async (request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<Held> => {
  const signal = untilEnd(request, reply);
  const owner = request.scope?.organizationId ?? '';
  const held = await request.server.budget.take({ owner, bytes, signal, cut: cutOf(request, reply) });
  reply.isHeld = true;
  if (signal.aborted) held.release();
  else signal.addEventListener('abort', held.release);
  return held;
};

/** Counts the memory of an answer that has been written, if there is room: it cannot be refused any more. */
const countAnswer = (request: FastifyRequest, reply: FastifyReply, bytes: number): void => {
  const owner = request.scope?.organizationId ?? '';
  const held = request.server.budget.begin({ owner, cut: cutOf(request, reply) });
  untilEnd(request, reply).addEventListener('abort', held.release);
  try {
    held.resize(bytes);
  } catch {
    held.release();
  }
};

/** Holds the memory of every large answer whose route has not asked for it, so that answers that are not read cannot pile up. */
const holdAnswers = (app: App): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLarge = Buffer.isBuffer(payload) && payload.length > freeBytes && !reply.isHeld;
    if (!isLarge || !String(reply.getHeader('content-type')).startsWith('application/json')) return done();
    const bytes = weights.answer * payload.length;
    if (request.method === 'GET') hold(request, reply, bytes).then(() => done(), done);
    else {
      countAnswer(request, reply, bytes);
      done();
    }
  });
};

/** Adds the budget of all requests, and `reply.holdAnswer`. */
export const decorateBudget = (app: App, budget: Budget): void => {
  app.decorate('budget', budget);
  app.decorateReply('isHeld', false);
  holdAnswers(app);
  app.decorateReply('holdAnswer', async function (bytes, kind = 'answer') {
    if (bytes > freeBytes) await hold(this.request, this, weights[kind] * bytes);
  });
  app.decorateReply('holdStream', async function (bytes) {
    const held = await hold(this.request, this, bytes);
    return async (more) => {
      held.restart();
      // Those that wait have their turn between two parts.
      held.resize(bytes);
      if (more > bytes) await held.resizeLater(more + bytes);
    };
  });
};

/** Limits the memory that the bodies of requests take together. Routes that stream their body, of any size, are left out. */
export const boundBodies = (app: App): void => {
  app.addHook('preParsing', async (request, reply) => {
    const { headers, routeOptions } = request;
    const limit = routeOptions.bodyLimit ?? bodyLimitBytes;
    if (limit > bodyLimitBytes) return;
    const isChunked = headers['transfer-encoding'] !== undefined;
    const bytes = isChunked ? limit : Number(headers['content-length'] ?? 0);
    // One above the limit is refused without being read.
    if (bytes <= freeBytes || bytes > limit) return;
    const held = await hold(request, reply, weights.body * bytes);
    reply.raw.once('prefinish', held.restart);
  });
};
