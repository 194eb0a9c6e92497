import type { App } from '../src/platform/http/http.ts';

/** Where the body of an operation can name something of a project, at any depth, by the document of the service. */

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
type Document = {
  paths: Record<
    string,
    Record<string, { operationId: string; requestBody?: { content: Record<string, { schema: Schema }> } }>
  >;
  components: { schemas: Record<string, Schema> };
};

/** A step into a body: a field, or the first item of a list. */
export type Step = string | 0;
/** A place in a body. `name` is what it names, such as `runId`; null: any further field is taken. */
export type BodyPlace = { path: Step[]; name: string | null; isList: boolean };

/** Returns what a field names by its name: `runId` for runId, baselineRunId, runIds and runs. */
const namedBy = (field: string, names: readonly string[]): string | undefined =>
  names.find((name) => {
    const [short] = [name.slice(0, -2)];
    const endings = [name, `${name}s`, `${short}s`].map((each) => each[0]!.toUpperCase() + each.slice(1));
    return (
      [name, `${name}s`, `${short}s`].includes(field) || endings.some((ending) => field.endsWith(ending))
    );
  });

const deepest = 6;

/** Returns the places in the bodies of all operations, by operation. */
export const bodyPlacesOf = (app: App, names: readonly string[]): Map<string, BodyPlace[]> => {
  const { paths, components } = app.swagger() as unknown as Document;
  const target = (schema: Schema): Schema =>
    schema.$ref ? target(components.schemas[schema.$ref.split('/').at(-1)!]!) : schema;
  const walk = (given: Schema, path: Step[]): BodyPlace[] => {
    const schema = target(given);
    if (path.length > deepest) return [];
    const further = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts = []) =>
      parts.flatMap((part) => walk(part, path)),
    );
    const inItems = schema.items ? walk(schema.items, [...path, 0]) : [];
    const isFree = schema.type === 'object' && schema.additionalProperties !== false;
    const inFields = Object.entries(schema.properties ?? {}).flatMap(([field, value]) => {
      const name = namedBy(field, names);
      const here: BodyPlace = {
        path: [...path, field],
        name: name ?? null,
        isList: target(value).type === 'array',
      };
      return [...(name ? [here] : []), ...walk(value, [...path, field])];
    });
    return [...(isFree ? [{ path, name: null, isList: false }] : []), ...further, ...inItems, ...inFields];
  };
  return new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, requestBody }) => {
        const schema = requestBody?.content['application/json']?.schema;
        if (!schema) return [];
        const places = walk(schema, []);
        const unique = new Map(places.map((place) => [JSON.stringify(place), place]));
        return [[operationId, [...unique.values()]] as const];
      }),
    ),
  );
};

/** Returns a body with values at a place, made where it is missing. */
export const withPlace = (body: unknown, { path }: BodyPlace, value: unknown): unknown => {
  const [step, ...rest] = path;
  if (step === undefined)
    return value && typeof value === 'object' && !Array.isArray(value)
      ? { ...(body as object | undefined), ...value }
      : value;
  const inside = { path: rest, name: null, isList: false };
  if (step === 0) {
    const [first, ...others] = Array.isArray(body) ? body : [];
    return [withPlace(first, inside, value), ...others];
  }
  const fields = (body && typeof body === 'object' ? body : {}) as Record<string, unknown>;
  return { ...fields, [step]: withPlace(fields[step], inside, value) };
};
