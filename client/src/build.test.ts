import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(repository, 'node_modules/.bin/tsc');

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dokima-client-'));
  await run(tsc, ['-p', join(repository, 'client/tsconfig.build.json'), '--outDir', directory]);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const filesIn = async (folder: string) =>
  (await readdir(join(directory, folder))).map((file) => join(folder, file));

describe('the published package', () => {
  it('is plain JavaScript that imports only its own files, so that browsers, Deno and Bun can load it', async () => {
    const named = [...(await filesIn('client/src')), ...(await filesIn('jinja/src'))];
    // With the files of other folders that they import. The plugin of Vitest runs in Node.
    const files = new Set(named.filter((file) => file.endsWith('.js')));
    expect([...files]).toContain('client/src/main.js');
    for (const file of files) {
      const text = await readFile(join(directory, file), 'utf8');
      expect(text, file).not.toMatch(/\b(process|Buffer|require)\b[.(]/);
      for (const [, target] of text.matchAll(/from '([^']+)'/g)) {
        expect(target, file).toMatch(/^\.\.?\//);
        files.add(join(dirname(file), target!));
      }
    }
  });

  it('gives a program its types without any other package', async () => {
    const program = `import { createClient, DokimaError, type Run } from './client/src/main.js';
import { evaluate, type Evaluation } from './client/src/evaluate/evaluate.js';
const bot = ({ country }: { country: string }) => country;
export const found: Promise<Evaluation> = evaluate('E', { data: [{ country: 'Peru' }], system: bot, scores: [] });
const dokima = createClient({ baseUrl: 'http://localhost:3000', apiKey: 'ak_' });
export const statuses = async (projectId: string): Promise<Run['status'][]> => {
  const result: Run['status'][] = [];
  for await (const run of dokima.listRuns(projectId)) result.push(run.status);
  return result;
};
// @ts-expect-error a metric of an AI needs its prompt
dokima.createMetric('1', { name: 'm', evalType: 'ai', outputType: 'int' });
export { DokimaError };
`;
    await writeFile(join(directory, 'program.ts'), program);
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--lib',
      'es2023,dom',
    ];
    await run(tsc, [...options, '--types', '', 'program.ts'], { cwd: directory });
  });
});
