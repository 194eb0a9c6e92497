import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../errors.ts';
import type { Arm } from './arms.ts';
import type { Case } from './cases.ts';
import type { Attempt, Trial } from './run-trial.ts';

/** Returns numbers from 0 to 1 that a seed decides (splitmix32). */
export const drawFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
};

const shuffled = <Item>(items: readonly Item[], draw: () => number): Item[] => {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
};

/** Returns what a trial is found by again: the agent, what its arm gives it, and the case, contents included. */
const keyOf = (agentLine: string, task: Case, arm: Arm): string =>
  createHash('sha256')
    .update(`${agentLine}\0${arm.digest}\0${task.name}\0${task.digest}`)
    .digest('hex')
    .slice(0, 24);

/**
 * Returns every attempt in the order in which it is made: round by round, the cases of a round in random order, and of each case both arms
 * one after the other, in random order. So what changes with time (load, limits of a provider, a new model) meets both arms alike.
 */
export const attemptsOf = (
  agentLine: string,
  cases: readonly Case[],
  arms: readonly Arm[],
  trials: number,
  seed: number,
): Attempt[] => {
  const draw = drawFrom(seed);
  return Array.from({ length: trials }, (_, i) =>
    shuffled(cases, draw).flatMap((task) =>
      shuffled(arms, draw).map((arm) => ({ key: keyOf(agentLine, task, arm), task, arm, trial: i + 1 })),
    ),
  ).flat();
};

/** Whether a text is the beginning of a file of trials. A process that was killed leaves half a line, even as the first. */
const isOfTrials = (text: string): boolean => text === '' || /^\s*(\{"key"|\{?"?k?e?y?$)/.test(text);

const nameOf = ({ key, trial }: Pick<Trial, 'key' | 'trial'>): string => `${key} ${trial}`;

/** The trials of a file, by key and number. A trial whose agent or check did not work is made again. */
export const doneIn = async (path: string): Promise<Map<string, Trial>> => {
  const text = existsSync(path) ? await readFile(path, 'utf8') : '';
  if (!isOfTrials(text))
    throw new CliError(
      `${path} is no file of trials: its line 1 is none.`,
      'Name another file with --out. Nothing was written to this one.',
    );
  const done = new Map<string, Trial>();
  for (const line of text.split('\n')) {
    try {
      const trial = JSON.parse(line) as Trial;
      if (trial.error === null) done.set(nameOf(trial), trial);
    } catch {
      // A process that was killed leaves half a line.
    }
  }
  return done;
};

/** Appends trials to a file, each as soon as it is there. */
const writerTo = async (path: string): Promise<(trial: Trial) => Promise<void>> => {
  await mkdir(dirname(path), { recursive: true });
  // Ends a line that a killed process left half written.
  if (existsSync(path) && !(await readFile(path, 'utf8')).endsWith('\n')) await appendFile(path, '\n');
  return (trial) => appendFile(path, `${JSON.stringify(trial)}\n`);
};

export type Progress = { done: number; total: number; kept: number; spentUsd: number };

type Ways = {
  path: string;
  isFresh: boolean;
  concurrency: number;
  budgetUsd: number | undefined;
  run: (attempt: Attempt) => Promise<Trial>;
  progress: (at: Progress, last: Trial | undefined) => void;
};

/** If this number of first trials all break, the agent does not work at all. */
const firstTrials = 4;

/**
 * Makes every attempt that the file does not have, several at a time, and returns all trials. Ends early when the budget is used, and
 * when the first trials all broke.
 */
export const makeTrials = async (
  attempts: readonly Attempt[],
  { path, isFresh, concurrency, budgetUsd, run, progress }: Ways,
): Promise<{ trials: Trial[]; left: number; kept: number; spentUsd: number }> => {
  const there = isFresh ? new Map<string, Trial>() : await doneIn(path);
  const write = await writerTo(path);
  const trials = attempts.flatMap((attempt) => there.get(nameOf(attempt)) ?? []);
  const missing = attempts.filter((attempt) => !there.has(nameOf(attempt)));
  const kept = trials.length;
  let [spentUsd, failed, made, next] = [0, 0, 0, 0];
  const isOver = () => budgetUsd !== undefined && spentUsd >= budgetUsd;
  const isHopeless = () => made >= Math.min(firstTrials, missing.length) && failed === made && kept === 0;
  progress({ done: kept, total: attempts.length, kept, spentUsd }, undefined);
  const work = async () => {
    while (next < missing.length && !isOver() && !isHopeless()) {
      const trial = await run(missing[next++]!);
      await write(trial);
      trials.push(trial);
      made++;
      if (trial.error !== null) failed++;
      spentUsd += trial.costUsd ?? 0;
      progress({ done: trials.length, total: attempts.length, kept, spentUsd }, trial);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return { trials, left: attempts.length - trials.length, kept, spentUsd };
};
