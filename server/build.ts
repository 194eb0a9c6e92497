import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareEmbedded } from './src/platform/db/prepare-embedded.ts';

const web = fileURLToPath(new URL('../web/', import.meta.url));

/** Builds the web pages into web/dist. Throws when vite fails. */
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
};

// `npm run build`: everything that the first start would otherwise wait for.
if (import.meta.main) await Promise.all([prepareEmbedded(), buildWeb()]);
