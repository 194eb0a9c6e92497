import { Type } from 'typebox';
import type { RouteDeps } from '../app.ts';
import type { App } from '../http.ts';
import { pathParam, ref } from '../openapi.ts';
import { defaultLevel } from '../statistics/intervals.ts';
import { agreementRoutes } from './agreement-routes.ts';
import { calibrationRoutes } from './calibration-routes.ts';
import { compareRoutes } from './compare-routes.ts';
import { compute } from './compute.ts';
import { projectAnalysisRoutes } from './project-routes.ts';
import { type Breakdown, findLabelColumns } from './queries.ts';
import { readRun, requireRuns } from './read-run.ts';
import { Estimate, Interval, RunEstimate, RunSummary, SummaryQuery } from './schema.ts';

const tags = ['Analysis'];

const breakdownOf = (by: string): Breakdown => {
  if (by === 'tag') return { of: 'tag' };
  const dot = by.indexOf('.');
  return { of: by.slice(0, dot) as 'inputs' | 'metadata', field: by.slice(dot + 1) };
};

export const analysisRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  for (const { name, schema } of [Interval, Estimate, RunEstimate, RunSummary])
    app.addSchema({ $id: name, ...schema });

  app.get(
    '/runs/:runId/summary',
    {
      schema: {
        operationId: 'summarizeRun',
        summary: 'What a run says, metric by metric, each number with its uncertainty.',
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
      const [labels] = by
        ? await db.read(scope, (sql) => findLabelColumns(sql, scope, head!.id, breakdownOf(by)))
        : [];
      return reply.json(
        await compute('summarize', {
          run,
          createdAt: head!.createdAt,
          level,
          by: by && labels ? { name: by, labels } : null,
        }),
      );
    },
  );

  compareRoutes(app, deps);
  projectAnalysisRoutes(app, deps);
  calibrationRoutes(app, deps);
  agreementRoutes(app, deps);
};
