import { isDeepStrictEqual } from 'node:util';
import swagger from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import { type ErrorCode, statusOf } from '../errors.ts';
import { components } from '../named-schema.ts';
import type { App } from './http.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether it creates a resource with a limit per project: it may then answer LIMIT_REACHED. */
    limited?: boolean;
  }
}

type Schema = { type?: unknown; enum?: unknown[]; anyOf?: Schema[]; [key: string]: unknown };
type Parameter = { name: string; $ref?: string };
type Operation = {
  operationId: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: unknown;
  responses: Record<
    string,
    { description?: string; $ref?: string; headers?: object; content?: Record<string, unknown> }
  >;
};
type Methods = Record<string, Operation>;
type Document = {
  components: Record<'schemas' | 'parameters' | 'responses' | 'headers', Record<string, unknown>>;
  paths: Record<string, Methods>;
};

/** Meaning of each error, for readers of the document. docs/errors.md says what to do. */
const errorDescriptions: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'The request is not valid.',
  UNAUTHORIZED: 'The credential is missing or not valid.',
  FORBIDDEN: 'The key, or the role of its member, does not allow this.',
  NOT_FOUND: 'It does not exist, or belongs to another organization.',
  CONFLICT: 'The request conflicts with what is stored.',
  PRECONDITION_FAILED: 'It was changed after the client read it: If-Match has another ETag.',
  METHOD_NOT_ALLOWED: 'The path takes other methods. Allow says which.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is of a type that is not accepted.',
  RANGE_NOT_SATISFIABLE: 'The file has no such range of bytes.',
  LIMIT_REACHED:
    'The maximum number of them is reached. details.limit is the maximum; details.docs says where the limits are listed.',
  RATE_LIMITED: 'Too many requests. Retry-After says when to try again.',
  INTERNAL_ERROR: 'An error of the service. The log shows its cause with the X-Request-Id.',
  UNAVAILABLE: 'The database cannot do this now. Retry-After says when to try again.',
};

/** Description of each group of operations, in the order of the document. */
const tagDescriptions = {
  'API keys': 'Keys of programs.',
  Alerts: 'Messages about events of a project, and their deliveries.',
  Analysis: 'Statistics of runs, metrics and judges, each number with its uncertainty.',
  Annotations: 'Ratings and comments of people on records, with their threads.',
  Assignees: 'People whom records are assigned to.',
  Attachments: 'Files of sessions.',
  'Audit log': 'Every write and sign-in of the organization.',
  Changes: 'Streams of changes.',
  Decisions: 'Decisions that are registered before their runs, held by the audit log.',
  Executions: "Calls of a run's system.",
  Members: 'The organization, its people and the directory that provisions them.',
  'Metric groups': 'Metrics that are chosen together.',
  Metrics: 'Definitions of what a judge, code or people score.',
  Monitors: 'Metrics that score a share of the arriving traces.',
  Operator: 'Organizations, for the operator of the service.',
  Preferences: 'Comparisons of outputs, two at a time.',
  Projects: 'Projects and their settings.',
  Providers: 'Providers of models, and the models that can judge.',
  Records: 'Inputs and outputs of a system.',
  Reviews: 'Queues of people who score records, and samples for them.',
  Runs: 'Evaluations of a system.',
  Schedules: 'Runs and drift trials that start at set times.',
  Scores: 'Verdicts of a metric on a record.',
  'Sign-in': 'Signing in and out.',
  Systems: 'Systems under test and their versions.',
  Tags: 'Words that mark records.',
  Testsets: 'Testcases and the sets that hold them.',
  Traces: 'Spans, traces and sessions, and the conversations of records.',
  Trials: 'Trials of judges on labelled records, and of configurations on the records of a run.',
  Views: 'Saved searches of records.',
};

const errorResponse = (code: ErrorCode) => ({
  description: errorDescriptions[code],
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
});

const notModified = {
  description: 'The answer is the same as the one with the ETag of If-None-Match. It has no body.',
};
const hasJson = ({ responses }: Operation): boolean =>
  responses[200]?.content?.['application/json'] !== undefined;

const codes = Object.keys(statusOf) as ErrorCode[];

/** The ids of operations that share a header or an error. */
type Kinds = Record<'keyless' | 'limited' | 'conditional', ReadonlySet<string>>;

const errorsOf = (
  method: string,
  path: string,
  { operationId, requestBody, responses }: Operation,
  { limited, conditional }: Kinds,
): ErrorCode[] => {
  const isWrite = method !== 'get';
  const mayAnswer: Partial<Record<ErrorCode, boolean>> = {
    NOT_FOUND: path.includes('{'),
    CONFLICT: isWrite,
    PRECONDITION_FAILED: conditional.has(operationId),
    PAYLOAD_TOO_LARGE: requestBody !== undefined,
    UNSUPPORTED_MEDIA_TYPE: requestBody !== undefined,
    RANGE_NOT_SATISFIABLE: operationId === 'downloadAttachment',
    LIMIT_REACHED: limited.has(operationId),
  };
  return codes
    .filter((code) => mayAnswer[code] ?? true)
    .concat(codes.filter((code) => statusOf[code] in responses));
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'A request repeated with the same key within 24 hours gets the first answer again.',
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'The ETag that the resource had when it was read, or its `updatedAt` in quotes. If it was changed since, the answer is 412.',
};

const headers = {
  'Ignored-Fields': {
    schema: { type: 'string' },
    description:
      'What the operation does not know and ignored: a parameter as ?name, a field of the body by its JSON Pointer. Absent if it knows all.',
  },
  'Idempotent-Replayed': {
    schema: { type: 'string', enum: ['true'] },
    description: 'This is the first answer to this Idempotency-Key again; nothing was done.',
  },
};
const headerOf = (name: keyof typeof headers) => ({ [name]: { $ref: `#/components/headers/${name}` } });

const isNull = ({ type }: Schema) => type === 'null';
const isBare = (schema: Schema) => Object.keys(schema).join() === 'type';

/**
 * The same schema in fewer lines: a choice of texts becomes one enum, a type or null a list of two types. A keyword of ours
 * becomes an extension, because strict readers refuse unknown ones.
 */
const shorten = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shorten);
  if (value === null || typeof value !== 'object') return value;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key === 'expects' && typeof part === 'string' ? 'x-expects' : key,
      shorten(part),
    ]),
  ) as Schema;
  if (!anyOf) return rest;
  if (anyOf.every(isBare)) return { type: anyOf.map(({ type }) => type), ...rest };
  if (anyOf.every((choice) => isNull(choice) || (choice.type === 'string' && choice.enum))) {
    const type = anyOf.some(isNull) ? ['string', 'null'] : 'string';
    return { type, enum: anyOf.flatMap((choice) => choice.enum ?? [null]), ...rest };
  }
  return { anyOf, ...rest };
};

/** The parameters that several operations share, by name; if parameters of one name differ, the most common one. */
const sharedParameters = (operations: Operation[]): Record<string, Parameter> => {
  const all = operations.flatMap(({ parameters = [] }) => parameters);
  const alike = [...Map.groupBy(all, (parameter) => JSON.stringify(parameter)).values()]
    .filter(({ length }) => length > 1)
    .sort((a, b) => a.length - b.length);
  return Object.fromEntries(alike.map(([first]) => [first!.name, first!]));
};

const sorted = <T>(items: Record<string, T>, key: (entry: [string, T]) => string = ([name]) => name) =>
  Object.fromEntries(Object.entries(items).sort((a, b) => (key(a) < key(b) ? -1 : 1)));

const methodOrder = ['get', 'post', 'put', 'patch', 'delete'];

/** Writes shared parts of operations once, adds the errors, and sorts by tag and path, whatever the order of the routes. */
const arrange = (document: Document, kinds: Kinds): Document => {
  const { schemas } = document.components;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  for (const { method, path, operation } of all) {
    const takesKey = method === 'post' && !kinds.keyless.has(operation.operationId);
    const isConditional = kinds.conditional.has(operation.operationId);
    const added = [...(takesKey ? [idempotencyKey] : []), ...(isConditional ? [ifMatch] : [])];
    if (added.length > 0) operation.parameters = [...(operation.parameters ?? []), ...added];
    for (const response of Object.values(operation.responses)) {
      if (response.description === 'Default Response') response.description = 'Success.';
      response.headers = { ...headerOf('Ignored-Fields'), ...(takesKey && headerOf('Idempotent-Replayed')) };
    }
    if (method === 'get' && hasJson(operation))
      operation.responses[304] = { $ref: '#/components/responses/NotModified' };
    for (const code of errorsOf(method, path, operation, kinds))
      operation.responses[statusOf[code]] = { $ref: `#/components/responses/${code}` };
  }
  const parameters = sharedParameters(all.map(({ operation }) => operation));
  const refer = (parameter: Parameter) =>
    isDeepStrictEqual(parameter, parameters[parameter.name])
      ? { $ref: `#/components/parameters/${parameter.name}` }
      : parameter;
  for (const { operation } of all)
    if (operation.parameters) operation.parameters = operation.parameters.map(refer) as Parameter[];
  const tagOf = (methods: Methods) => Object.values(methods)[0]?.tags?.[0] ?? '';
  const paths = sorted(document.paths, ([path, methods]) => `${tagOf(methods)} ${path}`);
  for (const [path, methods] of Object.entries(paths))
    paths[path] = sorted(methods, ([method]) => String(methodOrder.indexOf(method)));
  const responses = Object.fromEntries(codes.map((code) => [code, errorResponse(code)]));
  return shorten({
    ...document,
    components: {
      ...document.components,
      schemas: sorted(schemas),
      parameters: sorted(parameters),
      responses: { NotModified: notModified, ...responses },
      headers,
    },
    paths,
  }) as Document;
};

/**
 * Refuses a route of the API that the document would not show: the tests of tenancy, contract and paging take their cases
 * from the document.
 */
const refuseUndescribed = ({ method, url, schema }: RouteOptions): void => {
  if (url.startsWith('/api/v2/') && (!schema?.operationId || schema.hide)) {
    throw new Error(
      `${method} ${url} needs a schema with an operationId, so that openapi.json describes it.`,
    );
  }
};

/** Makes the OpenAPI 3.1 document from the schemas of the routes that are added after this call. */
export const describeApi = async (app: App, basePath = ''): Promise<void> => {
  const keyless = new Set<string>();
  const limited = new Set<string>();
  const changes = new Map<string, RouteOptions>();
  app.addHook('onRoute', (route) => {
    refuseUndescribed(route);
    const { schema, config, method } = route;
    if (schema?.operationId && (config?.keyless || config?.public)) keyless.add(schema.operationId);
    if (schema?.operationId && config?.limited) limited.add(schema.operationId);
    if (schema?.operationId && ['PUT', 'PATCH', 'DELETE'].includes(String(method)))
      changes.set(schema.operationId, route);
  });
  for (const [name, schema] of components) app.addSchema({ $id: name, ...schema });
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Dokima',
        version: '1.0.0',
        description: 'Evaluation of AI systems: records of their answers, with scores and annotations.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { name: 'The operator of this service' },
      },
      servers: [{ url: basePath || '/' }],
      tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key. It begins with ak_.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'dokima_session',
            description:
              'The session of a signed-in person; over https it is called `__Host-dokima_session`, or `__Secure-dokima_session` below a base path. Changes also need the header X-Requested-With.',
          },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    transformObject: (made) =>
      arrange(('openapiObject' in made ? made.openapiObject : {}) as Document, {
        keyless,
        limited,
        conditional: new Set(
          [...changes].flatMap(([id, { url, config }]) =>
            config?.auditedAs || app.readers.has(url) ? [id] : [],
          ),
        ),
      }),
  });
};
