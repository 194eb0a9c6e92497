import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import type { JsonObject } from '../../../client/src/main.ts';
import { CliError } from '../errors.ts';
import { parseCsv } from './csv.ts';
import { isObject } from './rows.ts';
import { unzip } from './zip.ts';

/** A file parsed by its form, before the tool that wrote it is known. */
export type Content = {
  /** File name without the last extension. */
  name: string;
  /** Shortened SHA-256 of the bytes: the id of a file that has none. */
  digest: string;
  form: 'json' | 'lines' | 'csv' | 'parquet' | 'zip';
  /** The value of a JSON file. */
  value?: unknown;
  /** The objects of JSON lines, of a JSON list, or of a table's rows. */
  items: JsonObject[];
  /** The files of a zip archive. */
  files?: Map<string, Buffer>;
};

const jsonLines = (text: string): unknown[] =>
  text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      throw new CliError(`Line ${i + 1} is not JSON.`);
    }
  });

/** Converts Parquet's integers (bigint), times (Date) and bytes (arrays) to JSON values. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
    : value;
};

const parseJson = (text: string): Pick<Content, 'form' | 'value' | 'items'> => {
  try {
    const value: unknown = JSON.parse(text);
    return { form: 'json', value, items: Array.isArray(value) ? value.filter(isObject) : [] };
  } catch (error) {
    // Many tools name JSON lines .json.
    if (text.trimStart().startsWith('{') && text.includes('}\n')) {
      return { form: 'lines', items: jsonLines(text).filter(isObject) };
    }
    throw new CliError(`It is not JSON: ${(error as Error).message}`);
  }
};

const read = async (
  path: string,
  bytes: Buffer,
): Promise<Pick<Content, 'form' | 'value' | 'items' | 'files'>> => {
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    return { form: 'zip', items: [], files: unzip(bytes) };
  }
  if (bytes.subarray(0, 4).toString('latin1') === 'PAR1') {
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
    return { form: 'parquet', items: rows.map(plain).filter(isObject) };
  }
  const text = bytes.toString('utf8');
  switch (extname(path).toLowerCase()) {
    case '.csv':
      return { form: 'csv', items: parseCsv(text) };
    case '.jsonl':
    case '.ndjson':
      return { form: 'lines', items: jsonLines(text).filter(isObject) };
    default:
      return parseJson(text);
  }
};

/** Reads a file of results. Throws an error with the file's name if it cannot be parsed. */
export const readContent = async (path: string): Promise<Content> => {
  const bytes = await readFile(path);
  const name = basename(path, extname(path));
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  try {
    return { name, digest, ...(await read(path, bytes)) };
  } catch (error) {
    throw new CliError(`${path} cannot be read. ${(error as Error).message}`);
  }
};
