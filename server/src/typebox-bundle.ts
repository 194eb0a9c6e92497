import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What the service imports of TypeBox, and the files of it in the bundle. */
const entries: Record<string, string> = {
  typebox: 'typebox.js',
  'typebox/compile': 'compile.js',
  'typebox/system': 'system.js',
};

const typebox = join(dirname(createRequire(import.meta.url).resolve('typebox')), '..');
const { version } = JSON.parse(readFileSync(join(typebox, 'package.json'), 'utf8')) as { version: string };
const ofThisVersion = fileURLToPath(
  new URL(`../../node_modules/.cache/dokima/typebox-${version}`, import.meta.url),
);

/** All of it or none: a part of TypeBox from elsewhere would be a second TypeBox, with settings of its own. */
const isWhole = (directory: string): boolean =>
  Object.values(entries).every((file) => existsSync(join(directory, file)));

/**
 * TypeBox comes in 683 small modules: half of what the service loads, and a third of the time of its start. Writes them as
 * a few files, unless they are there. Does nothing in an install without development dependencies.
 */
export const bundleTypeBox = async (directory = ofThisVersion): Promise<void> => {
  if (isWhole(directory)) return;
  const vite = await import('vite').catch(() => undefined);
  if (!vite) return;
  const partial = `${directory}.${process.pid}`;
  const input = Object.fromEntries(
    Object.entries(entries).map(([name, file]) => [
      file.slice(0, -3),
      fileURLToPath(import.meta.resolve(name)),
    ]),
  );
  await vite.build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: partial,
      emptyOutDir: true,
      // Else named after the package.json of wherever this is run.
      rolldownOptions: { input, output: { entryFileNames: '[name].js' } },
    },
  });
  // What another version of the service bundled of the same TypeBox may lack some.
  await rm(directory, { recursive: true, force: true });
  // Another process may have been faster.
  await rename(partial, directory).catch(() => rm(partial, { recursive: true }));
};

/** Has this process load TypeBox from the bundle, if there is one. */
export const loadTypeBoxBundled = (directory = ofThisVersion): void => {
  if (!isWhole(directory)) return;
  registerHooks({
    resolve: (specifier, context, next) => {
      const file = Object.hasOwn(entries, specifier) ? entries[specifier] : undefined;
      if (!file) return next(specifier, context);
      return { url: pathToFileURL(join(directory, file)).href, format: 'module', shortCircuit: true };
    },
  });
};
