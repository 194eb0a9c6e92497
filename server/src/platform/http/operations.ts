import { Histogram, type Registry } from 'prom-client';
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

/** Routes outside the API: health, readiness, metrics, and the description of the API. */
export const operationRoutes = async (app: App, deps: HealthDeps & { basePath: string }): Promise<void> => {
  const requests = new Histogram({
    name: 'dokima_http_request_duration_seconds',
    help: 'Duration of requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [deps.metrics],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });

  await apiDocs(app, deps.basePath);

  healthRoutes(app, deps);

  // Kept, because it takes 20 ms to write and needs no credential.
  const document = documentOf(app);
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.json(document()));
};
