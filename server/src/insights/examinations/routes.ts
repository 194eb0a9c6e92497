import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { answerRoute, resource } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { examineTestset } from './examine-testset.ts';
import { ExaminationQuery, TestsetExamination } from './schema.ts';

export const examinationRoutes = (app: App, { db }: Pick<RouteDeps, 'db'>): void => {
  answerRoute(app, 'GET', '/testsets/:testsetId/examination', {
    operationId: 'examineTestset',
    summary: 'Examine the testcases of a testset by stored runs.',
    description:
      'Finds wrong keys, disagreements with people, leaks into prompts, twins, flaky testcases, and testcases that tell no version apart, each with its evidence. Repeats a comparison without the suspects.',
    tags: ['Analysis'],
    of: resource('testsetId', 'testset', numericId),
    query: ExaminationQuery,
    response: ref(TestsetExamination),
    answer: ({ scope, key, params, query }) =>
      examineTestset(db, scope, { key, id: params.testsetId }, query),
  });
};
