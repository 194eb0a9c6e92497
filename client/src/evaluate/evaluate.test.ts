import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../server/test/fixtures.ts';
import { type Client, startApp, type TestApp } from '../../../server/test/harness.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A bot that knows the first KNOWN of 40 numbers, some of them each second time, scored as yes and no and from 0 to 1. */
const program = `
import { evaluate, NotBetter } from '${here('evaluate.ts')}';

let known = 30;
let calls = 0;
const times = new Map();

async function double({ number }) {
  if (++calls === Number(process.env.DIES ?? 0)) process.kill(process.pid, 'SIGKILL');
  const time = (times.get(number) ?? 0) + 1;
  times.set(number, time);
  await null;
  if (number === 39) throw new TypeError('<b>no network</b>');
  return number < known && (number % 5 < 4 || time % 2) ? 2 * number : -1;
}
const right = ({ outputs, expected }) => outputs === expected;
const close = ({ outputs, expected }) => (outputs < 0 ? [0.5 + (expected % 7) / 16, 'by rule'] : 1);
const data = Array.from({ length: 40 }, (_, number) => ({ number, expected: 2 * number }));
const run = (more) =>
  evaluate('Doubles', { data, system: double, scores: [right, { close }], trials: 2, concurrency: 3, retries: 0, level: 0.9, ...more });
`;

describe('evaluate() in TypeScript', () => {
  let app: TestApp;
  let api: Client;
  let directory: string;
  let environment: NodeJS.ProcessEnv;
  let online: NodeJS.ProcessEnv;
  let projectId: string;

  const run = async (lines: string, more: NodeJS.ProcessEnv = {}) => {
    const path = join(directory, 'program.ts');
    await writeFile(path, `${program}\n${lines}`);
    return promisify(execFile)(process.execPath, [path], {
      cwd: directory,
      env: { ...environment, ...more },
    }).then(
      ({ stdout, stderr }) => ({ signal: undefined, out: stdout, err: stderr }),
      ({ signal, stdout, stderr }) => ({ signal, out: stdout, err: stderr }),
    );
  };
  const json = async (lines: string, more?: NodeJS.ProcessEnv) => {
    const { out, err } = await run(lines, more);
    expect([out, err]).toEqual([expect.stringMatching(/^[[{]/), expect.anything()]);
    return JSON.parse(out);
  };
  const runs = async () => (await ok(api('GET', `/projects/${projectId}/run-details`))).data;

  beforeAll(async () => {
    app = await startApp();
    const { key, ...organization } = await app.organization();
    api = organization.api;
    online = { DOKIMA_URL: await app.url(), DOKIMA_API_KEY: key };
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dokima-evaluate-'));
    projectId = (await ok(api('POST', '/projects', { name: 'Bot', description: '' }), 201)).id;
    online.DOKIMA_PROJECT = projectId;
    environment = {
      PATH: process.env.PATH,
      TMPDIR: directory,
      DOKIMA_COMMAND: `${process.execPath} ${here('../../../cli/bin/dokima.js')}`,
    };
    return () => rm(directory, { recursive: true });
  });
  afterAll(() => app.close());

  it('offline gives the numbers of the service, and a ready metric is scored there too', async () => {
    const both = `
const first = await run({ mark: 'main' });
known = 36;
const again = await run({ than: 'main' });
const outcomes = [];
for (const margin of [{}, { metric: 'right', margin: 0.01 }, { metric: 'close', margin: -0.5 }, { metric: 'right', margin: -0.1 }])
  try { outcomes.push(again.requireBetter(margin).name); } catch (error) { outcomes.push(error.outcome); }
const lost = async ({ number }) => { if (number < 20) throw new TypeError('lost'); return 2 * number; };
const lacking = await run({ system: lost, than: 'main' });
try { lacking.requireBetter({ metric: 'right' }); } catch (error) { outcomes.push(lacking.metrics[0].verdict, error.outcome, error.message); }
console.log(JSON.stringify([first.metrics, again.metrics, String(again), again.rows[0], again.failures.length,
  again[Symbol.for('Jupyter.display')]()['text/html'], outcomes]));`;
    const away = await json(both);
    const at = await json(both, online);
    expect(away[0]).toEqual(at[0]);
    expect(away[1]).toEqual(at[1]);
    expect(at[1]).toMatchObject([
      {
        metric: 'right',
        measure: 'rate',
        n: 39,
        verdict: 'better',
        difference: expect.closeTo(5.5 / 39, 12),
      },
      { metric: 'close', measure: 'mean' },
    ]);
    const row = { 'inputs.number': 0, 'expected.answer': 0, 'outputs.answer': 0 };
    for (const one of [away, at])
      expect(one.slice(2)).toEqual([
        expect.stringMatching(
          /^right 83\.3 % \(.* … .*\), n 39 · than main: \+14\.1 points \(.* … .*\), better\n/,
        ),
        { ...row, trial: 1, right: true, close: 1, error: null },
        2,
        expect.stringMatching(/<b>Doubles<\/b>.*<td>right 83\.3 %/),
        [
          // The call that failed may undo `close`.
          'inconclusive',
          'Doubles',
          'fail',
          'inconclusive',
          // A pass that the missing scores may undo is none.
          'better',
          'inconclusive',
          expect.stringContaining('the missing scores may undo it'),
        ],
      ]);
    expect(at[2]).toContain(`/projects/${projectId}/compare?runs=`);
    expect(away[2]).toContain('2 of 80 calls failed: TypeError: <b>no network</b>');
    const [, pushed] = await runs();
    const { metrics } = await ok(api('GET', `/runs/${pushed.id}/summary?level=0.9`));
    expect(metrics[0].states).toMatchObject({ scored: 78, unscored: 2, pending: 0 });

    const ready = `
const found = await evaluate('Ready', { data, system: ({ number }) => 2 * number, scores: ['exact-match'] });
console.log(JSON.stringify([found.metrics[0].estimate, found.rows[7]['Exact match']]));`;
    expect(await json(ready)).toEqual([1, true]);
    // The services of the programs ended with them, and left nothing.
    const left = async () => (await readdir(directory)).filter((name) => name.startsWith('dokima-files'));
    await expect.poll(left).toEqual([]);
  });

  it('functions give labels, which stand in the file and become a category; other texts are missing scores', async () => {
    const grades = `
const grade = ({ outputs, expected }) => (expected === 0 ? 'right' : outputs === expected ? 'Right' : 'Wrong');
const labels = { grade: { items: ['Wrong', 'Partly', 'Right'], passing: ['Right'], ordered: true } };
const graded = (more) => evaluate('Doubles', { data, system: double, scores: grade, retries: 0, ...more });
`;
    const shown = (more: string) =>
      json(`${grades}const one = await graded(${more});
console.log(JSON.stringify([one.metrics[0].estimate, one.metrics[0].n, one.rows[1].grade, one.results[0].reasons.grade, one.file]))`);
    const [estimate, n, label, reason, file] = await shown('{ offline: true, labels }');
    expect([estimate, n, label]).toEqual([29 / 38, 38, 'Right']);
    expect(reason).toContain("must return one of the labels 'Wrong', 'Partly', 'Right'");
    const text = await readFile(join(directory, file), 'utf8');
    expect(text).toContain(
      '"labels":{"grade":{"items":["Wrong","Partly","Right"],"passing":["Right"],"ordered":true}}',
    );
    environment = { ...environment, ...online };
    const unknown = await run(`${grades}await graded({})`);
    expect(unknown.err).toContain(
      "'grade' gives labels, and nothing says which of them pass. Name them: labels",
    );
    expect((await shown('{ labels }')).slice(0, 4)).toEqual([estimate, n, label, reason]);
    const [{ id }] = await runs();
    const { metrics } = await ok(api('GET', `/runs/${id}/summary`));
    expect(metrics[0]).toMatchObject({ outputType: 'category', labels: { ordered: true } });
    expect(metrics[0].labels.shares.map(({ numScores }: { numScores: number }) => numScores)).toEqual([
      9, 0, 29,
    ]);
    // The project has the labels now. A text that is none of them is stored with its problem, and counts as missing.
    expect((await shown('{}')).slice(0, 3)).toEqual([estimate, n, 'Right']);
    const push = promisify(execFile)(
      process.execPath,
      [here('../../../cli/bin/dokima.js'), 'push', '-p', projectId, file],
      {
        cwd: directory,
        env: { ...environment, HOME: directory },
      },
    );
    expect((await push).stdout).toMatch(/^Doubles: run \d+, 40 records/);
  });

  it('the lines of docs/evaluate.md print what the page says', async () => {
    const page = await readFile(here('../../../docs/evaluate.md'), 'utf8');
    const [, lines] = /<!-- typescript: [^>]*-->\n```ts.*\n([\s\S]*?)```/.exec(page)!;
    const [, shown] = /```text no-run.*\nright_city (.*?) · http/.exec(page)!;
    await writeFile(
      join(directory, 'page.ts'),
      lines!.replace("'@dokima/client/evaluate'", `'${here('evaluate.ts')}'`),
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['page.ts'], {
      cwd: directory,
      env: { ...environment, ...online },
    });
    expect(stdout).toContain(`rightCity ${shown} · http`);
  });

  it('after a crash the answers are kept; answers of a named version are reused', async () => {
    const count = 'console.log(JSON.stringify([calls, (await run()).results.length, calls]));';
    expect((await run(count, { ...online, DIES: '30' })).signal).toBe('SIGKILL');
    const folder = join(directory, 'dokima-results/Doubles');
    const [file] = await readdir(folder);
    const text = await readFile(join(folder, file!), 'utf8');
    const kept = text.trim().split('\n').length - 1;
    expect(kept).toBeGreaterThan(20);
    await writeFile(join(folder, file!), `${text}{"group": "Dou`);
    const { out, err } = await run(count, online);
    expect(err).toContain(`was interrupted. Its ${kept} answers are kept.`);
    expect(JSON.parse(out)).toEqual([0, 80, 80 - kept]);
    expect(await runs()).toMatchObject([{ numRecords: 80 }]);
    const cached = `
const seen = [];
for (const system of [double, (row) => double(row)]) {
  const found = await evaluate('Cached', { data: data.slice(0, 20), system, scores: [right], cache: 'v1' });
  seen.push(calls, found.metrics[0].n);
}
console.log(JSON.stringify(seen));`;
    expect(await json(cached, online)).toEqual([20, 20, 20, 20]);
  });

  it('without the command there are rows and no interval; wrong arguments say what is right', async () => {
    const lines = `
const one = { data: [{ q: 1, expected: 1 }], system: ({ q }) => q, scores: [right] };
const found = await evaluate('Alone', one);
const wrong = [{ scores: [() => true] }, { data: [] }, { data: [{ q: 1, expected: 1 }, { q: 1, expected: 2 }] }, { trials: 0 },
  { retries: 0, system: () => { throw new Error('down'); } }];
const said = [];
for (const more of wrong) said.push(await evaluate('Alone', { ...one, ...more }).then(() => '', (error) => error.message));
for (const row of [1, null, { inputs: [1] }])
  said.push(await evaluate('Alone', { ...one, data: [row] }).then(({ rows }) => rows[0]['inputs.inputs'], (error) => error.message));
// A generator gives its rows once; a score is one value, or a value with its reason.
function* rowsOf() { yield { q: NaN, expected: null }; yield { 'ключ 😀': 'é' }; }
const scores = { nan: () => NaN, text: () => 'true', none: () => null, alone: () => [true], pair: () => [true, null], three: () => [true, 'a', 'b'], why: () => [0.5, 'half'] };
const odd = await evaluate('Odd', { data: rowsOf(), system: async () => null, scores });
const only = await evaluate('Only', { ...one, scores: right });
console.log(JSON.stringify([String(found), found.rows, found.metrics, said, odd.rows, only.rows]));`;
    const [text, rows, metrics, said, odd, only] = await json(lines, { DOKIMA_COMMAND: '', PATH: '' });
    // A text is a label.
    const scored = { trial: 1, text: 'true', pair: true, why: 0.5, error: null };
    expect(odd).toEqual([
      { 'inputs.q': null, ...scored },
      { 'inputs.ключ 😀': 'é', ...scored },
    ]);
    expect(only).toHaveLength(1);
    expect(text).toMatch(
      /^right 1 of 1 scores, no interval: install the npm package dokima.* · dokima push dokima-results/,
    );
    expect([rows[0].right, metrics]).toEqual([true, []]);
    expect(said).toEqual([
      expect.stringContaining('A metric needs a name'),
      'data has no rows.',
      'Two rows have the inputs {"q":1} and different expected answers.',
      'trials and concurrency must be whole numbers from 1, and retries at least 0.',
      'The system gave no answer. The first error: Error: down',
      expect.stringMatching(/^A row of data must be an object.*not 1\.$/),
      expect.stringMatching(/^A row of data must be an object.*not null\.$/),
      [1],
    ]);
  });
});
