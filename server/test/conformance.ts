import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from './harness.ts';

type Schema = { [key: string]: unknown };
type Operation = {
  operationId: string;
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
};
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Operation['responses'][string]> };
};

const eventStream = 'text/event-stream';

/** Throws when an answer is not what the document says of its operation and status. */
export type Conformance = (method: string, path: string, answer: Answer) => void;

/**
 * An answer may hold nothing that its schema does not name, so objects with properties are closed. The parts of an allOf are
 * left open (`open`, named ones from components.open) and the whole of them is closed instead.
 */
const closed = (schema: unknown, open = false): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => closed(part, open));
  if (schema === null || typeof schema !== 'object') return schema;
  const { allOf, $ref, ...rest } = schema as Schema & { $ref?: string };
  const entries = Object.entries(rest).map(([key, value]) => {
    if (key === 'properties') {
      return [
        key,
        Object.fromEntries(Object.entries(value as Schema).map(([name, part]) => [name, closed(part)])),
      ];
    }
    return [key, ['const', 'enum', 'default', 'required'].includes(key) ? value : closed(value)];
  });
  const result: Schema = Object.fromEntries(entries);
  if ($ref) result.$ref = `document${open ? $ref.replace('/schemas/', '/open/') : $ref}`;
  if (allOf) {
    result.allOf = closed(allOf, true);
    result.unevaluatedProperties = false;
  } else if (result.properties && result.additionalProperties === undefined && !open) {
    result.unevaluatedProperties = false;
  }
  return result;
};

const mapValues = (schemas: Record<string, Schema>, change: (schema: Schema) => unknown) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));

type Route = { steps: string[]; parameters: number; operations: Record<string, Operation> };

/** The paths of each document by how many steps they have: each answer of the suite is held against its operation. */
const routes = new WeakMap<Document, Map<number, Route[]>>();
const routesOf = (document: Document): Map<number, Route[]> => {
  const known = routes.get(document);
  if (known) return known;
  const all = Object.entries(document.paths).map(([template, operations]): Route => {
    const steps = template.split('/');
    return { steps, parameters: steps.filter((step) => step.startsWith('{')).length, operations };
  });
  // Static segments win over parameters.
  all.sort((a, b) => a.parameters - b.parameters);
  const byLength = Map.groupBy(all, ({ steps }) => steps.length);
  routes.set(document, byLength);
  return byLength;
};

/** The document's operation for a method and a concrete path; static segments win over parameters. */
export const operationFor = (document: Document, method: string, path: string): Operation | undefined => {
  const steps = path.split('?', 1)[0]!.split('/');
  const verb = method.toLowerCase();
  const found = routesOf(document)
    .get(steps.length)
    ?.find(
      (route) =>
        route.operations[verb] && route.steps.every((part, i) => part === steps[i] || part.startsWith('{')),
    );
  return found?.operations[verb];
};

const isContract = (document: Document) =>
  !Object.keys(document.paths).some((path) => path.startsWith('/api/v2'));

/** Holds answers against an OpenAPI document: the status must be declared, the body fit its schema with nothing added. */
export const conformance = (given: unknown): Conformance => {
  const document = given as Document;
  const prefix = isContract(document) ? '' : '/api/v2';
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const schemas = mapValues(document.components.schemas, (schema) => closed(schema));
  const open = mapValues(document.components.schemas, (schema) => closed(schema, true));
  ajv.addSchema({ $id: 'document', components: { schemas, open } });
  const compiled = new Map<string, ValidateFunction>();

  const validatorOf = (operation: Operation, { status, headers }: Answer): ValidateFunction | undefined => {
    const name = `${operation.operationId} ${status}`;
    const reference = operation.responses[status];
    if (!reference)
      throw new Error(`${operation.operationId} answered ${status}, which the document does not declare`);
    const response = reference.$ref
      ? document.components.responses![reference.$ref.split('/').at(-1)!]
      : reference;
    // The events of a stream are a text; the document does not describe it further.
    if (headers['content-type'] === eventStream && response?.content?.[eventStream]) return undefined;
    const schema = response?.content?.['application/json']?.schema;
    if (!schema) return undefined;
    if (!compiled.has(name)) compiled.set(name, ajv.compile(closed(schema) as Schema));
    return compiled.get(name);
  };

  return (method, path, answer) => {
    const operation = operationFor(document, method, prefix + path);
    if (!operation) return;
    const validate = validatorOf(operation, answer);
    if (validate && !validate(answer.body)) {
      const problems = ajv.errorsText(validate.errors, { separator: '\n' });
      throw new Error(
        `${operation.operationId} ${answer.status} is not what the document says:\n${problems}\n${answer.text.slice(0, 2000)}`,
      );
    }
  };
};
