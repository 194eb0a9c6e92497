import { Type } from 'typebox';
import type { RouteDeps } from '../app.ts';
import type { App } from '../http.ts';
import { numericId } from '../ids.ts';
import { pathParam, ref } from '../openapi.ts';
import { importMetrics } from './import-metrics.ts';
import { Run, RunMetricsAdd } from './schema.ts';

/** How an archive of a project gives runs their metrics. */
export const runTransferRoutes = (app: App, { write }: RouteDeps): void => {
  app.post(
    '/runs/:runId/import/metrics',
    {
      schema: {
        operationId: 'importRunMetrics',
        summary: 'Give a run its metrics while its project is being imported, and no record a score of them.',
        tags: ['Runs'],
        params: Type.Object({ runId: pathParam('run') }),
        body: RunMetricsAdd,
        response: { 200: ref(Run) },
      },
    },
    (request, reply) => {
      const runId = numericId('run', request.params.runId);
      return write(request, reply, 200, (tx, scope) =>
        importMetrics(tx, scope, runId, request.body.metricIds),
      );
    },
  );
};
