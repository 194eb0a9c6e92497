import { execFile } from 'node:child_process';
import { access, glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { recordKeys } from '../src/evaluation/records/search-keys.ts';
import { statusOf } from '../src/platform/errors.ts';
import { traceKeys } from '../src/traces/read/trace-keys.ts';
import { startApp } from './harness.ts';

const repository = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFile(repository(path), 'utf8');

const isOthers = (name: string) => name === 'node_modules' || name.startsWith('.');

it("the README's lines give a record with its score", async () => {
  const block = /<!-- first-result[^>]*-->\n```sh\n([\s\S]*?)```/.exec(await read('README.md'))?.[1];
  const app = await startApp({});
  const { key } = await app.organization();
  const url = await app.url();
  const script = `set -eu\n${block?.replace('http://localhost:3000', url)}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, KEY: key } });
  const answers = stdout.trim().split('\n');
  expect(JSON.parse(answers.at(-1)!).data).toMatchObject([
    {
      id: '1-1',
      outputs: { city: 'Paris' },
      scores: [{ score: { binaryScore: true, reasoning: 'Same city.' } }],
    },
  ]);
  expect(answers.filter((answer) => answer.includes('"code"'))).toEqual([]);
  await app.close();
});

it('docs/errors.md has each code with its status, and no other', async () => {
  const page = await read('docs/errors.md');
  const documented = [...page.matchAll(/^## (\w+)\n\n\*\*Status (\d+)\./gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(documented)).toEqual(statusOf);
});

it('docs/searching.md has each filter of records and of traces, and no other', async () => {
  const page = await read('docs/searching.md');
  const filtersOf = (heading: string) => {
    const section = page.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
    const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!);
    return cells.flatMap((cell) => [...cell.matchAll(/`(\w+):`/g)].map(([, key]) => key!)).sort();
  };
  expect(filtersOf('Filters of records')).toEqual(Object.keys(recordKeys).sort());
  expect(filtersOf('Filters of traces')).toEqual(Object.keys(traceKeys).sort());
});

it('every file and folder that ARCHITECTURE.md names is there', async () => {
  const names = [...(await read('ARCHITECTURE.md')).matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)].map(
    ([, name]) => name!,
  );
  const paths = names.filter((name) => /\/|\.(ts|tsx|sql|json|md)$/.test(name));
  expect(paths).toContain('server/migrations');
  const missing: string[] = [];
  for (const path of paths) {
    // A path begins at the repository or at the server's sources. A bare name stands beside the file before it.
    const pattern = path.includes('/') ? `{,server/src/}${path}` : `{,server/**/,web/src/}${path}`;
    const found: string[] = [];
    for await (const file of glob(pattern, { cwd: repository('.'), exclude: isOthers })) found.push(file);
    if (found.length === 0) missing.push(path);
  }
  expect(missing).toEqual([]);
});

it('every link to a file of the repository leads to one', async () => {
  const pages: string[] = [];
  for await (const page of glob('**/*.md', { cwd: repository('.'), exclude: isOthers })) pages.push(page);
  expect(pages).toContain('README.md');
  for (const page of pages) {
    for (const [, target] of (await read(page)).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      const file = fileURLToPath(new URL(target!, repository(page)));
      await expect(access(file), `${page} links to ${target}`).resolves.toBeUndefined();
    }
  }
});
