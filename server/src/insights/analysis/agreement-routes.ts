import { Type } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import type { App } from '../../platform/http/http.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { requireJudge, requireMetric } from '../../scoring/labels/read-judge.ts';
import { findReviewColumns } from './agreement-queries.ts';
import { AgreementQuery, ReviewerAgreement } from './agreement-schema.ts';
import { compute } from './compute.ts';
import { requireRunOf } from './read-run.ts';

export const agreementRoutes = (app: App, { db }: RouteDeps): void => {
  app.get(
    '/metrics/:metricId/agreement',
    {
      schema: {
        operationId: 'measureAgreement',
        summary: 'Measure how far people who reviewed the same records agree.',
        tags: ['Analysis'],
        params: Type.Object({ metricId: pathParam('metric') }),
        querystring: AgreementQuery,
        response: { 200: ref(ReviewerAgreement) },
      },
    },
    async ({ scope, params, query }, reply) => {
      const { level = defaultLevel, measure = 'score', sighted = false, runId, metricConfigId } = query;
      const metric = await requireMetric(db, scope, params.metricId);
      const run = (await requireRunOf(db, scope, metric, runId))?.id ?? null;
      const config = await requireJudge(db, scope, metric.id, metricConfigId, run);
      const [reviews] = await db.read(scope, (sql) => findReviewColumns(sql, scope, config.configId, run));
      return reply.json(await compute('agree', { config, reviews: reviews!, measure, sighted, level }));
    },
  );
};
