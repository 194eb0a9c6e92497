import { Socket } from 'node:net';
import type { App } from './http.ts';
import { hasArrived } from './read-bodies.ts';

/** A connection on which nothing moves for this long is closed: its client stopped sending, or does not read its answer. */
export const idleMs = 120_000;

/**
 * Closes idle connections, and says so in the log. While the service works on an answer, its connection is not idle: a model may take an
 * hour for one verdict. That time has its own limits. Must be called before the app listens.
 */
export const closeIdleConnections = (app: App): void => {
  const limit = (socket: Socket, ms: number) => {
    // A request of `inject` has no socket.
    if (socket instanceof Socket) socket.setTimeout(ms);
  };
  app.addHook('preValidation', (request, _reply, done) => {
    // An upload that is read as a stream is still under way.
    if (hasArrived(request)) limit(request.raw.socket, 0);
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    limit(request.raw.socket, app.server.timeout);
    done(null, payload);
  });
  app.server.on('timeout', (socket: Socket) => {
    app.log.warn({ address: socket.remoteAddress }, 'a connection on which nothing moved was closed');
    socket.destroy();
  });
};
