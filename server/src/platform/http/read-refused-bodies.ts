import { Socket } from 'node:net';
import type { App } from './http.ts';
import { hasArrived } from './read-bodies.ts';

/** Time for which the rest of a refused request is read. */
const readOnMs = 60_000;

/**
 * Lets clients read the refusal of a body that they still send: most send all of it first, and report a broken pipe if the connection
 * closes until then. The answer is sent at once. The rest of the body is read and dropped, for a limited time.
 */
export const readRefusedBodies = (app: App, longestMs = readOnMs): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    const { socket } = raw;
    // A request of `inject` has no socket.
    if (hasArrived(request) || !(socket instanceof Socket)) return done(null, payload);
    // Fastify would close the connection.
    reply.removeHeader('connection');
    // Node does so for a client that asks for it. Here only our half ends.
    socket.destroySoon = () => socket.end();
    const ended = () => {
      clearTimeout(timer);
      Reflect.deleteProperty(socket, 'destroySoon');
      if (socket.writableEnded) socket.destroySoon();
    };
    const timer = setTimeout(() => socket.destroy(), longestMs).unref();
    raw.once('end', ended).once('close', ended);
    done(null, payload);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (!hasArrived(request)) request.raw.resume();
    done();
  });
};
