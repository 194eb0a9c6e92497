import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from '../types.ts';

export type Access = { url: string; apiKey: string };

/** Returns the program `dokima`: DOKIMA_COMMAND, else that of an npm package above this directory, else the one on the PATH. */
const commandOf = ({ DOKIMA_COMMAND, PATH = '' }: Environment, directory: string): string[] | undefined => {
  if (DOKIMA_COMMAND) return DOKIMA_COMMAND.split(/\s+/);
  const places: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    places.push(join(at, 'node_modules/.bin/dokima'));
    if (at === dirname(at)) break;
  }
  for (const folder of PATH.split(delimiter)) if (folder) places.push(join(folder, 'dokima'));
  const found = places.find((path) => existsSync(path));
  return found === undefined ? undefined : [found];
};

/** Resolves with the line in which the service says where it is. Nothing of the child keeps this program alive. */
const accessOf = (child: ChildProcess): Promise<Access> =>
  new Promise((resolve, reject) => {
    let [said, wrong] = ['', ''];
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (!said.includes('\n')) return;
      resolve(JSON.parse(said.slice(0, said.indexOf('\n'))) as Access);
      child.unref();
      for (const stream of [child.stdin, child.stdout, child.stderr])
        (stream as unknown as { unref: () => void }).unref();
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (wrong += text));
    child.once('error', ({ message }) =>
      reject(new Error(`dokima does not start: ${message}. Correct DOKIMA_COMMAND, or install dokima.`)),
    );
    child.once('close', () => reject(new Error(`No service could be started. ${wrong.trim()}`)));
  });

let only: Promise<Access> | undefined;

/**
 * Starts `dokima serve --temporary` in the background, once for the whole program. It ends with the program, whose pipe to it then ends.
 * Uses the service that `dokima eval` has started, if there is one. Returns undefined without the command.
 */
export const ownService = (env: Environment, directory: string): Promise<Access> | undefined => {
  if (env.DOKIMA_TEMPORARY) return Promise.resolve(JSON.parse(env.DOKIMA_TEMPORARY) as Access);
  if (only) return only;
  const [command, ...words] = commandOf(env, directory) ?? [];
  if (command === undefined) return undefined;
  only = accessOf(spawn(command, [...words, 'serve', '--temporary'], { stdio: 'pipe' }));
  // Who asks for it sees the failure; a program that has failed before does not end with two.
  only.catch(() => {
    only = undefined;
  });
  return only;
};
