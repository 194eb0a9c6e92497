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
const directory = fileURLToPath(
  new URL(`../../node_modules/.cache/dokima/typebox-${version}`, import.meta.url),
);

/**
 * TypeBox comes in 683 small modules: half of what the service loads, and a third of the time of its start. Writes them as
 * a few files, unless they are there. Does nothing in an install without development dependencies.
 */
export const bundleTypeBox = async (): Promise<void> => {
  if (existsSync(directory)) return;
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
    build: { ssr: true, outDir: partial, emptyOutDir: true, rolldownOptions: { input } },
  });
  // Another process may have been faster.
  await rename(partial, directory).catch(() => rm(partial, { recursive: true }));
};

/** Has this process load TypeBox from the bundle, if there is one. */
export const loadTypeBoxBundled = (): void => {
  if (!existsSync(directory)) return;
  registerHooks({
    resolve: (specifier, context, next) => {
      const file = Object.hasOwn(entries, specifier) ? entries[specifier] : undefined;
      if (!file) return next(specifier, context);
      return { url: pathToFileURL(join(directory, file)).href, format: 'module', shortCircuit: true };
    },
  });
};
