import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../../platform/cache.ts';
import { packageDirectory } from './programs.ts';
import { makeImage, type Program } from './sandbox-process.ts';

const hashBytes = 32;
const hashOf = (image: Buffer): Buffer => hash('sha256', image, 'buffer');

/** Hash of everything that an image depends on: the interpreter, the code that it runs, and the version of Node. */
const fingerprint = (imageScript: URL): string => {
  const made = createHash('sha256').update(process.version);
  made.update(readFileSync(join(packageDirectory('pyodide'), 'package.json')));
  const directory = new URL('.', imageScript);
  for (const name of readdirSync(directory).sort())
    made.update(name).update(readFileSync(new URL(name, directory)));
  return made.digest('hex').slice(0, 16);
};

/** Returns the image that a file holds after its hash; undefined when the file is missing or damaged. */
const readKept = async (file: string): Promise<Buffer | undefined> => {
  const kept = await readFile(file).catch(() => undefined);
  const image = kept?.subarray(hashBytes);
  return kept && image && hashOf(image).equals(kept.subarray(0, hashBytes)) ? image : undefined;
};

/**
 * Returns the image of a program; empty for a program without one. Making an image takes four seconds, so it is kept in a file beside the
 * installed packages; if that file can't be written, each start makes the image again.
 */
export const keptImage = async (
  program: Program,
  signal: AbortSignal,
  directory: string = cacheDirectory,
): Promise<Buffer> => {
  if (!program.imageScript) return Buffer.alloc(0);
  const file = join(directory, `python-${fingerprint(program.imageScript)}.image`);
  const kept = await readKept(file);
  if (kept) return kept;
  const image = await makeImage(program, signal);
  const partial = `${file}.${process.pid}`;
  await mkdir(directory, { recursive: true })
    .then(() => writeFile(partial, Buffer.concat([hashOf(image), image])))
    .then(() => rename(partial, file))
    .catch(() => {});
  return image;
};
