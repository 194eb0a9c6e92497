// Starts the packaged service once, so that Node's compile cache and the image of the Python interpreter are there.
// Exits with 1 if the service does not answer. Runs in the directory of the package.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(join(process.cwd(), 'server/src', path)).href);
const { keptImage } = await load('engine/sandbox/kept-image.js');
const { python } = await load('engine/sandbox/programs.js');
await keptImage(python(256 * 1024 ** 2), AbortSignal.timeout(120_000));

const data = mkdtempSync(join(tmpdir(), 'dokima-'));
process.once('exit', () => rmSync(data, { recursive: true }));
Object.assign(process.env, {
  PORT: '3000',
  HOST: '127.0.0.1',
  DOKIMA_DATA_DIR: data,
  DOKIMA_LOG_LEVEL: 'silent',
});
await load('../start.js');
const isReady = () =>
  fetch('http://127.0.0.1:3000/readyz').then(
    ({ ok }) => ok,
    () => false,
  );
const end = Date.now() + 60_000;
while (!(await isReady())) {
  if (Date.now() > end) throw new Error('The service did not answer within a minute.');
  await new Promise((resolve) => setTimeout(resolve, 200));
}
process.kill(process.pid, 'SIGTERM');
