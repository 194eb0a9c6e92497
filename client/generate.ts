/** The part of JSON Schema that openapi.json uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  description?: string;
};
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};
type ParameterReference = { $ref: string };
type Content = { content?: Record<string, { schema: Schema }> };
export type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: (Parameter | ParameterReference)[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
};
export type OpenApi = {
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
  paths: Record<string, Record<string, Operation>>;
};

/** What the document says of an operation: its summary, and the description that goes on from there. */
export const aboutOperation = ({ summary, description }: Operation): string =>
  [summary, description].filter(Boolean).join(' ');

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const comment = (text: string | undefined, indent = ''): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n` : '';
const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const union = (types: string[]): string => [...new Set(types)].join(' | ');

const objectType = ({ properties, required = [], additionalProperties }: Schema, indent: string): string => {
  if (!properties || Object.keys(properties).length === 0) {
    if (typeof additionalProperties === 'object')
      return `{ [name: string]: ${typeOf(additionalProperties)} }`;
    return 'JsonObject';
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, inner);
    // Optional fields also take undefined, so that a caller can pass a value that may be missing.
    const [mark, orUndefined] = required.includes(name) ? ['', ''] : ['?', ' | undefined'];
    return `${comment(schema.description, inner)}${inner}${property(name)}${mark}: ${type}${orUndefined};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
};

/** Returns a schema as a TypeScript type. Throws for a kind of schema that openapi.json has not used before. */
const typeOf = (schema: Schema, indent = ''): string => {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((part) => typeOf(part, indent)));
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array': {
      const items = schema.items ? typeOf(schema.items, indent) : 'unknown';
      return /^[\w.]+$/.test(items) ? `${items}[]` : `Array<${items}>`;
    }
    case 'object':
      return objectType(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`The generator does not know schemas of type ${schema.type}. Add it to typeOf.`);
  }
};

export const jsonSchema = (content: Content | undefined): Schema | undefined =>
  content?.content?.['application/json']?.schema;

/** Returns the schema of the items if the answer is a page of a list, else undefined. */
export const listItem = ({ properties }: Schema): Schema | undefined =>
  properties?.data && properties.nextCursor && properties.hasMore ? properties.data.items : undefined;

/** What a client needs to know of an operation. */
export const operationParts = (
  { components }: OpenApi,
  { parameters = [], requestBody, responses }: Operation,
) => {
  const all = parameters.map((parameter) =>
    '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
  );
  const success = responses[Object.keys(responses).find((status) => status.startsWith('2')) ?? ''];
  return {
    answer: jsonSchema(success),
    isStream: success?.content?.['text/event-stream'] !== undefined,
    body: jsonSchema(requestBody),
    query: all.filter((parameter) => parameter.in === 'query'),
    isLink: all.some((parameter) => parameter.name === 'signature'),
    takesKey: all.some((parameter) => parameter.name === 'Idempotency-Key'),
  };
};

type Method = { name: string; signature: string; types: string; entry: string };

/** What the client has of an operation: a method, the URL of a stream of server-sent events, or both. */
type Described = { method?: Method; stream?: Method };

const describe = (document: OpenApi, path: string, verb: string, operation: Operation): Described => {
  const { operationId: name, requestBody } = operation;
  const about = comment(aboutOperation(operation), '  ');
  const { answer, isStream, body, query, isLink, takesKey } = operationParts(document, operation);
  // No method for signed links, which an answer of the API contains, or for bodies that are neither JSON nor events.
  if ((!answer && !isStream) || isLink || (requestBody && !body)) return {};

  const args = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => `${parameter}: string`);
  const types: string[] = [];
  if (body && answer)
    types.push(`${comment(`Request body of ${name}.`)}export type ${capital(name)}Body = ${typeOf(body)};\n`);
  const queryArgs: string[] = [];
  if (query.length > 0) {
    const type = `${capital(name)}Query`;
    const properties = Object.fromEntries(
      query.map(({ name: key, description, schema }) => [key, { ...schema, description: description ?? '' }]),
    );
    const required = query.filter((parameter) => parameter.required).map((parameter) => parameter.name);
    types.push(
      `${comment(`Query parameters of ${name}.`)}export type ${type} = ${objectType({ properties, required }, '')};\n`,
    );
    queryArgs.push(required.length > 0 ? `query: ${type}` : `query?: ${type}`);
  }
  // The URL of a stream does not hold its body, which the caller sends.
  const stream = isStream && {
    stream: {
      name,
      signature: `${about}  ${name}(${[...args, ...queryArgs].join(', ')}): string;\n`,
      types: answer ? '' : types.join('\n'),
      entry: `  ${name}: '${path}',\n`,
    },
  };
  if (!answer) return { ...stream };
  if (body) args.push(`body: ${capital(name)}Body`);
  args.push(...queryArgs, 'options?: CallOptions');
  const item = listItem(answer);
  const returns = item ? `List<${typeOf(item, '  ')}>` : `Promise<${typeOf(answer, '  ')}>`;
  const facts = [
    `method: '${verb.toUpperCase()}'`,
    `path: '${path}'`,
    ...(body ? ['body: true'] : []),
    ...(query.length > 0 ? ['query: true'] : []),
    ...(item ? ['list: true'] : []),
    ...(verb === 'post' && !takesKey ? ['keyless: true'] : []),
  ];
  const method = {
    name,
    signature: `${about}  ${name}(${args.join(', ')}): ${returns};\n`,
    types: types.join('\n'),
    entry: `  ${name}: { ${facts.join(', ')} },\n`,
  };
  return { method, ...stream };
};

/** Returns the source of the client's types and of its table of operations, from the text of openapi.json. */
export const generateClient = (openapi: string): string => {
  const document = JSON.parse(openapi) as OpenApi;
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
  );
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => describe(document, path, verb, operation)),
  );
  const methods = all.flatMap(({ method }) => method ?? []);
  const streams = all.flatMap(({ stream }) => stream ?? []);
  const types = all.flatMap(({ method, stream }) => [method?.types, stream?.types]).filter(Boolean);
  return `// Generated from openapi.json by \`node server/generate.ts\`. Do not edit.
import type { CallOptions, JsonObject, List, OperationFacts } from './types.ts';

${[...schemas, ...types].join('\n')}
/** Every operation of the API. The arguments are the ids in its path, its body and its query parameters. */
export interface Operations {
${methods.map((method) => method.signature).join('\n')}}

/** HTTP method and path of each operation. */
export const operations: { readonly [name in keyof Operations]: OperationFacts } = {
${methods.map((method) => method.entry).join('')}};

/** Returns the URL of each stream of server-sent events. The arguments are the ids in its path and its query parameters. */
export interface Streams {
${streams.map((stream) => stream.signature).join('\n')}}

/** The path of each stream. */
export const streams: { readonly [name in keyof Streams]: string } = {
${streams.map((stream) => stream.entry).join('')}};
`;
};

/** Returns the codes that the errors page names, each with what to do about it: `## CODE`, then `**Fix:**` and a paragraph. */
export const fixesOf = (page: string): [code: string, fix: string][] =>
  [...page.matchAll(/^## (\w+)\n[\s\S]*?\*\*Fix:\*\* ([\s\S]*?)\n\n/gm)].map(([, code, fix]) => [
    code!,
    fix!.replaceAll('\n', ' ').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1'),
  ]);

/** Returns the source of what the client says to do about each error. */
export const generateFixes = (errorsPage: string): string =>
  `// Generated from docs/errors.md by \`npm run generate\`. Do not edit.
/** What to do about each error of the service. */
export const fixes: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(fixesOf(errorsPage)), null, 2)};
`;
