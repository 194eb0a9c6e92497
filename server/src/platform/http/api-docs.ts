import swaggerUi from '@fastify/swagger-ui';
import { withExamples } from './api-examples.ts';
import type { App } from './http.ts';

/** The description of the API for people, on /docs. */
export const apiDocs = async (app: App, basePath: string): Promise<void> => {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: basePath,
    // Swagger UI writes style attributes; scripts come from here alone.
    staticCSP:
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    transformSpecification: withExamples,
    transformSpecificationClone: false,
    uiConfig: { deepLinking: true, validatorUrl: null },
  });
};
