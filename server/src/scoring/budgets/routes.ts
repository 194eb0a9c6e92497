import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project, run } from '../../evaluation/resources.ts';
import { type App, bodyOf, one } from '../../platform/http/http.ts';
import { ref } from '../../platform/http/openapi.ts';
import { answerRoute, getRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Judge } from '../judges/judge.ts';
import type { ProvidersOf } from '../providers/providers-of.ts';
import { estimateRun } from './estimate-run.ts';
import { findJudgeBudget, setJudgeBudget } from './queries.ts';
import { JudgeBudget, JudgeBudgetUpdate, RunCostEstimate, RunEstimateRequest } from './schema.ts';

const tags = ['Runs'];

/** What an estimate needs: the judge's prices, the providers, and the number of sandbox processes. */
type BudgetDeps = RouteDeps & { judge: Judge; providersOf: ProvidersOf; codeProcesses: number };

export const judgeBudgetRoutes = (app: App, deps: BudgetDeps): void => {
  const { db, judge, providersOf, codeProcesses } = deps;
  getRoute(app, deps, '/runs/:runId/judge-budget', {
    operationId: 'getJudgeBudget',
    summary: 'Get the cost and the budget of the judges of a run.',
    description: 'The answer also says whether they wait for a higher budget.',
    tags,
    of: run,
    response: ref(JudgeBudget),
    find: findJudgeBudget,
  });

  writeRoute(app, deps, 'PUT', '/runs/:runId/judge-budget', {
    operationId: 'updateJudgeBudget',
    summary: 'Change the budget of the judges of a run.',
    description: 'Scores that wait for a higher budget continue.',
    tags,
    of: run,
    body: JudgeBudgetUpdate,
    response: ref(JudgeBudget),
    work: async (tx, scope, runId, { budgetUsd }) => {
      one(await setJudgeBudget(tx, scope, runId, budgetUsd), 'run', String(runId));
      return bodyOf(await findJudgeBudget(tx, scope, runId), 'run', String(runId));
    },
  });

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
