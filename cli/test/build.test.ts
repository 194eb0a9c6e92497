import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));

it('the published package runs as plain JavaScript with the client inside', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dokima-package-'));
  const tsc = join(repository, 'node_modules/.bin/tsc');
  await run(tsc, ['-p', join(repository, 'cli/tsconfig.build.json'), '--outDir', join(directory, 'dist')]);
  await cp(join(repository, 'cli/bin'), join(directory, 'bin'), { recursive: true });
  await cp(join(repository, 'cli/package.json'), join(directory, 'package.json'));
  await symlink(join(repository, 'node_modules'), join(directory, 'node_modules'));
  const { stdout } = await run(process.execPath, [join(directory, 'bin/dokima.js'), 'gate', '--help']);
  expect(stdout).toContain('Decide by the rules of a dokima.yaml');
  await rm(directory, { recursive: true });
});
