import { type TSchemaOptions, Type } from 'typebox';

/** The schema of one of several texts, with their type. `options` is its description, or more keywords of JSON Schema. */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  options: string | TSchemaOptions = {},
) =>
  Type.Unsafe<Values[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      typeof options === 'string' ? { description: options } : options,
    ),
  );
