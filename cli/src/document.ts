import { readFile, writeFile } from 'node:fs/promises';
import { parse, parseDocument, type ScalarTag, stringify, type Tags } from 'yaml';
import { decode, lineOfFault } from '../../client/src/tables/encoding.ts';
import { brokenJson } from '../../client/src/tables/json-rows.ts';
import { numberOf, parseAsWritten, WrittenNumber } from '../../client/src/written-number.ts';
import { CliError } from './errors.ts';

type Parse = (text: string) => unknown;
type TagsOf = (tags: Tags) => Tags;

const isJson = (path: string): boolean => path.endsWith('.json');

/** How YAML reads and writes numbers that JavaScript would print differently. */
const writtenNumberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof WrittenNumber,
  test: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/,
  resolve: numberOf,
  stringify: ({ value }) => (value as WrittenNumber).source,
};

const asWritten: { customTags: TagsOf } = { customTags: (tags) => [writtenNumberTag, ...tags] };

/** Returns the text of a file in Unicode, which Windows also writes as UTF-16 or with a byte order mark. */
export const textIn = async (path: string): Promise<string> => {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EISDIR') throw error;
    throw new CliError(`${path} is a folder, not a file.`, 'Name a file in it.');
  });
  const text = decode(bytes, undefined);
  if (text === undefined)
    throw new CliError(`${path} is not UTF-8 in line ${lineOfFault(bytes, 'utf-8')}.`, 'Save it as UTF-8.');
  return text;
};

const read = async (path: string, parsers: { json: Parse; yaml: Parse }): Promise<unknown> => {
  const text = await textIn(path);
  try {
    return isJson(path) ? parsers.json(text) : parsers.yaml(text);
  } catch (error) {
    const why = isJson(path) ? brokenJson(text, error).message : (error as Error).message;
    throw new CliError(`${path} cannot be read: ${why}`);
  }
};

/** Reads a YAML or JSON file; the file name says which. Throws an error that says what is wrong and where. */
export const readDocument = (path: string): Promise<unknown> => read(path, { json: JSON.parse, yaml: parse });

/** As `readDocument`, but returns a `WrittenNumber` for each number that JavaScript would print differently. */
export const readDocumentAsWritten = (path: string): Promise<unknown> =>
  read(path, { json: parseAsWritten, yaml: (text) => parse(text, asWritten) });

/** Returns the text of such a file. Long lines are not wrapped, so that a changed value is one changed line in a diff. */
export const documentText = (path: string, value: unknown): string =>
  isJson(path) ? `${JSON.stringify(value, null, 2)}\n` : stringify(value, { ...asWritten, lineWidth: 0 });

export const writeDocument = (path: string, value: unknown): Promise<void> =>
  writeFile(path, documentText(path, value));

/** A path in a document: keys and indexes from the root. */
export type Place = readonly (string | number)[];

const setIn = (value: unknown, place: Place, to: unknown): void => {
  const parent = place.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value);
  (parent as Record<string, unknown>)[place.at(-1)!] = to;
};

/** Sets values in a file. Everything else stays as it was written, comments included. */
export const editDocument = async (path: string, edits: readonly [Place, unknown][]): Promise<void> => {
  if (edits.length === 0) return;
  const text = await textIn(path);
  if (isJson(path)) {
    const value = parseAsWritten(text);
    for (const [place, to] of edits) setIn(value, place, to);
    return writeDocument(path, value);
  }
  const document = parseDocument(text, asWritten);
  for (const [place, to] of edits) document.setIn(place, to);
  await writeFile(path, document.toString({ lineWidth: 0 }));
};
