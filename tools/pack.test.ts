import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../client/src/main.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));
const released = '9.8.7';

/** A registry that has the package, and sends npm to the usual one for all others. */
const openRegistry = async (tarball: string) => {
  const bytes = await readFile(tarball);
  const manifest = JSON.parse(await readFile(join(dirname(tarball), 'dokima/package.json'), 'utf8'));
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
  // npm keeps answers by their address, and an earlier run may have had the same port.
  const place = `/${randomUUID()}`;
  const server = createServer(({ url: asked = '' }, reply) => {
    const url = asked.replace(place, '');
    const dist = {
      tarball: `${address()}dokima/-/dokima.tgz`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    };
    const version = { ...manifest, _id: `dokima@${released}`, _hasShrinkwrap: true, dist };
    const about = { name: 'dokima', 'dist-tags': { latest: released }, versions: { [released]: version } };
    if (url === '/dokima') reply.end(JSON.stringify(about));
    else if (url === '/dokima/-/dokima.tgz') reply.end(bytes);
    else reply.writeHead(302, { location: new URL(url.slice(1), upstream).href }).end();
  }).listen(0, '127.0.0.1');
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}${place}/`;
  await once(server, 'listening');
  return { address: address(), close: () => server.close() };
};

let directory: string;
let empty: string;
let environment: NodeJS.ProcessEnv;
let registry: Awaited<ReturnType<typeof openRegistry>>;
let service: Awaited<ReturnType<typeof start>>;

/** Starts `npx dokima` in the empty directory and waits for the lines of its start. */
const start = async () => {
  // Its own process group, which gets Ctrl-C as a terminal sends it.
  const child = spawn('npx', ['--no', 'dokima'], { cwd: empty, env: environment, detached: true });
  let output = '';
  const heard = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/Try:\n.*\n/.test(output)) heard.resolve();
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  void ended.then(() => heard.reject(new Error(`npx dokima ended:\n${output}`)));
  await heard.promise;
  return {
    url: /Dokima +(http\S+)/.exec(output)![1]!,
    key: /API key +(ak_\S+)/.exec(output)![1]!,
    stop: () => {
      process.kill(-child.pid!, 'SIGINT');
      return ended;
    },
  };
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dokima-package-'));
  empty = join(directory, 'empty');
  await mkdir(empty);
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim();
  const { stdout } = await run('npm', ['run', '--silent', 'pack', '--', released, directory], {
    cwd: repository,
  });
  registry = await openRegistry(stdout.trim());
  environment = { PATH: process.env.PATH, HOME: join(directory, 'home'), PORT: '0' };
  // A network whose proxy has its own certificate.
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  if (certificates) environment.NODE_EXTRA_CA_CERTS = certificates;
  // A judge that does not exist: its prompt is still rendered.
  Object.assign(environment, { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
  const from = [
    '--registry',
    registry.address,
    '--cache',
    cache,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  await run('npm', ['install', ...from, 'dokima'], { cwd: empty, env: environment });
  service = await start();
  // npm installs 160 packages, also on a machine that is busy with other tests.
}, 300_000);
afterAll(async () => {
  await service?.stop();
  registry?.close();
  await rm(directory, { recursive: true, force: true });
});

const dokima = (words: string[], more: NodeJS.ProcessEnv = {}) =>
  run(join(empty, 'node_modules/.bin/dokima'), words, {
    cwd: empty,
    env: { ...environment, DOKIMA_URL: service.url, DOKIMA_API_KEY: service.key, ...more },
  });

it('installs the versions of the lockfile', async () => {
  const { packages } = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8'));
  const installed = JSON.parse(await readFile(join(empty, 'node_modules/.package-lock.json'), 'utf8'));
  const own = Object.entries<{ version: string }>(installed.packages).filter(
    ([path]) => path !== 'node_modules/dokima',
  );
  expect(own.length).toBeGreaterThan(100);
  for (const [path, { version }] of own)
    expect([path, version]).toEqual([path, packages[path.replace('node_modules/dokima/', '')]?.version]);
});

it('starts the service with its pages', async () => {
  const page = await (await fetch(service.url, { headers: { accept: 'text/html' } })).text();
  const [script] = /\/assets\/index-[^"]+\.js/.exec(page)!;
  const { status, headers } = await fetch(service.url + script);
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
});

it("gives a record with its score to README's five minutes with curl", async () => {
  const readme = await readFile(join(empty, 'node_modules/dokima/README.md'), 'utf8');
  const [, lines, shown] = /```sh\n(api\(\)[\s\S]*?)```\n\n```text output\n([\s\S]*?)```/.exec(
    readme,
  ) as unknown as string[];
  const script = `set -eu\n${lines!.replace('http://localhost:3000', service.url)}`;
  const { stdout } = await run('bash', ['-c', script], { env: { ...process.env, KEY: service.key } });
  expect(stdout).toMatch(/"id"/);
  expect(stdout.endsWith(shown!), stdout).toBe(true);
});

it('is the command line too, and scores with JavaScript and Python', async () => {
  expect((await dokima(['doctor'])).stdout).toMatch(/^ok +key/m);
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const project = await client.createProject({ name: 'Capitals', description: '' });
  const metricIds: string[] = [];
  for (const guidelines of [
    'export const score = (inputs, outputs) => outputs.city === "Paris";',
    'def score(inputs, outputs, expected): return outputs["city"] == "Paris"',
  ]) {
    const name = `Metric ${metricIds.length}`;
    const body = { name, evalType: 'heuristic', outputType: 'boolean', guidelines } as const;
    metricIds.push((await client.createMetric(project.id, body)).id);
  }
  const run = await client.createRun(project.id, { metricIds });
  await client.createRecord(run.id, { inputs: {}, expected: {}, outputs: { city: 'Paris' } });
  await dokima(['watch', run.id]);
  const [record] = (await client.listRecords(run.id)).data;
  expect(record?.scores.map(({ score }) => score)).toMatchObject([
    { binaryScore: true },
    { binaryScore: true },
  ]);
  expect((await dokima(['summary', run.id])).stdout).toContain('100');
});

it('checks testcases and renders prompts in their own processes', async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const project = await client.createProject({ name: 'Processes', description: '' });
  const testset = await client.createTestset(project.id, {
    name: 'Numbers',
    description: '',
    jsonSchema: { type: 'object', properties: { q: { type: 'integer' } } },
    fieldMapping: { inputs: ['q'], expected: [], metadata: [] },
  });
  const { items } = await client.createTestcases(testset.id, { items: [{ jsonData: { q: 'text' } }] });
  expect(items[0]?.validationErrors).toMatchObject([{ path: '/q' }]);
  const preview = await client.previewMetric(project.id, {
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: 'Is {{ outputs.city }} right?',
    evalModelName: 'fake/judge',
    record: { inputs: {}, expected: {}, outputs: { city: 'Paris' } },
  });
  expect(preview.prompt).toContain('Paris');
});

it('backs up the running service, through a pipe, into a new directory', async () => {
  const line = 'set -o pipefail; dokima backup - | DOKIMA_DATA_DIR=restored dokima restore -';
  const PATH = `${join(empty, 'node_modules/.bin')}:${process.env.PATH}`;
  const { stderr } = await run('bash', ['-c', line], { cwd: empty, env: { ...environment, PATH } });
  expect(stderr).toContain('Backed up');
  expect(stderr).toContain('Restored');
});

it('on an older Node says which one it needs', async () => {
  const old = join(directory, 'old.cjs');
  await writeFile(old, "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });");
  const bin = join(empty, 'node_modules/dokima/cli/bin/dokima.js');
  const started = run(process.execPath, ['--require', old, bin]);
  await expect(started).rejects.toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^dokima: this needs Node 24 or newer, and this is Node 20\.20\.2\. .+\n$/),
  });
});
