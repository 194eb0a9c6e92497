import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { buildGuide } from '../web/build-guide.ts';
import { buildPrograms } from './build-programs.ts';
import { prepareEmbedded } from './src/platform/db/prepare-embedded.ts';

const web = fileURLToPath(new URL('../web/', import.meta.url));

/** Writes a compressed copy beside each file that is text, so that the service need not compress. */
const compress = async (directory: string): Promise<void> => {
  const paths = (await readdir(directory, { recursive: true })).filter((path) =>
    /\.(html|js|css|svg|md|json|txt)$/.test(path),
  );
  for (const path of paths.map((name) => join(directory, name)))
    await writeFile(`${path}.gz`, await promisify<Buffer, Buffer>(gzip)(await readFile(path)));
};

/** Builds the web pages and the guide into web/dist. Throws when vite fails. */
export const buildWeb = async (): Promise<void> => {
  const bin = join(
    dirname(createRequire(join(web, 'package.json')).resolve('vite/package.json')),
    'bin/vite.js',
  );
  const vite = spawn(process.execPath, [bin, 'build', '--logLevel', 'warn'], {
    cwd: web,
    // Tests have NODE_ENV=test, which would build React for development.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(vite, 'exit');
  if (code !== 0) throw new Error(`vite build ended with ${code}`);
  await buildGuide(join(web, 'dist'));
  await compress(join(web, 'dist'));
};

// `npm run build`: everything that the first start would otherwise wait for.
if (import.meta.main) await Promise.all([buildPrograms(), prepareEmbedded(), buildWeb()]);
