import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { JsonObject } from '../../../client/src/main.ts';
import { requireBytes } from '../../../client/src/tables/bounds.ts';
import { decode, type Encoding, encodings, lineOfFault } from '../../../client/src/tables/encoding.ts';
import { kindOf } from '../../../client/src/tables/file-kind.ts';
import { readJson } from '../../../client/src/tables/json-rows.ts';
import { readFile as readTableFile, UnknownEncoding } from '../../../client/src/tables/read-file.ts';
import type { Table } from '../../../client/src/tables/table.ts';
import { CliError } from '../errors.ts';
import { mostInArchive, unzipLog } from './zip.ts';

/** A file parsed by its form, before the tool that wrote it is known. */
export type Content = {
  /** File name without the last extension. */
  name: string;
  /** Shortened SHA-256 of the bytes: the id of a file that has none. */
  digest: string;
  /** When the file was written, in milliseconds since 1970; of a folder, its newest file. */
  writtenMs: number;
  form: 'json' | 'lines' | 'delimited' | 'sheet' | 'parquet' | 'arrow' | 'xml' | 'zip' | 'folder';
  /** Set for a dataset: its address. A dataset has questions and expected answers, and no answers of a system. */
  dataset?: string;
  /** The value of a JSON file, or the text of an XML file. */
  value?: unknown;
  /** The objects of JSON lines, of a JSON list, or of a table's rows. */
  items: JsonObject[];
  /** The rows that a table has if no tool wrote the file. */
  table?: Table;
  /** The files of a zip archive, the JSON files of a folder, or those that belong to a file, by path. */
  files?: Map<string, Buffer>;
};

/** A JSON value, and where in the content it stands. */
export type Document = { path: string; value: unknown };

/** Settings for reading that the file does not contain. */
export type Reading = { encoding?: Encoding | undefined; sheet?: string | undefined };

/** Browsers have no Brotli. */
const compressors = {
  BROTLI: (bytes: Uint8Array, maxOutputLength: number) => brotliDecompressSync(bytes, { maxOutputLength }),
};

const mostShown = 5;

/** Returns the error of a file that cannot be read, with its name and the next step that the reader knows. */
const unreadableFile = (path: string, error: unknown): CliError =>
  new CliError(
    `${path} cannot be read. ${(error as Error).message}`,
    error instanceof CliError ? error.next : undefined,
  );

/** Throws an error that names the rows of a table that cannot be read. An import in a shell cannot ask whether the other rows suffice. */
export const requireWhole = ({ problems }: Table): void => {
  if (problems.length === 0) return;
  const shown = problems.slice(0, mostShown).map(({ line, message }) => `Line ${line} ${message}.`);
  const more = problems.length > mostShown ? ` And ${problems.length - mostShown} more lines.` : '';
  throw new CliError(`${shown.join(' ')}${more}`, 'Mend or delete these lines, or write the file again.');
};

type Parsed = Pick<Content, 'form' | 'value' | 'items' | 'files' | 'table'> & { sheet?: string };

/** Parses the bytes of a file by its content. Its name tells a table from broken JSON. */
export const parseFile = async (path: string, bytes: Buffer, reading: Reading = {}): Promise<Parsed> => {
  if (kindOf(basename(path), bytes) === 'zip') return { form: 'zip', items: [], files: unzipLog(bytes) };
  const text = kindOf(basename(path), bytes) === 'text' ? decode(bytes, reading.encoding) : undefined;
  if (text?.startsWith('<')) return { form: 'xml', items: [], value: text };
  try {
    const { form, value, table, sheet } = await readTableFile(basename(path), bytes, {
      ...reading,
      compressors,
    });
    // Which list of a document is a table, if any, is known once no tool has recognized it.
    if (form !== 'json') requireWhole(table);
    const items = form !== 'json' || Array.isArray(value) ? table.rows : [];
    return { form, items, table, ...(form === 'json' && { value }), ...(sheet !== undefined && { sheet }) };
  } catch (error) {
    if (!(error instanceof UnknownEncoding)) throw error;
    const names = Object.keys(encodings).join(', ');
    throw new CliError(`${error.message} Name it: --encoding windows-1252, or one of ${names}.`);
  }
};

/** Returns the text of a file that another file holds, or of a folder's file. Throws, with the line, if it is not Unicode. */
export const textOfPart = (path: string, bytes: Uint8Array): string => {
  const text = decode(bytes, undefined);
  if (text === undefined)
    throw new CliError(
      `${path} cannot be read. It is not UTF-8 in line ${lineOfFault(bytes, 'utf-8')}.`,
      'Save it as UTF-8.',
    );
  if (text.trim() === '')
    throw new CliError(`${path} cannot be read. It is empty.`, 'Write it again, or delete it.');
  return text;
};

/** Throws for bytes that are no more than white space. */
const requireText = (bytes: Buffer): void => {
  const isBlank = bytes.length < 1_000 && decode(bytes, undefined)?.trim() === '';
  if (isBlank)
    throw new CliError('It is empty.', 'Write it again: a tool that broke off leaves such a file.');
};

/** Returns the JSON values of a file or of a folder's files. A list and JSON lines are one value. */
export const documentsOf = ({ form, name, value, items, files }: Content): Document[] => {
  if (form === 'zip') return [];
  const own = form === 'folder' ? [] : [{ path: name, value: value ?? items }];
  const others = [...(files ?? [])].map(([path, bytes]) => {
    const text = textOfPart(path, bytes);
    try {
      const read = readJson(text, /\.(jsonl|ndjson)$/.test(path));
      if (read.form === 'lines') requireWhole(read.table);
      return { path, value: read.form === 'json' ? read.value : read.table.rows };
    } catch (error) {
      throw unreadableFile(path, error);
    }
  });
  return [...own, ...others];
};

/** Returns the file beside samples that says what they are: of lm-evaluation-harness or Every Eval Ever. */
const fileOfSamples = (name: string): string | undefined => {
  const [, date] = /^samples_.+_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl$/.exec(name) ?? [];
  if (date !== undefined) return `results_${date}.json`;
  const [, stem] = /^(.+)_samples\.jsonl$/.exec(name) ?? [];
  return stem === undefined ? undefined : `${stem}.json`;
};

/** Reads the file that belongs to samples, if it is beside them. */
const filesBeside = async (path: string): Promise<Map<string, Buffer> | undefined> => {
  const name = fileOfSamples(basename(path));
  if (name === undefined) return undefined;
  const bytes = await readFile(join(dirname(path), name)).catch(() => undefined);
  return bytes && new Map([[name, bytes]]);
};

/** Reads the JSON files of a folder and of the folders in it. */
const readFolder = async (folder: string): Promise<Content> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    // A link that leads to a file is read as that file; one that leads nowhere is an error below.
    .filter(
      (entry) => (entry.isFile() || entry.isSymbolicLink()) && /\.(json|jsonl|ndjson)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = new Map<string, Buffer>();
  let writtenMs = 0;
  const hash = createHash('sha256');
  let length = 0;
  for (const path of paths) {
    const about = await stat(path).catch(() => undefined);
    if (about === undefined)
      throw new CliError(`${path} is a link that leads to no file.`, 'Delete it, or write its file again.');
    if (!about.isFile()) continue;
    const { size, mtimeMs } = about;
    length += size;
    requireBytes(length, mostInArchive);
    const bytes = await readFile(path);
    writtenMs = Math.max(writtenMs, mtimeMs);
    hash.update(bytes);
    files.set(relative(folder, path).replaceAll('\\', '/'), bytes);
  }
  const digest = hash.digest('hex').slice(0, 16);
  return { name: basename(folder), digest, writtenMs, form: 'folder', items: [], files };
};

/** A name without the ending that tells the form. */
const stemOf = (path: string): string => {
  const name = basename(path).replace(/\.gz$/i, '');
  return basename(name, extname(name));
};

/** Each sheet of a spreadsheet is a file by itself. */
const digestOf = (bytes: Buffer, sheet = ''): string =>
  createHash('sha256').update(bytes).update(sheet).digest('hex').slice(0, 16);

/** Reads a file of results, or a folder of them. Throws an error with the file's name if it cannot be parsed. */
export const readContent = async (path: string, reading: Reading): Promise<Content> => {
  const about = await stat(path);
  if (about.isDirectory()) return readFolder(path);
  // A device or a pipe has no size, and may never end.
  if (!about.isFile())
    throw new CliError(`${path} is not a file.`, 'Write a pipe to the standard input: … | dokima import -');
  try {
    requireBytes(about.size, mostInArchive);
    const bytes = await readFile(path);
    requireText(bytes);
    const { sheet, ...parsed } = await parseFile(path, bytes, reading);
    const files = await filesBeside(path);
    return {
      name: stemOf(path),
      digest: digestOf(bytes, sheet),
      writtenMs: about.mtimeMs,
      ...parsed,
      ...(files && { files }),
    };
  } catch (error) {
    throw unreadableFile(path, error);
  }
};

/** Reads standard input, whose content says what it is. */
export const readInput = async (
  stdin: AsyncIterable<Buffer | string>,
  reading: Reading,
): Promise<Content> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      requireBytes(length);
      chunks.push(bytes);
    }
    const bytes = Buffer.concat(chunks);
    requireText(bytes);
    const { sheet, ...parsed } = await parseFile('stdin', bytes, reading);
    return { name: 'stdin', digest: digestOf(bytes, sheet), writtenMs: 0, ...parsed };
  } catch (error) {
    throw unreadableFile('The standard input', error);
  }
};
