import { type TSchema, Type } from 'typebox';
import type { Fragment, Sql } from '../platform/db/database.ts';
import { exactTime } from '../platform/db/times.ts';
import { newIdLike } from '../platform/http/ids.ts';
import { FreeForm } from '../platform/http/openapi.ts';
import { readExactTime } from '../platform/validation.ts';

/** What a column of an exported table holds, by which it is described, written and read again. */
type Kind = {
  schema: (description: string) => TSchema;
  /** The column `name` of the table `t` as JSON. */
  json: (sql: Sql, name: Fragment) => Fragment;
  /** The text of a value, made a value of the column. */
  cast: (sql: Sql, text: Fragment) => Fragment;
  /** A value of a body as that text. Free-form values come as the text that was sent. */
  text: (value: never, path: string) => string;
};

const string = (description: string) => Type.String({ description });
const uuid = (description: string) => Type.String({ format: 'uuid', description });
const asIs = { json: (_: Sql, name: Fragment) => name, text: (value: unknown) => String(value) };
const uuidKind = { ...asIs, schema: uuid, cast: (sql: Sql, text: Fragment) => sql`${text}::uuid` };
const inDigits = (pattern: string) => ({
  schema: (description: string) => Type.String({ pattern, expects: 'a string of digits', description }),
  json: (sql: Sql, name: Fragment) => sql`${name}::text`,
  text: (value: string) => value,
});
const numbered = {
  schema: string,
  json: (sql: Sql, name: Fragment) => sql`${name}::text`,
  cast: (sql: Sql, text: Fragment) => sql`${text}::bigint`,
  text: (value: string) => value,
};
const recordId = (sql: Sql, n: Fragment) => sql`t.run_id || '-' || ${n}`;
const numberOf = (id: string) => id.slice(id.indexOf('-') + 1);

export const kinds = {
  text: { ...asIs, schema: string, cast: (_: Sql, text: Fragment) => text },
  integer: {
    ...asIs,
    schema: (description: string) => Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, description }),
    cast: (sql: Sql, text: Fragment) => sql`${text}::integer`,
  },
  float: {
    ...asIs,
    schema: (description: string) => Type.Number({ description }),
    cast: (sql: Sql, text: Fragment) => sql`${text}::double precision`,
  },
  boolean: {
    ...asIs,
    schema: (description: string) => Type.Boolean({ description }),
    cast: (sql: Sql, text: Fragment) => sql`${text}::boolean`,
  },
  bigint: { ...inDigits('^-?[0-9]{1,18}$'), cast: (sql: Sql, text: Fragment) => sql`${text}::bigint` },
  numeric: { ...inDigits('^-?[0-9]{1,40}$'), cast: (sql: Sql, text: Fragment) => sql`${text}::numeric` },
  time: {
    schema: (description: string) => Type.String({ format: 'date-time', description }),
    json: exactTime,
    cast: (sql: Sql, text: Fragment) => sql`${text}::timestamptz`,
    text: (value: string, path: string) => readExactTime(path, value),
  },
  json: { ...asIs, schema: FreeForm, cast: (sql: Sql, text: Fragment) => sql`${text}::json` },
  texts: {
    schema: (description: string) => Type.Array(Type.String(), { maxItems: 1_000, description }),
    json: (_: Sql, name: Fragment) => name,
    cast: (sql: Sql, text: Fragment) => sql`array(select json_array_elements_text(${text}::json))`,
    text: (value: string[]) => JSON.stringify(value),
  },
  /** The row itself. A list by ids stays in its order, because the new id is of the same moment. */
  id: { ...uuidKind, text: newIdLike },
  /** The record that a row is of, by its run and the number in `column`. */
  record: {
    schema: string,
    json: recordId,
    cast: (sql: Sql, text: Fragment) => sql`${text}::integer`,
    text: numberOf,
  },
  /** Numbers of records of the same run. */
  records: {
    schema: (description: string) => Type.Array(Type.String(), { maxItems: 10_000, description }),
    json: (sql: Sql, name: Fragment) =>
      sql`(select json_agg(${recordId(sql, sql`one.n`)} order by one.place)
        from unnest(${name}) with ordinality as one (n, place) where ${name} is not null)`,
    cast: (sql: Sql, text: Fragment) => sql`${text}::integer[]`,
    text: (value: string[]) => `{${value.map(numberOf).join(',')}}`,
  },
  /** A testcase of the run's testset, which may be gone. */
  testcase: {
    schema: string,
    json: (sql: Sql, name: Fragment) =>
      sql`(select run.testset_id from run where run.id = t.run_id) || '-' || ${name}`,
    cast: (sql: Sql, text: Fragment) => sql`${text}::integer`,
    text: numberOf,
  },
  run: numbered,
  testset: numbered,
  metric: numbered,
  config: uuidKind,
  /** Who did something. */
  member: uuidKind,
  /** Who is to do something: to name others here is for everybody. */
  assignee: uuidKind,
  annotation: uuidKind,
  rescoring: uuidKind,
  sample: uuidKind,
  system: uuidKind,
  monitor: uuidKind,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

/** A column of a table, under the name that it has in an archive. */
export type Column = {
  kind: KindName;
  column: string;
  nullable: boolean;
  about: string;
  /** A narrower description than that of its kind. */
  schema: TSchema | undefined;
};

type Options = { nullable?: boolean; schema?: TSchema };

/** A column. `about` describes it in the API. */
export const col = (kind: KindName, column: string, about: string, options: Options = {}): Column => ({
  kind,
  column,
  about,
  nullable: options.nullable ?? false,
  schema: options.schema,
});

/** A column that may be null. */
export const maybe = (kind: KindName, column: string, about: string, schema?: TSchema): Column =>
  col(kind, column, about, schema ? { nullable: true, schema } : { nullable: true });

/** The schema of a row. */
export const rowSchema = (columns: Record<string, Column>, description: string) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(columns).map(([name, { kind, nullable, about, schema }]) => {
        const one = schema ?? kinds[kind].schema(about);
        return [name, nullable ? Type.Union([one, Type.Null()], { description: about }) : one];
      }),
    ),
    { additionalProperties: false, description },
  );
