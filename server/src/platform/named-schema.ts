import { type Static, type TSchema, Type } from 'typebox';

/** The named schemas by their names: the components of the document. */
export const components = new Map<string, TSchema>();

/** Names a schema, so that the document has it once and generated clients get one type for it. A name has one schema. */
export const named = <T extends TSchema>(name: string, schema: T): { name: string; schema: T } => {
  if (components.has(name)) throw new Error(`Two schemas have the name ${name}.`);
  components.set(name, schema);
  return { name, schema };
};

/** Returns a reference to a named schema, with its type, and with its own description if one is given. */
export const ref = <T extends TSchema>({ name }: { name: string; schema: T }, description?: string) =>
  Type.Unsafe<Static<T>>({ $ref: `${name}#`, ...(description !== undefined && { description }) });
