import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { App } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import type { Judge } from '../judges/judge.ts';
import type { ProvidersOf } from '../providers/providers-of.ts';
import { estimateRun } from './estimate-run.ts';
import { RunCostEstimate, RunEstimateRequest } from './schema.ts';

const tags = ['Runs'];

/** Input of an estimate: the judge's prices, the providers, and the number of sandbox processes. */
type EstimateDeps = RouteDeps & { judge: Judge; providersOf: ProvidersOf; codeProcesses: number };

export const estimateRoutes = (app: App, deps: EstimateDeps): void => {
  const { db, judge, providersOf, codeProcesses } = deps;
  answerRoute(app, 'POST', '/projects/:projectId/runs/estimate', {
    config: { keyless: true },
    operationId: 'estimateRun',
    summary: 'Estimate the cost of the judges of a run before it starts.',
    description: 'Nothing is written.',
    tags,
    of: project,
    body: RunEstimateRequest,
    response: ref(RunCostEstimate),
    answer: async ({ scope, key: projectId }, body) => {
      await requireReadableProject(db, scope, projectId);
      const providers = await providersOf(scope.organizationId).catch(() => []);
      return await estimateRun(db, scope, { judge, codeProcesses, providers }, projectId, body);
    },
  });
};
