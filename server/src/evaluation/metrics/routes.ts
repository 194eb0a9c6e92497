import type { Sandbox } from '../../engine/sandbox/sandbox.ts';
import type { App } from '../../platform/http/http.ts';
import { lastUuid, newestFirst } from '../../platform/http/pagination.ts';
import { deleteRoute, getRoute, listRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { findProject } from '../projects/queries.ts';
import { metric, project } from '../resources.ts';
import { requireSoundLogic } from './check-logic.ts';
import { createMetric, type RequireChangeable, updateMetric } from './configure-metric.ts';
import {
  deleteMetric,
  findGuidelinesOfNoCode,
  findMetric,
  listMetrics,
  listMetricVersions,
} from './queries.ts';
import {
  createValidator,
  Metric,
  MetricCreate,
  MetricUpdate,
  MetricVersion,
  updateValidator,
} from './schema.ts';

const tags = ['Metrics'];

/** Code metrics are compiled before they are stored; `judgeModel` is the evalModelName of metrics that name none. */
type MetricDeps = RouteDeps & {
  sandbox: Sandbox;
  judgeModel: string | undefined;
  requireChangeable: RequireChangeable;
};

export const metricRoutes = (app: App, deps: MetricDeps): void => {
  const { db, sandbox, judgeModel, requireChangeable } = deps;
  listRoute(app, deps, '/projects/:projectId/metrics', {
    operationId: 'listMetrics',
    summary: 'List the metrics of a project, newest first.',
    tags,
    of: project,
    parent: findProject,
    item: ref(Metric),
    first: newestFirst,
    rows: listMetrics,
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/metrics', {
    operationId: 'createMetric',
    summary: 'Create a metric.',
    description:
      'evalType and outputType choose one of nine variants, or with `category` one of three that give a label.',
    tags,
    of: project,
    body: MetricCreate,
    validatorCompiler: createValidator,
    status: 201,
    response: ref(Metric),
    read: async (body, _, { scope }) => {
      await requireSoundLogic(sandbox, body, { owner: scope.organizationId });
      return body;
    },
    work: (tx, scope, projectId, body) => createMetric(tx, scope, projectId, body, judgeModel),
  });

  getRoute(app, deps, '/metrics/:metricId', {
    operationId: 'getMetric',
    summary: 'Get a metric.',
    tags,
    of: metric,
    response: ref(Metric),
    find: findMetric,
  });

  listRoute(app, deps, '/metrics/:metricId/versions', {
    operationId: 'listMetricVersions',
    summary: 'List the configurations of a metric, newest first.',
    description:
      'Drafts that only trials have tried, such as edited prompts that were measured, are in the list of trials.',
    tags,
    of: metric,
    parent: findMetric,
    item: ref(MetricVersion),
    first: lastUuid,
    rows: listMetricVersions,
  });

  writeRoute(app, deps, 'PATCH', '/metrics/:metricId', {
    operationId: 'updateMetric',
    summary: 'Change a metric.',
    description: 'A change that affects scoring makes a new configuration; existing scores keep theirs.',
    tags,
    of: metric,
    body: MetricUpdate,
    validatorCompiler: updateValidator,
    response: ref(Metric),
    read: async (body, _, { scope, key: metricId }) => {
      const asker = { owner: scope.organizationId };
      await requireSoundLogic(sandbox, body, asker);
      if (body.evalType === 'heuristic' && body.guidelines === undefined) {
        // The stored guidelines may become code now.
        const [kept] = await db.read(scope, (sql) => findGuidelinesOfNoCode(sql, scope, metricId));
        if (kept) await requireSoundLogic(sandbox, { ...body, ...kept }, asker);
      }
      return body;
    },
    work: (tx, scope, metricId, body) =>
      updateMetric(tx, scope, metricId, body, judgeModel, requireChangeable),
  });

  deleteRoute(app, deps, '/metrics/:metricId', {
    config: { ignoresBody: true },
    operationId: 'deleteMetric',
    summary: 'Delete a metric.',
    description: 'Its configurations and all their scores stay.',
    tags,
    of: metric,
    remove: deleteMetric,
  });
};
