import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { run } from '../../evaluation/resources.ts';
import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { kindOf, type Ledger } from '../looks/open-ledger.ts';
import { agreementRoutes } from './agreement-routes.ts';
import { calibrationRoutes } from './calibration-routes.ts';
import { compareRoutes } from './compare-routes.ts';
import { compute } from './compute.ts';
import { keepSummaries, mayCostMore, type Summary } from './keep-summaries.ts';
import { projectAnalysisRoutes } from './project-routes.ts';
import { readJudges } from './read-judges.ts';
import { readLabels } from './read-labels.ts';
import { withNearDuplicates } from './read-near-duplicates.ts';
import { readCriteria, readRun, requireRuns } from './read-run.ts';
import { RunSummary, SummaryQuery } from './schema.ts';
import { readTraffic } from './weights.ts';

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
      const summarize = async (): Promise<Summary> => {
        const [head] = await requireRuns(db, scope, [params.runId]);
        const { id: runId, projectId, createdAt } = head!;
        const metricId =
          query.criteriaOf === undefined
            ? null
            : (await requireMetric(db, scope, query.criteriaOf, projectId)).id;
        const ofCriteria = metricId === null ? null : await readCriteria(db, scope, runId, metricId);
        const { numCriteriaLeftOut, ...read } = ofCriteria ?? {
          ...(await readRun(db, scope, runId)),
          numCriteriaLeftOut: null,
        };
        const [run] = await withNearDuplicates(db, scope, [read]);
        // People's labels are of the metric, not of its criteria.
        const judges = ofCriteria ? {} : await readJudges(db, scope, [run!]);
        const traffic = await readTraffic(db, scope, [run!], query);
        const summed = await compute('summarize', {
          run: run!,
          judges,
          createdAt,
          level,
          traffic,
          by: by ? { name: by, labels: await readLabels(db, scope, run!, by) } : null,
          across: across ? { name: across, labels: await readLabels(db, scope, run!, across) } : null,
        });
        const body =
          numCriteriaLeftOut === null
            ? summed
            : `{"numCriteriaLeftOut":${numCriteriaLeftOut},${summed.slice(1)}`;
        const ofOtherRuns = Object.keys(judges).length > 0;
        return { body, runId, projectId, ofOtherRuns, isPassing: run!.scores.some(mayCostMore) };
      };
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
