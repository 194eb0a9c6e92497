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

if (import.meta.main) {
  const done = await stat(preparedDirectory).catch(() => undefined);
  if (!done) {
    const { PGlite } = await import('@electric-sql/pglite');
    const partial = `${preparedDirectory}.${process.pid}`;
    await mkdir(dirname(preparedDirectory), { recursive: true });
    await (await PGlite.create({ dataDir: partial })).close();
    await rename(partial, preparedDirectory).catch(() => rm(partial, { recursive: true }));
  }
}
