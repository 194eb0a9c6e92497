import { randomUUID } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { agentRoutes } from './agents/routes.ts';
import { analysisRoutes } from './analysis/routes.ts';
import { annotationRoutes } from './annotations/routes.ts';
import { threadRoutes } from './annotations/thread-routes.ts';
import { assigneeRoutes } from './assignees/routes.ts';
import { attachmentRoutes } from './attachments/routes.ts';
import type { AttachmentStore } from './attachments/store.ts';
import { type Authenticator, authenticator, authorize, type Scope } from './auth.ts';
import { changeRoutes } from './changes/routes.ts';
import { followConnections } from './close-app.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { driftRoutes } from './drift/routes.ts';
import { rateLimited } from './errors.ts';
import { executionRoutes } from './execution/routes.ts';
import {
  type App,
  bodyLimitBytes,
  readBodies,
  refuseBadQuery,
  refuseUnreadable,
  requireHost,
  restoreHead,
  routeHeadAsGet,
  sendError,
  type TypeBoxTypeProvider,
  unknownPath,
  withoutStreamOfHead,
} from './http.ts';
import { type Writer, writer } from './idempotency.ts';
import { judgeBudgetRoutes } from './judge-budgets/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { metricRoutes } from './metrics/routes.ts';
import { metricTemplateRoutes } from './metrics/template-routes.ts';
import { metricTransferRoutes } from './metrics/transfer-routes.ts';
import { monitorRoutes } from './monitors/routes.ts';
import { describeApi } from './openapi.ts';
import { operationRoutes } from './operations.ts';
import { type Pager, pager } from './pagination.ts';
import { projectRoutes } from './projects/routes.ts';
import { providerRoutes } from './providers/routes.ts';
import { recordRoutes } from './records/routes.ts';
import { rescoringRoutes } from './rescorings/routes.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { reviewSampleRoutes } from './reviews/sample-routes.ts';
import { reviewTransferRoutes } from './reviews/transfer-routes.ts';
import { runRoutes } from './runs/routes.ts';
import { scoreRoutes } from './scores/routes.ts';
import { scoreTransferRoutes } from './scores/transfer-routes.ts';
import type { Scoring } from './scoring/scoring.ts';
import { subkey } from './secret.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { systemRoutes } from './systems/routes.ts';
import { tagRoutes } from './tags/routes.ts';
import { testsetRoutes } from './testsets/routes.ts';
import { otlpRoutes } from './traces/otlp-routes.ts';
import { traceRoutes } from './traces/routes.ts';
import { traceTransferRoutes } from './traces/transfer-routes.ts';
import { transferRoutes } from './transfer/routes.ts';
import { validatorCompiler } from './validation.ts';
import { viewRoutes } from './views/routes.ts';
import type { WebFiles } from './web/files.ts';
import { webRoutes } from './web/routes.ts';

/** What the service is made of, given from outside so that a test can give its own. */
export type Deps = {
  config: Config;
  db: Database;
  log: FastifyBaseLogger;
  /** Signs cursors and links. */
  secret: Buffer;
  store: AttachmentStore;
  scoring: Scoring;
  /** Resolves to the built web pages; without it, or them, the service is the API alone. */
  web?: (() => Promise<WebFiles | undefined>) | undefined;
};

/** What every noun's routes get: the parts, the one way to know whose request it is, to page and to write. */
export type RouteDeps = Deps & Authenticator & { page: Pager; write: Writer };

/**
 * On every answer, unless its route says otherwise: nothing of it runs, is framed, embedded elsewhere or taken for another
 * type. Written out because @fastify/helmet puts the same together anew for each request, a twentieth of a small one's time.
 * Strict-Transport-Security is for the proxy that ends TLS: here it would break plain http.
 */
const securityHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** From so many characters on, an answer is sent as bytes: Node takes thrice a string's length to encode it on its way out. */
const longText = 16_384;

/** As a string first, a long text would be an object for which V8 takes memory from the system, and gives it back, each time. */
const inBytes = (parts: readonly string[]): Buffer => {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  let at = 0;
  for (const part of parts) at += bytes.write(part, at);
  return bytes;
};

type NamedSchema = { $id: string };

/** The named schemas. Fastify's own way copies all of them for each route, which is a twentieth of a start; nobody changes one. */
const bucket = (parent?: unknown) => {
  const schemas = { ...(parent as Record<string, NamedSchema> | undefined) };
  return {
    add: (schema: NamedSchema) => {
      if (Object.hasOwn(schemas, schema.$id)) throw new Error(`Two schemas are named ${schema.$id}.`);
      schemas[schema.$id] = schema;
    },
    getSchema: (id: string) => schemas[id],
    getSchemas: () => schemas,
  };
};

const schemaController = {
  bucket,
  compilersFactory: { buildValidator: () => validatorCompiler, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

export const buildApp = async (deps: Deps): Promise<App> => {
  const { config, db, log, secret } = deps;
  const app: App = Fastify({
    loggerInstance: log,
    bodyLimit: bodyLimitBytes,
    // An upload may take long; a socket on which nothing moves may not.
    connectionTimeout: 120_000,
    genReqId: () => randomUUID(),
    // One line a request, below, instead of Fastify's two: theirs hold the query, and with it the signature of a link.
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    rewriteUrl: routeHeadAsGet,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An overlong id is an unknown id: the longest URL is Node's concern.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    // Refused below, in the form of every error; Node's own answer to a missing Host has no body.
    http: { requireHostHeader: false },
    clientErrorHandler: refuseUnreadable,
    // Through the factory rather than set*Compiler: a scope that adds schemas would fall back to Fastify's own compilers.
    schemaController,
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.header('x-request-id', request.id)),
  }).withTypeProvider<TypeBoxTypeProvider>();

  followConnections(app);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request) => {
    throw unknownPath(request);
  });
  app.decorateReply('json', function (text, status = 200) {
    const parts = typeof text === 'string' ? [text] : text;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const payload = length < longText ? parts.join('') : inBytes(parts);
    return this.code(status).type('application/json; charset=utf-8').send(payload);
  });
  app.decorateReply('events', function (events) {
    // nginx keeps what is small until its buffer is full, unless the answer itself says not to.
    const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    return this.type('text/event-stream').headers(headers).send(events);
  });
  app.addHook('onRequest', (request, reply, done) => {
    restoreHead(request);
    reply.headers(securityHeaders).header('x-request-id', request.id);
    requireHost(request);
    // Before its body is read: whoever sends one need not be known yet, and JSON of 15 MB can take a second to parse.
    if (request.is404) throw unknownPath(request);
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) =>
    done(null, withoutStreamOfHead(request, payload)),
  );
  // An expectation that we don't know is no reason to refuse (RFC 9110, 10.1.1), least of all without a word.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.url.split('?', 1)[0];
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, 'request');
    done();
  });
  readBodies(app);
  await describeApi(app);
  operationRoutes(app, deps);
  webRoutes(app, deps);
  const { authenticate, forgetKeys } = authenticator(db, log);
  await app.register(async (otlp: App) => {
    await limitRate(otlp, config);
    await otlpRoutes(otlp, { ...deps, authenticate });
  });

  await app.register(
    async (api: App) => {
      await limitRate(api, config);
      const admit = (request: FastifyRequest, scope: Scope) => {
        request.scope = scope;
        authorize(request);
        refuseBadQuery(request);
      };
      // No async function: promises of requests whose key is trusted were a tenth of a small one's time.
      api.addHook('onRequest', (request, _reply, done) => {
        if (request.routeOptions.config.public) return done();
        const found = authenticate(request);
        if (found instanceof Promise) {
          found.then((scope) => admit(request, scope)).then(() => done(), done);
          return;
        }
        admit(request, found);
        done();
      });

      // Any write may have left scores to make.
      api.addHook('onResponse', (request, reply, done) => {
        if (request.method !== 'GET' && reply.statusCode < 300) deps.scoring.wake();
        done();
      });

      const parts: RouteDeps = {
        ...deps,
        authenticate,
        forgetKeys,
        page: pager(subkey(secret, 'cursor')),
        write: writer(db),
      };
      projectRoutes(api, parts);
      testsetRoutes(api, parts);
      metricRoutes(api, parts);
      metricTransferRoutes(api, parts);
      metricTemplateRoutes(api);
      systemRoutes(api, parts);
      runRoutes(api, parts);
      judgeBudgetRoutes(api, parts);
      executionRoutes(api, parts);
      agentRoutes(api, parts);
      recordRoutes(api, parts);
      scoreRoutes(api, parts);
      scoreTransferRoutes(api, parts);
      rescoringRoutes(api, parts);
      reviewRoutes(api, parts);
      reviewSampleRoutes(api, parts);
      reviewTransferRoutes(api, parts);
      tagRoutes(api, parts);
      assigneeRoutes(api, parts);
      annotationRoutes(api, parts);
      threadRoutes(api, parts);
      traceRoutes(api, parts);
      traceTransferRoutes(api, parts);
      monitorRoutes(api, parts);
      attachmentRoutes(api, parts);
      analysisRoutes(api, parts);
      changeRoutes(api, parts);
      viewRoutes(api, parts);
      transferRoutes(api, parts);
      driftRoutes(api, parts);
      memberRoutes(api, parts);
      keyRoutes(api, parts);
      providerRoutes(api, parts);
      sessionRoutes(api, parts);
    },
    { prefix: '/api/v2' },
  );
  return app;
};

/** Counts for this part of the service by itself: a key whose traces are too many still reads and writes in the API. */
const limitRate = (part: App, { DOKIMA_RATE_LIMIT_PER_MINUTE: max }: Config) =>
  part.register(rateLimit, {
    global: max > 0,
    max,
    timeWindow: '1 minute',
    keyGenerator: ({ scope, ip }) => caller(scope) ?? ip,
    errorResponseBuilder: (_request, { ttl }) => rateLimited(Math.ceil(ttl / 1000)),
  });

/**
 * Whose requests are counted together, once the authentication hook has found out: that runs before the limit does. The
 * header itself won't do, since its spelling would give one key as many counters.
 */
const caller = (scope: Scope | undefined): string | undefined =>
  scope?.keyId ?? scope?.sessionId ?? undefined;
