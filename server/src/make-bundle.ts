import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import {
  bundleName,
  cache,
  contentOf,
  type Fingerprint,
  findBundle,
  fingerprint,
  type Manifest,
  manifestIn,
  root,
} from './bundle.js';

const entry = fileURLToPath(new URL('./programs.ts', import.meta.url));
/** Of the packages, these change with every installation that changes one; their files are not looked at. */
const installed = ['package-lock.json', 'node_modules/.package-lock.json']
  .map((path) => join(root, path))
  .filter((path) => existsSync(path));

/** Modules look for files beside them, and for packages from where they are: in a bundle they still say where that is. */
const saysWhere = (code: string, path: string): string =>
  code
    .replaceAll('import.meta.url', () => JSON.stringify(pathToFileURL(path).href))
    .replaceAll(/\b__dirname\b/g, () => JSON.stringify(dirname(path)))
    .replaceAll(/\b__filename\b/g, () => JSON.stringify(path));

/** Node's own modules: `import` would evaluate all that they export, of node:http even a client of WebSockets. */
const builtin = '\0builtin ';

/** Collects the content of each of our own files that goes into the bundle. */
const reader = (contents: Map<string, string>): Plugin => ({
  name: 'dokima',
  enforce: 'pre',
  resolveId: (name, importer, { kind }) => {
    if (importer?.startsWith('\0')) return undefined;
    if (isBuiltin(name) && kind === 'import-statement') return builtin + name;
    // What is loaded on demand stays where it is.
    return kind === 'dynamic-import' && /^[@\w]/.test(name) ? { id: name, external: true } : undefined;
  },
  load: (id) =>
    id.startsWith(builtin)
      ? `module.exports = process.getBuiltinModule('${id.slice(builtin.length)}');`
      : undefined,
  transform: (code, path) => {
    if (path.startsWith('\0')) return undefined;
    if (!path.includes('/node_modules/')) {
      const other = /\bimport\.meta\.(?!url\b)\w+/.exec(code);
      if (other) throw new Error(`${path}: ${other[0]} would be the bundle's.`);
      contents.set(path, contentOf(code));
    }
    return saysWhere(code, path);
  },
});

/** Node keeps text that is all ASCII in half the memory, and reads four megabytes of it in three quarters of the time. */
const inAscii = (code: string): string => {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code))
    throw new Error('An escape in String.raw would be one in its text.');
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
};

const bundle = async (contents: Map<string, string>): Promise<string> => {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [reader(contents)],
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      write: false,
      // One file: nothing of it is loaded later, when another may have taken its place.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return inAscii((built as Rolldown.RolldownOutput).output[0].code);
};

/**
 * Makes one file of the programs and the packages that they load, 1,500 of them, which is most of the time of a start. Throws
 * where the bundler is not installed, and when a source is changed meanwhile.
 */
export const makeBundle = async (directory = cache): Promise<void> => {
  const contents = new Map<string, string>();
  const code = await bundle(contents);
  const madeFrom: Record<string, Fingerprint> = {};
  for (const path of [...contents.keys(), ...installed, fileURLToPath(import.meta.url)]) {
    const now = fingerprint(path);
    if (contents.has(path) && contents.get(path) !== now.content)
      throw new Error(`${path} has just changed.`);
    madeFrom[path] = now;
  }
  // Named by what is in it: a process that has just read the other manifest finds the other file.
  const manifest: Manifest = { file: `${bundleName}-${contentOf(code).slice(0, 12)}.mjs`, madeFrom };
  await mkdir(directory, { recursive: true });
  const write = async (path: string, text: string) => {
    const partial = `${path}.${process.pid}`;
    await writeFile(partial, text);
    await rename(partial, path);
  };
  await write(join(directory, manifest.file), code);
  await write(manifestIn(directory), JSON.stringify(manifest));
  for (const name of await readdir(directory)) {
    if (name.startsWith(`${bundleName}-`) && name !== manifest.file)
      await rm(join(directory, name), { force: true });
  }
};

if (import.meta.main && !findBundle()) await makeBundle();
