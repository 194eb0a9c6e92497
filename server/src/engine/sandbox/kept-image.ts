import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../../platform/cache.ts';
import { packageDirectory } from './programs.ts';
import { makeImage, type Program } from './sandbox-process.ts';

const hashBytes = 32;
const hashOf = (image: Buffer): Buffer => hash('sha256', image, 'buffer');

/** Of what an image is made of: the interpreter, what it is told, and the Node that runs it. */
const fingerprint = (imageScript: URL): string => {
  const made = createHash('sha256').update(process.version);
  made.update(readFileSync(join(packageDirectory('pyodide'), 'package.json')));
  const directory = new URL('.', imageScript);
  for (const name of readdirSync(directory).sort())
    made.update(name).update(readFileSync(new URL(name, directory)));
  return made.digest('hex').slice(0, 16);
};

/** The image that a file holds behind its hash. Undefined without a file, and for one that is not as it was written. */
const readKept = async (file: string): Promise<Buffer | undefined> => {
  const kept = await readFile(file).catch(() => undefined);
  const image = kept?.subarray(hashBytes);
  return kept && image && hashOf(image).equals(kept.subarray(0, hashBytes)) ? image : undefined;
};

/**
 * The image of a program, made in four seconds by whoever needs it first after an install, and then read from a file beside the
 * installed packages. Where that can't be written it is made anew at each start. Empty for a program that has none.
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
