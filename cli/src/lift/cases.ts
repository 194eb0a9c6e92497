import { existsSync, lstatSync, statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { textIn } from '../document.ts';
import { CliError } from '../errors.ts';
import { digestOf } from './arms.ts';

/** A task for the agent, and the check that says whether it is solved. */
export type Case = {
  name: string;
  prompt: string;
  /** Folder whose files the agent finds; undefined if it starts in an empty one. */
  workspace: string | undefined;
  /** Folder whose files come in after the agent ended; the check is one of them, or stands alone. */
  hidden: string | undefined;
  /** Path of the program that checks. */
  check: string;
  digest: string;
};

/** How a check is run, by its ending. Any other file is run itself. */
const interpreters: Record<string, string[]> = {
  '.sh': ['sh'],
  '.py': ['python3'],
  '.js': ['node'],
  '.mjs': ['node'],
  '.cjs': ['node'],
  '.ts': ['node'],
  '.mts': ['node'],
};

/** Returns the words that run a check at a path. */
export const checkWords = (path: string): string[] => [...(interpreters[extname(path)] ?? []), path];

const programIn = (folder: string, files: readonly string[]): string | undefined => {
  const found = files.filter((file) => file === 'check' || /^check\.[a-z]+$/.test(file));
  if (found.length > 1)
    throw new CliError(`${folder} has several checks: ${found.join(', ')}.`, 'Keep one of them.');
  return found[0] && join(folder, found[0]);
};

const readCase = async (folder: string): Promise<Case> => {
  const entries = await readdir(folder, { withFileTypes: true });
  // A link to a folder is that folder, and one to nothing is no empty workspace.
  const has = (name: string) =>
    entries.some((entry) => entry.name === name && statSync(join(folder, name)).isDirectory());
  const hidden = has('check') ? await realpath(join(folder, 'check')) : undefined;
  const files = hidden
    ? await readdir(hidden)
    : entries.filter(({ name }) => !has(name)).map(({ name }) => name);
  const check = programIn(hidden ?? folder, files);
  if (check === undefined)
    throw new CliError(
      `The case ${basename(folder)} has no check.`,
      'Its check is a program: check.sh, check.py, check.js or check/check.sh. Exit code 0 says that the task is solved.',
    );
  const promptFile = join(folder, 'prompt.md');
  const prompt = (await textIn(promptFile)).trim();
  if (prompt === '')
    throw new CliError(`${promptFile} is empty.`, 'Write what the agent is asked to do into it.');
  const workspace = has('workspace') ? await realpath(join(folder, 'workspace')) : undefined;
  const parts = [promptFile, hidden ?? check, ...(workspace ? [workspace] : [])];
  return {
    name: basename(folder),
    prompt,
    workspace,
    hidden,
    check,
    digest: await digestOf(...parts),
  };
};

/** Whether a folder, or what a link leads to, has a prompt, readable or not. A case that is left out in silence would change the answer. */
const isCase = (folder: string): boolean =>
  statSync(folder).isDirectory() &&
  lstatSync(join(folder, 'prompt.md'), { throwIfNoEntry: false }) !== undefined;

/** Reads the cases of a folder: each folder in it with a `prompt.md`. */
export const readCases = async (folder: string, only: readonly string[]): Promise<Case[]> => {
  if (!existsSync(folder))
    throw new CliError(`There is no folder ${folder}.`, 'dokima lift --init DIR makes one with an example.');
  const names = (await readdir(folder, { withFileTypes: true }))
    .map(({ name }) => name)
    .filter((name) => isCase(join(folder, name)))
    .toSorted();
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new CliError(`There is no case ${unknown.join(', ')}.`, `There are: ${names.join(', ')}`);
  const chosen = only.length > 0 ? only : names;
  if (chosen.length === 0)
    throw new CliError(
      `${folder} has no cases.`,
      'A case is a folder with prompt.md, a check, and often a workspace/. dokima lift --init DIR makes an example.',
    );
  return Promise.all(chosen.map((name) => readCase(join(folder, name))));
};
