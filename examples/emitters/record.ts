import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { fromProtobuf } from '../../server/test/otlp.ts';
import { anonymous, type Recorded } from './anonymous.ts';
import { type Emitter, emitters } from './emitters.ts';
import { openServer } from './model.ts';

/**
 * Runs the program of an emitter against the fake model and writes the spans that it exports.
 * Usage: npm run record-emitters -- [--into FOLDER] [--newest] [NAME …]. Installs packages below the temporary folder.
 * `--newest` installs the newest versions in place of the pinned ones.
 */

const run = promisify(execFile);
const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { into: { type: 'string' }, newest: { type: 'boolean' } },
});
const into = resolve(values.into ?? join(here, 'recorded'));
const installed = join(tmpdir(), values.newest ? 'dokima-emitters-newest' : 'dokima-emitters');

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whether a package is OpenTelemetry's own: their newest versions do not always fit together, and frameworks ask for the ones they need. */
const isCore = (name: string, version: string): boolean =>
  /^@opentelemetry\/|^opentelemetry-(?:api|sdk|exporter)/.test(name) || /b\d+$/.test(version);
/** Longest time of an installation: pip may look for versions that fit for hours. */
const installMs = 900_000;

/** Installs the packages of a folder of programs/ and returns the command that runs its program there. */
const install = async ({ folder, isOld = false }: Emitter): Promise<string[]> => {
  const isNewest = values.newest && !isOld;
  const place = join(installed, folder);
  await mkdir(place, { recursive: true });
  await cp(join(here, 'programs', folder), place, { recursive: true });
  if (await exists(join(place, 'program.mjs'))) {
    const { dependencies } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
    const names = Object.keys(dependencies).filter((name) => !isCore(name, dependencies[name]));
    const newest = isNewest ? names.map((name) => `${name}@latest`) : [];
    await run('npm', ['install', '--no-audit', '--no-fund', '--silent', ...newest], {
      cwd: place,
      timeout: installMs,
    });
    return [process.execPath, join(place, 'program.mjs')];
  }
  await cp(join(here, 'programs/scenario.py'), join(place, 'scenario.py'));
  const python = join(place, 'python/bin/python');
  if (!(await exists(python))) {
    await run('python3', ['-m', 'venv', join(place, 'python')]);
    const pinned = (await readFile(join(place, 'requirements.txt'), 'utf8')).split('\n').filter(Boolean);
    const packages = pinned.map((line) => {
      const [name, version] = line.split('==') as [string, string];
      return isNewest && !isCore(name, version) ? name : line;
    });
    try {
      await run(python, ['-m', 'pip', 'install', '--quiet', ...packages], {
        cwd: place,
        timeout: installMs,
      });
    } catch (error) {
      // The next recording would take what is half installed for whole.
      await rm(join(place, 'python'), { recursive: true, force: true });
      throw error;
    }
  }
  return [python, join(place, 'program.py')];
};

const hexIds = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(hexIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hexIds(item)]));
};

const record = async (name: string, emitter: Emitter): Promise<void> => {
  const { folder, args = [], environment = {} } = emitter;
  const [command, program] = await install(emitter);
  const requests: Pick<Recorded, 'resourceSpans'>[] = [];
  const { server, billed } = openServer((body, headers) => {
    const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    const isJson = headers['content-type']?.includes('json');
    requests.push((isJson ? JSON.parse(String(plain)) : hexIds(fromProtobuf('Request', plain))) as Recorded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await run(command!, [program!, ...args], {
      timeout: 180_000,
      env: {
        PATH: process.env.PATH,
        HOME: join(installed, folder),
        MODEL_URL: `${url}/v1`,
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
        OTEL_SERVICE_NAME: 'weather-agent',
        OTEL_PYTHON_LOG_LEVEL: 'error',
        ...environment,
      },
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const resourceSpans = requests.flatMap((request) => request.resourceSpans ?? []);
  const usage = {
    calls: billed.length,
    inputTokens: billed.reduce((sum, { input }) => sum + input, 0),
    cachedTokens: billed.reduce((sum, { cached }) => sum + cached, 0),
    outputTokens: billed.reduce((sum, { output }) => sum + output, 0),
  };
  await mkdir(into, { recursive: true });
  await writeFile(join(into, `${name}.json`), anonymous({ usage, resourceSpans }));
  console.log(`${name}: ${billed.length} calls of the model, ${requests.length} exports`);
};

const names = positionals.length > 0 ? positionals : Object.keys(emitters);
let failed = 0;
for (const name of names) {
  const emitter = emitters[name];
  if (!emitter)
    throw new Error(`There is no emitter '${name}'. There are: ${Object.keys(emitters).join(', ')}`);
  try {
    await record(name, emitter);
  } catch (error) {
    failed++;
    const { message, stderr } = error as Error & { stderr?: string };
    console.error(`${name} failed: ${message}\n${stderr?.slice(-3000) ?? ''}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
