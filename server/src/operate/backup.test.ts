import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databasePrefix, testServerUrl } from '../../test/harness.ts';
import { forPrograms } from '../../test/programs.ts';
import { callService, endServices, type Service, startService } from '../../test/service.ts';

type Settings = { DOKIMA_DATA_DIR: string; DATABASE_URL?: string };

const run = promisify(execFile);
const role = `dokima_owner_${randomUUID().slice(0, 8)}`;
const admin = process.env.TEST_DATABASE_URL
  ? postgres(testServerUrl(), { max: 1, onnotice: () => {} })
  : undefined;
let directory: string;
const databases: string[] = [];

/** A new data directory, and on the server an empty database whose owner is subject to row-level security. */
const newStorage = async (engine: 'embedded' | 'server'): Promise<Settings> => {
  const storage: Settings = { DOKIMA_DATA_DIR: await mkdtemp(join(directory, 'data-')) };
  if (engine === 'embedded' || !admin) return storage;
  const name = `${databasePrefix()}${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name} owner ${role}`);
  databases.push(name);
  const url = new URL(testServerUrl());
  [url.username, url.password, url.pathname] = [role, 'secret', name];
  return { ...storage, DATABASE_URL: url.href };
};

/** Runs `dokima backup` or `dokima restore`; its exit code and what it said. */
const operate = async (program: 'backup' | 'restore', settings: Settings, file: string) => {
  const path = fileURLToPath(new URL(`./${program}.ts`, import.meta.url));
  const env = { ...forPrograms(), ...settings };
  return run(process.execPath, [path, file], { env }).then(
    ({ stderr }) => ({ code: 0, said: stderr }),
    ({ code, stderr }) => ({ code: code as number, said: stderr as string }),
  );
};

const get = async (service: Service, path: string) => (await callService(service, 'GET', path)).body;
/** What a service has: each project as an archive, its members, keys and files. */
const contentOf = async (service: Service) => {
  const projects = (await get(service, '/projects?limit=100')).data;
  const archives = await Promise.all(
    projects.map(async ({ id }: { id: string }) => {
      const headers = { authorization: `Bearer ${service.key}` };
      return (await fetch(`${service.url}/api/v2/projects/${id}/archive`, { headers })).text();
    }),
  );
  const file = (await get(service, '/sessions/s/attachments')).data[0];
  const { downloadUrl } = await get(service, `/attachments/${file.id}`);
  const link = new URL(downloadUrl);
  const bytes = await (await fetch(`${service.url}${link.pathname}${link.search}`)).text();
  const [members, providers] = [await get(service, '/members'), await get(service, '/providers')];
  return { archives, bytes, members, providers };
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dokima-test-'));
  await admin?.unsafe(`create role ${role} login password 'secret'`);
});
afterEach(endServices);
afterAll(async () => {
  for (const name of databases) await admin!.unsafe(`drop database ${name} with (force)`);
  await admin?.unsafe(`drop role ${role}`);
  await admin?.end();
  await rm(directory, { recursive: true, force: true });
});

/** A service with the demo project, a file, and the key of a provider. */
const startFilled = async (settings: Settings): Promise<Service> => {
  const service = await startService({ ...settings, DOKIMA_DEMO: 'on', DOKIMA_WORKERS: '0' });
  await expect
    .poll(
      async () =>
        (await get(service, '/runs?limit=100')).data?.length ?? (await get(service, '/projects')).data.length,
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  const bytes = 'a file\n';
  const declared = await callService(service, 'POST', '/attachments', {
    sessionId: 's',
    filePath: 'a.txt',
    contentType: 'text/plain',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const link = new URL(declared.body.uploadUrl);
  await fetch(`${service.url}${link.pathname}${link.search}`, { method: 'PUT', body: bytes });
  const provider = { name: 'openai', kind: 'openai', apiKey: 'sk-of-the-provider' };
  expect((await callService(service, 'POST', '/providers', provider)).status).toBe(201);
  return service;
};

describe.runIf(admin)('a backup', () => {
  it.each([
    ['embedded', 'server'],
    ['server', 'embedded'],
  ] as const)(
    'of a running service, engine %s, is restored on the engine %s: rows, files, secret and all',
    async (from, to) => {
      const [source, target] = [await newStorage(from), await newStorage(to)];
      // Its data directory is relative, as the default is; the backup is made from another directory.
      const relativeToService = relative(tmpdir(), source.DOKIMA_DATA_DIR);
      const filled = await startFilled({ ...source, DOKIMA_DATA_DIR: relativeToService });
      const before = await contentOf(filled);
      const file = join(directory, `${from}.backup`);
      expect(await operate('backup', source, file)).toMatchObject({
        code: 0,
        said: expect.stringContaining('and 1 attachment.'),
      });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await contentOf(filled)).toEqual(before);
      expect((await readdir(source.DOKIMA_DATA_DIR)).filter((name) => name.startsWith('snapshot'))).toEqual(
        [],
      );
      expect(await operate('restore', target, file)).toMatchObject({
        code: 0,
        said: expect.stringContaining('and 1 attachment. Start'),
      });
      const restored = { ...(await startService({ ...target, DOKIMA_WORKERS: '0' })), key: filled.key };
      expect(await contentOf(restored)).toEqual(before);
      // The numbers go on, so a new project takes the id of no other.
      const made = await callService(restored, 'POST', '/projects', { name: 'next', description: '' });
      expect([made.status, before.archives.length + 1]).toEqual([
        201,
        (await get(restored, '/projects')).data.length,
      ]);
      expect(await readFile(join(target.DOKIMA_DATA_DIR, 'secret'), 'utf8')).toBe(
        await readFile(join(source.DOKIMA_DATA_DIR, 'secret'), 'utf8'),
      );
    },
    120_000,
  );

  it.each(['embedded', 'server'] as const)(
    'under writes has each record with its scores, engine %s',
    async (engine) => {
      const [source, target] = [await newStorage(engine), await newStorage(engine)];
      const service = await startService({ ...source, DOKIMA_WORKERS: '0' });
      const post = async (path: string, body: unknown) =>
        (await callService(service, 'POST', path, body)).body;
      const project = await post('/projects', { name: 'p', description: '' });
      const metric = await post(`/projects/${project.id}/metrics`, {
        name: 'm',
        evalType: 'human',
        outputType: 'boolean',
      });
      const { id: runId } = await post(`/projects/${project.id}/runs`, { metricIds: [metric.id] });
      let isWriting = true;
      const write = async () => {
        while (isWriting)
          await post(`/runs/${runId}/records`, { inputs: { a: 1 }, outputs: {}, expected: {} });
      };
      const writers = [write(), write(), write()];
      const file = join(directory, `busy-${engine}.backup`);
      await expect
        .poll(async () => (await get(service, `/runs/${runId}/records`)).data.length)
        .toBeGreaterThan(5);
      const backedUp = await operate('backup', source, file);
      isWriting = false;
      await Promise.all(writers);
      expect(backedUp).toMatchObject({ code: 0 });
      const { end } = JSON.parse(
        String(zstdDecompressSync(await readFile(file)))
          .trim()
          .split('\n')
          .at(-1)!,
      );
      expect(end.rows.record).toBeGreaterThan(5);
      expect(end.rows.score).toBe(end.rows.record);
      expect(await operate('restore', target, file)).toMatchObject({ code: 0 });
    },
  );

  it('fails if attachments have no bytes, keeps the rest, and says so again when it is restored', async () => {
    const [source, target] = [await newStorage('embedded'), await newStorage('embedded')];
    await startFilled(source);
    await rm(join(source.DOKIMA_DATA_DIR, 'attachments'), { recursive: true });
    const file = join(directory, 'lost.backup');
    const lost = 'and 0 attachments. The bytes of 1 more attachment are missing in the store.';
    const backedUp = await operate('backup', source, file);
    expect(backedUp).toMatchObject({ code: 1, said: expect.stringContaining(lost) });
    expect(backedUp.said).toContain('The backup lacks attachments. Give it the settings of the service');
    expect(await operate('restore', target, file)).toMatchObject({
      code: 0,
      said: expect.stringContaining(lost),
    });
  });

  it('is refused where it would overwrite, mix or lose something, and leaves that as it was', async () => {
    const source = await newStorage('embedded');
    const filled = await startFilled(source);
    const file = join(directory, 'good.backup');
    expect((await operate('backup', source, file)).code).toBe(0);
    expect(await operate('restore', source, file)).toMatchObject({
      code: 1,
      said: expect.stringContaining('in use'),
    });
    await filled.end('SIGTERM');
    const refused = { code: 1, said: expect.stringContaining('not empty') };
    expect(await operate('restore', source, file)).toMatchObject(refused);
    const target = await newStorage('server');
    await writeFile(join(target.DOKIMA_DATA_DIR, 'secret'), 'another secret');
    expect((await operate('restore', target, file)).said).toContain('The secret of the backup differs from');
    await rm(join(target.DOKIMA_DATA_DIR, 'secret'));
    const whole = await readFile(file);
    const lines = String(zstdDecompressSync(whole)).trim().split('\n');
    const changed = async (text: string[], bytes = zstdCompressSync(`${text.join('\n')}\n`)) => {
      await writeFile(join(directory, 'bad.backup'), bytes);
      return (await operate('restore', target, join(directory, 'bad.backup'))).said;
    };
    expect(await changed(lines.slice(0, -1))).toContain('incomplete');
    expect(await changed([], whole.subarray(0, whole.length / 2))).toMatch(
      /The backup is cut or damaged after line \d+ \(unexpected end of file\)\. Nothing was stored\./,
    );
    expect(await changed(lines.filter((line) => !line.startsWith('{"table":"testcase"')))).toContain(
      'damaged',
    );
    expect(await changed([lines[0]!.replace('0001', '9001'), ...lines.slice(1)])).toContain('newer version');
    expect(await changed(['{}'])).toContain('not a backup');
    await rm(join(target.DOKIMA_DATA_DIR, 'secret'), { force: true });
    expect(await operate('restore', target, file)).toMatchObject({ code: 0 });
    expect((await operate('restore', target, file)).said).toContain('not empty');
  });

  it('by pg_dump works as docs/operations.md writes it, with an owner that row-level security holds for', async () => {
    const guide = await readFile(
      fileURLToPath(new URL('../../../docs/operations.md', import.meta.url)),
      'utf8',
    );
    /** The text of the block that begins so. After its language the guide says why it is not run as it is. */
    const block = (language: string, begin: string) =>
      guide
        .split('```')
        .filter((text) => text.startsWith(language))
        .map((text) => text.slice(text.indexOf('\n') + 1))
        .find((text) => text.startsWith(begin))!;
    const [source, target] = [await newStorage('server'), await newStorage('server')];
    const service = await startFilled(source);
    const dumper = `dumper_${randomUUID().slice(0, 8)}`;
    const urlOf = ({ DATABASE_URL }: Settings, user: string) => {
      const url = new URL(DATABASE_URL!);
      url.username = user;
      return url.href;
    };
    await admin!.unsafe(
      block('sql', 'create role').replaceAll('dokima_backup', dumper).replace('…', 'secret'),
    );
    const lines = block('sh', 'pg_dump')
      .replace('postgres://dokima_backup:…@db/dokima ', `${urlOf(source, dumper)} `)
      .replace('postgres://dokima:…@db/dokima_restored', urlOf(target, role));
    expect(lines).not.toContain('…');
    await run('bash', ['-ec', lines], { cwd: directory });
    await writeFile(
      join(target.DOKIMA_DATA_DIR, 'secret'),
      await readFile(join(source.DOKIMA_DATA_DIR, 'secret')),
    );
    const restored = { ...(await startService({ ...target, DOKIMA_WORKERS: '0' })), key: service.key };
    expect((await get(restored, '/projects')).data).toEqual((await get(service, '/projects')).data);
    await endServices();
    await admin!.unsafe(`drop owned by ${dumper}; drop role ${dumper}`);
  }, 60_000);
});
