import { Type } from 'typebox';
import type { App } from '../../platform/http/http.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { clientLeaves } from '../../platform/http/reply.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { requireRuns } from '../analysis/read-run.ts';
import { type FailureDeps, groupFailures } from './group-failures.ts';
import { FailureClusters, FailureGrouping } from './schema.ts';

export const failureRoutes = (app: App, deps: FailureDeps): void => {
  app.post(
    '/runs/:runId/failure-clusters',
    {
      config: { keyless: true },
      schema: {
        operationId: 'groupFailures',
        summary: 'Group the failures of a run by what they have in common.',
        description: 'A model names the groups if there is one. Nothing is written.',
        tags: ['Analysis'],
        params: Type.Object({ runId: pathParam('run') }),
        body: FailureGrouping,
        response: { 200: ref(FailureClusters) },
      },
    },
    async ({ scope, params, body }, reply) => {
      const [run] = await requireRuns(deps.db, scope, [params.runId]);
      const metric =
        body.metricId === undefined
          ? null
          : await requireMetric(deps.db, scope, body.metricId, run!.projectId);
      return reply.json(
        await groupFailures(deps, scope, run!.id, metric?.id ?? null, body, clientLeaves(reply)),
      );
    },
  );
};
