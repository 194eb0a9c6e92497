import { Type } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { Estimate, Interval } from '../../evaluation/scores/estimate-schema.ts';
import type { App } from '../../platform/http/http.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { agreementRoutes } from './agreement-routes.ts';
import { calibrationRoutes } from './calibration-routes.ts';
import { compareRoutes } from './compare-routes.ts';
import { compute } from './compute.ts';
import { projectAnalysisRoutes } from './project-routes.ts';
import { readJudges } from './read-judges.ts';
import { readLabels } from './read-labels.ts';
import { readRun, requireRuns } from './read-run.ts';
import { RunEstimate, RunSummary, SummaryQuery } from './schema.ts';

const tags = ['Analysis'];

export const analysisRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  for (const { name, schema } of [Interval, Estimate, RunEstimate, RunSummary])
    app.addSchema({ $id: name, ...schema });

  app.get(
    '/runs/:runId/summary',
    {
      schema: {
        operationId: 'summarizeRun',
        summary: 'Summarize a run metric by metric, each number with its uncertainty.',
        tags,
        params: Type.Object({ runId: pathParam('run') }),
        querystring: SummaryQuery,
        response: { 200: ref(RunSummary) },
      },
    },
    async ({ scope, params, query }, reply) => {
      const { level = defaultLevel, by } = query;
      const [head] = await requireRuns(db, scope, [params.runId]);
      const run = await readRun(db, scope, head!.id);
      return reply.json(
        await compute('summarize', {
          run,
          judges: await readJudges(db, scope, [run]),
          createdAt: head!.createdAt,
          level,
          by: by ? { name: by, labels: await readLabels(db, scope, run, by) } : null,
        }),
      );
    },
  );

  compareRoutes(app, deps);
  projectAnalysisRoutes(app, deps);
  calibrationRoutes(app, deps);
  agreementRoutes(app, deps);
};
