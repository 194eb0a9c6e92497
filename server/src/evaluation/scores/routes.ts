import { invalid } from '../../platform/errors.ts';
import { type App, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { ref } from '../../platform/http/openapi.ts';
import { getRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { maskScore } from '../masking/mask-data.ts';
import type { Masking } from '../masking/masking.ts';
import { findMetric } from '../metrics/queries.ts';
import { run, score } from '../resources.ts';
import { findRunId } from '../runs/queries.ts';
import { groupUpserts } from './group-upserts.ts';
import { findScoreDetail } from './queries.ts';
import { cancelScores, retryScores } from './requeue.ts';
import {
  Score,
  ScoreDetail,
  ScoresChanged,
  ScoresRetry,
  ScoresUpsert,
  ScoresUpserted,
  ScoreUpsert,
} from './schema.ts';
import { type NoteReview, readItems, upsertScore, upsertScores } from './upsert-scores.ts';

const tags = ['Scores'];

const changed = (count: number): string => JSON.stringify({ numChanged: count });

/** `noteReview` belongs to the reviews, a layer above. */
type ScoreDeps = RouteDeps & { noteReview: NoteReview; masking: Masking };

export const scoreRoutes = (app: App, deps: ScoreDeps): void => {
  const upsertGrouped = groupUpserts(deps.db);

  app.put(
    '/records/:recordId/scores/:metricConfigId',
    {
      schema: {
        operationId: 'upsertScore',
        summary: 'Store a score.',
        description: 'Without a score in the body, the record is queued for people.',
        tags,
        params: score.params,
        body: ScoreUpsert,
        response: { 200: ref(Score) },
      },
    },
    async (request, reply) => {
      const { configId, ...key } = score.keyOf(request.params);
      const { score: sent, userId } = request.body;
      if (!sent && userId !== undefined) throw invalid('/userId', 'needs a score');
      const masker = await deps.masking.of(request.scope, key);
      const given =
        sent && maskScore(masker, { score: sent, userId, raw: freeForm(request.rawBody, ['score']).score! });
      // One that counts as a member's review is written with that review.
      const body =
        given && userId === undefined && (await upsertGrouped(request.scope, { ...key, configId }, given));
      if (body) return reply.json(body);
      return deps.write(request, reply, 200, (tx, scope) =>
        upsertScore(tx, scope, key, configId, given, deps.noteReview),
      );
    },
  );

  writeRoute(app, deps, 'POST', '/runs/:runId/scores/bulk-upsert', {
    operationId: 'upsertScores',
    summary: 'Store many scores of a run, all or none.',
    tags,
    of: run,
    body: ScoresUpsert,
    response: ScoresUpserted,
    read: readItems,
    work: async (tx, scope, runId, items) => {
      const masker = await deps.masking.of(scope, { runId }, tx);
      return upsertScores(
        tx,
        scope,
        runId,
        items.map((item) => maskScore(masker, item)),
      );
    },
  });

  getRoute(app, deps, '/records/:recordId/scores/:metricConfigId', {
    operationId: 'getScore',
    summary: 'Get a score in any state, with its evidence and the scores it replaced.',
    tags,
    of: score,
    response: ref(ScoreDetail),
    find: findScoreDetail,
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/scores/:metricConfigId/retry', {
    operationId: 'retryScore',
    summary: 'Retry a score that failed or could not be given.',
    description: 'An existing score stays.',
    tags,
    of: score,
    response: ScoresChanged,
    work: async (tx, scope, key) => changed(await retryScores(tx, scope, key)),
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/scores/:metricConfigId/cancel', {
    operationId: 'cancelScore',
    summary: 'Cancel a pending score.',
    description: 'A retry starts it again.',
    tags,
    of: score,
    response: ScoresChanged,
    work: async (tx, scope, key) => changed(await cancelScores(tx, scope, key)),
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/scores/retry', {
    operationId: 'retryScores',
    summary: 'Retry the scores of a run that failed or could not be given.',
    description: 'Existing scores stay.',
    tags,
    of: run,
    body: ScoresRetry,
    response: ScoresChanged,
    read: ({ states, metricId }) => ({
      ...(states && { states }),
      metricId: metricId === undefined ? undefined : numericId('metric', metricId),
    }),
    work: async (tx, scope, runId, which) => {
      const { metricId } = which;
      one(await findRunId(tx, scope, runId), 'run', String(runId));
      if (metricId !== undefined) one(await findMetric(tx, scope, metricId), 'metric', String(metricId));
      return changed(await retryScores(tx, scope, { runId }, which));
    },
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/scores/cancel', {
    operationId: 'cancelScores',
    summary: 'Cancel the pending scores of a run.',
    description: 'A retry starts them again.',
    tags,
    of: run,
    response: ScoresChanged,
    work: async (tx, scope, runId) => changed(await cancelScores(tx, scope, { runId })),
  });
};
