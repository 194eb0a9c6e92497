import { type Issue, invalidAll } from '../errors.ts';
import type { App } from './http.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An operation without a body that ignores one; the others refuse its fields. Newer clients of the contract may send some. */
    ignoresBody?: boolean;
  }
}

type JsonSchema = {
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: unknown;
  items?: JsonSchema;
};

/** Most names in the header. The first ones show what is wrong. */
const mostNames = 20;
const mostCharacters = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const step = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Whether the constants of a variant, such as `evalType`, are those of the value. */
const isVariantOf = (value: Record<string, unknown>, { properties = {} }: JsonSchema): boolean =>
  Object.entries(properties).every(([name, part]) => part.const === undefined || part.const === value[name]);

/**
 * Yields the JSON Pointers of the fields of a body that its schema neither knows nor refuses. Free-form objects have no unknown fields.
 */
function* unknownFields(schema: JsonSchema, value: unknown, path = ''): Generator<string> {
  if (Array.isArray(value)) {
    if (schema.items)
      for (const [i, item] of value.entries()) yield* unknownFields(schema.items, item, `${path}/${i}`);
    return;
  }
  if (!isObject(value)) return;
  const variant = schema.anyOf?.find((each) => isVariantOf(value, each));
  if (variant) yield* unknownFields(variant, value, path);
  const { properties, additionalProperties } = schema;
  if (!properties) return;
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name))
      yield* unknownFields(properties[name]!, value[name], path + step(name));
    else if (additionalProperties === undefined) yield path + step(name);
  }
}

/** A name as part of a header: in ASCII, without commas and spaces. */
const inHeader = (name: string): string =>
  encodeURI(name.toWellFormed().slice(0, mostCharacters)).replaceAll(',', '%2C');

const asIssues = (fields: Iterable<string>): Issue[] =>
  [...fields].map((name) => ({
    path: step(name),
    message: 'is not a field of this operation, which takes no body',
  }));

/**
 * Names what an operation ignores in the header Ignored-Fields: a parameter as `?name`, a field of the body by its JSON Pointer. Without
 * it a mistyped name would get a yes that changes nothing. Refuses the fields of a body for an operation that takes none.
 */
export const nameIgnoredFields = (app: App): void => {
  app.addHook('preValidation', (request, reply, done) => {
    const { schema, config } = request.routeOptions;
    if (!schema?.operationId) return done();
    const { query, body } = request;
    const parameters = (schema.querystring as JsonSchema | undefined)?.properties ?? {};
    const ignored = Object.keys(query as object)
      .filter((name) => !Object.hasOwn(parameters, name))
      .map((name) => `?${name}`);
    const takesNone = schema.body === undefined && isObject(body);
    if (takesNone && !config.ignoresBody && Object.keys(body).length > 0)
      return done(invalidAll(asIssues(Object.keys(body).slice(0, mostNames))));
    const known = takesNone ? { properties: {} } : ((schema.body ?? {}) as JsonSchema);
    const names = ignored.slice(0, mostNames);
    const most = names.length + mostNames;
    for (const field of unknownFields(known, body)) if (names.push(field) === most) break;
    if (names.length > 0) reply.header('ignored-fields', names.map(inHeader).join(', '));
    done();
  });
};
