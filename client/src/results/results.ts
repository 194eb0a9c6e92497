import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type Labels, longestLabel } from '../labels.ts';
import type { Environment, JsonObject } from '../types.ts';
import { commitOfCi, commitTag } from './merge-base.ts';

/** True or false, 1 to 5 as a whole number, 0 to 1, or a label. */
export type ScoreValue = boolean | number | string;

/** Result of one trial of one testcase. The names are those of the file, which the Python package reads and writes too. */
export type Result = {
  /** Name of the tests that make up one run, and of their testset. */
  group: string;
  case: string;
  /** Counts from 1. */
  trial: number;
  inputs: JsonObject;
  expected: JsonObject;
  outputs: JsonObject;
  scores: Record<string, ScoreValue>;
  reasons: Record<string, string>;
  /** Names of metrics that the service scores. */
  metrics: string[];
  cost_usd: number | null;
  /** Why there is no answer. Such a result has no scores. */
  error: string | null;
  /** Whether the answer was no object, so that it stands under `answer`, or is nothing. Null where a test wrote the outputs. */
  bare?: boolean | null;
  /** The labels of the scores that are texts, if the tests say them. Without them the metric of the project has them. */
  labels?: Record<string, Labels>;
  /** Names of scores that the file has with a point: Python's 1.0 is a share, and its 1 a rating. It is no field of a file. */
  floats?: string[];
};

/** Whether a value is a score: yes or no, 1 to 5 as a whole number, 0 to 1, or a label. */
export const isScore = (value: unknown): value is ScoreValue => {
  if (typeof value === 'string') return value.trim() !== '' && value.length <= longestLabel;
  return (
    typeof value === 'boolean' ||
    (typeof value === 'number' && value >= 0 && (value <= 1 || (Number.isInteger(value) && value <= 5)))
  );
};

/** Returns a value as JSON can hold it. */
export const asJson = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value ?? null) ?? 'null') as Value;

/** One start of tests, or of an evaluation. */
export type Session = {
  id: string;
  tags: string[];
  /** Marks that the runs get when they are uploaded. */
  marks?: string[];
};

const git = (...words: string[]): string =>
  execFileSync('git', words, {
    encoding: 'utf8',
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** Returns the commit that is tested, or undefined outside of a repository and if files were changed. */
const currentCommit = (env: Environment): string | undefined => {
  const named = env.DOKIMA_COMMIT || commitOfCi(env);
  if (named) return named;
  try {
    // Files that differ from their commit are not that commit.
    return git('status', '--porcelain', '--untracked-files=no') ? undefined : git('rev-parse', 'HEAD');
  } catch {
    return undefined;
  }
};

export const startSession = (env: Environment, runner: string): Session => {
  const commit = currentCommit(env);
  return { id: randomBytes(8).toString('hex'), tags: [runner, ...(commit ? [commitTag(commit)] : [])] };
};

/** Returns the first line of a file of results. */
export const headOf = (session: Session, more: JsonObject = {}): string =>
  `${JSON.stringify({ dokima: 'results', version: 1, ...session, ...more })}\n`;

export const lineOf = ({ floats: _, bare = null, labels = {}, ...result }: Result): string =>
  `${JSON.stringify({ ...result, bare, ...(Object.keys(labels).length > 0 && { labels }) })}\n`;

/** Last line of an evaluation that came to its end. */
export const endLine = '{"dokima": "end"}\n';

/** Writes a session to a file, one JSON value a line. */
export const writeResults = (path: string, session: Session, results: readonly Result[]): void =>
  writeFileSync(path, [headOf(session), ...results.map(lineOf)].join(''));
