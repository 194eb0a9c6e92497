import { Type } from 'typebox';
import type { RouteDeps } from '../app.ts';
import { notFound } from '../errors.ts';
import { type App, one } from '../http.ts';
import { numericId, uuidId } from '../ids.ts';
import { findMetricId } from '../metrics/queries.ts';
import { pathParam, ref } from '../openapi.ts';
import { defaultLevel } from '../statistics/intervals.ts';
import { findReviewColumns } from './agreement-queries.ts';
import { AgreementQuery, ReviewerAgreement } from './agreement-schema.ts';
import { findJudgeConfig } from './calibration-queries.ts';
import { compute } from './compute.ts';
import { requireRuns } from './read-run.ts';

export const agreementRoutes = (app: App, { db }: RouteDeps): void => {
  app.addSchema({ $id: ReviewerAgreement.name, ...ReviewerAgreement.schema });

  app.get(
    '/metrics/:metricId/agreement',
    {
      schema: {
        operationId: 'measureAgreement',
        summary: 'How far the people agree who reviewed the same records.',
        tags: ['Analysis'],
        params: Type.Object({ metricId: pathParam('metric') }),
        querystring: AgreementQuery,
        response: { 200: ref(ReviewerAgreement) },
      },
    },
    async ({ scope, params, query }, reply) => {
      const { level = defaultLevel, measure = 'score', sighted = false, runId, metricConfigId } = query;
      const id = numericId('metric', params.metricId);
      const metric = one(
        await db.read(scope, (sql) => findMetricId(sql, scope, id)),
        'metric',
        params.metricId,
      );
      const [head] = runId === undefined ? [] : await requireRuns(db, scope, [runId]);
      if (head && head.projectId !== metric.projectId) throw notFound('run', runId!);
      const configId = metricConfigId === undefined ? null : uuidId('metric configuration', metricConfigId);
      const run = head?.id ?? null;
      const config = one(
        await db.read(scope, (sql) => findJudgeConfig(sql, scope, metric.id, configId, run)),
        'metric configuration',
        metricConfigId ?? '',
      );
      const [reviews] = await db.read(scope, (sql) => findReviewColumns(sql, scope, config.configId, run));
      return reply.json(await compute('agree', { config, reviews: reviews!, measure, sighted, level }));
    },
  );
};
