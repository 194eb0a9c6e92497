import { readdirSync, statSync } from 'node:fs';
import { rename, rm, utimes } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';

const server = fileURLToPath(new URL('.', import.meta.url));
const repository = join(server, '..');
const dist = join(server, 'dist');

/** Looks for its files beside its code. */
const external = [/^@electric-sql\/pglite/];

/** Threads that are built too: that of the statistics has 100 modules, and that of the database is in each start. */
const threads = ['compute-worker', 'embedded-worker'];

/** Other threads, processes and files are found from the source that names them, wherever its code is now. */
const keepPlaces: Plugin = {
  name: 'keep places',
  transform: (code, id) => {
    if (!id.startsWith(repository) || id.includes('node_modules')) return null;
    const path = JSON.stringify(relative(dist, id).replaceAll('\\', '/'));
    const placed = code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`);
    return threads.reduce(
      (text, name) =>
        text.replaceAll(
          `new URL('./${name}.ts', new URL(${path}, import.meta.url).href)`,
          `new URL('./${name}.js', import.meta.url)`,
        ),
      placed,
    );
  },
};

/** `import it, { a as b } from "node:http";` as a chunk has it. */
const importOfBuiltin =
  /^import (?:\* as )?(\w[\w$]*)?(?:, )?(\{[^}]*\})? from "(?:node:)?([a-z_0-9/]+)";$/gm;

/**
 * Takes the object of a module of Node instead of its namespace. A namespace reads each member, also those that load what they need at the first
 * look: an import of `node:http` loads the whole of fetch, which is as much work as all else that `dokima --help` does.
 */
const plainBuiltins: Plugin = {
  name: 'plain builtins',
  renderChunk: (code) =>
    code.replaceAll(importOfBuiltin, (statement, whole?: string, members?: string, name = '') => {
      if (!isBuiltin(name)) return statement;
      const given = `process.getBuiltinModule("node:${name}")`;
      const parts = [whole, members?.replaceAll(' as ', ': ')].filter((part) => part !== undefined);
      return parts.length === 0
        ? statement
        : `const ${parts.map((part) => `${part} = ${given}`).join(', ')};`;
    }),
};

/**
 * Builds the service, the worker and the command line into server/dist: their 1,700 modules in 40 files, because looking modules up
 * one by one is half of the processor time of a start. In a clone the command line runs its sources, which are its newest.
 */
export const buildPrograms = async (): Promise<void> => {
  const begun = new Date();
  // Not at the start of a program that is built: it would take longer than the rest.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: {
      main: join(server, 'src/main.ts'),
      worker: join(server, 'src/worker.ts'),
      cli: join(repository, 'cli/src/main.ts'),
      'compute-worker': join(server, 'src/insights/analysis/compute-worker.ts'),
      'embedded-worker': join(server, 'src/platform/db/embedded-worker.ts'),
    },
    platform: 'node',
    external,
    plugins: [keepPlaces, plainBuiltins],
    logLevel: 'silent',
  });
  const partial = `${dist}.${process.pid}`;
  await bundle.write({ dir: partial, format: 'esm' });
  await bundle.close();
  // A source that was changed during the build is newer.
  await utimes(partial, begun, begun);
  await rm(dist, { recursive: true, force: true });
  // Another process may have been faster.
  await rename(partial, dist).catch(() => rm(partial, { recursive: true }));
};

/** When a path, or what is below it, was last changed. 0 if it does not exist. */
const changedMs = (path: string): number => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  const below = readdirSync(path, { recursive: true }) as string[];
  return below.reduce((latest, name) => Math.max(latest, statSync(join(path, name)).mtimeMs), stat.mtimeMs);
};

const sources = ['build-programs.ts', 'src', '../client/src', '../jinja/src', '../package-lock.json'];

/** Builds the programs again if a source was changed since. So an edit counts at the next start. */
export const freshPrograms = async (): Promise<void> => {
  const builtMs = statSync(dist, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sources.some((path) => changedMs(join(server, path)) >= builtMs)) await buildPrograms();
};
