import { type ChildProcess, spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../../client/src/main.ts';
import { isObject } from '../../client/src/tables/table.ts';
import { parseAsWritten } from '../../client/src/written-number.ts';
import type { Option, Values } from './command.ts';
import { CliError } from './errors.ts';
import { patientFetch } from './patient-fetch.ts';

/** A program outside the service that takes a JSON object and returns a JSON value: a system under test, or a judge. */
export type External = (input: JsonObject, signal: AbortSignal) => Promise<unknown>;

export const externalOptions: Record<string, Option> = {
  command: {
    type: 'string',
    value: 'LINE',
    about: 'Shell command that reads JSON from stdin and prints its answer.',
  },
  endpoint: {
    type: 'string',
    value: 'URL',
    about: 'HTTP endpoint that gets a POST with JSON and answers with JSON.',
  },
  module: {
    type: 'string',
    value: 'FILE',
    about: 'JavaScript or TypeScript module whose default export is a function.',
  },
  retries: { type: 'string', value: 'N', about: 'Further attempts after a call failed. Default 2.' },
  'call-timeout': { type: 'string', value: 'SECONDS', about: 'Time limit of one attempt. Default 120.' },
  concurrency: {
    type: 'string',
    short: 'c',
    value: 'N',
    about: 'Number of calls at the same time. Default 4.',
  },
};

/** Reads what a program said. A media type of JSON means that all of it is JSON. */
export type ReadAnswer = (text: string, isJson: boolean) => unknown;

/**
 * Reads the outputs of a system: a list or an object digit by digit, and any other text as it is. `4` may be what an answer says, so
 * it is a number only if the system calls it JSON.
 */
export const readOutputs: ReadAnswer = (text, isJson) => {
  if (!isJson && !/^\s*[[{]/.test(text)) return text.trimEnd();
  try {
    return parseAsWritten(text);
  } catch {
    return text.trimEnd();
  }
};

/** Reads a judge's verdict: JSON if it is, else text. */
export const readVerdict: ReadAnswer = (text) => {
  try {
    return parseAsWritten(text);
  } catch {
    return text.trimEnd();
  }
};

const killProcessGroup = (child: ChildProcess): void => {
  try {
    if (process.platform === 'win32') child.kill();
    else if (child.pid !== undefined) process.kill(-child.pid);
  } catch {
    // The process has already ended.
  }
};

const byCommand =
  (line: string, directory: string, read: ReadAnswer): External =>
  (input, signal) =>
    new Promise((resolvePromise, reject) => {
      // With its own process group, killing the shell also kills what the shell has started.
      const child = spawn(line, { shell: true, cwd: directory, detached: process.platform !== 'win32' });
      const onAbort = () => {
        killProcessGroup(child);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr = (stderr + text).slice(-2_000);
      });
      // A command that does not read its input closes the pipe. That is fine: only its exit code counts.
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(input));
      child.on('error', reject);
      child.on('close', (code, killed) => {
        signal.removeEventListener('abort', onAbort);
        if (code === 0) resolvePromise(read(stdout, false));
        else
          reject(
            new Error(`The command ended with ${killed ?? `exit code ${code}`}. ${stderr.trim()}`.trim()),
          );
      });
    });

const byEndpoint =
  (url: string, read: ReadAnswer): External =>
  async (input, signal) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(input);
    const response = await patientFetch(url, { method: 'POST', headers, body, signal }).catch(
      (error: Error) => {
        // The error itself only says 'fetch failed'; its cause says why.
        const { message, code } = (error.cause ?? error) as { message?: string; code?: string };
        throw new Error(`${url} does not answer: ${message || code}`);
      },
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`);
    return read(text, /\bjson\b/i.test(response.headers.get('content-type') ?? ''));
  };

const byModule = async (path: string, directory: string): Promise<External> => {
  const file = resolve(directory, path);
  await access(file).catch(() => {
    throw new CliError(`There is no file ${file}.`, 'Check the path of --module.');
  });
  const { default: work } = (await import(pathToFileURL(file).href)) as { default?: unknown };
  // A function computes with plain numbers.
  if (typeof work === 'function')
    return async (input, signal) => work(JSON.parse(JSON.stringify(input)), { signal });
  throw new CliError(
    `${path} has no default export that is a function.`,
    'Example: export default async (inputs) => ({ … })',
  );
};

const choose = async (values: Values, directory: string, read: ReadAnswer): Promise<External> => {
  const command = values.text('command');
  const endpoint = values.text('endpoint');
  const module = values.text('module');
  if ([command, endpoint, module].filter((given) => given !== undefined).length !== 1) {
    throw new CliError('Give exactly one of --command, --endpoint and --module.');
  }
  if (command !== undefined) return byCommand(command, directory, read);
  return endpoint !== undefined ? byEndpoint(endpoint, read) : byModule(module!, directory);
};

/** Returns the program that the options name, with retries and a time limit. */
export const externalFrom = async (
  values: Values,
  directory: string,
  read: ReadAnswer,
): Promise<External> => {
  const once = await choose(values, directory, read);
  const retries = values.count('retries', 2, 0);
  const timeoutMs = values.count('call-timeout', 120) * 1_000;
  return async (input, signal) => {
    for (let tries = 0; ; tries++) {
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        return await once(input, AbortSignal.any([signal, limit]));
      } catch (error) {
        signal.throwIfAborted();
        if (tries < retries) continue;
        throw limit.aborted ? new Error(`No answer within ${timeoutMs / 1_000} s.`) : error;
      }
    }
  };
};

/** Converts an answer to the outputs of a record: an object stays as it is, anything else becomes the field `output`. */
export const outputsOf = (answer: unknown): JsonObject =>
  isObject(answer) ? answer : { output: answer ?? null };
