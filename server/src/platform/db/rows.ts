import type { Fragment, Sql } from './database.ts';

/** Values of the rows for a column of each type; null and undefined become null. */
type Values = {
  smallint: number;
  integer: number;
  bigint: bigint | number | string;
  numeric: bigint | string;
  'double precision': number;
  boolean: boolean;
  uuid: string;
  timestamptz: string;
  text: string;
  /** JSON, or a search text: a column of type text whose values have no control characters, and none is null. */
  'json text': string;
  /** Bytes in hexadecimal. */
  bytea: string;
};
type Type = keyof Values;
type Value<T extends Type> = T extends 'json text' ? string : Values[T] | null | undefined;

/** The field of a column: `runId` for `run_id`. */
type FieldOf<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<FieldOf<Tail>>}`
  : Name;

/** Each column with its type, or with the error in it. */
type Fitting<Row, Columns> = {
  [Name in keyof Columns]: FieldOf<Name> extends keyof Row
    ? Row[FieldOf<Name>] extends Value<Columns[Name] & Type>
      ? Columns[Name]
      : `the field ${FieldOf<Name> & string} has another type`
    : `the rows have no field ${FieldOf<Name> & string}`;
};

/** A character that no JSON text holds: control characters are escaped there. */
const separator = '\u0001';

/**
 * Returns the SQL of an array before and after its parameter, and the parameter. The client's own way escapes each element, which took a
 * tenth of the process's time for spans: values that need no quotes travel as the text that PostgreSQL reads, and JSON texts as one text.
 */
const arrayOf = (type: Type, values: readonly unknown[]): [before: string, value: unknown, after: string] => {
  if (type === 'json text') {
    const text = values.join(separator);
    // The array of an empty text has no element.
    return text === '' && values.length > 0
      ? ['', values, '::text[]']
      : ['string_to_array(', text, "::text, E'\\x01')"];
  }
  if (type === 'bytea')
    return ['', `{${values.map((hex) => (hex === null ? 'null' : `\\\\x${hex}`)).join()}}`, '::bytea[]'];
  const needsNoQuotes = type !== 'text' && !values.some((value) => typeof value === 'string');
  return ['', needsNoQuotes ? `{${values.map((value) => value ?? 'null').join()}}` : values, `::${type}[]`];
};

const templates = new Map<string, TemplateStringsArray>();

/**
 * Returns the same object for the same texts, as a template literal is one object for each place in the code: the client keeps an
 * error for each that it has seen, for good.
 */
const templateOf = (texts: string[]): TemplateStringsArray => {
  const key = texts.join(separator);
  const known = templates.get(key);
  if (known) return known;
  const template = Object.assign(texts, { raw: texts });
  templates.set(key, template);
  return template;
};

const fieldOf = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns rows as a relation of SQL: `rowsOf(tx, records, { run_id: 'bigint', n: 'integer' })` is
 * `unnest($1::bigint[], $2::integer[]) as given (run_id, n)`. A column that the rows do not have does not compile. With `place`, the
 * relation has a column of that name, which counts the rows from 1.
 *
 * Nulls at the end of a column are left out: `unnest` adds them, and columns that are seldom filled cost nothing. The first column is
 * always whole, so that no row is lost.
 */
export const rowsOf = <Row, const Columns extends Record<string, Type>>(
  sql: Sql,
  rows: readonly Row[],
  columns: Columns & Fitting<Row, Columns>,
  { as = 'given', place }: { as?: string; place?: string } = {},
): Fragment => {
  const names = Object.keys(columns);
  const values: unknown[] = [];
  const texts = ['unnest('];
  for (const [i, type] of Object.values<Type>(columns).entries()) {
    const field = fieldOf(names[i]!) as keyof Row;
    const all = rows.map((row) => row[field] ?? null);
    const isWhole = i === 0 || type === 'json text';
    const filled = isWhole ? all : all.slice(0, all.findLastIndex((value) => value !== null) + 1);
    const [before, value, after] = arrayOf(type, filled);
    texts[i] += before;
    values.push(value);
    texts.push(`${after}${i + 1 < names.length ? ', ' : ''}`);
  }
  const ordinality = place === undefined ? '' : 'with ordinality ';
  const list = [...names, ...(place === undefined ? [] : [place])].map((name) => `"${name}"`);
  texts[names.length] += `) ${ordinality}as ${as} (${list.join(', ')})`;
  // Made as a template literal makes it: one fragment for all columns. Their names are those of code, never a user's.
  return sql(templateOf(texts), ...(values as string[][]));
};
