import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { ApiError, type Issue, invalid, invalidAll } from '../platform/errors.ts';
import { freeForm } from '../platform/json/json.ts';
import { parseJson } from '../platform/json/parse-json.ts';
import type { Columns, Part, Texts } from './part.ts';

/** Longest line, 64 MB. A request brings at most 15 MB, of which a row may hold a few times as much. */
const maxLineBytes = 64 * 1024 * 1024;
const newline = 10;

/** A 400 as one of a line; every other error as it is. Issues have JSON Pointers into the line. */
export const onLine = (line: number, error: unknown): unknown => {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR' || error.details.line) return error;
  const details = { ...error.details, line };
  return new ApiError('VALIDATION_ERROR', `Line ${line}: ${error.message}`, { details });
};
export const wrongLine = (line: number, message: string, path = '') => onLine(line, invalid(path, message));

/** The lines of a body as bytes, without their ends. A body that is not read to its end stays open. */
export async function* linesOf(body: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...held, chunk.subarray(start, end)]);
      [held, length, start] = [[], 0, end + 1];
    }
    held.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxLineBytes) throw invalid('', `must have lines of at most ${maxLineBytes} bytes`);
  }
  if (length > 0) yield Buffer.concat(held);
}

/** A line of an archive: of a row, or one of `archive`, `member`, `bytes` and `end`. */
export type Line = { name: string; text: string; value: Record<string, unknown> };

/** Throws 400 for what is no line of an archive. */
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

const isObject = (value: unknown) => value !== null && typeof value === 'object' && !Array.isArray(value);
/** What the values of PostgreSQL's types are in JSON; every other type is a string. */
const forms: Record<string, (value: unknown) => boolean> = {
  boolean: (value) => typeof value === 'boolean',
  json: isObject,
  'text[]': Array.isArray,
  'integer[]': Array.isArray,
  'timestamp with time zone': (value) =>
    typeof value === 'string' && /^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(value),
};
for (const type of ['smallint', 'integer', 'bigint', 'numeric', 'double precision'])
  forms[type] = (value) => typeof value === 'number';
const isText = (value: unknown) => typeof value === 'string' && value.isWellFormed();

/** The values of a row as texts that PostgreSQL casts to the columns' types. Throws 400 for a row with other columns or forms. */
export const readRow = (part: Part, { carried }: Columns, { text, value }: Line): Texts => {
  const names = new Set(carried.map(({ name }) => name));
  const unknown = Object.keys(value).find((name) => name !== 'part' && !names.has(name));
  if (unknown !== undefined) throw invalid(`/${unknown}`, 'is not a column of this part');
  const texts = freeForm(text, [...names]);
  return Object.fromEntries(
    carried.map(({ name, type, naming }) => {
      const given = value[name];
      const literal = texts[name];
      if (literal === undefined) throw invalid(`/${name}`, 'is required');
      if (given === null) return [name, null];
      const issues = part.forms?.[name]?.(given);
      if (issues && issues.length > 0)
        throw invalidAll(issues.map((issue: Issue) => ({ ...issue, path: `/${name}${issue.path}` })));
      if (!issues && !((naming.as ? undefined : forms[type]) ?? isText)(given))
        throw invalid(`/${name}`, `must be what an export gives for a ${type}`);
      return [name, typeof given === 'string' ? given : literal];
    }),
  );
};
