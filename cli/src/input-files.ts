import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Paths of the files that a command reads: `-` is standard input, kept as a file as long as the command runs. */
export const inputFiles = (stdin: NodeJS.ReadableStream, directory: string) => {
  let made: string | undefined;
  let path: Promise<string> | undefined;
  const keep = async (): Promise<string> => {
    made = await mkdtemp(join(tmpdir(), 'dokima-stdin-'));
    const file = join(made, 'stdin');
    await pipeline(stdin, createWriteStream(file, { mode: 0o600 }));
    return file;
  };
  return {
    pathOf: (name: string): Promise<string> => {
      if (name !== '-') return Promise.resolve(resolve(directory, name));
      path ??= keep();
      return path;
    },
    remove: async (): Promise<void> => {
      if (made !== undefined) await rm(made, { recursive: true, force: true });
    },
  };
};
