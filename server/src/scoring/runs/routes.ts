import { Type } from 'typebox';
import { Run, RunCancelled, RunCreate, RunMetricsAdd } from '../../evaluation/runs/schema.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { addMetrics } from './add-metrics.ts';
import { cancelRun } from './cancel-run.ts';
import { startRun } from './start-run.ts';

const tags = ['Runs'];
const projectParams = Type.Object({ projectId: pathParam('project') });
const params = Type.Object({ runId: pathParam('run') });

/** What makes scores due, or no longer: starting a run, adding metrics to it, cancelling it. */
export const startRunRoutes = (app: App, { write }: Pick<RouteDeps, 'write'>): void => {
  app.post(
    '/projects/:projectId/runs',
    {
      schema: {
        operationId: 'createRun',
        summary: 'Start a run. It scores with the metric configurations that are current now.',
        tags,
        params: projectParams,
        body: RunCreate,
        response: { 201: ref(Run) },
      },
    },
    (request, reply) => {
      const projectId = numericId('project', request.params.projectId);
      return write(request, reply, 201, (tx, scope) => startRun(tx, scope, projectId, request.body));
    },
  );

  app.post(
    '/runs/:runId/metrics',
    {
      schema: {
        operationId: 'addRunMetrics',
        summary: 'Have a run scored by further metrics, as they are now: its records, and those to come.',
        tags,
        params,
        body: RunMetricsAdd,
        response: { 200: ref(Run) },
      },
    },
    (request, reply) => {
      const runId = numericId('run', request.params.runId);
      return write(request, reply, 200, (tx, scope) => addMetrics(tx, scope, runId, request.body.metricIds));
    },
  );

  app.post(
    '/runs/:runId/cancel',
    {
      schema: {
        operationId: 'cancelRun',
        summary:
          'Stop all that machines still have to do for a run: calls of its system, scores, proposals. What is there stays; retries take it back.',
        tags,
        params,
        response: { 200: RunCancelled },
      },
    },
    (request, reply) => {
      const runId = numericId('run', request.params.runId);
      return write(request, reply, 200, (tx, scope) => cancelRun(tx, scope, runId));
    },
  );
};
