import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isObject } from '../../../client/src/tables/table.ts';
import { type Agent, environmentOf, type Place } from './agents.ts';
import { type Arm, toUse } from './arms.ts';
import { type Case, checkWords } from './cases.ts';
import { readEvents } from './events.ts';
import { type Changes, changesOf, makePlace, reveal, snapshotOf } from './workspace.ts';

/** One attempt of the agent at one case, as it stands in the file of trials. */
export type Trial = {
  key: string;
  arm: Arm['name'];
  case: string;
  /** Counts from 1. */
  trial: number;
  /** That of the case, without what the arm adds to it. */
  prompt: string;
  startMs: number;
  endMs: number;
  exitCode: number | null;
  /** Whether the time limit ended the agent. What it left is checked as any other attempt. */
  timedOut: boolean;
  answer: string;
  files: Changes;
  costUsd: number | null;
  inputTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number | null;
  /** Whether the agent used what it was given; null if there is nothing that it could leave. */
  used: boolean | null;
  scores: Record<string, boolean | number>;
  reason: string;
  /** Why there is nothing to score: the agent or the check did not work. */
  error: string | null;
};

export type Limits = { timeoutMs: number; checkTimeoutMs: number; isUserHome: boolean };

type Ended = { code: number | null; timedOut: boolean; said: string; startError?: string };

/** Kills a process with all that it started. */
const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
};

/** Runs a program to its end or its time limit. What it started and left running ends with it. */
const runProgram = (
  [program, ...words]: string[],
  {
    cwd,
    env,
    stdin,
    timeoutMs,
    signal,
    onLine,
  }: {
    cwd: string;
    env: NodeJS.ProcessEnv;
    stdin: string;
    timeoutMs: number;
    signal: AbortSignal;
    onLine: (line: string) => void;
  },
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(program!, words, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    let [said, timedOut] = ['', false];
    const stop = () => killGroup(child.pid);
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    const done = (ended: Omit<Ended, 'said' | 'timedOut'>) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve({ ...ended, timedOut, said: said.trim() });
    };
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.length < 5_000_000) onLine(line);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
    });
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    child.once('error', (error) =>
      done({ code: null, startError: `${program} does not start: ${error.message}` }),
    );
    // A server that the agent left running would keep the pipes open.
    child.once('exit', stop);
    child.once('close', (code) => done({ code }));
  });

type Checked = Pick<Trial, 'scores' | 'reason' | 'error'>;

/** Returns the scores that the last line of a check names, in place of its exit code. */
const scoresIn = (line: string): (Pick<Trial, 'scores'> & { reason?: string }) | undefined => {
  try {
    const read: unknown = line.startsWith('{') ? JSON.parse(line) : undefined;
    if (!isObject(read) || !isObject(read.scores)) return undefined;
    const given = Object.entries(read.scores).filter(
      (entry): entry is [string, number | boolean] =>
        typeof entry[1] === 'boolean' || (typeof entry[1] === 'number' && entry[1] >= 0 && entry[1] <= 1),
    );
    const reason = typeof read.reason === 'string' ? { reason: read.reason } : {};
    return given.length > 0 ? { scores: Object.fromEntries(given), ...reason } : undefined;
  } catch {
    return undefined;
  }
};

/** Name of the score that the exit code of a check is. */
export const solved = 'Solved';

const check = async (
  task: Case,
  place: Place & { root: string },
  answer: string,
  env: NodeJS.ProcessEnv,
  { checkTimeoutMs }: Limits,
  signal: AbortSignal,
): Promise<Checked> => {
  const path = await reveal(task, place.workspace);
  const answerFile = join(place.root, 'answer.txt');
  await writeFile(answerFile, answer);
  const lines: string[] = [];
  const { code, timedOut, said, startError } = await runProgram(checkWords(path), {
    cwd: place.workspace,
    env: { ...env, DOKIMA_ANSWER: answerFile },
    stdin: '',
    timeoutMs: checkTimeoutMs,
    signal,
    onLine: (line) => {
      lines.push(line);
      if (lines.length > 200) lines.shift();
    },
  });
  const text = [...lines, said].join('\n').trim().slice(-2_000);
  const broken = (why: string): Checked => ({
    scores: {},
    reason: '',
    error: `The check ${why}. ${text}`.trim(),
  });
  if (startError !== undefined) return broken(startError);
  if (timedOut) return broken(`took longer than ${checkTimeoutMs / 1_000} s`);
  // A shell says by these codes that it could not run the program.
  if (code === null || code === 126 || code === 127) return broken(`could not run (exit code ${code})`);
  const named = scoresIn(lines.findLast((line) => line.trim() !== '')?.trim() ?? '');
  if (named) return { scores: named.scores, reason: named.reason ?? text, error: null };
  return { scores: { [solved]: code === 0 }, reason: text || `exit code ${code}`, error: null };
};

export type Attempt = { key: string; task: Case; arm: Arm; trial: number };

/**
 * Lets the agent work at a case in a clean workspace and an empty home, then copies the check in and runs it. An agent that ends with an
 * error has made no attempt. One that reaches its time limit has.
 */
export const runTrial = async (
  agent: Agent,
  { key, task, arm, trial }: Attempt,
  environment: NodeJS.ProcessEnv,
  limits: Limits,
  signal: AbortSignal,
): Promise<Trial> => {
  const place = await makePlace(task, arm, agent, environment, environment.TMPDIR ?? tmpdir());
  try {
    const env = environmentOf(environment, place, limits.isUserHome);
    const prompt = arm.prompt.replaceAll('{prompt}', () => task.prompt);
    const { words, stdin } = await agent.start(arm, prompt, place);
    const before = await snapshotOf(place.workspace);
    const names = toUse(arm);
    const events = readEvents(names);
    const startMs = Date.now();
    const ended = await runProgram(words, {
      cwd: place.workspace,
      env: { ...env, ...arm.env },
      stdin,
      timeoutMs: limits.timeoutMs,
      signal,
      onLine: events.take,
    });
    const endMs = Date.now();
    signal.throwIfAborted();
    const said = events.said();
    const files = await changesOf(place.workspace, before, await snapshotOf(place.workspace));
    const used = names.length === 0 ? null : said.used || existsSync(place.marker);
    const failed =
      ended.code !== 0 && !ended.timedOut
        ? `The agent ended with exit code ${ended.code}. ${ended.said}`.trim()
        : undefined;
    const error = ended.startError ?? said.error ?? failed;
    const checked: Checked =
      error === undefined || ended.timedOut
        ? await check(task, place, said.answer, env, limits, signal)
        : { scores: {}, reason: '', error: error.slice(0, 2_000) };
    signal.throwIfAborted();
    return {
      key,
      arm: arm.name,
      case: task.name,
      trial,
      prompt: task.prompt,
      startMs,
      endMs,
      exitCode: ended.code,
      timedOut: ended.timedOut,
      answer: said.answer.slice(0, 20_000),
      files,
      costUsd: said.costUsd ?? null,
      inputTokens: said.inputTokens ?? null,
      cachedTokens: said.cachedTokens ?? null,
      outputTokens: said.outputTokens ?? null,
      used,
      ...checked,
    };
  } finally {
    await rm(place.root, { recursive: true, force: true });
  }
};
