import type { App } from './http.ts';

/** The API and the paths of OpenTelemetry. Pages and single sign-on are for browsers on the service's own address. */
const shared = /^\/(api|otel|v1)\//;

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
// Not X-Requested-With: with it, another site could change things in the name of a session.
const headers =
  'authorization, content-type, content-encoding, idempotency-key, if-match, if-none-match, range, traceparent, tracestate, x-api-key';
const shown = 'etag, idempotent-replayed, ignored-fields, retry-after, x-request-id';
/** Time for which a browser remembers the answer to its question, in seconds. */
const remembered = 7200;

/** Whether a text is an entry of DOKIMA_ALLOWED_ORIGINS. */
export const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:/.test(text) && URL.parse(text)?.origin === text);

/**
 * Lets scripts of other sites use the API and send traces. They need a key: no answer allows them to send the session cookie along.
 * Call it before the hook that refuses unknown paths, because no route has OPTIONS.
 */
export const allowOrigins = (app: App, origins: string[]): void => {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (!shared.test(request.url)) return done();
    reply.header('vary', 'Origin');
    const { origin, 'access-control-request-method': asked } = request.headers;
    if (!origin || !(origins.includes('*') || origins.includes(origin))) return done();
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', shown);
    if (request.method !== 'OPTIONS' || !asked) return done();
    reply
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', headers)
      .header('access-control-max-age', remembered)
      .code(204)
      .send();
  });
};
