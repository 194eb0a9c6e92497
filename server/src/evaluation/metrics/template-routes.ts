import { Type } from 'typebox';
import { type App, one } from '../../platform/http/http.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { makeOnce } from '../../platform/make-once.ts';
import { MetricTemplate, readTemplates } from './templates.ts';

const tags = ['Metrics'];

/** Routes of the gallery. It is the same for every organization, and is read once, on the first request. */
export const metricTemplateRoutes = (app: App): void => {
  app.addSchema({ $id: MetricTemplate.name, ...MetricTemplate.schema });
  const templates = makeOnce(readTemplates);

  app.get(
    '/metric-templates',
    {
      schema: {
        operationId: 'listMetricTemplates',
        summary: 'List the gallery of ready metrics, each with a record that passes and one that fails.',
        description:
          'Code was run over both records. Of prompts it was tested what a judge is shown of them and what becomes of its verdict; ' +
          'no test asks a real model: look at what yours says of them with `POST /projects/{projectId}/metrics/preview`.',
        tags,
        response: {
          200: Type.Object({
            data: Type.Array(ref(MetricTemplate), { description: 'All of them, by group and name.' }),
          }),
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
        summary: 'Get a ready metric of the gallery.',
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
