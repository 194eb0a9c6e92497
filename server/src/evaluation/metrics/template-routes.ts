import { Type } from 'typebox';
import { type App, one } from '../../platform/http/http.ts';
import { pathParam, ref, wholeOf } from '../../platform/http/openapi.ts';
import { makeOnce } from '../../platform/make-once.ts';
import { MetricTemplate, readTemplates } from './templates.ts';

const tags = ['Metrics'];

/** Routes of the gallery. It is the same for every organization, and is read once, on the first request. */
export const metricTemplateRoutes = (app: App): void => {
  const templates = makeOnce(readTemplates);

  app.get(
    '/metric-templates',
    {
      schema: {
        operationId: 'listMetricTemplates',
        summary: 'List the metric templates, each with a record that passes and one that fails.',
        description:
          'Tests run the code of each template on both records. For prompts, tests check what a judge is shown ' +
          'and how its verdict is read, but ask no real model: try yours with `POST ' +
          '/projects/{projectId}/metrics/preview`.',
        tags,
        response: {
          200: wholeOf(ref(MetricTemplate), 'All templates, by group and name.'),
        },
      },
    },
    async (_request, reply) => reply.json(JSON.stringify({ data: await templates() })),
  );

  app.get(
    '/metric-templates/:templateId',
    {
      schema: {
        operationId: 'getMetricTemplate',
        summary: 'Get a metric template.',
        tags,
        params: Type.Object({ templateId: pathParam('template') }),
        response: { 200: ref(MetricTemplate) },
      },
    },
    async ({ params: { templateId } }, reply) => {
      const found = (await templates()).filter(({ id }) => id === templateId);
      return reply.json(JSON.stringify(one(found, 'metric template', templateId)));
    },
  );
};
