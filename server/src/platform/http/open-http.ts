import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import helmet from 'helmet';
import { garbageCollector } from '../collect-garbage.ts';
import { invalid } from '../errors.ts';
import { validatorCompiler } from '../validation.ts';
import { allowOrigins } from './allow-origins.ts';
import { withoutBasePath } from './base-path.ts';
import { decorateBudget } from './bound-bodies.ts';
import { budgetBytes, openBudget } from './byte-budget.ts';
import { followConnections } from './close-app.ts';
import { tellDeprecations } from './deprecations.ts';
import { type App, bodyLimitBytes, type TypeBoxTypeProvider } from './http.ts';
import { closeIdleConnections, idleMs } from './idle-connections.ts';
import { nameIgnoredFields } from './ignored-fields.ts';
import { packAnswers } from './pack-answers.ts';
import { readBodies } from './read-bodies.ts';
import { readRefusedBodies } from './read-refused-bodies.ts';
import { decorateReplies } from './reply.ts';
import { refuseUnreadable, sendError } from './send-error.ts';
import { unknownPaths } from './unknown-path.ts';

/** Fastify types this factory for Ajv alone. */
type BuildValidator = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildValidator']
>;

/** A name or an address, with a port or without: RFC 9110, 7.2. */
const host = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(:\d*)?$/i;

/** 400 for a request without a valid Host: links in the answer begin with it. */
const requireHost = (request: FastifyRequest): void => {
  if (!request.headers.host && request.raw.httpVersion === '1.1') throw invalid('/Host', 'is required');
  // Behind a trusted proxy this is the Host of the request to the proxy.
  if (request.host && !host.test(request.host))
    throw invalid('/Host', 'must be a host, with a port or without');
};

/** Adds what happens at the start and at the end of each request. */
const followRequests = (app: App, unknownPath: ReturnType<typeof unknownPaths>): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    requireHost(request);
    // Before the body is read: its sender is not known yet, and parsing 15 MB of JSON can take a second.
    if (request.is404) throw unknownPath(request);
    done();
  });
  // For HEAD, Fastify would read a stream to its end, and a stream of events has none. It must not see the destroyed stream either: some
  // routes take that for a client that left, and close the connection.
  app.addHook('onSend', (request, _reply, payload, done) => {
    const isStream = request.method === 'HEAD' && payload instanceof Readable;
    if (isStream) payload.destroy();
    done(null, isStream ? '' : payload);
  });
  // An unknown expectation is ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.url.split('?', 1)[0];
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, 'request');
    done();
  });
};

/**
 * Unless its route says otherwise, a browser runs no script of an answer, does not frame it and does not guess its type. The headers are
 * built once: @fastify/helmet builds them for each request, in a promise that all further work of the request hangs on.
 */
const protectBrowsers = (app: App, isHttps: boolean): void => {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Where the address is https. Elsewhere it would break plain http.
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: false },
  });
  app.addHook('onRequest', (request, reply, done) => setHeaders(request.raw, reply.raw, () => done()));
};

/**
 * Opens the HTTP side of the service: everything that applies to every request and route. It has no routes yet.
 * `trustedProxies` are addresses and networks whose X-Forwarded headers are believed, `allowedOrigins` the sites whose scripts may call it,
 * `basePath` the path of its address, `isHttps` whether that begins with https.
 */
export const openHttp = async (
  log: FastifyBaseLogger,
  trustedProxies: string[],
  {
    allowedOrigins = [],
    basePath = '',
    isHttps = false,
  }: { allowedOrigins?: string[]; basePath?: string; isHttps?: boolean } = {},
): Promise<App> => {
  const withoutBase = withoutBasePath(basePath);
  const app: App = Fastify({
    loggerInstance: log,
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    rewriteUrl: ({ url }) => withoutBase(url ?? '/'),
    bodyLimit: bodyLimitBytes,
    connectionTimeout: idleMs,
    genReqId: () => randomUUID(),
    // The hook below logs one line a request. Fastify's own lines hold the query, and with it the signature of a link.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An id that is too long is an unknown id; Node limits the length of the URL.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    // requireHost refuses it instead: Node's own answer has no body.
    http: { requireHostHeader: false },
    clientErrorHandler: refuseUnreadable,
    // A factory, because a scope that adds schemas loses the compiler of setValidatorCompiler.
    schemaController: {
      compilersFactory: {
        buildValidator: (() => validatorCompiler) as unknown as BuildValidator,
        buildSerializer: () => () => JSON.stringify,
      },
    },
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.header('x-request-id', request.id)),
  }).withTypeProvider<TypeBoxTypeProvider>();

  followConnections(app);
  closeIdleConnections(app);
  app.setErrorHandler(sendError);
  const unknownPath = unknownPaths(app);
  app.setNotFoundHandler((request) => {
    throw unknownPath(request);
  });
  decorateReplies(app);
  decorateBudget(app, openBudget(budgetBytes, { collect: garbageCollector() }));
  packAnswers(app);
  readRefusedBodies(app);
  // An answer is for its reader alone. Those that a browser may keep, to ask whether they have changed, say so.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  app.decorate('readers', new Map());
  readBodies(app);
  protectBrowsers(app, isHttps);
  allowOrigins(app, allowedOrigins);
  followRequests(app, unknownPath);
  nameIgnoredFields(app);
  tellDeprecations(app);
  return app;
};
