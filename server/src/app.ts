import { randomUUID } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { authenticator, authorize } from './accounts/authenticate.ts';
import { keyRoutes } from './accounts/keys/routes.ts';
import { memberRoutes } from './accounts/members/routes.ts';
import { sessionRoutes } from './accounts/sessions/routes.ts';
import { archiveRoutes } from './archive/routes.ts';
import type { Config } from './config.ts';
import { annotationRoutes } from './evaluation/annotations/routes.ts';
import { threadRoutes } from './evaluation/annotations/thread-routes.ts';
import { assigneeRoutes } from './evaluation/assignees/routes.ts';
import { attachmentRoutes } from './evaluation/attachments/routes.ts';
import type { AttachmentStore } from './evaluation/attachments/store.ts';
import { changeRoutes } from './evaluation/changes/routes.ts';
import { metricRoutes } from './evaluation/metrics/routes.ts';
import { metricTemplateRoutes } from './evaluation/metrics/template-routes.ts';
import { projectRoutes } from './evaluation/projects/routes.ts';
import { recordRoutes } from './evaluation/records/routes.ts';
import { runRoutes } from './evaluation/runs/routes.ts';
import { scoreRoutes } from './evaluation/scores/routes.ts';
import { systemRoutes } from './evaluation/systems/routes.ts';
import { tagRoutes } from './evaluation/tags/routes.ts';
import { testsetRoutes } from './evaluation/testsets/routes.ts';
import { viewRoutes } from './evaluation/views/routes.ts';
import { analysisRoutes } from './insights/analysis/routes.ts';
import { driftRoutes } from './insights/drift/routes.ts';
import type { Database } from './platform/db/database.ts';
import { rateLimited } from './platform/errors.ts';
import { followConnections } from './platform/http/close-app.ts';
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
} from './platform/http/http.ts';
import { writer } from './platform/http/idempotency.ts';
import { describeApi } from './platform/http/openapi.ts';
import { operationRoutes } from './platform/http/operations.ts';
import { pager } from './platform/http/pagination.ts';
import type { RouteDeps } from './platform/http/route-deps.ts';
import type { Scope } from './platform/http/scope.ts';
import type { WebFiles } from './platform/pages/files.ts';
import { webRoutes } from './platform/pages/routes.ts';
import { subkey } from './platform/secret.ts';
import { validatorCompiler } from './platform/validation.ts';
import { reviewRoutes } from './reviews/queues/routes.ts';
import { requireNoTies } from './reviews/queues/set-review-settings.ts';
import { reviewSampleRoutes } from './reviews/samples/sample-routes.ts';
import { judgeBudgetRoutes } from './scoring/budgets/routes.ts';
import { executionRoutes } from './scoring/executions/routes.ts';
import { agentRoutes } from './scoring/executions/simulation/routes.ts';
import { noteArrivals } from './scoring/monitors/arrivals.ts';
import { monitorRoutes } from './scoring/monitors/routes.ts';
import { previewRoutes } from './scoring/previews/routes.ts';
import { providerRoutes } from './scoring/providers/routes.ts';
import { rescoringRoutes } from './scoring/rescorings/routes.ts';
import { startRunRoutes } from './scoring/runs/routes.ts';
import type { Services } from './services.ts';
import { otlpRoutes } from './traces/otlp/otlp-routes.ts';
import { traceRoutes } from './traces/read/routes.ts';

/** What the service is made of, given from outside so that a test can give its own. */
export type Deps = {
  config: Config;
  db: Database;
  log: FastifyBaseLogger;
  /** Signs cursors and links. */
  secret: Buffer;
  store: AttachmentStore;
  services: Services;
  /** The built web pages; without them the service is the API alone. */
  web?: WebFiles | undefined;
};

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
  const { config, db, log, secret, services, store, web } = deps;
  const { codeProcesses, judge, providerKey, providersOf, sandbox, schemas, systems, traces, wake } =
    services;
  const {
    DOKIMA_PUBLIC_URL: publicUrl,
    DOKIMA_JUDGE_MODEL: judgeModel,
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: allowPrivateAddresses,
  } = config;
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
  operationRoutes(app, { db });
  if (web) webRoutes(app, web);
  const { authenticate, forgetKeys } = authenticator(db, log);
  await app.register(async (otlp: App) => {
    await limitRate(otlp, config);
    await otlpRoutes(otlp, { db, authenticate, onTraces: noteArrivals, wake });
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
        if (request.method !== 'GET' && reply.statusCode < 300) wake();
        done();
      });

      const routes: RouteDeps = { db, page: pager(subkey(secret, 'cursor')), write: writer(db) };
      sessionRoutes(api, { ...routes, publicUrl });
      memberRoutes(api, { ...routes, forgetKeys });
      keyRoutes(api, { ...routes, forgetKeys });

      projectRoutes(api, routes);
      testsetRoutes(api, { ...routes, schemas });
      metricRoutes(api, { ...routes, sandbox, judgeModel, requireChangeable: requireNoTies });
      metricTemplateRoutes(api);
      systemRoutes(api, routes);
      runRoutes(api, { ...routes, authenticate });
      recordRoutes(api, routes);
      scoreRoutes(api, routes);
      tagRoutes(api, routes);
      assigneeRoutes(api, routes);
      annotationRoutes(api, routes);
      threadRoutes(api, routes);
      attachmentRoutes(api, { ...routes, secret, store, publicUrl });
      viewRoutes(api, routes);
      changeRoutes(api, { ...routes, authenticate });

      traceRoutes(api, { ...routes, schemas });

      startRunRoutes(api, routes);
      providerRoutes(api, { ...routes, judge, providerKey, allowPrivateAddresses });
      previewRoutes(api, { db, sandbox, judge, providersOf, traces, judgeModel });
      executionRoutes(api, routes);
      agentRoutes(api, { db, systems });
      rescoringRoutes(api, { ...routes, providersOf, codeProcesses });
      judgeBudgetRoutes(api, { ...routes, judge, providersOf, codeProcesses });
      monitorRoutes(api, routes);

      reviewRoutes(api, routes);
      reviewSampleRoutes(api, routes);

      analysisRoutes(api, routes);
      driftRoutes(api, routes);

      archiveRoutes(api, { ...routes, store, schemas });
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
