import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { getRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { maskScore } from '../masking/mask-data.ts';
import type { Masking } from '../masking/masking.ts';
import { run, score } from '../resources.ts';
import { groupUpserts } from './group-upserts.ts';
import { makerOfMember } from './made-by.ts';
import { findScoreDetail } from './queries.ts';
import { Score, ScoreDetail, ScoresUpsert, ScoresUpserted, ScoreUpsert } from './schema.ts';
import { maskItem, type NoteReview, readItems, upsertScore, upsertScores } from './upsert-scores.ts';

const tags = ['Scores'];

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
      const madeBy = makerOfMember(userId, request.body.madeBy);
      if (!sent && userId !== undefined) throw invalid('/userId', 'needs a score');
      const masker = await deps.masking.of(request.scope, key);
      const given =
        sent &&
        maskScore(masker, {
          score: sent,
          userId,
          madeBy,
          raw: freeForm(request.rawBody, ['score']).score!,
        });
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
    description:
      'An item with a reason in place of a score marks its record as unscored, for example because the grader failed. The run then no longer waits for that score.',
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
        items.map((item) => maskItem(masker, item)),
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
};
