import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '../../../client/src/main.ts';
import { parseAnswer } from '../../../client/src/written-number.ts';
import { CliError } from '../errors.ts';

/** The program that starts the service and its other programs. */
export const program = fileURLToPath(new URL('../../bin/dokima.js', import.meta.url));

/** A service that lives as long as one command. */
export type OwnService = {
  url: string;
  apiKey: string;
  client: Client;
  /** The link that signs a person in, once. */
  signIn: string | undefined;
  /** Resolves when the service ends, for whatever reason. */
  closed: Promise<unknown>;
  end: () => Promise<void>;
};

/** Resolves with the addresses that the service prints. Rejects with its own words if it ends before. */
const addressesOf = (child: ReturnType<typeof start>): Promise<{ url: string; signIn: string | undefined }> =>
  new Promise((resolve, reject) => {
    let said = '';
    const hear = (text: string) => {
      said += text;
      const [, url] = /^ *Dokima +(http\S+)$/m.exec(said) ?? [];
      if (url) resolve({ url, signIn: /^ *Sign in +(http\S+)$/m.exec(said)?.[1] });
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('error', reject);
    child.once('close', () => reject(new CliError(`The files can't be read by a service. ${said.trim()}`)));
  });

const start = (
  directory: string,
  key: string,
  { PATH, HOME, TMPDIR }: NodeJS.ProcessEnv,
  settings: NodeJS.ProcessEnv,
) =>
  // V8 would spend half of a short life on optimizing the database's program. The young generation is that of npm start.
  spawn(execPath, ['--liftoff-only', '--min-semi-space-size=16', program, 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // None of the person's settings: they are for a service that stays.
    env: {
      PATH,
      HOME,
      ...(TMPDIR !== undefined && { TMPDIR }),
      HOST: '127.0.0.1',
      PORT: '0',
      DOKIMA_DATA_DIR: directory,
      DOKIMA_BOOTSTRAP_API_KEY: key,
      DOKIMA_DEMO: 'off',
      DOKIMA_PAGES: 'off',
      DOKIMA_WORKERS: '0',
      ...settings,
    },
  });

const memory = '/dev/shm';
/** The database of a small comparison is 50 MB; the rest is for what else the machine does. */
const neededBytes = 2 * 1024 ** 3;

/**
 * Returns where the data of a service that does not stay is written: the file system in memory, where there is one with room. Copying the
 * prepared database there takes a quarter of the processor time, and waits for no disk.
 */
export const placeFor = async ({ TMPDIR }: NodeJS.ProcessEnv, isLarge: boolean): Promise<string> => {
  if (TMPDIR !== undefined || isLarge || freemem() < 2 * neededBytes) return TMPDIR ?? tmpdir();
  try {
    const { bavail, bsize } = await statfs(memory);
    await access(memory, constants.W_OK);
    return bavail * bsize > neededBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
};

/** Ends the program with the code of a signal that would end it without the listeners of `exit`. */
const exitOn: Record<string, () => never> = {
  SIGTERM: () => process.exit(143),
  SIGHUP: () => process.exit(129),
};

/**
 * Starts a service of the command's own, with the embedded database in a temporary directory. Unless `settings` say otherwise it
 * scores nothing. Nothing of it stays: `end` kills it and deletes the directory. `isLarge` says that its data is too much for memory.
 * It ends, and so do its requests, when `signal` aborts.
 */
export const startOwnService = async (
  environment: NodeJS.ProcessEnv,
  {
    settings = {},
    isLarge = false,
    signal,
  }: { settings?: NodeJS.ProcessEnv; isLarge?: boolean; signal?: AbortSignal } = {},
): Promise<OwnService> => {
  signal?.throwIfAborted();
  const directory = await mkdtemp(join(await placeFor(environment, isLarge), 'dokima-files-'));
  const key = `ak_${randomBytes(24).toString('base64url')}`;
  const child = start(directory, key, environment, settings);
  const kill = () => child.kill('SIGKILL');
  const leave = () => {
    kill();
    // 45 MB of memory, where the system has its files there.
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', leave);
  for (const [name, exit] of Object.entries(exitOn)) process.on(name, exit);
  signal?.addEventListener('abort', kill);
  const closed = once(child, 'close');
  const end = async () => {
    kill();
    await closed.catch(() => {});
    process.removeListener('exit', leave);
    for (const [name, exit] of Object.entries(exitOn)) process.removeListener(name, exit);
    signal?.removeEventListener('abort', kill);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const { url, signIn } = await addressesOf(child);
    const client = createClient({ baseUrl: url, apiKey: key, signal }, parseAnswer);
    return { url, apiKey: key, client, signIn, closed, end };
  } catch (error) {
    await end();
    signal?.throwIfAborted();
    throw error;
  }
};
