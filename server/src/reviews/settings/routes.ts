import { metric } from '../../evaluation/resources.ts';
import type { App } from '../../platform/http/http.ts';
import { getRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { findMetricSettings } from './queries.ts';
import { MetricSettings, MetricSettingsUpdate } from './schema.ts';
import { updateMetricSettings } from './update-settings.ts';

const tags = ['Metrics'];

export const metricSettingsRoutes = (app: App, deps: RouteDeps): void => {
  getRoute(app, deps, '/metrics/:metricId/settings', {
    operationId: 'getMetricSettings',
    summary: 'Get the settings of a metric: votes and people of a judge, reviewers.',
    tags,
    of: metric,
    response: ref(MetricSettings),
    find: findMetricSettings,
  });

  writeRoute(app, deps, 'PATCH', '/metrics/:metricId/settings', {
    operationId: 'updateMetricSettings',
    summary: 'Change the settings of a metric.',
    description:
      'Changes the settings that the body names. The votes of a judge are for AI metrics, and a change makes a new configuration; `peopleMetricId` is for metrics that a model or code scores; reviewers are for human metrics.',
    tags,
    of: metric,
    body: MetricSettingsUpdate,
    response: ref(MetricSettings),
    work: updateMetricSettings,
  });
};
