import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { Errors } from 'typebox/value';
import { type Issue, invalid, invalidAll } from './errors.ts';

// TypeBox stops at 8 errors by default.
const maxIssues = 100;
Settings.Set({ maxErrors: maxIssues });

type JsonSchema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  /** One schema for all members of an object with any names. */
  patternProperties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  /** Schemas of the items of one value, by their places. */
  prefixItems?: JsonSchema[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  /** Describes the pattern of a string for people. */
  expects?: string;
};

const bounds = (low: number | undefined, high: number | undefined, unit = ''): string => {
  const many = (n: number) => (unit ? `${n} ${unit}${n === 1 ? '' : 's'}` : String(n));
  if (low !== undefined && high !== undefined) return ` from ${low} to ${many(high)}`;
  if (low !== undefined) return ` of at least ${many(low)}`;
  if (high !== undefined) return ` of at most ${many(high)}`;
  return '';
};

/** Describes a valid value in words: `an integer from 1 to 5`, `a string or null`. */
const describe = (schema: JsonSchema): string => {
  if (schema.expects) return schema.expects;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.enum ?? schema.anyOf?.map((branch) => branch.const);
  if (choices?.every((choice) => choice !== undefined)) {
    return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  }
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describe))].join(' or ');
  switch (schema.type) {
    case 'integer':
      return `an integer${bounds(schema.minimum, schema.maximum)}`;
    case 'number':
      return schema.exclusiveMinimum === undefined
        ? `a number${bounds(schema.minimum, schema.maximum)}`
        : `a number above ${schema.exclusiveMinimum}${bounds(undefined, schema.maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return `an array${bounds(schema.minItems, schema.maxItems, 'item')}`;
    case 'string':
      if (schema.format === 'uuid') return 'a UUID';
      if (schema.format === 'date-time') return 'a time in ISO 8601';
      if (schema.pattern) return `a string that matches ${schema.pattern}`;
      return `a string${bounds(schema.minLength, schema.maxLength, 'character')}`;
    default:
      return 'an object';
  }
};

const pointer = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns the schema at a JSON Pointer below `schema`, or undefined. */
const schemaAt = (schema: JsonSchema, path: string): JsonSchema | undefined => {
  let at: JsonSchema | undefined = schema;
  for (const step of path.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const [ofAnyName]: (JsonSchema | undefined)[] = Object.values(at?.patternProperties ?? {});
    at =
      at?.prefixItems?.[Number(key)] ??
      (/^\d+$/.test(key) && at?.items ? at.items : (at?.properties?.[key] ?? ofAnyName));
  }
  return at;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The only branch of a union that takes objects, or arrays, as the value is one: of `an object or null` the object. */
const branchOf = (schema: JsonSchema, value: unknown): JsonSchema => {
  const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : undefined;
  const [branch, another] = schema.anyOf?.filter((each) => type && each.type === type) ?? [];
  return branch && !another ? branch : schema;
};

/** The field whose constant distinguishes the variants of a union of objects, such as `kind`; undefined if there is none. */
const discriminator = ([first, ...others]: JsonSchema[]): string | undefined =>
  Object.keys(first?.properties ?? {}).find((key) =>
    [first!, ...others].every((variant) => variant.properties?.[key]?.const !== undefined),
  );

/**
 * Returns the schema with each union replaced by the variant of the value, so that only problems of that variant are named. If
 * the value fits no variant, only the field that distinguishes them is required.
 */
const narrowed = (union: JsonSchema, value: unknown): JsonSchema => {
  const schema = branchOf(union, value);
  const { items, ...rest } = schema;
  if (Array.isArray(value) && items?.anyOf)
    return { ...rest, prefixItems: value.map((item) => narrowed(items, item)) };
  if (!isObject(value)) return schema;
  const { anyOf, properties } = schema;
  const key = anyOf && discriminator(anyOf);
  if (key) {
    const variant = anyOf.find((each) => each.properties![key]!.const === value[key]);
    if (variant) return narrowed(variant, value);
    return {
      type: 'object',
      required: [key],
      properties: { [key]: { enum: anyOf.map((each) => each.properties![key]!.const) } },
    };
  }
  if (!properties) return schema;
  const parts = Object.entries(properties).map(([name, part]) => [
    name,
    Object.hasOwn(value, name) ? narrowed(part, value[name]) : part,
  ]);
  return { ...schema, properties: Object.fromEntries(parts) };
};

type TypeBoxError = {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: Record<string, unknown>;
};

const toIssues = (schema: JsonSchema, errors: TypeBoxError[]): Issue[] => {
  const byPath = new Map<string, string>();
  const add = (path: string, message: string) => byPath.has(path) || byPath.set(path, message);
  for (const { keyword, schemaPath, instancePath, params } of errors) {
    if (keyword === 'required') {
      for (const name of params.requiredProperties as string[])
        add(instancePath + pointer(name), 'is required');
    } else if (schemaPath.endsWith('/additionalProperties')) {
      // There is one error for each field; the later error that names all of them may be cut off.
      byPath.set(instancePath, 'is not a field of this body');
    } else if (keyword === 'minProperties') {
      add(instancePath, 'must have at least one field');
    } else if (keyword === 'uniqueItems') {
      add(instancePath, 'must have no item twice');
    } else if (keyword !== 'boolean' && keyword !== 'additionalProperties') {
      const expected = schemaAt(schema, instancePath);
      if (expected) add(instancePath, `must be ${describe(expected)}`);
    }
  }
  return [...byPath].map(([path, message]) => ({ path, message }));
};

/** PostgreSQL's text type holds neither NUL nor lone surrogates. Free-form JSON may have both. */
const textIssues = (union: JsonSchema, value: unknown, path = ''): Issue[] => {
  const schema = branchOf(union, value);
  if (typeof value === 'string') {
    const isText = value.isWellFormed() && !value.includes('\0');
    return isText ? [] : [{ path, message: 'must be Unicode text without NUL characters' }];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, i) => textIssues(items, item, `${path}/${i}`)) : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    Object.hasOwn(value, key) ? textIssues(property, value[key], path + pointer(key)) : [],
  );
};

/**
 * Returns the part of an invalid value that shows why it is invalid: long arrays and unknown fields are cut. Checking 15 MB of `{}`
 * in whole would block the process for 4 s.
 */
const excerpt = (union: JsonSchema, value: unknown): unknown => {
  const schema = branchOf(union, value);
  if (Array.isArray(value)) {
    const { items, maxItems } = schema;
    const shown = maxItems === undefined ? value : value.slice(0, maxItems + 1);
    return items ? shown.map((item) => excerpt(items, item)) : shown;
  }
  const { properties } = schema;
  if (!properties || value === null || typeof value !== 'object') return value;
  let unknown = 0;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => Object.hasOwn(properties, key) || ++unknown <= maxIssues)
      .map((key) => {
        const member = (value as Record<string, unknown>)[key];
        return [key, Object.hasOwn(properties, key) ? excerpt(properties[key]!, member) : member];
      }),
  );
};

/** Returns a function that lists all problems of a value; an empty list means that it is valid. */
export const validator = (schema: TSchema) => {
  let compiled: ReturnType<typeof Compile> | undefined;
  const plain = schema as JsonSchema;
  return (value: unknown): Issue[] => {
    // Compiled at first use: compiling the schemas of all routes would take a tenth of a start.
    compiled ??= Compile(schema);
    if (compiled.Check(value)) return textIssues(plain, value);
    const shown = excerpt(plain, value);
    const meant = narrowed(plain, shown);
    const issues = toIssues(meant, Errors(meant as TSchema, shown) as TypeBoxError[]);
    return issues.length > 0 ? issues : [{ path: '', message: `must be ${describe(plain)}` }];
  };
};

/**
 * Returns a time for PostgreSQL, in UTC with milliseconds. Throws 400 for a day that does not exist, because the format allows
 * 30 February, and for a time that its offset moves out of the years 1 to 9999.
 */
export const readTime = (path: string, text: string): string => {
  const time = new Date(text);
  const day = Number(text.slice(8, 10));
  const year = time.getUTCFullYear();
  const exists = year > 0 && year < 10_000 && new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === day;
  if (!exists) throw invalid(path, 'must be a time in ISO 8601');
  return time.toISOString();
};

const coerce = (schema: JsonSchema, value: unknown): unknown => {
  if (schema.type === 'array') {
    const given = Array.isArray(value) ? value : [value];
    const texts = given.flatMap((text) => String(text).split(',')).map((text) => text.trim());
    return schema.items ? texts.map((text) => coerce(schema.items!, text)) : texts;
  }
  if (typeof value !== 'string') return value;
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (schema.type === 'number' && /^-?\d{1,15}(\.\d{1,17})?$/.test(value)) return Number(value);
  if (schema.type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  return value;
};

/** Reads numbers, booleans and lists from the text of a query. A list is repeated or separated with commas. */
const coerceQuery = (schema: JsonSchema, query: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
      query[key] === undefined ? [] : [[key, coerce(property, query[key])]],
    ),
  );

/** Fastify's validator for TypeBox schemas. Its error is the 400 with all issues. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const issuesOf = validator(schema);
  return (input: unknown) => {
    // ids.ts reads ids: an ill-formed one is a 404, not a 400.
    if (httpPart === 'params' || httpPart === 'headers') return { value: input };
    const value =
      httpPart === 'querystring'
        ? coerceQuery(schema as JsonSchema, input as Record<string, unknown>)
        : input;
    const issues = issuesOf(value);
    return issues.length > 0 ? { error: invalidAll(issues.slice(0, maxIssues)) } : { value };
  };
};
