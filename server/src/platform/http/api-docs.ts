import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import swaggerUi from '@fastify/swagger-ui';
import { withExamples } from './api-examples.ts';
import type { App } from './http.ts';

// Named, because a bundle of this package doesn't know where its files are.
const files = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static');

/** The description of the API for people, on /docs. */
export const apiDocs = async (app: App, basePath: string): Promise<void> => {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    baseDir: files,
    logo: { type: 'image/svg+xml', content: await readFile(join(files, 'logo.svg')) },
    indexPrefix: basePath,
    // Swagger UI writes style attributes; scripts come from here alone.
    staticCSP:
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    transformSpecification: withExamples,
    transformSpecificationClone: false,
    uiConfig: { deepLinking: true, validatorUrl: null },
  });
};
