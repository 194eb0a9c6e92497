import type { JsonObject, Testset } from '../../types.ts';

/** The uses of a field: it goes into the system, holds what is expected, or describes the testcase. */
export const fieldRoles = { inputs: 'Input', expected: 'Expected', metadata: 'Metadata' } as const;
export type FieldRole = keyof typeof fieldRoles;

export const fieldTypes = {
  '': 'Anything',
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  array: 'List',
  object: 'Object',
} as const;
export type FieldType = keyof typeof fieldTypes;

export type Field = { name: string; role: FieldRole | ''; type: FieldType; required: boolean };

type Mapping = Testset['fieldMapping'];

const objectOf = (value: unknown): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};
const requiredOf = ({ required }: JsonObject): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
const roles = Object.keys(fieldRoles) as FieldRole[];

/** Every field that the schema or the mapping names. */
export const fieldsOf = (schema: JsonObject, mapping: Mapping): Field[] => {
  const properties = objectOf(schema.properties);
  const names = new Set([...roles.flatMap((role) => mapping[role]), ...Object.keys(properties)]);
  return [...names].map((name) => {
    const { type } = objectOf(properties[name]);
    return {
      name,
      role: roles.find((role) => mapping[role].includes(name)) ?? '',
      type: typeof type === 'string' && type in fieldTypes ? (type as FieldType) : '',
      required: requiredOf(schema).includes(name),
    };
  });
};

/** The schema with a field changed, its other keywords kept. Undefined removes the field. */
export const withFieldIn = (schema: JsonObject, name: string, field: Field | undefined): JsonObject => {
  const { [name]: before, ...others } = objectOf(schema.properties);
  const known = requiredOf(schema);
  const required = field?.required ? [...new Set([...known, name])] : known.filter((each) => each !== name);
  const { required: _, ...rest } = schema;
  if (!field) return { ...rest, properties: others, ...(required.length > 0 && { required }) };
  const { type: __, ...keywords } = objectOf(before);
  const own = { ...(field.type && { type: field.type }), ...keywords };
  // A property keeps its place among the others.
  const properties = { ...objectOf(schema.properties), [name]: own };
  return { ...rest, properties, ...(required.length > 0 && { required }) };
};

/** The mapping with a field in this role, the order of the fields kept. */
export const withRole = (mapping: Mapping, name: string, role: FieldRole | ''): Mapping =>
  Object.fromEntries(
    roles.map((each) => {
      const isIn = mapping[each].includes(name);
      if (each === role) return [each, isIn ? mapping[each] : [...mapping[each], name]];
      return [each, mapping[each].filter((other) => other !== name)];
    }),
  ) as Mapping;
