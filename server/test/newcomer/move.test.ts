import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { engine } from '../harness.ts';
import { callService, type Service, startService } from '../service.ts';
import { blocksOf } from './blocks.ts';
import { openClone, ownedDatabase } from './world.ts';

const page = new URL('../../../docs/operations.md', import.meta.url);

it.skipIf(engine !== 'server')(
  'the lines of docs/operations.md move everything from the embedded database to PostgreSQL, whose owner is no superuser',
  async () => {
    const [, section = ''] = (await readFile(page, 'utf8')).split(
      '### From the embedded database to PostgreSQL',
    );
    const [block] = blocksOf('docs/operations.md', section);
    const directory = await mkdtemp(join(tmpdir(), 'dokima-move-'));
    const [clone, database] = await Promise.all([openClone(directory), ownedDatabase()]);
    const start = async (lines: string, settings: Record<string, string>) => {
      const shell = [
        'bash',
        '-c',
        `set -eu; cd ${clone}\n${lines.replace(/^npm start$/m, 'exec npm start')}`,
      ];
      const service = await startService({ DOKIMA_WORKERS: '0', ...settings }, shell);
      // npm passes this signal on. Killed, it would leave the service behind.
      onTestFinished(() => void service.end('SIGTERM'));
      return service;
    };
    const read = async (service: Service, path: string) => {
      const { status, body } = await callService(service, 'GET', path);
      return [path, status, JSON.stringify(body)];
    };
    const paths = [
      '/projects',
      '/members',
      '/projects/1/runs',
      '/runs/2/records?limit=100',
      '/runs/2/summary',
    ];

    const before = await start('npm start', { DOKIMA_DEMO: 'on' });
    const { key } = before;
    await expect.poll(() => read(before, '/projects').then(String)).toContain('Demo: refund mails');
    const had = await Promise.all(paths.map((path) => read(before, path)));
    expect(had.map(([, status]) => status)).toEqual(paths.map(() => 200));
    expect(await before.end('SIGTERM')).toBe(0);

    const after = { ...(await start(block!.text.replace(/postgres:\S+/, database.url), {})), key };
    expect(after.output()).toContain('PostgreSQL');
    expect(await Promise.all(paths.map((path) => read(after, path)))).toEqual(had);
    const made = await callService(after, 'POST', '/projects', { name: 'New', description: '' });
    expect(made.status).toBe(201);
    expect(await after.end('SIGTERM')).toBe(0);
    await Promise.all([database.drop(), rm(directory, { recursive: true, force: true, maxRetries: 5 })]);
  },
);
