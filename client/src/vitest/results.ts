import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../types.ts';
import { commitOfCi, commitTag } from './merge-base.ts';

/** True or false, 1 to 5 as a whole number, or 0 to 1. */
export type ScoreValue = boolean | number;

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
};

/** One start of the tests. */
export type Session = { id: string; tags: string[] };

const git = (...words: string[]): string =>
  execFileSync('git', words, {
    encoding: 'utf8',
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** Returns the commit that is tested, or undefined outside of a repository and if files were changed. */
const currentCommit = (env: NodeJS.ProcessEnv): string | undefined => {
  const named = env.DOKIMA_COMMIT || commitOfCi(env);
  if (named) return named;
  try {
    // Files that differ from their commit are not that commit.
    return git('status', '--porcelain', '--untracked-files=no') ? undefined : git('rev-parse', 'HEAD');
  } catch {
    return undefined;
  }
};

export const startSession = (env: NodeJS.ProcessEnv): Session => {
  const commit = currentCommit(env);
  return { id: randomBytes(8).toString('hex'), tags: ['vitest', ...(commit ? [commitTag(commit)] : [])] };
};

/** Writes a session to a file, one JSON value a line. */
export const writeResults = (path: string, session: Session, results: readonly Result[]): void => {
  const lines = [{ dokima: 'results', version: 1, ...session }, ...results];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

/** Reads a file of `writeResults` or of the pytest plugin. Throws for any other file. */
export const readResults = (path: string): { session: Session; results: Result[] } => {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const refuse = () => new Error(`${path} is not a file of results of tests.`);
  let parsed: unknown[];
  try {
    parsed = lines.map((line) => JSON.parse(line));
  } catch {
    throw refuse();
  }
  const [head, ...results] = parsed as [{ dokima?: string; version?: number } & Session, ...Result[]];
  if (head?.dokima !== 'results' || head.version !== 1) throw refuse();
  return { session: { id: head.id, tags: head.tags }, results };
};
