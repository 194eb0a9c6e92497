import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')) as {
  version: string;
};

/** An empty database of this PGlite version, made once while installing so that the first start need not run initdb. */
export const preparedDirectory = fileURLToPath(
  new URL(`../../../node_modules/.cache/dokima/pglite-${version}`, import.meta.url),
);

/** Makes an empty database at `path`. It is renamed into place, so it is there whole or not at all. */
export const createEmptyDatabase = async (path: string): Promise<void> => {
  const { PGlite } = await import('@electric-sql/pglite');
  const partial = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await (await PGlite.create({ dataDir: partial })).close();
  await rename(partial, path).catch(() => rm(partial, { recursive: true }));
};

if (import.meta.main) {
  const done = await stat(preparedDirectory).catch(() => undefined);
  if (!done) await createEmptyDatabase(preparedDirectory);
}
