import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { storedCriteria } from '../../evaluation/metrics/criteria.ts';
import { metric } from '../../evaluation/resources.ts';
import type { App } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireJudge, requireMetric } from '../../scoring/labels/read-judge.ts';
import { findCriteriaOf, findReviewColumns, findSpanReviewColumns } from './agreement-queries.ts';
import { AgreementQuery, ReviewerAgreement } from './agreement-schema.ts';
import { compute } from './compute.ts';
import { requireRunOf } from './read-run.ts';

export const agreementRoutes = (app: App, { db }: RouteDeps): void => {
  answerRoute(app, 'GET', '/metrics/:metricId/agreement', {
    operationId: 'measureAgreement',
    summary: 'Measure how far people who reviewed the same records agree.',
    tags: ['Analysis'],
    of: metric,
    query: AgreementQuery,
    response: ref(ReviewerAgreement),
    answer: async ({ scope, params, query }) => {
      const { level = defaultLevel, measure = 'score', sighted = false, runId, metricConfigId } = query;
      const metric = await requireMetric(db, scope, params.metricId);
      const run = (await requireRunOf(db, scope, metric, runId))?.id ?? null;
      const config = await requireJudge(db, scope, metric.id, metricConfigId, run);
      const [of] = query.criteria
        ? await db.read(scope, (sql) => findCriteriaOf(sql, scope, config.configId))
        : [];
      const criteria = storedCriteria(of?.criteria ?? null);
      const [reviews] = await db.read(scope, (sql) =>
        config.ofSpans
          ? findSpanReviewColumns(sql, scope, config.configId, run)
          : findReviewColumns(sql, scope, config.configId, run, criteria !== null),
      );
      const counted = { measure, sighted: sighted || config.ofSpans, level };
      return await compute('agree', { config, reviews: reviews!, criteria, ...counted });
    },
  });
};
