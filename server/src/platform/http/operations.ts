import { Counter, Histogram, type Registry } from 'prom-client';
import { type Database, system } from '../db/database.ts';
import { unavailable } from '../errors.ts';
import { apiDocs } from './api-docs.ts';
import { documentOf } from './api-examples.ts';
import type { App } from './http.ts';

/** Seconds, from a small read to a large batch. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** State of the work: `workers` is the number of processes that score, `stalled` names queues without a worker. */
export type Scoring = { workers: number; stalled: string[] };

type HealthDeps = { db: Database; metrics: Registry; scoring: () => Promise<Scoring> };

/** Health, readiness and metrics, of a service or of a process that only scores. They need no key. */
export const healthRoutes = (app: App, { db, metrics, scoring }: HealthDeps): void => {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true } }, async () => {
    await db
      .lookUp(system, (sql) => sql`select 1`)
      .catch((error) => {
        throw unavailable(error);
      });
    // A service without workers is ready: it accepts records, and their scores wait.
    return { status: 'ready', database: db.engine, scoring: await scoring() };
  });

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  );
};

/** Statuses that the histogram tells apart. Any other counts as the first of its hundred. */
const statuses = new Set([200, 201, 304, 400, 401, 403, 404, 409, 413, 429, 500, 503]);
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Routes that answer as long as their client listens, or with a body of any size. */
const isStream = (route: string) => /(events|archive|content)$/.test(route);

/**
 * Adds requests to the metrics. A histogram has fourteen series for each combination of its labels, and there are 250 routes: so the
 * histogram leaves the route out, and a route has a count and a sum of seconds.
 */
const measureRequests = (app: App, metrics: Registry): void => {
  const registers = [metrics];
  const durations = new Histogram({
    name: 'dokima_http_request_duration_seconds',
    help: 'Duration of requests by status; kind is stream for events, archives and contents of attachments, else answer.',
    labelNames: ['status', 'kind'],
    buckets,
    registers,
  });
  const requests = new Counter({
    name: 'dokima_http_route_requests_total',
    help: 'Requests by method, route and class of status, such as 4xx.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const seconds = new Counter({
    name: 'dokima_http_route_seconds_total',
    help: 'Sum of the durations of requests by method and route.',
    labelNames: ['method', 'route'],
    registers,
  });
  app.addHook('onResponse', ({ method: given, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'unknown';
    const method = methods.has(given) ? given : given === 'HEAD' ? 'GET' : 'other';
    const hundred = Math.floor(statusCode / 100);
    const status = statuses.has(statusCode) ? statusCode : 100 * hundred;
    durations.observe({ status, kind: isStream(route) ? 'stream' : 'answer' }, elapsedTime / 1000);
    requests.inc({ method, route, status: `${hundred}xx` });
    seconds.inc({ method, route }, elapsedTime / 1000);
    done();
  });
};

/** Routes outside the API: health, readiness, metrics, and the description of the API. */
export const operationRoutes = async (
  app: App,
  deps: HealthDeps & { basePath: string; docs: boolean },
): Promise<void> => {
  measureRequests(app, deps.metrics);

  if (deps.docs) await apiDocs(app, deps.basePath);

  healthRoutes(app, deps);

  // Kept, because it takes 20 ms to write and needs no credential.
  const document = documentOf(app);
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.json(document()));
};
