import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../server/test/fixtures.ts';
import { type Client, startApp, type TestApp } from '../../../server/test/harness.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

let app: TestApp;
let api: Client;
let directory: string;
let environment: NodeJS.ProcessEnv;
let projectId: string;

const run = (args: string[], more: NodeJS.ProcessEnv = {}): Promise<{ code: number; out: string }> =>
  promisify(execFile)(process.execPath, args, { cwd: directory, env: { ...environment, ...more } }).then(
    ({ stdout, stderr }) => ({ code: 0, out: `${stdout}${stderr}` }),
    ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
  );
/** Runs Vitest itself, in its own project. */
const vitest = (file: string, more: NodeJS.ProcessEnv = {}) =>
  run([join(modules, 'vitest/vitest.mjs'), 'run', '--pool=forks', file], more);
const runs = async () => (await ok(api('GET', `/projects/${projectId}/run-details`))).data;

/** Writes lines of the docs or of a test as a file of the project; there they import the published names. */
const writeLines = (name: string, lines: string): Promise<void> =>
  writeFile(
    join(directory, name),
    lines
      .replace("'@dokima/client/vitest'", `'${here('test.ts')}'`)
      .replace("'@dokima/client/vitest/plugin'", `'${here('plugin.ts')}'`),
  );

const blockOf = async (mark: string): Promise<string> => {
  const page = await readFile(here('../../../docs/testing.md'), 'utf8');
  return new RegExp(`<!-- ${mark}: a test runs these lines -->\\n\`\`\`ts.*\\n([\\s\\S]*?)\`\`\``).exec(
    page,
  )![1]!;
};

beforeAll(async () => {
  app = await startApp();
  const { key, ...organization } = await app.organization();
  api = organization.api;
  directory = await mkdtemp(join(tmpdir(), 'dokima-vitest-'));
  await symlink(modules, join(directory, 'node_modules'));
  await writeLines('vitest.config.ts', await blockOf('vitest.config'));
  environment = {
    PATH: process.env.PATH,
    NO_COLOR: '1',
    CI: '1',
    DOKIMA_URL: await app.url(),
    DOKIMA_API_KEY: key,
    DOKIMA_COMMIT: 'abc123',
  };
});
beforeEach(async () => {
  projectId = (await ok(api('POST', '/projects', { name: 'Bot', description: '' }), 201)).id;
  environment.DOKIMA_PROJECT = projectId;
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

/** 40 testcases with two trials; the bot knows the first KNOWN of them. */
const program = `
import { describe } from 'vitest';
import { test } from '@dokima/client/vitest';
const known = Number(process.env.KNOWN ?? 36);
describe('double', () => {
  test.for(Array.from({ length: 40 }, (_, n) => n))('%i', { repeats: 1 }, (n, { record }) => {
    record.inputs = { n };
    record.expected = { answer: 2 * n };
    record.outputs = { answer: n < known ? 2 * n : null };
    record.score('Right', n < known);
  });
  test('is not worse', ({ run }) => run.assertBetter({ than: 'main', margin: 0.1 }));
});
`;

describe('the Vitest plugin', () => {
  it('runs the lines of docs/testing.md: four testcases with three trials each are one run', async () => {
    await writeLines('bot.test.ts', await blockOf('vitest'));
    const said = await vitest('bot.test.ts');
    expect([said.code, said.out]).toEqual([0, expect.stringContaining('no earlier run is main')]);
    const [made, ...others] = await runs();
    expect(others).toEqual([]);
    expect(made).toMatchObject({ numRecords: 12, numExpectedRecords: 4, status: 'completed' });
    expect(made.tags).toEqual(expect.arrayContaining(['vitest', 'commit:abc123']));
    const { data } = await ok(api('GET', `/testsets/${made.testsetId}/testcases`));
    expect(data.map(({ inputs, expected }: Record<string, unknown>) => [inputs, expected])).toContainEqual([
      { country: 'Peru' },
      { city: 'Lima' },
    ]);
  });

  it('assertBetter ends pass, inconclusive with the number of testcases needed, or fail', async () => {
    await writeLines('double.test.ts', program);
    expect((await vitest('double.test.ts', { DOKIMA_MARK: 'main' })).code).toBe(0);
    const [{ id: baseline, marks }] = await runs();
    expect(marks).toEqual(['main']);

    const same = await vitest('double.test.ts');
    expect(same.out).toContain(`pass: run ${Number(baseline) + 1} against run ${baseline} (main)`);
    expect([same.code, same.out]).toEqual([0, expect.stringContaining('no judge was called')]);

    const little = await vitest('double.test.ts', { KNOWN: '35' });
    expect(little.code).toBe(1);
    expect(little.out).toMatch(/Inconclusive: inconclusive: run/);
    expect(little.out).toMatch(/−0\.025 .*about [\d,]+ more needed/);

    const worse = await vitest('double.test.ts', { KNOWN: '10' });
    expect([worse.code, worse.out]).toEqual([1, expect.stringMatching(/Error: fail: run/)]);
  });

  it('works offline with a file, whose upload may be repeated; a failed upload loses nothing', async () => {
    await writeLines('double.test.ts', program);
    const offline = await vitest('double.test.ts', {
      DOKIMA_FILE: 'results.jsonl',
      DOKIMA_URL: 'http://127.0.0.1:9',
    });
    expect([offline.code, offline.out]).toEqual([
      0,
      expect.stringContaining('80 results are in results.jsonl'),
    ]);
    expect(await runs()).toEqual([]);
    for (const _ of [1, 2]) {
      const said = await run([here('../results/upload-file.ts'), 'results.jsonl']);
      expect(said).toEqual({ code: 0, out: expect.stringContaining('80 records') });
    }
    expect(await runs()).toMatchObject([{ numRecords: 80, status: 'completed' }]);
  });

  it('an assertion is a score, and a broken test has none', async () => {
    await writeLines(
      'plain.test.ts',
      `import { expect } from 'vitest';
import { test } from '@dokima/client/vitest';
test('a', ({ record }) => { record.inputs = { n: 1 }; expect(1).toBe(1); });
test('b', ({ record }) => { record.inputs = { n: 2 }; expect(1).toBe(2); });
test('c', ({ record }) => { record.inputs = { n: 3 }; throw new Error('down'); });
`,
    );
    const wrong = await vitest('plain.test.ts', { DOKIMA_API_KEY: 'ak_wrong' });
    expect(wrong.out).toContain('3 results are in dokima-results.jsonl');
    expect((await vitest('plain.test.ts')).code).toBe(1);
    const [{ id, numRecords }] = await runs();
    const { metrics } = await ok(api('GET', `/runs/${id}/summary`));
    expect([numRecords, metrics[0]]).toEqual([
      3,
      expect.objectContaining({
        metricName: 'passes',
        passRate: expect.objectContaining({ estimate: 0.5 }),
        states: expect.objectContaining({ scored: 2 }),
      }),
    ]);
  });
});
