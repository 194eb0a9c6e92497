import { readdirSync, statSync } from 'node:fs';
import { rename, rm, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';

const server = fileURLToPath(new URL('.', import.meta.url));
const repository = join(server, '..');
const dist = join(server, 'dist');

/** Packages that look for their files beside their code. */
const external = [/^@electric-sql\/pglite/, /^@fastify\/swagger-ui/, /^pino/];

/** The thread of the statistics has 100 modules, so it is built too. */
const computing = 'compute-worker';

/** Other threads, processes and files are found from the source that names them, wherever its code is now. */
const keepPlaces: Plugin = {
  name: 'keep places',
  transform: (code, id) => {
    if (!id.startsWith(repository) || id.includes('node_modules')) return null;
    const ofThread = `new URL('./${computing}.ts', import.meta.url)`;
    if (code.includes(ofThread))
      return code.replace(ofThread, `new URL('./${computing}.js', import.meta.url)`);
    const path = JSON.stringify(relative(dist, id).replaceAll('\\', '/'));
    return code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`);
  },
};

/**
 * Builds the service and the worker into server/dist: their 1,500 modules in 30 files, because looking modules up one by one is
 * half of the processor time of a start.
 */
export const buildPrograms = async (): Promise<void> => {
  const begun = new Date();
  // Not at the start of a program that is built: it would take longer than the rest.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: {
      main: join(server, 'src/main.ts'),
      worker: join(server, 'src/worker.ts'),
      [computing]: join(server, 'src/insights/analysis', `${computing}.ts`),
    },
    platform: 'node',
    external,
    plugins: [keepPlaces],
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
