import { Type } from 'typebox';
import { findRunId } from '../../evaluation/runs/queries.ts';
import { type App, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { PageQuery, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { importScores, readImportedScores } from './import-scores.ts';
import { exportScores, firstScore } from './transfer-queries.ts';
import { ExportedScore, ScoresImport, ScoresImported } from './transfer-schema.ts';

const tags = ['Scores'];
const params = Type.Object({ runId: pathParam('run') });

/** How an archive of a project takes its scores along. */
export const scoreTransferRoutes = (app: App, { db, page, write }: RouteDeps): void => {
  app.addSchema({ $id: ExportedScore.name, ...ExportedScore.schema });

  app.get(
    '/runs/:runId/export/scores',
    {
      schema: {
        operationId: 'exportScores',
        summary:
          'List the scores of a run in any state with all that is known of them, in the order of its records.',
        tags,
        params,
        querystring: PageQuery,
        response: { 200: pageOf(ref(ExportedScore)) },
      },
    },
    (request, reply) => {
      const { scope, params } = request;
      const runId = numericId('run', params.runId);
      return page(
        request,
        reply,
        firstScore,
        (after, count) => db.read(scope, (sql) => exportScores(sql, scope, runId, after, count)),
        async () => one(await db.read(scope, (sql) => findRunId(sql, scope, runId)), 'run', params.runId),
      );
    },
  );

  app.post(
    '/runs/:runId/import/scores',
    {
      schema: {
        operationId: 'importScores',
        summary:
          'Store scores as they were in another project, all or none, while this one is being imported. Scores that are there stay.',
        tags,
        params,
        body: ScoresImport,
        response: { 201: ScoresImported },
      },
    },
    (request, reply) => {
      const runId = numericId('run', request.params.runId);
      const scores = readImportedScores(request.body, request.rawBody);
      return write(request, reply, 201, (tx, scope) => importScores(tx, scope, runId, scores));
    },
  );
};
