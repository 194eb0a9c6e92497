import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The API reference as Markdown, for programs and agents that run no script: a page for each resource. */

type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  default?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
  components: Record<string, Record<string, unknown>>;
};
type Example = { path: string; body?: unknown; status: number; answer?: unknown };

/** A page of the reference. `path` is its address below /guide/api, without `.md`. */
export type Resource = { path: string; title: string; summary: string; text: string };

const read = async <T>(path: string): Promise<T> =>
  JSON.parse(await readFile(fileURLToPath(new URL(path, import.meta.url)), 'utf8')) as T;

/** Returns what a `$ref` names, or the value itself. */
const resolved = <T extends { $ref?: string }>(document: Document, value: T): T => {
  if (value.$ref === undefined) return value;
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref)!;
  return resolved(document, document.components[kind!]![name!] as T);
};

const typeOf = (document: Document, given: Schema): string => {
  const schema = resolved(document, given);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(document, choice)))].join(' or ');
  const names = [schema.type ?? 'object'].flat();
  return names
    .map((name) => (name === 'array' && schema.items ? `list of ${typeOf(document, schema.items)}` : name))
    .join(' or ');
};

const inCell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();

/** How deep fields are listed. What is below has the type `object`; /openapi.json has all. */
const deepest = 3;

type Row = [name: string, type: string, isRequired: boolean, about: string];

/** Returns a row for each field, those of lists and nested objects below theirs. Fields of several variants are joined. */
const rowsOf = (document: Document, given: Schema, prefix = '', depth = 1): Row[] => {
  const schema = resolved(document, given);
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (variants && !schema.properties) {
    const rows = variants.map((variant) => rowsOf(document, variant, prefix, depth));
    const byName = Map.groupBy(rows.flat(), ([name]) => name);
    return [...byName].map(([name, some]) => {
      const types = new Set(some.flatMap(([, type]) => type.split(', ')));
      const isAlways = some.length === variants.length && some.every(([, , isRequired]) => isRequired);
      return [name, [...types].join(', '), isAlways, some[0]![3]];
    });
  }
  if (schema.type === 'array' && schema.items)
    return rowsOf(document, schema.items, `${prefix}[].`.replace('.[]', '[]'), depth);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): Row[] => {
    const of = resolved(document, field);
    const about = `${field.description ?? of.description ?? ''}${of.default === undefined ? '' : ` Default ${JSON.stringify(of.default)}.`}`;
    const row: Row = [
      `${prefix}${name}`,
      typeOf(document, field),
      schema.required?.includes(name) ?? false,
      about,
    ];
    return depth < deepest ? [row, ...rowsOf(document, field, `${prefix}${name}.`, depth + 1)] : [row];
  });
};

const tableOf = (first: string, rows: Row[]): string[] =>
  rows.length === 0
    ? []
    : [
        `| ${first} | type | meaning |`,
        '| --- | --- | --- |',
        ...rows.map(
          ([name, type, isRequired, about]) =>
            `| \`${name}\`${isRequired ? ' (required)' : ''} | ${inCell(type)} | ${inCell(about)} |`,
        ),
        '',
      ];

const fenced = (language: string, text: string): string[] => [`\`\`\`${language}`, text, '```', ''];

const requestOf = (method: string, { path, body }: Example): string => {
  const lines = [
    `curl -X ${method} "$DOKIMA_URL/api/v2${path}"`,
    '-H "Authorization: Bearer $DOKIMA_API_KEY"',
  ];
  if (body !== undefined)
    lines.push(`-H "Content-Type: application/json" -d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`);
  return lines.join(' \\\n  ');
};

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const operationText = (
  document: Document,
  method: string,
  path: string,
  operation: Operation,
  example: Example | undefined,
): string => {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const given = parameters.map((parameter) => resolved(document, parameter));
  const body = requestBody?.content['application/json']?.schema;
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const answered = answer && (resolved(document, answer as { $ref?: string } as never) as typeof answer);
  const shape = answered?.content?.['application/json']?.schema;
  return [
    `## ${operationId}`,
    '',
    `\`${method} ${path}\` · Python \`${snake(operationId)}\` · TypeScript \`${operationId}\``,
    '',
    [summary, description].filter(Boolean).join(' '),
    '',
    ...tableOf(
      'parameter',
      given.map(({ name, in: place, required, description: about, schema }) => [
        name,
        `${typeOf(document, schema)}, ${place}`,
        required ?? false,
        about ?? '',
      ]),
    ),
    ...(body ? tableOf('body', rowsOf(document, body)) : []),
    ...(shape ? tableOf(`answer ${status}`, rowsOf(document, shape)) : []),
    ...(example ? fenced('sh', requestOf(method, example)) : []),
    ...(example?.answer === undefined ? [] : fenced('json', JSON.stringify(example.answer, undefined, 1))),
  ].join('\n');
};

/** Returns the pages of the reference, one for each tag of openapi.json, with the requests and answers that tests recorded. */
export const readResources = async (): Promise<Resource[]> => {
  const document = await read<Document>('../openapi.json');
  const examples = await read<Record<string, Example>>('../server/src/platform/http/api-examples.json');
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return document.tags.flatMap(({ name, description }) => {
    const own = all.filter(({ operation }) => operation.tags?.includes(name));
    if (own.length === 0) return [];
    const parts = own.map(({ method, path, operation }) =>
      operationText(document, method, path, operation, examples[operation.operationId]),
    );
    const path = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const intro = `# ${name}\n\n${description} [The rules of the API](/guide/api.md): keys, lists, errors. [All pages](/llms.txt).\n`;
    return { path, title: name, summary: description, text: [intro, ...parts].join('\n') };
  });
};
