import { Type } from 'typebox';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { PageQuery, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { importSpans, readImportedSpans } from './import-spans.ts';
import { exportSpans, firstSpan } from './transfer-queries.ts';
import { ExportedSpan, SpansImport, SpansImported } from './transfer-schema.ts';

const tags = ['Traces'];
const params = Type.Object({ projectId: pathParam('project') });

/** How an archive of a project takes its traces along. */
export const traceTransferRoutes = (app: App, { db, page, write }: RouteDeps): void => {
  app.addSchema({ $id: ExportedSpan.name, ...ExportedSpan.schema });

  app.get(
    '/projects/:projectId/export/spans',
    {
      schema: {
        operationId: 'exportSpans',
        summary: 'List the spans of a project as they are stored, earliest start first.',
        tags,
        params,
        querystring: PageQuery,
        response: { 200: pageOf(ref(ExportedSpan)) },
      },
    },
    (request, reply) => {
      const { scope } = request;
      const projectId = numericId('project', request.params.projectId);
      return page(
        request,
        reply,
        firstSpan,
        (after, count) => db.read(scope, (sql) => exportSpans(sql, scope, projectId, after, count)),
        () => requireReadableProject(db, scope, projectId),
      );
    },
  );

  app.post(
    '/projects/:projectId/import/spans',
    {
      schema: {
        operationId: 'importSpans',
        summary:
          'Store spans as they were in another project, all or none, while this one is being imported. They make no records.',
        tags,
        params,
        body: SpansImport,
        response: { 201: SpansImported },
      },
    },
    (request, reply) => {
      const projectId = numericId('project', request.params.projectId);
      const spans = readImportedSpans(request.body, request.rawBody);
      return write(request, reply, 201, (tx, scope) => importSpans(tx, scope, projectId, spans, new Date()));
    },
  );
};
