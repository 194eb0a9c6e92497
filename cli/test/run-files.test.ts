import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { placeFor, program, startOwnService } from '../src/files/own-service.ts';
import { fixture } from './importing.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let projectId: string;

beforeAll(async () => {
  terminal = await openTerminal();
  terminal.environment.TMPDIR = terminal.directory;
  const table = (isRight: (i: number) => boolean, order: (a: number, b: number) => number) =>
    Array.from({ length: 60 }, (_, i) => i)
      .toSorted(order)
      .map((i) => `What is ${i}?,${i},${isRight(i)}`);
  const head = 'question,expected,scores.right';
  const write = (name: string, lines: string[]) => terminal.write(name, `${[head, ...lines].join('\n')}\n`);
  await write(
    'before.csv',
    table(
      (i) => i % 2 === 0,
      (a, b) => a - b,
    ),
  );
  await write(
    'better.csv',
    table(
      (i) => i % 6 !== 1,
      (a, b) => a - b,
    ),
  );
  // Another order, one case less and one more: rows without ids are found by their content.
  await write('after.csv', [
    'What is x?,0,true',
    ...table(
      (i) => i % 6 !== 1,
      (a, b) => b - a,
    ).slice(1),
  ]);
  const test = (i: number, inside = '') =>
    `<testcase classname="suite" name="t${i}" time="0.5">${inside}</testcase>`;
  const tests = [
    ...Array.from({ length: 20 }, (_, i) => test(i)),
    test(20, '<failure message="expected 1 &lt; 0">at <![CDATA[line <3>]]></failure>'),
    test(21, '<error message="no network"/>'),
    test(22, '<skipped/>'),
    test(0, '<failure/>'),
  ];
  await copyFile(fixture('promptfoo.json'), join(terminal.directory, 'copy.json'));
  await terminal.write(
    'tests.xml',
    `<?xml version="1.0"?><testsuites><testsuite name="s">${tests.join('')}</testsuite></testsuites>`,
  );
});
beforeEach(async () => {
  projectId = (await terminal.client.createProject({ name: 'Kept', description: '' })).id;
});
afterAll(() => terminal.close());

const leftOver = async () =>
  (await readdir(terminal.directory)).filter((name) => name.startsWith('dokima-files-'));

/** Runs a command without a service: its address and its key lead nowhere. */
const alone = async (...words: string[]) => {
  const { DOKIMA_URL, DOKIMA_API_KEY } = terminal.environment;
  Object.assign(terminal.environment, { DOKIMA_URL: 'http://127.0.0.1:9', DOKIMA_API_KEY: 'none' });
  try {
    return await terminal.dokima(words);
  } finally {
    Object.assign(terminal.environment, { DOKIMA_URL, DOKIMA_API_KEY });
  }
};

describe('files of results in the place of runs', () => {
  it('compare says of two files what it says of the same runs of a service, and nothing of them stays', async () => {
    const files = await alone('compare', 'before.csv', 'after.csv', '--json');
    expect(files.err).toContain('before.csv is run 1: 60 records.\nafter.csv is run 2: 60 records.');
    const first = (await terminal.dokima(['import', '-p', projectId, 'before.csv', '--json'])).json();
    const second = ['import', '-p', projectId, 'after.csv', '-t', first.testsetId, '--json'];
    const runs = [first.runIds[0], (await terminal.dokima(second)).json().runIds[0]];
    const [[pair], [expected]] = [
      files.json().pairs,
      (await terminal.dokima(['compare', ...runs, '--json'])).json().pairs,
    ];
    // Ids differ: the service has other testsets and metrics too.
    const { metricId: _, metricConfigIds: __, dropped: ___, ...there } = expected.metrics[0];
    expect(pair.metrics).toEqual([expect.objectContaining({ n: 59, verdict: 'better' })]);
    expect(pair.metrics[0]).toMatchObject(there);
    expect(pair.metrics[0].dropped.onlyBefore.numTestcases).toBe(1);
    expect(await leftOver()).toEqual([]);
  });

  it('summary, gate and plan take them too, with the exit codes of gate', async () => {
    const summary = (await alone('summary', 'tests.xml', '--json')).json();
    const { passRate, states } = summary.metrics[0];
    // t0 passed in one trial and failed in the other.
    expect([passRate.estimate, passRate.n, states]).toEqual([
      expect.closeTo(19.5 / 21, 9),
      21,
      { scored: 22, unscored: 2, pending: 0, failed: 0 },
    ]);
    const gate = ['gate', '--policy', 'pull-request', '--baseline'];
    expect((await alone(...gate, 'before.csv', 'better.csv')).code).toBe(0);
    await terminal.write('ledger.yaml', 'ledger: { alpha: 0.05 }');
    const uncounted = await alone(...gate, 'before.csv', 'better.csv', '--config', 'ledger.yaml');
    expect([uncounted.code, uncounted.out]).toEqual([
      0,
      expect.stringContaining('This is no look of a ledger: files have none. It is tested at 5 %.'),
    ]);

    expect((await alone(...gate, 'better.csv', 'before.csv')).code).toBe(1);
    const plan = await alone('plan', 'right', 'before.csv', '--difference', '5');
    expect(plan.out).toMatch(/^You need \d+ testcases to see a difference of 5 points\./);
  });

  it('one file may hold several runs, in the form of any tool', async () => {
    const said = await alone('compare', fixture('promptfoo.json'), '--json');
    expect([said.code, said.json().pairs.length > 0]).toEqual([0, true]);
    const changes = await alone('compare', 'before.csv', 'after.csv', '--changes', 'right', '--json');
    expect(changes.json().filter(({ change }: { change: string }) => change === 'better')).toHaveLength(19);
  });

  it('--keep writes the runs into a project, where a mark can stay, and a run can stand beside a file', async () => {
    const keep = ['--keep', '-p', projectId];
    const marked = await terminal.dokima([
      'gate',
      'before.csv',
      '--policy',
      'smoke',
      '--mark',
      'main',
      ...keep,
    ]);
    expect([marked.code, marked.err]).toEqual([
      expect.any(Number),
      expect.stringContaining('before.csv is run '),
    ]);
    const runIds: string[] = [];
    for await (const { id } of terminal.client.listRuns(projectId)) runIds.push(id);
    const compared = await terminal.dokima(['compare', runIds[0]!, 'after.csv', ...keep, '--json']);
    expect(compared.json().pairs[0].metrics[0].n).toBe(59);
  });

  it.each([
    [['compare', 'before.csv', 'nowhere.csv'], "There is no run and no file 'nowhere.csv'."],
    [['compare', '12', 'after.csv'], 'Some of these runs are files, and some are runs of the service.'],
    [['gate', 'after.csv', '--policy', 'smoke', '--mark', 'main'], '--mark needs runs that stay.'],
    [['summary', 'broken.xml'], 'Line 2 is not well-formed XML'],
    [['summary', 'none.csv'], 'none.csv cannot be read. It is empty.'],
    [['gate', 'after.csv', '--baseline', 'after.csv', '--policy', 'smoke'], "'after.csv' is named twice"],
    [['compare', fixture('promptfoo.json'), 'copy.json'], "'copy.json' holds the same evaluation as '"],
    [
      ['gate', 'odd.csv', '--policy', 'smoke'],
      `values like "maybe" are not yes or no, and no numbers; 1 row of 2 has it, first 'row 2'. Labels`,
    ],
    // A verdict whose column nothing names would else be an empty table and no error.
    [['compare', 'named.csv', 'named2.csv'], '--scores Right'],
  ])('%j is refused with the next step', async (words, problem) => {
    for (const name of ['named.csv', 'named2.csv'])
      await terminal.write(name, 'question,output,Right\nq,a,true\nr,b,false\n');
    await terminal.write('none.csv', '');
    await terminal.write('odd.csv', 'question,output,score\nq,a,true\nr,b,maybe\n');
    await terminal.write('broken.xml', '<testsuite>\n<testcase name="t"></testsuite>');
    const said = await alone(...words);
    expect([said.code, said.err]).toEqual([4, expect.stringContaining(problem)]);
    expect(await leftOver()).toEqual([]);
  });
});

describe('the service of a command', () => {
  it('has the API alone, in the temporary directory that is set, in memory, or on disk if it is large', async () => {
    const { url, end } = await startOwnService(terminal.environment);
    const statuses = ['/openapi.json', '/docs', '/'].map(
      async (path) => (await fetch(`${url}${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404, 404]);
    expect(await leftOver()).toHaveLength(1);
    await end();
    expect(await placeFor({ TMPDIR: '/elsewhere' }, true)).toBe('/elsewhere');
    expect(await placeFor({}, true)).toBe(tmpdir());
    expect(['/dev/shm', tmpdir()]).toContain(await placeFor({}, false));
  });

  it('ends with its command, and leaves nothing, also if a signal ends that', async () => {
    const command = spawn(execPath, [program, 'serve', '--temporary'], {
      env: terminal.environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = await once(command.stdout, 'data');
    const { url } = JSON.parse(String(line));
    expect(await leftOver()).toHaveLength(1);
    command.kill('SIGTERM');
    expect(await once(command, 'exit')).toEqual([143, null]);
    expect(await leftOver()).toEqual([]);
    await expect(fetch(url)).rejects.toThrow();
  });
});
