// @ts-check
import { spawn } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { findBundle } from './bundle.js';

/** By then a start is over, and a program that only ran shortly has ended. */
const bundleAfterMs = 10_000;

const bundleLater = () => {
  setTimeout(() => {
    const program = fileURLToPath(new URL('./make-bundle.ts', import.meta.url));
    spawn(process.execPath, [program], { stdio: 'ignore' })
      .on('error', () => {})
      .unref();
  }, bundleAfterMs).unref();
};

/**
 * Loads the programs from their bundle, or from the sources where there is none or they have changed since it was made: then
 * it is made anew, later and for the next start.
 * @returns {Promise<typeof import('./programs.ts')>}
 */
export const loadPrograms = async () => {
  // What is compiled at the first start need not be again. Before anything else is loaded, hence no import above of what is large.
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dokima/compiled', import.meta.url)));
  const bundle = findBundle();
  if (!bundle) bundleLater();
  return import(bundle ?? './programs.ts');
};
