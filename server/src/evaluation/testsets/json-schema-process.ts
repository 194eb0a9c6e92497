import { Ajv, type AnySchemaObject, type ErrorObject, type SchemaValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { serveRequests } from '../../engine/sandbox/serve.ts';
import type { Issue } from '../../platform/errors.ts';
import { parseJson } from '../../platform/json/parse-json.ts';

/**
 * Compiles users' JSON Schemas and validates data, in a process that can be killed: a regular expression of a user may never end,
 * and V8 ends the whole process when one of its threads runs out of memory.
 */

/** The errors of each document, or why the schema can't be used. */
export type Verdict = { errors: Issue[][] } | { schemaError: string };

/** Maximum number of errors that are kept for one document. */
const maxIssues = 100;

const options = {
  allErrors: true,
  strict: false,
  validateFormats: true,
  logger: false,
  // Otherwise each document would seem to have the fields `constructor` and `toString`, which every object has.
  ownProperties: true,
} as const;

/**
 * Replaces Ajv's own check, by which 19.99 is not a multiple of 0.01. Here the quotient may differ from a whole number by the
 * rounding of two binary fractions and of their division.
 */
const isMultiple: SchemaValidateFunction = (step: number, value: number) => {
  const quotient = value / step;
  const isWhole = Math.abs(quotient - Math.round(quotient)) <= 2 * Number.EPSILON * Math.abs(quotient);
  isMultiple.errors = isWhole ? [] : [{ params: {}, message: `must be multiple of ${step}` }];
  return isWhole;
};

const validatorFor = (schema: AnySchemaObject) => {
  const draft = String(schema.$schema ?? '');
  const ajv = draft.includes('2020-12')
    ? new Ajv2020(options)
    : draft.includes('2019-09')
      ? new Ajv2019(options)
      : new Ajv(options);
  addFormats.default(ajv);
  ajv.removeKeyword('multipleOf').addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    errors: true,
    validate: isMultiple,
  });
  // Draft 4 and 6 are read as draft 7: Ajv has no older meta-schema, and the differences are rare. $async is Ajv's own: with it
  // the validator returns a promise, which counts as valid.
  const { $schema: _, $async: __, ...rest } = schema;
  return ajv.compile(rest);
};

const pointer = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The property with the error, if the error is about an object. The issue gets the property's path. */
type Named = { missingProperty?: string; additionalProperty?: string; unevaluatedProperty?: string };

const toIssue = ({ instancePath, message, params }: ErrorObject): Issue => {
  const { missingProperty: missing, additionalProperty, unevaluatedProperty } = params as Named;
  if (missing !== undefined) return { path: instancePath + pointer(missing), message: 'is required' };
  const surplus = additionalProperty ?? unevaluatedProperty;
  if (surplus !== undefined)
    return { path: instancePath + pointer(surplus), message: 'is not allowed by the schema' };
  return { path: instancePath, message: message ?? 'does not fit the schema' };
};

const errorsOf = (validate: ReturnType<typeof validatorFor>, document: string): Issue[] => {
  try {
    return validate(parseJson(document)) ? [] : (validate.errors ?? []).slice(0, maxIssues).map(toIssue);
  } catch (error) {
    // A schema that refers to itself endlessly overflows the stack.
    return [{ path: '', message: `could not be checked: ${(error as Error).message}` }];
  }
};

const judge = (schema: string, documents: string[]): Verdict => {
  let validate: ReturnType<typeof validatorFor>;
  try {
    validate = validatorFor(parseJson(schema) as AnySchemaObject);
  } catch (error) {
    return { schemaError: (error as Error).message };
  }
  return { errors: documents.map((document) => errorsOf(validate, document)) };
};

await serveRequests(([schema, ...documents]) => JSON.stringify(judge(schema!, documents)));
