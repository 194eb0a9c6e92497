import { Type } from 'typebox';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { oldestFirst, PageQuery, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { importMetric } from './import-metric.ts';
import { exportMetrics } from './transfer-queries.ts';
import { ExportedMetric, MetricImport, MetricImported } from './transfer-schema.ts';

const tags = ['Metrics'];
const params = Type.Object({ projectId: pathParam('project') });

/** How an archive of a project takes its metrics along, with every configuration that a score names. */
export const metricTransferRoutes = (app: App, { db, page, write }: RouteDeps): void => {
  app.addSchema({ $id: ExportedMetric.name, ...ExportedMetric.schema });

  app.get(
    '/projects/:projectId/export/metrics',
    {
      schema: {
        operationId: 'exportMetrics',
        summary: 'List the metrics of a project with all configurations that they had, deleted ones too.',
        tags,
        params,
        querystring: PageQuery,
        response: { 200: pageOf(ref(ExportedMetric)) },
      },
    },
    (request, reply) => {
      const { scope } = request;
      const projectId = numericId('project', request.params.projectId);
      return page(
        request,
        reply,
        oldestFirst,
        (after, count) => db.read(scope, (sql) => exportMetrics(sql, scope, projectId, after, count)),
        () => requireReadableProject(db, scope, projectId),
      );
    },
  );

  app.post(
    '/projects/:projectId/import/metrics',
    {
      schema: {
        operationId: 'importMetric',
        summary:
          'Make a metric with all configurations that it had in another project, while this one is being imported.',
        tags,
        params,
        body: MetricImport,
        response: { 201: MetricImported },
      },
    },
    (request, reply) => {
      const projectId = numericId('project', request.params.projectId);
      return write(request, reply, 201, (tx, scope) => importMetric(tx, scope, projectId, request.body));
    },
  );
};
