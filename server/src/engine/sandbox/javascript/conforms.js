// conforms(value, schema): @cfworker/json-schema, limited to the keywords that python/conforms.py knows too. docs/code-metrics.md lists it.
import { format } from './format.js';
import { validate } from './validate.js';

// `format` is an annotation.
for (const name of Object.keys(format)) delete format[name];

const { need } = globalThis.fields;

const unsupported = ['$dynamicRef', '$recursiveRef', 'unevaluatedItems', 'unevaluatedProperties'];
const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
/** Keywords whose value is not a schema. */
const data = ['const', 'enum', 'default', 'examples'];

const refuseReference = (reference) => {
  throw new RangeError(`conforms can not follow the $ref ${reference}`);
};

/** Throws for keywords that the library would ignore. */
const requireKnown = (schema) => {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (unsupported.includes(key)) throw new RangeError(`conforms does not know ${key}`);
    if (key === '$ref' && typeof value === 'string' && !/^#(\/|$)/.test(value)) refuseReference(value);
    const names = key === 'type' ? [value].flat().filter((name) => typeof name === 'string') : [];
    const unknown = names.find((name) => !types.includes(name));
    if (unknown) throw new RangeError(`conforms does not know the type ${unknown}`);
    if (!data.includes(key)) requireKnown(value);
  }
};

globalThis.conforms = (value, schema) => {
  need('conforms', value, schema);
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
    throw new TypeError('a schema must be an object or a boolean');
  requireKnown(schema);
  try {
    // A copy, because the library writes into it.
    return validate(value, JSON.parse(JSON.stringify(schema)), '2020-12').valid;
  } catch (error) {
    const [, reference] = /^Unresolved \$ref "(.*)"\. /.exec(error.message) ?? [];
    if (reference === undefined) throw error;
    return refuseReference(reference);
  }
};
