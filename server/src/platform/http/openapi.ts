import swagger from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import { statusOf } from '../errors.ts';
import type { App } from './http.ts';

const ApiErrorSchema = Type.Object(
  {
    code: Type.String({ description: 'What went wrong, for programs. docs/errors.md lists the codes.' }),
    message: Type.String({ description: 'What went wrong and what to do, for people.' }),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'More about this error; empty when there is nothing to add.',
    }),
  },
  { additionalProperties: false, description: 'The form of every error.' },
);

/** A named schema of the document: `$ref`s point at it, so generated clients get one type for it. */
export const named = <T extends TSchema>(name: string, schema: T): { name: string; schema: T } => ({
  name,
  schema,
});

/** A reference to a named schema, with its type. */
export const ref = <T extends TSchema>({ name }: { name: string; schema: T }) =>
  Type.Unsafe<Static<T>>({ $ref: `${name}#` });

const success = Type.Object(
  { success: Type.Boolean({ description: 'Always true: it is gone.' }) },
  { description: 'Says that the deletion is done.' },
);
export const Success = named('Success', success);
/** Body of every deletion's answer. */
export const successBody = '{"success":true}';

export const FreeForm = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const pathParam = (noun: string) => Type.String({ description: `Id of the ${noun}.` });

const errorStatuses = (method: string, url: string, hasBody: boolean): ErrorCode[] => {
  const codes: ErrorCode[] = ['VALIDATION_ERROR', 'UNAUTHORIZED'];
  if (method !== 'GET') codes.push('FORBIDDEN');
  if (url.includes(':')) codes.push('NOT_FOUND');
  if (method !== 'GET') codes.push('CONFLICT');
  if (hasBody) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  codes.push('RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE');
  return codes;
};

export const errorResponse = (code: ErrorCode) => ({
  description: code,
  content: { 'application/json': { schema: { $ref: 'ApiError#' } } },
});

const idempotencyHeader = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      description: 'Repeated within 24 hours with the same body, the first answer comes again.',
    }),
  ),
});

type DocumentedRoute = { response?: Record<string, unknown>; body?: unknown };

/**
 * Refuses a route of the API that the document would not show: the tests of tenancy, contract and paging take their cases
 * from the document, so what is not in it would be tested by none of them.
 */
const refuseUndescribed = ({ method, url, schema }: RouteOptions): void => {
  if (url.startsWith('/api/v2/') && (!schema?.operationId || schema.hide)) {
    throw new Error(
      `${method} ${url} needs a schema with an operationId, so that openapi.json describes it.`,
    );
  }
};

/** Makes the OpenAPI 3.1 document from the schemas on the routes; the errors, alike everywhere, are added here. */
export const describeApi = async (app: App): Promise<void> => {
  app.addHook('onRoute', refuseUndescribed);
  app.addSchema({ $id: 'ApiError', ...ApiErrorSchema });
  app.addSchema({ $id: Success.name, ...Success.schema });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Dokima',
        version: '1.0.0',
        description:
          'Evaluation service: records of what an AI system answered, their scores and annotations.',
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key; it begins with ak_.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'dokima_session',
            description: 'A person who is signed in; changes need the header X-Requested-With as well.',
          },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    transform: ({ schema, url, route }) => {
      if (!schema || schema.hide) return { schema: schema ?? { hide: true }, url };
      const documented = schema as DocumentedRoute;
      const errors = errorStatuses(String(route.method), url, documented.body !== undefined).map((code) => [
        statusOf[code],
        errorResponse(code),
      ]);
      const described = { ...schema, response: { ...documented.response, ...Object.fromEntries(errors) } };
      if (route.method === 'POST') described.headers = idempotencyHeader;
      return { schema: described, url };
    },
  });
};
