import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
// Not by name: before Node 22.15 there is no zstdDecompressSync, and no command would start.
import zlib from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
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
  /** When the file was written, in milliseconds since 1970; of a folder, its newest file. */
  writtenMs: number;
  form: 'json' | 'lines' | 'csv' | 'parquet' | 'zip' | 'folder';
  /** Set for a dataset: its address. A dataset has questions and expected answers, and no answers of a system. */
  dataset?: string;
  /** The value of a JSON file. */
  value?: unknown;
  /** The objects of JSON lines, of a JSON list, or of a table's rows. */
  items: JsonObject[];
  /** The files of a zip archive, the JSON files of a folder, or those that belong to a file, by path. */
  files?: Map<string, Buffer>;
};

/** A JSON value, and where in the content it stands. */
export type Document = { path: string; value: unknown };

/** Parses JSON as Python writes it: NaN and infinities, which JSON does not have, become null. */
export const parseLoosely = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const repaired = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (found) =>
      found.startsWith('"') ? found : 'null',
    );
    if (repaired === text) throw error;
    return JSON.parse(repaired);
  }
};

const jsonLines = (text: string): unknown[] =>
  text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [parseLoosely(line)];
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
    const value = parseLoosely(text);
    return { form: 'json', value, items: Array.isArray(value) ? value.filter(isObject) : [] };
  } catch (error) {
    // Many tools name JSON lines .json.
    if (text.trimStart().startsWith('{') && text.includes('}\n')) {
      return { form: 'lines', items: jsonLines(text).filter(isObject) };
    }
    throw new CliError(`It is not JSON: ${(error as Error).message}`);
  }
};

/** hyparquet itself knows only Snappy and no compression. */
const compressors = {
  GZIP: (bytes: Uint8Array) => zlib.gunzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => zlib.brotliDecompressSync(bytes),
  ZSTD: (bytes: Uint8Array) => zlib.zstdDecompressSync(bytes),
};

/** Returns the rows of a Parquet file. */
const parquetRows = async (bytes: Buffer): Promise<JsonObject[]> => {
  const file = new Uint8Array(bytes).buffer;
  return (await parquetReadObjects({ file, compressors })).map(plain).filter(isObject);
};

/** Parses the bytes of a file. Its path tells CSV and JSON lines from JSON. */
export const parseFile = async (
  path: string,
  bytes: Buffer,
): Promise<Pick<Content, 'form' | 'value' | 'items' | 'files'>> => {
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    return { form: 'zip', items: [], files: unzip(bytes) };
  }
  if (bytes.subarray(0, 4).toString('latin1') === 'PAR1') {
    return { form: 'parquet', items: await parquetRows(bytes) };
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

/** Returns the JSON values of a file or of a folder's files. A list and JSON lines are one value. */
export const documentsOf = ({ form, name, value, items, files }: Content): Document[] => {
  if (form === 'zip') return [];
  const own = form === 'folder' ? [] : [{ path: name, value: value ?? items }];
  const others = [...(files ?? [])].map(([path, bytes]) => {
    try {
      const text = bytes.toString('utf8');
      const parsed = /\.(jsonl|ndjson)$/.test(path)
        ? { value: undefined, items: jsonLines(text) }
        : parseJson(text);
      return { path, value: parsed.value ?? parsed.items };
    } catch (error) {
      throw new CliError(`${path} cannot be read. ${(error as Error).message}`);
    }
  });
  return [...own, ...others];
};

/** Returns the results of lm-evaluation-harness that belong to its samples: `results_DATE.json` beside `samples_TASK_DATE.jsonl`. */
const filesBeside = async (path: string): Promise<Map<string, Buffer> | undefined> => {
  const [, date] = /^samples_.+_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl$/.exec(basename(path)) ?? [];
  if (date === undefined) return undefined;
  const name = `results_${date}.json`;
  const bytes = await readFile(join(dirname(path), name)).catch(() => undefined);
  return bytes && new Map([[name, bytes]]);
};

/** Reads the JSON files of a folder and of the folders in it. */
const readFolder = async (folder: string): Promise<Content> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(json|jsonl|ndjson)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = new Map<string, Buffer>();
  let writtenMs = 0;
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = await readFile(path);
    writtenMs = Math.max(writtenMs, (await stat(path)).mtimeMs);
    hash.update(bytes);
    files.set(relative(folder, path).replaceAll('\\', '/'), bytes);
  }
  const digest = hash.digest('hex').slice(0, 16);
  return { name: basename(folder), digest, writtenMs, form: 'folder', items: [], files };
};

/** Reads a file of results, or a folder of them. Throws an error with the file's name if it cannot be parsed. */
export const readContent = async (path: string): Promise<Content> => {
  const about = await stat(path);
  if (about.isDirectory()) return readFolder(path);
  const bytes = await readFile(path);
  const name = basename(path, extname(path));
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  try {
    const parsed = await parseFile(path, bytes);
    const files = await filesBeside(path);
    return { name, digest, writtenMs: about.mtimeMs, ...parsed, ...(files && { files }) };
  } catch (error) {
    throw new CliError(`${path} cannot be read. ${(error as Error).message}`);
  }
};
