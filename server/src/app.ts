import type { FastifyBaseLogger } from 'fastify';
import { auditRoutes } from './accounts/audit/routes.ts';
import { authenticator, operatorCheck } from './accounts/authenticate.ts';
import { keyRoutes } from './accounts/keys/routes.ts';
import { memberRoutes } from './accounts/members/routes.ts';
import { organizationRoutes } from './accounts/organizations/routes.ts';
import { readGroupRoles } from './accounts/roles.ts';
import { scimRoutes } from './accounts/scim/routes.ts';
import { scimTokenRoutes } from './accounts/scim/token-routes.ts';
import { meRoutes } from './accounts/sign-ins/me-routes.ts';
import { sessionRoutes } from './accounts/sign-ins/routes.ts';
import { sessionLimits } from './accounts/sign-ins/session-limits.ts';
import { ssoSettings } from './accounts/sso/settings.ts';
import { ssoSettingsRoute } from './accounts/sso/settings-route.ts';
import { askRoutes } from './agents/ask/routes.ts';
import { decisionFileRoutes } from './agents/decision-file/routes.ts';
import { mcpRoutes } from './agents/mcp/routes.ts';
import { archiveRoutes } from './archive/routes.ts';
import type { Config } from './config.ts';
import { projectAccess } from './evaluation/access/project-access.ts';
import { annotationRoutes } from './evaluation/annotations/routes.ts';
import { threadRoutes } from './evaluation/annotations/thread-routes.ts';
import { assigneeRoutes } from './evaluation/assignees/routes.ts';
import { attachmentLimits } from './evaluation/attachments/limits.ts';
import { attachmentRoutes } from './evaluation/attachments/routes.ts';
import type { AttachmentStore } from './evaluation/attachments/store.ts';
import { changeRoutes } from './evaluation/changes/routes.ts';
import { creatorRoutes } from './evaluation/creators/routes.ts';
import { maskingRoutes } from './evaluation/masking/routes.ts';
import { metricGroupRoutes } from './evaluation/metric-groups/routes.ts';
import { defaultNamer } from './evaluation/metrics/configure-metric.ts';
import { metricRoutes } from './evaluation/metrics/routes.ts';
import { metricTemplateRoutes } from './evaluation/metrics/template-routes.ts';
import { accessRoutes } from './evaluation/projects/access-routes.ts';
import { projectRoutes } from './evaluation/projects/routes.ts';
import { recordRoutes } from './evaluation/records/routes.ts';
import { runGroupRoutes } from './evaluation/run-groups/routes.ts';
import { runRoutes } from './evaluation/runs/routes.ts';
import { scoreRoutes } from './evaluation/scores/routes.ts';
import { settingsRoutes } from './evaluation/settings/routes.ts';
import { systemRoutes } from './evaluation/systems/routes.ts';
import { tagRoutes } from './evaluation/tags/routes.ts';
import { testsetRoutes } from './evaluation/testsets/routes.ts';
import { viewRoutes } from './evaluation/views/routes.ts';
import { analysisRoutes } from './insights/analysis/routes.ts';
import { decisionRoutes } from './insights/decisions/routes.ts';
import { examinationRoutes } from './insights/examinations/routes.ts';
import { failureRoutes } from './insights/failures/routes.ts';
import { openLedger } from './insights/looks/open-ledger.ts';
import { lookRoutes } from './insights/looks/routes.ts';
import { passportKey } from './insights/passports/key.ts';
import { passportRoutes } from './insights/passports/routes.ts';
import { preferenceRoutes } from './insights/preferences/routes.ts';
import { reportRoutes } from './insights/reports/routes.ts';
import { sealedRoutes } from './insights/sealed/routes.ts';
import { seriesRoutes } from './insights/series/routes.ts';
import { type Database, readingReplica } from './platform/db/database.ts';
import { basePathOf } from './platform/http/base-path.ts';
import { boundBodies } from './platform/http/bound-bodies.ts';
import { describeApi } from './platform/http/describe-api.ts';
import { type App, refuseBadQuery } from './platform/http/http.ts';
import { writer } from './platform/http/idempotency.ts';
import { limitRate } from './platform/http/limit-rate.ts';
import { openHttp } from './platform/http/open-http.ts';
import { operationRoutes } from './platform/http/operations.ts';
import { pager } from './platform/http/pagination.ts';
import type { RouteDeps } from './platform/http/route-deps.ts';
import { listOf } from './platform/networks.ts';
import { pageRoutes } from './platform/pages/routes.ts';
import { subkey } from './platform/secret.ts';
import { reviewAssignmentRoutes } from './reviews/assignments/routes.ts';
import { noteReview } from './reviews/queues/note-review.ts';
import { reviewRoutes } from './reviews/queues/routes.ts';
import { reviewSampleRoutes } from './reviews/samples/sample-routes.ts';
import { metricSettingsRoutes } from './reviews/settings/routes.ts';
import { requireNoTies } from './reviews/settings/update-settings.ts';
import { estimateRoutes } from './scoring/budgets/routes.ts';
import { draftRoutes } from './scoring/drafts/routes.ts';
import { executionRoutes } from './scoring/executions/routes.ts';
import { agentRoutes } from './scoring/executions/simulation/routes.ts';
import { noteArrivals } from './scoring/monitors/arrivals.ts';
import { monitorRoutes } from './scoring/monitors/routes.ts';
import { previewRoutes } from './scoring/previews/routes.ts';
import { judgeModelRoutes } from './scoring/providers/judge-models.ts';
import { priceRoutes } from './scoring/providers/price-routes.ts';
import { providerRoutes } from './scoring/providers/routes.ts';
import { runDetailRoutes } from './scoring/runs/detail-routes.ts';
import { startRunRoutes } from './scoring/runs/routes.ts';
import { noteSpans } from './scoring/spans/arrivals.ts';
import { spanScoreRoutes } from './scoring/spans/routes.ts';
import { pinnedRoutes } from './scoring/trials/pinned-routes.ts';
import { trialRoutes } from './scoring/trials/routes.ts';
import type { Services } from './services.ts';
import { addressRoutes, stopRoutes } from './signals/addresses/routes.ts';
import { alertRoutes } from './signals/alerts/routes.ts';
import { newsRoutes } from './signals/news/routes.ts';
import { scheduleRoutes } from './signals/schedules/routes.ts';
import { otlpRoutes } from './traces/otlp/otlp-routes.ts';
import { traceListRoutes } from './traces/read/list-routes.ts';
import { traceRoutes } from './traces/read/routes.ts';
import { retentionRoutes } from './traces/retention/routes.ts';
import type { OnTraces } from './traces/store/arrived.ts';

/** Parts of the service, passed in so that a test can replace them. */
export type Deps = {
  config: Config;
  db: Database;
  log: FastifyBaseLogger;
  /** Signs cursors and links. */
  secret: Buffer;
  store: AttachmentStore;
  services: Services;
  /** Directory of the built web pages; without it the service has only the API. */
  pages?: string | undefined;
  /** Time between two looks for changes that clients follow; default: a second. */
  changesPollMs?: number | undefined;
};

/** The service: its routes, room by room, and the hooks that those of the API share. */
export const buildApp = async (deps: Deps): Promise<App> => {
  const { config, db, log, secret, services, store, pages, changesPollMs } = deps;
  const {
    addressKey,
    allowedAddresses,
    codeProcesses,
    deletions,
    judge,
    models,
    renderer,
    masking,
    providerKey,
    modelLists,
    providersOf,
    sandbox,
    schemas,
    sender,
    systems,
    readAttached,
    traces,
    wake,
  } = services;
  const {
    DOKIMA_PUBLIC_URL: publicUrl,
    DOKIMA_TRUSTED_PROXIES: trustedProxies = '',
    DOKIMA_ALLOWED_ORIGINS: origins = '',
    DOKIMA_JUDGE_MODEL: judgeModel,
    DOKIMA_OPERATOR_KEY: operatorKey,
    DOKIMA_RATE_LIMIT_PER_MINUTE: requestsPerMinute,
    DOKIMA_SPANS_WITHOUT_PROJECT: withoutProject,
  } = config;
  const basePath = basePathOf(publicUrl);
  const app = await openHttp(log, listOf(trustedProxies), {
    allowedOrigins: listOf(origins),
    basePath,
    isHttps: publicUrl?.startsWith('https:') ?? false,
  });
  await describeApi(app, basePath);
  await operationRoutes(app, {
    basePath,
    docs: config.DOKIMA_PAGES === 'on',
    db,
    metrics: services.metrics,
    scoring: services.scoring,
  });
  if (pages) await pageRoutes(app, pages, basePath);
  const sessions = sessionLimits(config);
  const { authenticate, forgetKeys } = authenticator(db, log, publicUrl, sessions);
  await app.register(
    async (scim: App) => {
      await limitRate(scim, requestsPerMinute);
      const { DOKIMA_OIDC_DEFAULT_ROLE: role, DOKIMA_GROUP_ROLES: groups } = config;
      const roles = {
        groupRoles: readGroupRoles(groups)!,
        defaultRole: role === 'none' ? 'viewer' : role,
      } as const;
      const page = pager(subkey(secret, 'cursor'));
      scimRoutes(scim, { db, page, write: writer(db), forgetKeys, publicUrl, roles });
    },
    { prefix: '/scim/v2' },
  );
  const sso = ssoSettings(config);
  if (sso) {
    await app.register(async (pages: App) => {
      await limitRate(pages, 0);
      // Loaded only where it is used: it would delay every start.
      const { ssoRoutes } = await import('./accounts/sso/routes.ts');
      await ssoRoutes(pages, { db, settings: sso, sessions, key: subkey(secret, 'sso') });
    });
  }
  if (publicUrl) {
    await app.register(async (pages: App) => {
      await limitRate(pages, 0);
      stopRoutes(pages, { db, addressKey, publicUrl });
    });
  }
  await app.register(async (otlp: App) => {
    await limitRate(otlp, requestsPerMinute);
    const prices = services.prices.currentOf;
    const onTraces: OnTraces = async (...arrived) => {
      await noteArrivals(...arrived);
      await noteSpans(...arrived);
    };
    await otlpRoutes(otlp, { db, authenticate, onTraces, withoutProject, masking, prices, wake });
  });

  await app.register(async (mcp: App) => {
    await limitRate(mcp, requestsPerMinute);
    await mcpRoutes(mcp, authenticate);
  });

  await app.register(
    async (api: App) => {
      await limitRate(api, requestsPerMinute);
      const access = projectAccess(db, deletions);
      const authenticateAgain = access.again(authenticate);
      api.addHook('onRequest', async (request) => {
        const { config } = request.routeOptions;
        if (config.public) return;
        if (config.operator) return requireOperator(request);
        const scope = await access.scopeFor(request, await authenticate(request));
        request.scope = { ...scope, address: request.ip };
        access.authorize(request);
        refuseBadQuery(request);
      });
      boundBodies(api);
      api.addHook('preHandler', access.authorizeFurther);

      // Any write may have queued scores.
      api.addHook('onResponse', (request, reply, done) => {
        if (request.method !== 'GET' && reply.statusCode < 300) wake();
        done();
      });

      const requireOperator = operatorCheck(operatorKey);
      const routes: RouteDeps = { db, page: pager(subkey(secret, 'cursor')), write: writer(db) };
      sessionRoutes(api, {
        ...routes,
        publicUrl,
        sessions,
        sso: { name: sso?.name ?? null, isRequired: config.DOKIMA_OIDC_REQUIRED },
      });
      ssoSettingsRoute(api, { settings: sso, isRequired: config.DOKIMA_OIDC_REQUIRED });
      organizationRoutes(api, { ...routes, publicUrl, nameDefault: defaultNamer(judgeModel) });
      meRoutes(api, routes);
      memberRoutes(api, { ...routes, forgetKeys });
      scimTokenRoutes(api, { ...routes, publicUrl });
      keyRoutes(api, { ...routes, forgetKeys });
      auditRoutes(api, routes);

      projectRoutes(api, { ...routes, deletions });
      accessRoutes(api, { ...routes, forgetKeys });
      maskingRoutes(api, { ...routes, masking });
      settingsRoutes(api, { ...routes, masking, forgetKeys });
      testsetRoutes(api, { ...routes, schemas, masking, deletions });
      metricRoutes(api, { ...routes, sandbox, judgeModel, requireChangeable: requireNoTies });
      metricTemplateRoutes(api);
      metricGroupRoutes(api, routes);
      creatorRoutes(api, routes);
      systemRoutes(api, routes);
      runGroupRoutes(api, routes);
      runRoutes(api, { ...routes, deletions });
      recordRoutes(api, { ...routes, masking });
      scoreRoutes(api, { ...routes, noteReview, masking });
      spanScoreRoutes(api, { ...routes, masking });
      tagRoutes(api, { ...routes, masking });
      assigneeRoutes(api, routes);
      annotationRoutes(api, { ...routes, masking });
      threadRoutes(api, { ...routes, masking });
      attachmentRoutes(api, { ...routes, secret, store, publicUrl, limits: attachmentLimits(config) });
      viewRoutes(api, routes);
      changeRoutes(api, { ...routes, authenticate: authenticateAgain, sessions, changesPollMs });

      traceRoutes(api, { ...routes, schemas });
      retentionRoutes(api, routes);
      traceListRoutes(api, routes);

      startRunRoutes(api, routes);
      runDetailRoutes(api, { ...routes, providersOf, authenticate: authenticateAgain });
      providerRoutes(api, { ...routes, judge, providerKey, allowedAddresses });
      priceRoutes(api, { prices: services.prices });
      judgeModelRoutes(api, { ...routes, providersOf, modelLists, judgeModel, clock: Date.now });
      previewRoutes(api, { db, sandbox, judge, providersOf, traces, readAttached, judgeModel });
      draftRoutes(api, { db, models, judgeModel });
      const prompts = { models, renderer };
      executionRoutes(api, { ...routes, systems, prompts, readAttached });
      agentRoutes(api, { db, prompts });
      estimateRoutes(api, { ...routes, judge, providersOf, codeProcesses });
      monitorRoutes(api, { ...routes, judgeModel });

      metricSettingsRoutes(api, routes);
      reviewRoutes(api, { ...routes, masking });
      reviewAssignmentRoutes(api, routes);
      reviewSampleRoutes(api, routes);

      const longReads: RouteDeps = { ...routes, db: readingReplica(db) };
      const ledger = openLedger(db, log);
      api.addHook('onClose', ledger.settled);
      analysisRoutes(api, { ...longReads, ledger });
      lookRoutes(api, { ...routes, ledger });
      sealedRoutes(api, { ...routes, seal: services.seal });
      pinnedRoutes(api, routes);
      trialRoutes(api, { ...routes, models, judge, providersOf, codeProcesses });
      examinationRoutes(api, longReads);
      decisionRoutes(api, routes);
      const signingKey = passportKey(subkey(secret, 'passport'));
      passportRoutes(api, {
        ...longReads,
        providersOf,
        key: signingKey,
        clock: Date.now,
      });
      decisionFileRoutes(api, { db: longReads.db, key: signingKey, clock: Date.now });
      seriesRoutes(api, longReads);
      newsRoutes(api, longReads);
      preferenceRoutes(api, { ...routes, judge, providersOf, masking });
      failureRoutes(api, { db, models, judgeModel });

      askRoutes(api, { db, models, judgeModel });
      scheduleRoutes(api, routes);
      alertRoutes(api, { ...routes, sender, alertKey: providerKey, addressKey, allowedAddresses });
      addressRoutes(api, { db, addressKey });
      reportRoutes(api, { ...routes, publicUrl, ledger });

      archiveRoutes(api, { ...longReads, store, schemas, masking });
    },
    { prefix: '/api/v2' },
  );
  return app;
};
