import { project, run } from '../../evaluation/resources.ts';
import { Run, RunCreate, RunMetricsAdd } from '../../evaluation/runs/schema.ts';
import type { App } from '../../platform/http/http.ts';
import { writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { addMetrics } from './add-metrics.ts';
import { cancelWork, readWork, retryWork } from './change-work.ts';
import { startRun } from './start-run.ts';
import { WorkCancel, WorkChanged, WorkRetry } from './work-schema.ts';

const tags = ['Runs'];

/** Starting a run, adding metrics to it, cancelling and retrying its work. */
export const startRunRoutes = (app: App, deps: Pick<RouteDeps, 'write'>): void => {
  writeRoute(app, deps, 'POST', '/projects/:projectId/runs', {
    operationId: 'createRun',
    summary: 'Start a run.',
    description: 'It scores with the current configurations of its metrics.',
    tags,
    of: project,
    body: RunCreate,
    status: 201,
    response: ref(Run),
    work: startRun,
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/metrics', {
    operationId: 'addRunMetrics',
    summary: 'Add metrics to a run with their current configurations.',
    description: 'They score its present and future records.',
    tags,
    of: run,
    body: RunMetricsAdd,
    response: ref(Run),
    work: (tx, scope, key, body) => addMetrics(tx, scope, key, body.metricIds),
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/cancel', {
    operationId: 'cancelRun',
    summary: 'Cancel the pending work of a run, or a part of it.',
    description: 'Calls of its system, scores and proposals. Results stay; a retry queues the work again.',
    tags,
    of: run,
    body: WorkCancel,
    response: WorkChanged,
    read: readWork,
    work: cancelWork,
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/retry', {
    operationId: 'retryRun',
    summary: 'Retry the work of a run that failed or was cancelled, or a part of it.',
    description:
      'Calls of its system, scores, and proposals of open rescorings. Work that could not be scored is retried too; existing results stay.',
    tags,
    of: run,
    body: WorkRetry,
    response: WorkChanged,
    read: readWork,
    work: retryWork,
  });
};
