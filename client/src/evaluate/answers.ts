import { createHash } from 'node:crypto';
import { mapConcurrently } from '../concurrency.ts';
import { type Labels, labelList } from '../labels.ts';
import { canonical } from '../results/canonical.ts';
import { asJson, isScore, type Result, type ScoreValue } from '../results/results.ts';
import { byContent } from '../results/upload.ts';
import { sleep } from '../retry.ts';
import { isObject } from '../tables/table.ts';
import type { JsonObject } from '../types.ts';

/** Field of a record that holds an answer, or an expected one, that is not an object. The ready metrics read it. */
const answerField = 'answer';

/** A row of data: `expected` is the expected answer, all other fields are inputs. */
export type DataRow = JsonObject & { expected?: unknown };

/** True or false, 1 to 5 as a whole number, 0 to 1, or a label; with a reason, if there is one. Null or undefined is no score. */
export type Scored = ScoreValue | readonly [ScoreValue, string] | null | undefined;

// biome-ignore lint/suspicious/noExplicitAny: the caller knows what its system takes and gives.
type Any = any;
/** The system under test. */
export type System = (inputs: Any, options: { signal: AbortSignal | undefined }) => unknown;
/** A metric. Its name is the name of the function. */
export type Scorer = (record: { inputs: Any; outputs: Any; expected: Any }) => Scored | Promise<Scored>;

export type Case = { id: string; inputs: JsonObject; expected: unknown };

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Returns a digest of the source of functions, which tells whether they were changed between two starts of a program. */
export const sourceOf = (functions: readonly unknown[]): string => digest(functions.map(String).join('\0'));

export const casesOf = (data: readonly DataRow[]): Case[] => {
  const cases = new Map<string, Case>();
  for (const row of data) {
    if (!isObject(row))
      throw new TypeError(
        `A row of data must be an object, such as {country: 'Peru', expected: 'Lima'}, not ${JSON.stringify(row)}.`,
      );
    const { expected, ...rest } = row;
    const [only, ...others] = Object.keys(rest);
    const isWhole = only === 'inputs' && others.length === 0 && isObject(rest.inputs);
    const inputs = asJson(isWhole ? (rest.inputs as JsonObject) : rest);
    const id = byContent + digest(canonical(inputs));
    const there = cases.get(id);
    // Equal rows are one testcase; its trials repeat it. Two expected answers to one question are a mistake in the data.
    if (there && canonical(there.expected) !== canonical(expected))
      throw new TypeError(`Two rows have the inputs ${canonical(inputs)} and different expected answers.`);
    if (!there) cases.set(id, { id, inputs, expected });
  }
  if (cases.size === 0) throw new TypeError('data has no rows.');
  return [...cases.values()];
};

/** Returns an answer as the service stores it: an object as it is, anything else under `answer`. */
export const asObject = (value: unknown): JsonObject => {
  if (value === null || value === undefined) return {};
  const json = asJson(value);
  return isObject(json) ? json : { [answerField]: json };
};

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 2_000);

/** Longest value that a reason quotes, in characters. */
const longestSaid = 200;

/** Returns a value for people, in words that no language has for itself. */
const said = (value: unknown): string => {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  let text: string;
  try {
    text = canonical(asJson(value));
  } catch {
    // A BigInt, or an object that holds itself.
    text = String(value);
  }
  return text.length <= longestSaid ? text : `${text.slice(0, longestSaid)}…`;
};

const isGiven = (value: unknown, labels: Labels | undefined): value is ScoreValue =>
  labels ? labels.items.includes(value as string) : isScore(value);

/** Says what a metric must return. The Python package says the same. */
const noScore = (name: string, value: unknown, labels: Labels | undefined): string => {
  const wanted = labels
    ? `one of the labels ${labelList(labels.items)}, or nothing`
    : 'yes or no, 1 to 5 as a whole number, 0 to 1, a label or nothing';
  return `${name} must return ${wanted}, not ${said(value)}.`;
};

/** What is asked: the system, the metrics, and how. */
export type Asked = {
  name: string;
  system: System;
  scorers: ReadonlyMap<string, Scorer>;
  metrics: string[];
  /** The labels of metrics that give some. */
  labels: Record<string, Labels>;
  retries: number;
  concurrency: number;
  signal: AbortSignal | undefined;
};

const score = async (
  result: Result,
  { inputs, expected }: Case,
  outputs: unknown,
  { scorers, labels }: Asked,
): Promise<void> => {
  for (const [name, scorer] of scorers) {
    try {
      const given = await scorer({ inputs, outputs, expected });
      const [value, reason] = Array.isArray(given) && given.length === 2 ? given : [given];
      const isNothing = value === null || value === undefined;
      const isScored = !isNothing && isGiven(value, labels[name]);
      // JSON has no -0.
      if (isScored) result.scores[name] = value === 0 ? 0 : value;
      if (!isNothing && !isScored) result.reasons[name] = noScore(name, value, labels[name]);
      else if (reason !== undefined && reason !== null)
        result.reasons[name] = typeof reason === 'string' ? reason : said(reason);
      else if (isNothing) result.reasons[name] = `${name} gave no score.`;
    } catch (error) {
      // A metric that breaks has not answered no.
      result.reasons[name] = reasonOf(error);
    }
  }
};

type Answered = { given: unknown; outputs: JsonObject; error: string | null };

const answer = async ({ system, retries, signal }: Asked, { inputs }: Case): Promise<Answered> => {
  for (let tries = 0; ; tries++) {
    try {
      const given = await system({ ...inputs }, { signal });
      return { given, outputs: asObject(given), error: null };
    } catch (error) {
      signal?.throwIfAborted();
      if (tries >= retries) return { given: undefined, outputs: {}, error: reasonOf(error) };
      await sleep(250 * 2 ** tries, signal);
    }
  }
};

/** Whether an answer is stored under `answer`, or is nothing. */
const isBare = (given: unknown): boolean => !isObject(asJson(given));

/** Returns the answer of an earlier evaluation as the system gave it, as far as JSON can hold it. */
const givenOf = ({ outputs, bare }: Result): Answered => ({
  given: bare ? (outputs[answerField] ?? null) : outputs,
  outputs,
  error: null,
});

/** One call to make: a testcase, the number of its trial, and an earlier answer to reuse. */
export type ToDo = { one: Case; trial: number; known: Result | undefined };

/** Asks for each testcase and trial, unless its answer is known, and passes each scored result on as soon as it is there. */
export const ask = async (
  asked: Asked,
  todo: readonly ToDo[],
  add: (result: Result) => void,
): Promise<Result[]> =>
  mapConcurrently(todo, asked.concurrency, async ({ one, trial, known }) => {
    asked.signal?.throwIfAborted();
    const { given, outputs, error } = known ? givenOf(known) : await answer(asked, one);
    const result: Result = {
      group: asked.name,
      case: one.id,
      trial,
      inputs: one.inputs,
      expected: asObject(one.expected),
      outputs,
      scores: {},
      reasons: {},
      metrics: asked.metrics,
      cost_usd: known?.cost_usd ?? null,
      error,
      bare: isBare(given),
    };
    if (Object.keys(asked.labels).length > 0) result.labels = asked.labels;
    if (error === null) await score(result, one, given, asked);
    add(result);
    return result;
  });
