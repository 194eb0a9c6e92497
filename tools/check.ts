import { execFileSync, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

/**
 * The inner loop: formats, checks words and types, and runs the tests next to files that changed since a commit (default HEAD),
 * on one engine and without a browser. With a commit, it also checks the subjects of the commits since then.
 * Usage: npm run check [-- COMMIT]. `npm test` runs the other tests.
 */
const [since = 'HEAD'] = process.argv.slice(2);

const git = (...args: string[]): string[] =>
  execFileSync('git', [...args, '-z'])
    .toString()
    .split('\0')
    .filter(Boolean);
const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', since),
  ...git('ls-files', '--others', '--exclude-standard'),
];

const run = (command: string, ...args: string[]): void => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

run('biome', 'check', '--write', '.');
run('node', 'tools/lint-words.ts');
run('node', 'tools/lint-functions.ts');
run('node', 'tools/lint-json.ts');
run('tsc', '--build', '.', 'web');
if (since !== 'HEAD') run('node', 'tools/lint-commits.ts', since);

/** Returns the tests for a changed file: its own folder in the service, all tests of the client, the CLI or the examples. */
const folderOf = (path: string): string | undefined => {
  if (path.endsWith('.test.ts')) return path;
  if (path.startsWith('server/src/')) return `${dirname(path)}/`;
  return /^(client|cli|examples)\//.exec(path)?.[0];
};
const folders = new Set(
  changed.filter((path) => !path.startsWith('web/')).flatMap((path) => folderOf(path) ?? []),
);
if (folders.size > 0) {
  const engine = process.env.TEST_DATABASE_URL ? 'server' : 'embedded';
  run('vitest', 'run', '--passWithNoTests', '--project', engine, ...folders);
}
