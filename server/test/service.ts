import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServerDatabase, engine } from './harness.ts';
import { forPrograms } from './programs.ts';

const start = fileURLToPath(new URL('../start.js', import.meta.url));

/** The real process, as `npm start` runs it. */
export type Service = {
  child: ChildProcess;
  url: string;
  /** The key that it printed; undefined when it made none. */
  key: string | undefined;
  /** Everything that it has written so far. */
  output: () => string;
  /** Resolves when its output has this text. Rejects when it ends without. */
  printed: (text: string) => Promise<void>;
  /** Sends the signal and resolves with the exit code once it has ended; null when the signal ended it. */
  end: (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => Promise<number | null>;
};

/** A process whose start failed. */
export type FailedStart = { code: number | null; output: string };

const running = new Set<ChildProcess>();

/** Ends every process that is still running, however its test went. */
export const endServices = async (): Promise<void> => {
  const ended = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ended);
};

/**
 * The embedded database's machine code stays as it is first compiled: to optimize it is half of the processor time of a start,
 * and no test has its service long enough to get that back.
 */
const shortLived = ['--liftoff-only'];

const nodeOf = (...words: string[]) => [process.execPath, ...shortLived, start, ...words];

const spawnService = (environment: Record<string, string>, [command, ...words] = nodeOf()) => {
  // Nothing of this process's settings: a test says all that its service has.
  const child = spawn(command!, words, {
    env: { ...forPrograms(), PORT: '0', DOKIMA_DEMO: 'off', ...environment },
    // Anywhere but in the repository: a program must find its own files wherever it is started.
    ...(command === process.execPath && { cwd: tmpdir() }),
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const watch of watchers) watch();
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const printed = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const watch = () => output.includes(text) && settle(resolve);
      const settle = (action: () => void) => {
        watchers.delete(watch);
        action();
      };
      watchers.add(watch);
      watch();
      void ended.then((code) =>
        settle(() => reject(new Error(`Ended with ${code} without '${text}':\n${output}`))),
      );
    });
  return { child, ended, printed, output: () => output };
};

/** Starts a process that must come up, on its own port. */
export const startService = async (
  environment: Record<string, string>,
  command?: string[],
): Promise<Service> => {
  const { child, ended, printed, output } = spawnService(environment, command);
  await printed('Database ');
  return {
    child,
    url: /Dokima +(http\S+)/.exec(output())![1]!,
    key: /API key +(ak_\S+)/.exec(output())?.[1],
    output,
    printed,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
};

/** The real process that only scores, as `npm run worker` runs it. */
export type WorkerProcess = Pick<Service, 'child' | 'output'> & {
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
};

/** Starts a process that only scores, on the server database of `environment`. */
export const startWorkerProcess = async (environment: Record<string, string>): Promise<WorkerProcess> => {
  const { child, ended, printed, output } = spawnService(environment, nodeOf('worker'));
  await printed('scoring with');
  return {
    child,
    output,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
};

/** Starts a process that must refuse to. */
export const failToStart = async (environment: Record<string, string>): Promise<FailedStart> => {
  const { ended, output } = spawnService(environment);
  return { code: await ended, output: output() };
};

/**
 * Where a service keeps its data, on the engine of this run of the suite: the settings that name it, and what removes it. On a
 * server it is a migrated database, as the embedded one's directory is a copy of a migrated one, or an empty one.
 */
export const createStorage = async (
  content: 'migrated' | 'empty' = 'migrated',
): Promise<{
  settings: { DOKIMA_DATA_DIR: string; DATABASE_URL?: string };
  remove: () => Promise<void>;
}> => {
  const directory = await mkdtemp(join(tmpdir(), 'dokima-test-'));
  const database = engine === 'server' ? await createServerDatabase(content) : undefined;
  return {
    settings: { DOKIMA_DATA_DIR: directory, ...(database && { DATABASE_URL: database.url }) },
    remove: async () => {
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Calls a service under /api/v2. Rejects when it is not there or leaves the request without an answer. */
export const callService = async (
  { url, key }: { url: string; key: string | undefined },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: as in harness.ts, tests read answers of every shape.
  return { status: response.status, body: JSON.parse(text) as any };
};
