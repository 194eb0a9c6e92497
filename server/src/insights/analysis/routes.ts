import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { run } from '../../evaluation/resources.ts';
import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { kindOf, type Ledger } from '../looks/open-ledger.ts';
import { agreementRoutes } from './agreement-routes.ts';
import { calibrationRoutes } from './calibration-routes.ts';
import { compareRoutes } from './compare-routes.ts';
import { keepSummaries } from './keep-summaries.ts';
import { projectAnalysisRoutes } from './project-routes.ts';
import { readSummary } from './read-summary.ts';
import { RunSummary, SummaryQuery } from './schema.ts';

const tags = ['Analysis'];

export const analysisRoutes = (app: App, deps: RouteDeps & { ledger: Ledger }): void => {
  const { db, ledger } = deps;
  const kept = keepSummaries(db);
  answerRoute(app, 'GET', '/runs/:runId/summary', {
    operationId: 'summarizeRun',
    summary: 'Summarize a run metric by metric, each number with its uncertainty.',
    tags,
    of: run,
    query: SummaryQuery,
    response: ref(RunSummary),
    answer: async ({ scope, params, query, request, key }) => {
      const { level = defaultLevel, by, across } = query;
      const isWeighted = query.weightBy !== undefined || query.shares !== undefined;
      if (across && !by) throw invalid('/across', 'needs by');
      if (across && isWeighted)
        throw invalid('/across', 'cannot be weighted: leave out across, or the weights');
      const summarize = () => readSummary(db, scope, params.runId, query);
      // The fields of records that come from traces change without being noted.
      const isKept = !by && !isWeighted && !query.criteriaOf;
      const body = isKept
        ? await kept(scope, `${params.runId}/${level}`, summarize)
        : (await summarize()).body;
      ledger.noteSummary(scope, kindOf(request, 'summary'), key, body);
      return body;
    },
  });

  compareRoutes(app, deps);
  projectAnalysisRoutes(app, deps, kept);
  calibrationRoutes(app, deps);
  agreementRoutes(app, deps);
};
