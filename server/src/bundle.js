// @ts-check
import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * What a file holds, and what the file system says of it: while that is the same, the content need not be read.
 * @typedef {{ content: string, state: string }} Fingerprint
 */
/**
 * The file that the bundle is in, and all files that it was made from.
 * @typedef {{ file: string, madeFrom: Record<string, Fingerprint> }} Manifest
 */

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const cache = join(root, 'node_modules/.cache/dokima');
/** One for each directory that is worked in: several may share their node_modules. */
export const bundleName = `programs-${hash('sha256', root).slice(0, 12)}`;
/** @param {string} directory */
export const manifestIn = (directory) => join(directory, `${bundleName}.json`);

/** @param {string | Buffer} text */
export const contentOf = (text) => hash('sha256', text, 'base64url');

/**
 * Nobody can set the time of the last change back, as they can that of the last write.
 * @param {string} path
 */
const stateOf = (path) => {
  const { ino, size, ctimeMs } = statSync(path);
  return `${ino} ${size} ${ctimeMs}`;
};

/**
 * @param {string} path
 * @returns {Fingerprint}
 */
export const fingerprint = (path) => {
  const state = stateOf(path);
  return { state, content: contentOf(readFileSync(path)) };
};

/** @param {[string, Fingerprint]} file */
const isUnchanged = ([path, { content, state }]) =>
  stateOf(path) === state || contentOf(readFileSync(path)) === content;

/** URL of the bundle of the sources as they are now. Undefined where none was made, and when they have changed since. */
export const findBundle = (directory = cache) => {
  try {
    /** @type {Manifest} */
    const { file, madeFrom } = JSON.parse(readFileSync(manifestIn(directory), 'utf8'));
    const path = join(directory, file);
    return Object.entries(madeFrom).every(isUnchanged) && existsSync(path)
      ? pathToFileURL(path).href
      : undefined;
  } catch {
    // No manifest, or a file that is gone.
    return undefined;
  }
};
