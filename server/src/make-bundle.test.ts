import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));
/** A checkout of its own, whose sources may be changed, and in it the directory of its bundle. */
let checkout: string;
let cache: string;
const programs = () => join(checkout, 'server/src/programs.ts');

const run = (program: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: join(checkout, 'server/src'),
    encoding: 'utf8',
  });
const make = () => run(`import { makeBundle } from './make-bundle.ts'; await makeBundle('${cache}');`);
/** What a start would run: what the bundle says, or the sources. */
const answer = () =>
  run(`
    import { findBundle } from './bundle.js';
    const found = findBundle('${cache}');
    const { serve } = await import(found ?? './programs.ts');
    console.log(found ? 'bundle' : 'sources', await serve());`).trim();
const programSaying = (text: string) => `export const serve = async () => ${JSON.stringify(text)};\n`;

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'bundle-'));
  cache = join(checkout, 'cache');
  await mkdir(join(checkout, 'server/src'), { recursive: true });
  const files = [
    'package-lock.json',
    'server/package.json',
    'server/src/bundle.js',
    'server/src/make-bundle.ts',
  ];
  for (const file of files) await cp(join(repository, file), join(checkout, file));
  await symlink(join(repository, 'node_modules'), join(checkout, 'node_modules'));
  await writeFile(programs(), programSaying('one'));
});
afterEach(() => rm(checkout, { recursive: true }));

describe('a start', () => {
  it('runs the sources where there is no bundle, and the bundle where there is one', () => {
    expect(answer()).toBe('sources one');
    make();
    expect(answer()).toBe('bundle one');
  });

  it('says from the bundle what the sources say, in whatever script', async () => {
    await writeFile(programs(), programSaying('δοκιμή · 試 · 🙂 · \\u03b4 · \u2028'));
    const fromSources = answer();
    make();
    expect(answer()).toBe(fromSources.replace('sources', 'bundle'));
  });

  it('runs an edited source at once, even one of the same length and the same time', async () => {
    const time = new Date('2026-01-01T00:00:00Z');
    await utimes(programs(), time, time);
    make();
    await writeFile(programs(), programSaying('two'));
    await utimes(programs(), time, time);
    expect(answer()).toBe('sources two');
    make();
    expect(answer()).toBe('bundle two');
  });

  it('runs the sources when one of them is gone', async () => {
    await writeFile(join(checkout, 'server/src/part.ts'), programSaying('part'));
    await writeFile(programs(), "export * from './part.ts';\n");
    make();
    expect(answer()).toBe('bundle part');
    await rm(join(checkout, 'server/src/part.ts'));
    expect(answer).toThrow('ERR_MODULE_NOT_FOUND');
  });

  it('runs the sources when a dependency was changed', async () => {
    make();
    await writeFile(join(checkout, 'package-lock.json'), '{}');
    expect(answer()).toBe('sources one');
  });

  it('keeps to the bundle when a source was changed and put back', async () => {
    make();
    await writeFile(programs(), programSaying('two'));
    await writeFile(programs(), programSaying('one'));
    expect(answer()).toBe('bundle one');
  });
});

describe('a bundle', () => {
  it('is one file, of which the next one leaves no trace', async () => {
    make();
    await writeFile(programs(), programSaying('two'));
    make();
    const extensions = (await readdir(cache)).map((name) => name.replace(/^.*\./, ''));
    expect(extensions.sort()).toEqual(['json', 'mjs']);
  });

  it('says where its modules are, so that they find what is beside them', async () => {
    await writeFile(join(checkout, 'server/src/beside.txt'), 'found');
    await writeFile(
      programs(),
      "import { readFileSync } from 'node:fs';\n" +
        "export const serve = async () => readFileSync(new URL('./beside.txt', import.meta.url), 'utf8');\n",
    );
    make();
    expect(answer()).toBe('bundle found');
  });
});
