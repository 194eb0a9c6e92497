import type { FastifyInstance } from 'fastify';
import { makeOnce } from '../make-once.ts';
import type { App } from './http.ts';
import { sendError, unknownPath } from './send-error.ts';

/** Swagger UI as a service of its own, of the document that `app` has made. */
const makeDocs = async (app: App): Promise<FastifyInstance> => {
  const [{ default: Fastify }, { default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const docs = Fastify();
  docs.setErrorHandler(sendError);
  docs.setNotFoundHandler((request) => {
    throw unknownPath(request);
  });
  await docs.register(swagger, { openapi: {}, transformObject: () => app.swagger() });
  await docs.register(swaggerUi, {
    routePrefix: '/docs',
    // Swagger UI writes style attributes; scripts come from here alone.
    staticCSP:
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    uiConfig: { deepLinking: true, validatorUrl: null },
  });
  await docs.ready();
  return docs;
};

/** The description of the API for people, on /docs. Made when somebody first looks: it would be a tenth of each start. */
export const apiDocs = (app: App): void => {
  const docs = makeOnce(() => makeDocs(app));
  for (const path of ['/docs', '/docs/*']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const { routing } = await docs();
      // What every answer carries, under what Swagger UI's own routes say.
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value!);
      reply.hijack();
      routing(request.raw, reply.raw);
    });
  }
};
