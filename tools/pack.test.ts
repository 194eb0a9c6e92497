import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld } from '../cli/test/decision-world.ts';
import type { Said } from '../cli/test/terminal.ts';
import { createClient } from '../client/src/main.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));
const released = '9.8.7';

type Package = { tarball: string; manifest: { name: string } };

/** A registry of npm that has our packages and sends npm to the usual one for all others, and a page with the wheel for pip. */
const openRegistry = async (packages: Package[], wheel: string) => {
  const npm = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
  const files = new Map<string, string>([[`/wheels/${basename(wheel)}`, wheel]]);
  const abouts = new Map<string, string>();
  // npm keeps answers by their address, and an earlier run may have had the same port.
  const place = `/${randomUUID()}`;
  const server = createServer(async ({ url: asked = '' }, reply) => {
    const url = decodeURIComponent(asked.replace(place, ''));
    const [file, about] = [files.get(url), abouts.get(url)];
    if (file) reply.end(await readFile(file));
    else if (about) reply.end(about);
    else if (url === '/wheels/') reply.setHeader('content-type', 'text/html').end(linkToWheel);
    else reply.writeHead(302, { location: new URL(asked.replace(place, '').slice(1), npm).href }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${place}/`;
  const linkToWheel = `<a href="${address}wheels/${basename(wheel)}">${basename(wheel)}</a>`;
  for (const { tarball, manifest } of packages) {
    const bytes = await readFile(tarball);
    const path = `/${manifest.name}/-/package.tgz`;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { tarball: `${address}${path.slice(1)}`, integrity };
    const isService = manifest.name === 'dokima';
    const version = { ...manifest, _id: `${manifest.name}@${released}`, _hasShrinkwrap: isService, dist };
    const tags = { 'dist-tags': { latest: released }, versions: { [released]: version } };
    files.set(path, tarball);
    abouts.set(`/${manifest.name}`, JSON.stringify({ name: manifest.name, ...tags }));
  }
  return { address, close: () => server.close() };
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
  const clients = await run('npm', ['run', '--silent', 'pack:clients', '--', released, directory], {
    cwd: repository,
    env: { ...process.env, GITHUB_REPOSITORY: 'owner/name' },
  });
  const [typescript, wheel] = clients.stdout.trim().split('\n') as [string, string];
  const packages = await Promise.all(
    [
      [stdout.trim(), 'dokima'],
      [typescript, 'client'],
    ].map(async ([tarball, folder]) => {
      const manifest = await readFile(join(dirname(tarball!), folder!, 'package.json'), 'utf8');
      return { tarball: tarball!, manifest: JSON.parse(manifest) };
    }),
  );
  registry = await openRegistry(packages, wheel);
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
  await run('npm', ['install', ...from, 'dokima', '@dokima/client'], { cwd: empty, env: environment });
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
    ([path]) => !['node_modules/dokima', 'node_modules/@dokima/client'].includes(path),
  );
  expect(own.length).toBeGreaterThan(100);
  for (const [path, { version }] of own)
    expect([path, version]).toEqual([path, packages[path.replace('node_modules/dokima/', '')]?.version]);
});

it.each([
  ['ECMAScript', 'mjs', "import { createClient, DokimaError } from '@dokima/client';"],
  ['CommonJS', 'cjs', "const { createClient, DokimaError } = require('@dokima/client');"],
])('has a client for %s, whose errors say how to go on', async (_name, ending, first) => {
  const file = join(empty, `program.${ending}`);
  const program = `${first}
    const client = createClient({ baseUrl: process.env.URL, apiKey: process.env.KEY });
    client.createProject({ name: 'Packed', description: '' })
      .then(({ id }) => client.createMetric(id, { name: 'M', evalType: 'none' }))
      .catch((error) => console.log(error instanceof DokimaError, error.code, typeof error.fix));`;
  await writeFile(file, program);
  const env = { ...environment, URL: service.url, KEY: service.key };
  expect((await run('node', [file], { env })).stdout).toBe('true VALIDATION_ERROR string\n');
});

it('has a client for Python, with its licence, author and links', async () => {
  const venv = join(directory, 'venv');
  await run(process.env.DOKIMA_TEST_PYTHON ?? 'python3', ['-m', 'venv', venv]);
  const python = join(venv, 'bin/python');
  const links = ['--find-links', `${registry.address}wheels/`, '--disable-pip-version-check', '--quiet'];
  await run(python, ['-m', 'pip', 'install', ...links, `dokima==${released}`], {
    env: { ...process.env, HOME: directory },
  });
  const program = `
import importlib.metadata as m
from dokima import Dokima, evaluate
about = m.metadata('dokima')
print(about['Version'], about['License-Expression'], about['Author'], about.get_all('Project-URL')[0])
print(Dokima().create_project(name='Packed', description='')['name'])
`;
  const env = { ...environment, DOKIMA_URL: service.url, DOKIMA_API_KEY: service.key };
  expect((await run(python, ['-c', program], { env })).stdout).toBe(
    `${released} Apache-2.0 Dokima contributors Source, https://github.com/owner/name\nPacked\n`,
  );
});

it('says its version, and compares files without a service', async () => {
  // The namespace of node:http loads fetch at each start.
  const built = await readFile(join(empty, 'node_modules/dokima/server/dist/cli.js'), 'utf8');
  expect(built).toContain('process.getBuiltinModule("node:http")');
  expect(built).not.toMatch(/^import .*"(node:)?(http|fs|crypto|util)";$/m);
  expect((await dokima(['--version'])).stdout.trim()).toContain(released);
  const rows = (right: (n: number) => boolean) =>
    `question,answer,right\n${Array.from({ length: 40 }, (_, n) => `q${n},a,${right(n)}`).join('\n')}\n`;
  await writeFile(
    join(empty, 'before.csv'),
    rows((n) => n % 2 === 0),
  );
  await writeFile(
    join(empty, 'after.csv'),
    rows((n) => n % 10 > 0),
  );
  const { stdout } = await dokima(
    ['compare', 'before.csv', 'after.csv', '--outputs', 'answer', '--scores', 'right'],
    {
      DOKIMA_API_KEY: '',
      DOKIMA_URL: '',
    },
  );
  expect(stdout).toMatch(/better/i);
});

it('starts the service with its pages', async () => {
  const page = await (await fetch(service.url, { headers: { accept: 'text/html' } })).text();
  const [script] = /\/assets\/index-[^"]+\.js/.exec(page)!;
  const { status, headers } = await fetch(service.url + script);
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
});

it("gives a record with its score to the guide's five minutes with curl", async () => {
  const page = await (await fetch(`${service.url}/guide/api.md`)).text();
  const [, lines, shown] = /```sh\n(api\(\)[\s\S]*?)```\n\n```text output\n([\s\S]*?)```/.exec(
    page,
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

it('verifies the file of a decision offline, without the service and its key', async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const said = async (words: string[], more: NodeJS.ProcessEnv = {}): Promise<Said> => {
    const { code, out, err } = await dokima(words, more).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      (error) => ({ code: error.code as number, out: error.stdout as string, err: error.stderr as string }),
    );
    return { code, out, err, json: () => JSON.parse(out) };
  };
  const write = (name: string, text: string) => writeFile(join(empty, name), text);
  const read = (name: string) => readFile(join(empty, name), 'utf8');
  const world = await openWorld({ client, dokima: (words) => said(words), write, read }, (i) => i % 10 < 7);
  const id = await world.register();
  const runId = await world.makeRun(2, (i) => i % 10 < 9);
  const text = await world.exported(id, runId, 'decision.json');
  // Any request would fail: nothing listens there.
  const offline = { DOKIMA_URL: 'http://127.0.0.1:9', DOKIMA_API_KEY: '', HTTPS_PROXY: 'http://127.0.0.1:9' };
  const verified = await said(['verify', 'decision.json'], offline);
  expect([verified.code, verified.out]).toEqual([
    0,
    expect.stringContaining('The verdict is the same: pass.'),
  ]);
  await write('changed.json', text.replace('"value":1', '"value":0'));
  expect((await said(['verify', 'changed.json'], offline)).code).toBe(2);
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
