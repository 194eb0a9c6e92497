import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let parent: string;
let directory: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'typebox-bundle-'));
  directory = join(parent, 'bundle');
});
afterAll(() => rm(parent, { recursive: true }));

/** Runs a program of its own: what hooks the loading of modules must not hook that of the tests. */
const run = (program: string): string => {
  const module = JSON.stringify(new URL('./typebox-bundle.ts', import.meta.url).href);
  const imports = `import { bundleTypeBox, loadTypeBoxBundled } from ${module}; const directory = ${JSON.stringify(directory)};`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', `${imports} ${program}`], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
};
/** Loads all that the service imports of TypeBox, checks a value with it, and says whether the bundle was there to be used. */
const load = `
  loadTypeBoxBundled(directory);
  const Type = await import('typebox');
  const { Settings } = await import('typebox/system');
  const { Compile } = await import('typebox/compile');
  const isValid = Compile(Type.Object({ n: Type.Integer() })).Check({ n: 1 });
  console.log(import.meta.resolve('typebox').includes('typebox-bundle-'), typeof Settings.Get, isValid);`;

it('a bundle that lacks what the service imports is left alone, and made anew by the next install', async () => {
  // As it is after an update that imports more of the same TypeBox.
  await mkdir(directory);
  await writeFile(join(directory, 'typebox.js'), 'export {};');
  expect(run(load)).toBe('false function true\n');
  run('await bundleTypeBox(directory);');
  expect(run(load)).toBe('true function true\n');
  expect(await readdir(parent)).toEqual(['bundle']);
});
