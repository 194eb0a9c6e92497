import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ApiError, invalid } from '../platform/errors.ts';
import { freeForm } from '../platform/json/json.ts';
import { parseJson } from '../platform/json/parse-json.ts';
import type { Columns } from './columns.ts';
import type { Part, Texts } from './part.ts';

/** Longest line, 48 MB. The columns of a row come from requests of at most 15 MB each. */
const maxLineBytes = 48 * 1024 * 1024;
const newline = 10;

/** Adds the number of the line to a 400, whose issues have JSON Pointers into the line. Returns every other error unchanged. */
export const onLine = (line: number, error: unknown): unknown => {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR' || error.details.line) return error;
  const details = { ...error.details, line };
  const message = `Line ${line}: ${error.message}`.replace(': The request', '');
  return new ApiError('VALIDATION_ERROR', message, { details });
};
export const wrongLine = (line: number, message: string, path = '') => onLine(line, invalid(path, message));

/** Yields the chunks of a body, and leaves it open if the reader stops early. Throws 400 if the sender disconnects. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw body.errored ? invalid('', 'must be sent whole') : cause;
  }
}

/** Yields the lines of a body, without their ends. */
export async function* linesOf(
  body: Readable,
  {
    limitBytes = maxLineBytes,
    hold,
  }: { limitBytes?: number; hold?: ((bytes: number) => Promise<void>) | undefined } = {},
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(body)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...held, chunk.subarray(start, end)]);
      [held, length, start] = [[], 0, end + 1];
    }
    held.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > limitBytes) throw invalid('', `must have lines of at most ${limitBytes} bytes`);
    await hold?.(length);
  }
  if (length > 0) yield Buffer.concat(held);
}

/** A line: `name` is its part, a table or one of `archive`, `member`, `bytes` and `end`. */
export type Line = { name: string; text: string; value: Record<string, unknown> };

/** Reads a line. Throws 400 if it is not an object with a part. */
export const readLine = (bytes: Buffer): Line => {
  if (!isUtf8(bytes)) throw invalid('', 'must be UTF-8 text');
  const text = bytes.toString();
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw invalid('', 'must be JSON');
  }
  const name = (value as { part?: unknown } | null)?.part;
  if (typeof name !== 'string') throw invalid('/part', 'must name a part of an archive');
  return { name, text, value: value as Line['value'] };
};

/** Checks the JSON value of a PostgreSQL type. Types that are not listed have text. */
type Form = (value: unknown, literal: string) => boolean;
export const isText: Form = (value) =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
const matches =
  (pattern: RegExp): Form =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isNumber: Form = (value) => typeof value === 'number';
const isInteger: Form = (value, literal) => Number.isInteger(value) && literal.length < 20;
export const isUuid = matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const forms: Record<string, Form> = {
  boolean: (value) => typeof value === 'boolean',
  smallint: isInteger,
  integer: isInteger,
  bigint: isInteger,
  numeric: isNumber,
  'double precision': isNumber,
  uuid: isUuid,
  'timestamp with time zone': matches(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T/),
  json: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  'text[]': (value) => Array.isArray(value) && value.every((item) => isText(item, '')),
  'integer[]': (value) => Array.isArray(value) && value.every(Number.isInteger),
};

const compiled = new Map<TSchema, Form>();
const formOf = (schema: TSchema | undefined): Form | undefined => {
  if (!schema || compiled.has(schema)) return schema && compiled.get(schema);
  const validator = Compile(schema);
  compiled.set(schema, (value) => validator.Check(value));
  return compiled.get(schema);
};

/** Reads the values of a row. Throws 400 for an unknown column, a missing one, or a value of another form. */
export const readRow = (part: Part, { carried }: Columns, { text, value }: Line): Texts => {
  const names = new Set(carried.map(({ name }) => name));
  const unknown = Object.keys(value).find((name) => name !== 'part' && !names.has(name));
  if (unknown !== undefined) throw invalid(`/${unknown}`, 'is not a column of this part');
  const literals = freeForm(text, [...names]);
  const row: Texts = {};
  for (const { name, type, naming, isOptional } of carried) {
    const given = value[name];
    const literal = literals[name];
    if (literal === undefined && !isOptional) throw invalid(`/${name}`, 'is required');
    if (literal === undefined) continue;
    row[name] = given === null ? null : typeof given === 'string' ? given : literal;
    if (given === null) continue;
    const form = formOf(part.forms?.[name]) ?? (naming.as ? isText : (forms[type] ?? isText));
    if (!form(given, literal)) throw invalid(`/${name}`, `must be ${type}, as in an export`);
  }
  return row;
};
