import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { promised } from './promised.ts';

const run = promisify(execFile);
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

let app: TestApp;
let own: Organization;
let url: string;
let directory: string;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
  url = await app.url();
  directory = await mkdtemp(join(tmpdir(), 'dokima-runtimes-'));
  const build = [
    path('../../node_modules/.bin/tsc'),
    ['-p', path('../tsconfig.build.json'), '--outDir', directory],
  ] as const;
  await run(...build);
  await copyFile(path('everywhere.js'), join(directory, 'everywhere.js'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  const program = `import * as client from './client/src/main.js';
import { everywhere } from './everywhere.js';
console.log(JSON.stringify(await everywhere(client, ${JSON.stringify(url)}, ${JSON.stringify(own.key)})));`;
  await writeFile(join(directory, 'program.js'), program);
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

/** Deno and Bun are tested if they are installed. web/test/client.test.ts tests a browser. */
const runtimes: [name: string, command: string, args: string[]][] = [
  ['Node', process.execPath, []],
  ['Deno', 'deno', ['run', '--allow-net']],
  ['Bun', 'bun', []],
];

describe('the published client', () => {
  for (const [name, command, args] of runtimes) {
    it.skipIf(spawnSync(command, ['--version']).status !== 0)(`keeps its promises in ${name}`, async () => {
      const { stdout } = await run(command, [...args, 'program.js'], { cwd: directory });
      expect(JSON.parse(stdout)).toEqual(promised);
    });
  }
});
