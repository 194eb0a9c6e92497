import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const files = execFileSync(
  'git',
  ['ls-files', '-z', '*.ts', '*.tsx', '*.js', '*.json', '*.py', '*.md', '*.yaml', '.ci/run'],
  {
    cwd: repository,
  },
)
  .toString()
  .split('\0')
  .filter((file) => file && existsSync(join(repository, file)));

it('no file names a path outside the repository', () => {
  expect(files.length).toBeGreaterThan(900);
  const outside = files.flatMap((file) => {
    const paths = readFileSync(join(repository, file), 'utf8').matchAll(/(?<=['"`(\s])(?:\.\.\/)+[\w@./-]+/g);
    return [...paths]
      .map(([path]) => path)
      .filter((path) => relative(repository, join(repository, dirname(file), path)).startsWith('..'))
      .map((path) => `${file}: ${path}`);
  });
  expect(outside).toEqual([]);
});
