import { Type } from 'typebox';
import type { RouteDeps } from '../app.ts';
import type { App } from '../http.ts';
import { numericId, recordKey, uuidId } from '../ids.ts';
import { freeForm } from '../json.ts';
import { pathParam, ref } from '../openapi.ts';
import { Score, ScoreState, ScoresUpsert, ScoresUpserted, ScoreUpsert } from './schema.ts';
import { readItems, upsertScore, upsertScores } from './upsert-scores.ts';

const tags = ['Scores'];
const params = Type.Object({
  recordId: pathParam('record'),
  metricConfigId: pathParam('metric configuration'),
});
const runParams = Type.Object({ runId: pathParam('run') });

export const scoreRoutes = (app: App, { write }: RouteDeps): void => {
  app.addSchema({ $id: Score.name, ...Score.schema });
  app.addSchema({ $id: ScoreState.name, ...ScoreState.schema });

  app.put(
    '/records/:recordId/scores/:metricConfigId',
    {
      schema: {
        operationId: 'upsertScore',
        summary: 'Store a score, or queue it for a human by leaving the score out.',
        tags,
        params,
        body: ScoreUpsert,
        response: { 200: ref(Score) },
      },
    },
    (request, reply) => {
      const key = recordKey(request.params.recordId);
      const configId = uuidId('metric configuration', request.params.metricConfigId);
      const { score } = request.body;
      const given = score && { score, raw: freeForm(request.rawBody, ['score']).score! };
      return write(request, reply, 200, (tx, scope) => upsertScore(tx, scope, key, configId, given));
    },
  );

  app.post(
    '/runs/:runId/scores/bulk-upsert',
    {
      schema: {
        operationId: 'upsertScores',
        summary: 'Store many scores of a run, all or none.',
        tags,
        params: runParams,
        body: ScoresUpsert,
        response: { 200: ScoresUpserted },
      },
    },
    (request, reply) => {
      const runId = numericId('run', request.params.runId);
      const items = readItems(request.body, request.rawBody);
      return write(request, reply, 200, (tx, scope) => upsertScores(tx, scope, runId, items));
    },
  );
};
