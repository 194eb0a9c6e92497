import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { archiveDirectory, unpackDirectory } from './directory-archive.ts';

it('an archive of a directory gives its files, its empty directories and nothing to other users', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dokima-archive-'));
  const [from, to] = [join(directory, 'from'), join(directory, 'to')];
  await mkdir(join(from, 'base/5'), { recursive: true });
  await mkdir(join(from, 'pg_notify'));
  const bytes = Buffer.from([0, 255, 13, 10]);
  await writeFile(join(from, 'base/5/1255'), bytes);
  await writeFile(join(from, 'empty'), '');
  unpackDirectory(archiveDirectory(from), to);
  expect((await readdir(to, { recursive: true })).toSorted()).toEqual([
    'base',
    'base/5',
    'base/5/1255',
    'empty',
    'pg_notify',
  ]);
  expect(await readFile(join(to, 'base/5/1255'))).toEqual(bytes);
  for (const path of [to, join(to, 'base'), join(to, 'base/5/1255')])
    expect((await stat(path)).mode & 0o077).toBe(0);
  await rm(directory, { recursive: true });
});
