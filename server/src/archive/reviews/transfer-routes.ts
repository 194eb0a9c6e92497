import { Type } from 'typebox';
import { findRunId } from '../../evaluation/runs/queries.ts';
import { type App, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { firstUuid, PageQuery, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ReviewSample } from '../../reviews/samples/sample-schema.ts';
import { importSample } from './import-sample.ts';
import { exportSamples } from './transfer-queries.ts';
import { ExportedReviewSample, ReviewSampleImport } from './transfer-schema.ts';

const tags = ['Reviews'];
const params = Type.Object({ runId: pathParam('run') });

/** How an archive of a project takes its random samples along. */
export const reviewTransferRoutes = (app: App, { db, page, write }: RouteDeps): void => {
  app.addSchema({ $id: ExportedReviewSample.name, ...ExportedReviewSample.schema });

  app.get(
    '/runs/:runId/export/review-samples',
    {
      schema: {
        operationId: 'exportReviewSamples',
        summary:
          'List the random samples of a run with every record that could have been drawn, oldest first.',
        tags,
        params,
        querystring: PageQuery,
        response: { 200: pageOf(ref(ExportedReviewSample)) },
      },
    },
    (request, reply) => {
      const { scope, params } = request;
      const runId = numericId('run', params.runId);
      return page(
        request,
        reply,
        firstUuid,
        (after, count) => db.read(scope, (sql) => exportSamples(sql, scope, runId, after, count)),
        async () => one(await db.read(scope, (sql) => findRunId(sql, scope, runId)), 'run', params.runId),
      );
    },
  );

  app.post(
    '/runs/:runId/import/review-samples',
    {
      schema: {
        operationId: 'importReviewSample',
        summary:
          'Store a random sample as it was drawn in another project, with its inclusion probabilities, while this one is being imported.',
        tags,
        params,
        body: ReviewSampleImport,
        response: { 201: ref(ReviewSample) },
      },
    },
    (request, reply) => {
      const runId = numericId('run', request.params.runId);
      return write(request, reply, 201, (tx, scope) => importSample(tx, scope, runId, request.body));
    },
  );
};
