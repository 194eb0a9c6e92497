import type { App } from '../../platform/http/http.ts';
import { wholeOf } from '../../platform/http/openapi.ts';
import { answerRoute, ownOrganization } from '../../platform/http/resource-routes.ts';
import { makeOnce } from '../../platform/make-once.ts';
import { ref } from '../../platform/named-schema.ts';
import { MetricTemplate, readTemplates } from './templates.ts';

const tags = ['Metrics'];

/** Routes of the gallery. It is the same for every organization, and is read once, on the first request. */
export const metricTemplateRoutes = (app: App): void => {
  const templates = makeOnce(readTemplates);

  answerRoute(app, 'GET', '/metric-templates', {
    operationId: 'listMetricTemplates',
    summary: 'List the metric templates, each with a record that passes and one that fails.',
    description:
      'Tests run the code of each template on both records. For prompts, tests check what a judge is shown ' +
      'and how its verdict is read, but ask no real model: try yours with `POST ' +
      '/projects/{projectId}/metrics/preview`.',
    tags,
    of: ownOrganization,
    response: wholeOf(ref(MetricTemplate), 'All templates, by group and name.'),
    answer: async () => JSON.stringify({ data: await templates() }),
  });
};
