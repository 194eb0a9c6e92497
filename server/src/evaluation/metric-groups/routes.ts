import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import {
  deleteRoute,
  getRoute,
  listRoute,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { pinMetrics } from '../metrics/pin-metrics.ts';
import { findProject, requireProject } from '../projects/queries.ts';
import { project } from '../resources.ts';
import {
  deleteGroupMetrics,
  deleteMetricGroup,
  findMetricGroup,
  insertGroupMetrics,
  insertMetricGroup,
  listMetricGroups,
  updateMetricGroupRow,
} from './queries.ts';
import { MetricGroup, MetricGroupCreate, MetricGroupUpdate } from './schema.ts';

const tags = ['Metric groups'];
const group = resource('metricGroupId', 'metric group', numericId);

export const metricGroupRoutes = (app: App, deps: RouteDeps): void => {
  listRoute(app, deps, '/projects/:projectId/metric-groups', {
    operationId: 'listMetricGroups',
    summary: 'List the metric groups of a project, newest first.',
    tags,
    of: project,
    parent: findProject,
    item: ref(MetricGroup),
    first: newestFirst,
    rows: listMetricGroups,
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/metric-groups', {
    operationId: 'createMetricGroup',
    summary: 'Create a metric group.',
    tags,
    of: project,
    body: MetricGroupCreate,
    status: 201,
    response: ref(MetricGroup),
    work: async (tx, scope, projectId, { metricIds, ...fields }) => {
      await requireProject(tx, scope, projectId);
      const metrics = await pinMetrics(tx, scope, projectId, metricIds);
      const { id } = requireOne(await insertMetricGroup(tx, scope, projectId, fields), group.name, '');
      await insertGroupMetrics(tx, scope, id, metrics);
      return bodyOf(await findMetricGroup(tx, scope, id), group.name, String(id));
    },
  });

  getRoute(app, deps, '/metric-groups/:metricGroupId', {
    operationId: 'getMetricGroup',
    summary: 'Get a metric group.',
    tags,
    of: group,
    response: ref(MetricGroup),
    find: findMetricGroup,
  });

  writeRoute(app, deps, 'PATCH', '/metric-groups/:metricGroupId', {
    operationId: 'updateMetricGroup',
    summary: 'Change a metric group.',
    description: 'The given metrics replace the ones it has.',
    tags,
    of: group,
    body: MetricGroupUpdate,
    response: ref(MetricGroup),
    work: async (tx, scope, id, { metricIds, ...changes }) => {
      const { projectId } = requireOne(
        await updateMetricGroupRow(tx, scope, id, changes),
        group.name,
        String(id),
      );
      if (metricIds) {
        const metrics = await pinMetrics(tx, scope, projectId, metricIds);
        await deleteGroupMetrics(tx, scope, id);
        await insertGroupMetrics(tx, scope, id, metrics);
      }
      return bodyOf(await findMetricGroup(tx, scope, id), group.name, String(id));
    },
  });

  deleteRoute(app, deps, '/metric-groups/:metricGroupId', {
    config: { ignoresBody: true },
    operationId: 'deleteMetricGroup',
    summary: 'Delete a metric group.',
    description: 'Its metrics stay.',
    tags,
    of: group,
    remove: deleteMetricGroup,
  });
};
