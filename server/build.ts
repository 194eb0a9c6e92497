import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildGuide } from '../web/build-guide.ts';
import { buildPrograms } from './build-programs.ts';
import { prepareEmbedded } from './src/platform/db/prepare-embedded.ts';

const web = fileURLToPath(new URL('../web/', import.meta.url));

/** The script and the styles of every page take the slowest and smallest compression: 15 % less. */
const brotli = (name: string, text: Buffer): Promise<Buffer> =>
  promisify<Buffer, object, Buffer>(brotliCompress)(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: /^assets\/index-/.test(name) ? 11 : 9 },
  });

/** Writes compressed copies beside each file that is text, so that the service need not compress. Browsers take Brotli over TLS and on localhost. */
const compress = async (directory: string): Promise<void> => {
  const paths = (await readdir(directory, { recursive: true })).filter((path) =>
    /\.(html|js|css|svg|md|json|txt)$/.test(path),
  );
  for (const name of paths) {
    const path = join(directory, name);
    const text = await readFile(path);
    await writeFile(`${path}.gz`, await promisify<Buffer, Buffer>(gzip)(text));
    if (name.startsWith('assets/')) await writeFile(`${path}.br`, await brotli(name, text));
  }
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
