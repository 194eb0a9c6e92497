import { readFileSync } from 'node:fs';
import { type Labels, problemOfLabels } from '../labels.ts';
import { decode, lineOfFault } from '../tables/encoding.ts';
import { isObject } from '../tables/table.ts';
import type { JsonObject } from '../types.ts';
import { parseAsWritten, WrittenNumber } from '../written-number.ts';
import { isScore, type Result, type Session } from './results.ts';

/** A file that `evaluate` or a test runner did not write, or that was damaged since. `line` counts from 1. */
export class ResultsError extends Error {
  override name = 'ResultsError';
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** The first line of a file. What an evaluation says of its functions is there too. */
export type Head = Session & JsonObject;
/** A JSON object, and where in its file it stands. */
export type Line = { value: JsonObject; line: number };

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isEach = (value: unknown, is: (one: unknown) => boolean): boolean =>
  isObject(value) && Object.values(value).every(is);

const isLabels = (value: unknown): boolean =>
  isObject(value) &&
  isTexts(value.items) &&
  isTexts(value.passing) &&
  typeof value.ordered === 'boolean' &&
  !problemOfLabels(value as Labels);

type Field = { is: (value: unknown) => boolean; says: string; fallback?: unknown };

/** The fields of a result. Those with a fallback may be left out. */
const fields: Record<Exclude<keyof Result, 'floats'>, Field> = {
  group: { is: isText, says: 'a text' },
  case: { is: isText, says: 'a text' },
  trial: {
    is: (one) => Number.isInteger(one) && Number(one) >= 1,
    says: 'a whole number from 1',
    fallback: 1,
  },
  inputs: { is: isObject, says: 'an object', fallback: {} },
  expected: { is: isObject, says: 'an object', fallback: {} },
  outputs: { is: isObject, says: 'an object', fallback: {} },
  scores: {
    is: (one) => isEach(one, isScore),
    says: 'an object of scores, each true, false, 1 to 5 as a whole number, 0 to 1, or a label',
    fallback: {},
  },
  reasons: { is: (one) => isEach(one, isText), says: 'an object of texts', fallback: {} },
  metrics: { is: isTexts, says: 'a list of texts', fallback: [] },
  cost_usd: {
    is: (one) => one === null || (typeof one === 'number' && one >= 0),
    says: 'a number from 0, or null',
    fallback: null,
  },
  error: { is: (one) => one === null || isText(one), says: 'a text, or null', fallback: null },
  bare: {
    is: (one) => one === null || typeof one === 'boolean',
    says: 'true, false or null',
    fallback: null,
  },
  labels: { is: (one) => isEach(one, isLabels), says: 'an object of labels', fallback: {} },
};
const freeForm: ReadonlySet<string> = new Set(['inputs', 'expected', 'outputs']);

const headFields: Record<string, Field> = {
  id: { is: isText, says: 'a text' },
  tags: { is: isTexts, says: 'a list of texts', fallback: [] },
  marks: { is: isTexts, says: 'a list of texts', fallback: [] },
};

type Refuse = (line: number, why: string) => ResultsError;

const plain = (value: unknown): unknown => {
  if (value instanceof WrittenNumber) return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
    : value;
};

const withFields = ({ value, line }: Line, known: Record<string, Field>, refuse: Refuse): JsonObject => {
  const whole: JsonObject = {};
  for (const [name, { is, says, fallback }] of Object.entries(known)) {
    const given = Object.hasOwn(value, name) ? value[name] : fallback;
    if (given === undefined) throw refuse(line, `has no field '${name}'`);
    whole[name] = freeForm.has(name) ? given : plain(given);
    if (!is(whole[name])) throw refuse(line, `has a field '${name}' that is not ${says}`);
  }
  return whole;
};

const resultOf = (at: Line, refuse: Refuse): Result => {
  const unknown = Object.keys(at.value).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) throw refuse(at.line, `has a field '${unknown}', which no result has`);
  const { scores } = at.value;
  const floats = Object.entries(isObject(scores) ? scores : {})
    .filter(([, score]) => score instanceof WrittenNumber)
    .map(([name]) => name);
  return { ...(withFields(at, fields, refuse) as Result), floats };
};

/** Returns the head, the results, and whether the last line says that these are all. Throws a ResultsError that names the line. */
export const resultsIn = (
  path: string,
  lines: readonly Line[],
): { head: Head; results: Result[]; isWhole: boolean } => {
  const refuse = (line: number, why: string) =>
    new ResultsError(`${path} is not a file of results: line ${line} ${why}.`, line);
  const [first, ...rest] = lines;
  if (!first) throw new ResultsError(`${path} is not a file of results: it is empty.`);
  if (first.value.dokima !== 'results')
    throw refuse(first.line, 'does not begin with {"dokima": "results", …}');
  if (Number(first.value.version) !== 1)
    throw new ResultsError(
      `${path} has version ${JSON.stringify(first.value.version)} of the format, and this program reads version 1. Update the program.`,
      first.line,
    );
  const head = { ...first.value, ...withFields(first, headFields, refuse) } as Head;
  const results = rest.filter(({ value }) => !('dokima' in value)).map((one) => resultOf(one, refuse));
  return { head, results, isWhole: results.length < rest.length };
};

const textOf = (path: string): string => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ResultsError(`There is no file ${path}.`);
    if (code === 'EISDIR') throw new ResultsError(`${path} is a directory, and no file of results.`);
    throw error;
  }
  const text = decode(bytes, undefined);
  if (text !== undefined) return text;
  // A process that was killed may leave half a character at the end of its half line.
  const whole = bytes.lastIndexOf('\n') + 1;
  const before = whole > 0 ? decode(bytes.subarray(0, whole), undefined) : undefined;
  if (before === undefined) {
    const line = lineOfFault(bytes, 'utf-8');
    throw new ResultsError(`${path} is not a file of results: line ${line} is not text in UTF-8.`, line);
  }
  return `${before}\ufffd`;
};

/** Returns the objects of a file with the numbers of their lines. */
const linesOf = (path: string): Line[] => {
  const refuse = (line: number, why: string) =>
    new ResultsError(`${path} is not a file of results: line ${line} ${why}.`, line);
  const texts = textOf(path).split('\n');
  return texts.flatMap((text, i) => {
    const line = i + 1;
    if (text.trim() === '') return [];
    let value: unknown;
    try {
      value = parseAsWritten(text);
    } catch {
      // A process that was killed leaves half a line at the end.
      if (i > 0 && line === texts.length) return [];
      throw refuse(line, 'is not JSON');
    }
    if (!isObject(value)) throw refuse(line, 'is not an object');
    return [{ value, line }];
  });
};

/** How the fields of a testcase are read: `digits` keeps numbers as they are written, for a program that sends them on. */
type Reading = { digits?: boolean };

/**
 * Reads a whole file. Throws a ResultsError for any other file. The Python package reads the same files and says the same
 * (testing/reading.py).
 */
export const readLines = (path: string, { digits = false }: Reading = {}): ReturnType<typeof resultsIn> => {
  const { head, results, isWhole } = resultsIn(path, linesOf(path));
  const plainFields = ({ inputs, expected, outputs }: Result) =>
    plain({ inputs, expected, outputs }) as Pick<Result, 'inputs' | 'expected' | 'outputs'>;
  return {
    head,
    results: digits ? results : results.map((one) => ({ ...one, ...plainFields(one) })),
    isWhole,
  };
};

/** Reads a file of `writeResults`, of `evaluate` or of the Python package. Throws a ResultsError for any other file. */
export const readResults = (
  path: string,
  reading?: Reading,
): { session: Session; results: Result[]; isInterrupted: boolean } => {
  const { head, results, isWhole } = readLines(path, reading);
  const session = { id: head.id, tags: head.tags, marks: head.marks ?? [] };
  // Only an evaluation writes a last line.
  return { session, results, isInterrupted: 'system' in head && !isWhole };
};
