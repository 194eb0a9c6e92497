import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentOf, wordsOf } from '../src/lift/agents.ts';
import type { Arm } from '../src/lift/arms.ts';
import { readEvents } from '../src/lift/events.ts';
import { liftReport } from '../src/lift/report.ts';
import type { Trial } from '../src/lift/run-trial.ts';
import type { Lift } from '../src/lift/verdict.ts';
import { plannedCases, verdictsOf } from './lift-world.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const fake = `${execPath} ${fileURLToPath(new URL('fixtures/fake-agent.mjs', import.meta.url))}`;
let terminal: Terminal;

const write = async (path: string, text: string) => {
  const whole = join(terminal.directory, path);
  await mkdir(join(whole, '..'), { recursive: true });
  await writeFile(whole, text);
};
const solve = '[ "$(cat answer.txt)" = right ]\n';
const addCase = async (folder: string, name: string, prompt: string, check = solve) => {
  await write(`${folder}/${name}/prompt.md`, prompt);
  await write(`${folder}/${name}/check.sh`, check);
};

beforeAll(async () => {
  terminal = await openTerminal();
  terminal.environment.TMPDIR = terminal.directory;
  await write('skill/SKILL.md', '---\nname: greeting\ndescription: How to greet.\n---\nSay hello.\n');
  for (const i of [1, 2, 3, 4, 5, 6]) {
    await addCase('evals', `hard-${i}`, `A greeting, as number ${i}`);
    await addCase('evals', `easy-${i}`, `Something easy, ${i}`);
  }
});
afterAll(() => terminal.close());

/** Runs the command. Words may be lists of words. */
const lift = (...words: (string | string[])[]) => terminal.dokima(['lift', ...words.flat()]);
const trialsIn = async (name: string): Promise<Trial[]> =>
  (await terminal.read(name))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const leftOver = async () => (await readdir(terminal.directory)).filter((name) => name.startsWith('dokima-'));

describe('dokima lift', () => {
  it('says that a skill helps, in what share of trials it was used and what it costs; the same command makes no trial twice', async () => {
    const words = [
      '--agent',
      `${fake} --format claude`,
      '--with',
      './skill',
      '--trials',
      '2',
      '--out',
      'a.jsonl',
    ];
    const said = await lift(words, '--json');
    expect([said.code, said.err]).toEqual([0, expect.stringContaining('48 runs of node')]);
    const { outcome, metrics, amounts, used, costUsdOfPoint, failed } = said.json();
    expect([outcome, failed]).toEqual(['pass', 0]);
    expect(metrics).toEqual([
      expect.objectContaining({ metricName: 'Solved', before: 0.5, after: 1, n: 12, verdict: 'better' }),
    ]);
    expect(used.estimate).toBeCloseTo(0.5, 9);
    const cost = amounts.find(({ amount }: { amount: string }) => amount === 'costUsd');
    expect([cost.before, cost.after, cost.difference]).toEqual(
      [0.02, 0.025, 0.005].map((usd) => expect.closeTo(usd, 9)),
    );
    expect(costUsdOfPoint).toBeCloseTo(0.005 / 50, 9);
    // The arms alternate: of each case both are tried before the next.
    const order = (await trialsIn('a.jsonl')).toSorted((a, b) => a.startMs - b.startMs);
    expect(new Set(order.slice(0, 24).map((trial) => trial.case)).size).toBe(12);
    expect(order.filter(({ arm }, i) => arm === 'with' && i % 2 === 0).length).toBeGreaterThan(3);

    // As if it had been killed: half a line, and some trials missing.
    const lines = (await terminal.read('a.jsonl')).split('\n');
    await terminal.write('a.jsonl', `${lines.slice(0, 30).join('\n')}\n${lines[31]!.slice(0, 40)}`);
    const again = await lift(words);
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('30 trials of')]);
    expect(again.out).toContain('pass: Solved is better than without: difference 0.500');
    expect(again.out).toMatch(/Each point of Solved costs \$0\.0001 a trial\./);
    const starts = (await terminal.read('a.jsonl')).match(/"startMs"/g)!;
    expect(starts).toHaveLength(48);
    expect(await leftOver()).toEqual([]);
  });

  it('hides the check, the home and the key from the agent, and keeps what it changed', async () => {
    await addCase('hidden', 'peek', 'easy peek', `[ -e check.sh ] && ${solve}`);
    await write('hidden/peek/workspace/old.txt', 'old');
    await write('mine', 'the home of the user');
    await write('wrapped.txt', 'Be careful. {prompt}');
    const said = await lift(
      ['--agent', `${fake} -p {prompt}`, '--cases', 'hidden'],
      ['--with', 'env=KNOWS=no', '--with', 'prompt=wrapped.txt'],
      ['--trials', '1', '--out', 'b.jsonl'],
    );
    expect([said.code, said.err]).toEqual([2, expect.any(String)]);
    for (const { files, scores, used } of await trialsIn('b.jsonl')) {
      expect(files).toEqual({
        added: { 'answer.txt': 'right', 'seen.json': '[false,false,false]' },
        changed: {},
        removed: ['old.txt'],
      });
      expect([scores, used]).toEqual([{ Solved: true }, null]);
    }
  });

  it('an agent that does not work ends the command before it is asked for every case; a time limit is an attempt', async () => {
    for (const i of [1, 2, 3, 4, 5]) await addCase('broken', `c${i}`, `easy crash ${i}`);
    const words = ['--agent', fake, '--with', 'env=KNOWS=yes', '--trials', '2', '--concurrency', '1'];
    const said = await lift(words, '--cases', 'broken', '--out', 'c.jsonl');
    expect([said.code, said.err]).toEqual([4, expect.stringContaining('no credit left')]);
    expect(await trialsIn('c.jsonl')).toHaveLength(4);

    await addCase('slow', 'one', 'sleep', '[ ! -e answer.txt ]\n');
    await lift(
      words,
      '--cases',
      'slow',
      '--out',
      'd.jsonl',
      '--trial-timeout',
      '1',
      '--trials',
      '1',
      '--concurrency',
      '2',
    );
    expect(await trialsIn('d.jsonl')).toEqual([
      expect.objectContaining({ timedOut: true, error: null, scores: { Solved: true } }),
      expect.objectContaining({ timedOut: true, error: null, scores: { Solved: true } }),
    ]);
  });

  it('a broken trial is left out of what trials took, a price makes costs of tokens, and two commands share no file', async () => {
    for (const i of [1, 2, 3, 4]) await addCase('partly', `p${i}`, `A task, ${i}`);
    await addCase('partly', 'p5', 'crash');
    const words = [
      '--agent',
      `${fake} --format codex`,
      '--with',
      'env=KNOWS=yes',
      '--trials',
      '1',
      '--cases',
      'partly',
    ];
    const file = ['--out', 'p.jsonl', '--price', '2,10,0.2'];
    await write('p.jsonl.lock', String(process.pid));
    const second = await lift(words, file);
    expect([second.code, second.err]).toEqual([
      4,
      expect.stringContaining('Another dokima lift makes trials for'),
    ]);
    // A process that was killed leaves its lock.
    await write('p.jsonl.lock', '99999999');
    const said = (await lift(words, file, '--json')).json();
    expect(said.failed).toBe(2);
    const usd = (10 * 2 + 90 * 0.2 + 5 * 10) / 1e6;
    const cost = said.amounts.find(({ amount }: { amount: string }) => amount === 'costUsd');
    expect([cost.before, cost.after]).toEqual([expect.closeTo(usd, 9), expect.closeTo(usd, 9)]);
    expect(existsSync(join(terminal.directory, 'p.jsonl.lock'))).toBe(false);
    expect((await lift(words, '--price', 'cheap')).err).toContain('--price must be INPUT,OUTPUT');
  });

  it('scores that a check names count in place of its exit code, models are arms too, and --keep writes runs', async () => {
    const check = `echo '{"scores": {"Style": 0.5, "Right": '$(grep -c right answer.txt)'}, "reason": "read"}'; exit 1\n`;
    for (const i of [1, 2, 3, 4, 5, 6, 7, 8]) await addCase('graded', `g${i}`, `A task, ${i}`, check);
    const { id } = await terminal.client.createProject({ name: 'Kept', description: '' });
    const said = await lift(
      [
        '--agent',
        `${fake} --model {model}`,
        '--with',
        'model=small',
        '--than',
        'model=large',
        '--metric',
        'Right',
      ],
      ['--cases', 'graded', '--out', 'e.jsonl', '--margin', '0.1', '--keep', '-p', id, '--json'],
    );
    const { outcome, metrics, runs, used, minimumDetectable } = said.json();
    expect(minimumDetectable).toBeDefined();
    expect([said.code, outcome, used]).toEqual([1, 'worse', null]);
    expect(metrics.map((metric: { metricName: string }) => metric.metricName)).toEqual(['Style', 'Right']);
    const [pair] = (await terminal.client.compareRuns({ runs })).pairs;
    expect(pair!.metrics.find(({ metricName }) => metricName === 'Right')).toMatchObject({
      before: 1,
      after: 0,
      n: 8,
    });
    const { data } = await terminal.client.listRecords(runs[0]);
    expect(data[0]).toMatchObject({ outputs: { files: { added: { 'answer.txt': 'right' } } } });
  });

  it.each([
    [['--with', './skill'], '--agent is missing.'],
    [['--agent', 'claude'], '--with is missing.'],
    [['--agent', 'claude', '--with', './nothing'], "There is no file or folder './nothing'."],
    [['--agent', 'mycli {prompt}', '--with', 'model=x'], '--agent does not say where the model stands.'],
    [['--agent', 'claude', '--with', './skill', '--case', 'x'], 'There is no case x.'],
    [['--agent', 'claude', '--with', './skill', '--margin', '5'], '--margin must be a number from 0 to 1'],
    [['--agent', './not-there', '--with', './skill'], 'does not start'],
  ])('%j is refused with what is wrong', async (words, problem) => {
    const said = await lift(words);
    expect([said.code, said.err]).toEqual([4, expect.stringContaining(problem)]);
  });

  it.each([
    [
      'a prompt in another encoding',
      'p1/a/prompt.md',
      Buffer.from('Gr\xfcn', 'latin1'),
      'prompt.md is not UTF-8 in line 1',
    ],
    ['an empty prompt', 'p2/a/prompt.md', Buffer.from(' \n'), 'prompt.md is empty.'],
    ['a workspace that leads nowhere', 'p3/a/workspace', undefined, 'There is no file'],
    ['a prompt that leads nowhere', 'p4/b/prompt.md', undefined, 'There is no file'],
    ['an empty skill', 'p5/s/SKILL.md', Buffer.from(''), 'SKILL.md is empty.'],
    [
      'a skill whose front cannot be read',
      'p6/s/SKILL.md',
      Buffer.from('---\na: 1\nb: [\n---\n'),
      'SKILL.md, line 3: ',
    ],
    [
      'servers that break off',
      'p7/s/mcp.json',
      Buffer.from('{"mcpServers":\n{"a"'),
      'It breaks off in line 2, column 5',
    ],
    [
      'another file of trials',
      'p8/t.csv',
      Buffer.from('a,b\n'),
      't.csv is no file of trials: its line 1 is none.',
    ],
  ])('%s is refused before an agent is paid', async (_what, path, content, problem) => {
    const [folder] = path.split('/') as [string];
    await addCase(folder, 'a', 'Something easy');
    if (path.includes('/b/')) await addCase(folder, 'b', 'x');
    const whole = join(terminal.directory, path);
    await mkdir(join(whole, '..'), { recursive: true });
    await rm(whole, { force: true });
    await (content ? writeFile(whole, content) : symlink('/nowhere', whole));
    const gift = path.includes('/s/') ? path.replace('/SKILL.md', '') : './skill';
    const out = path.endsWith('.csv') ? path : `${folder}.jsonl`;
    const said = await lift('--agent', fake, '--with', gift, '--cases', folder, '--out', out);
    expect([said.code, said.err]).toEqual([4, expect.stringContaining(problem)]);
    expect(existsSync(join(terminal.directory, `${folder}.jsonl`))).toBe(false);
    if (content) expect(await readFile(whole)).toEqual(content);
  });

  it('--init writes a case whose check the empty answer fails', async () => {
    expect((await lift('--init', 'mine-too')).code).toBe(0);
    expect(existsSync(join(terminal.directory, 'mine-too/greet/workspace/greet.py'))).toBe(true);
    expect((await lift('--init', 'mine-too')).err).toContain('is there already');
  });
});

describe('an agent that leaves links', () => {
  it('cannot lead the hidden files of a check out of its workspace', async () => {
    const { reveal } = await import('../src/lift/workspace.ts');
    await write('outside/tests/check.sh', 'precious');
    await write('linked/check/tests/check.sh', 'hidden');
    await write('linked/check/check.sh', 'hidden');
    await mkdir(join(terminal.directory, 'place'));
    await symlink(join(terminal.directory, 'outside/tests'), join(terminal.directory, 'place/tests'));
    const hidden = join(terminal.directory, 'linked/check');
    const task = {
      name: 'l',
      prompt: '',
      workspace: undefined,
      hidden,
      check: join(hidden, 'check.sh'),
      digest: '',
    };
    await reveal(task, join(terminal.directory, 'place'));
    expect(await terminal.read('outside/tests/check.sh')).toBe('precious');
    expect(await readFile(join(terminal.directory, 'place/tests/check.sh'), 'utf8')).toBe('hidden');
  });
});

describe('what agents print', () => {
  const read = (names: string[], ...events: object[]) => {
    const reader = readEvents(names);
    for (const event of events) reader.take(JSON.stringify(event));
    return reader.said();
  };

  it.each([
    [
      'claude',
      { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'mcp__db__query', input: {} }] } },
    ],
    [
      'claude',
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', name: 'Skill', input: { skill: 'team:db' } }] },
      },
    ],
    [
      'claude',
      {
        type: 'assistant',
        message: {
          content: [
            { type: 'tool_use', name: 'Read', input: { file_path: '/w/.claude/skills/db/SKILL.md' } },
          ],
        },
      },
    ],
    [
      'codex',
      { type: 'item.completed', item: { type: 'mcp_tool_call', server: 'db', tool: 'query', arguments: {} } },
    ],
    [
      'codex',
      {
        type: 'item.completed',
        item: { type: 'command_execution', command: 'sed -n 1,9p .agents/skills/db/SKILL.md' },
      },
    ],
    ['opencode', { type: 'tool_use', part: { tool: 'db_query', state: { input: {} } } }],
    ['opencode', { type: 'tool_use', part: { tool: 'skill', state: { input: { name: 'db' } } } }],
  ])('%s used what it was given: %j', (_agent, event) => {
    expect([read(['db'], event).used, read(['other'], event).used]).toEqual([true, false]);
  });

  it('opencode asks for no permission, whatever its version calls the flag', async () => {
    const place = { workspace: terminal.directory, home: terminal.directory, marker: 'used' };
    const arm = { name: 'with', files: [], servers: {}, args: [] } as unknown as Arm;
    const { words, stdin } = await agentOf('opencode --standalone', undefined).start(arm, 'Do it.', place);
    expect([words, stdin]).toEqual([['opencode', 'run', '--format', 'json', '--standalone'], 'Do it.']);
    const settings = JSON.parse(await terminal.read('.config/opencode/opencode.json'));
    expect(settings).toMatchObject({ permission: 'allow', mcp: {} });
  });

  it('amounts are summed over turns, and a limit is no error of the agent', () => {
    const usage = { input_tokens: 100, cached_input_tokens: 90, output_tokens: 5 };
    const turn = { type: 'turn.completed', usage };
    expect(read([], turn, turn)).toMatchObject({
      costUsd: undefined,
      inputTokens: 200,
      cachedTokens: 180,
      outputTokens: 10,
    });
    const step = {
      type: 'step_finish',
      part: { cost: 0.5, tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } } },
    };
    expect(read([], step, step)).toMatchObject({
      costUsd: 1,
      inputTokens: 20,
      cachedTokens: 8,
      outputTokens: 10,
    });
    const result = { type: 'result', is_error: true, total_cost_usd: 2, usage: {} };
    expect(read([], { ...result, subtype: 'error_max_turns' })).toMatchObject({
      error: undefined,
      costUsd: 2,
    });
    expect(read([], { ...result, subtype: 'success', result: 'Invalid API key' }).error).toBe(
      'Invalid API key',
    );
    expect(read([], { type: 'error', message: 'stream lost' }).error).toBe('stream lost');
    expect(read([], { type: 'dokima', costUsd: 1, used: true, answer: 'Yes' })).toMatchObject({
      costUsd: 1,
      used: true,
      answer: 'Yes',
    });
  });

  it('an open question says what as many cases can show; a decided one does not', () => {
    const plan = { n: 20, minimumDetectable: 0.3587, power: 0.8 };
    const report = (outcome: string) =>
      liftReport(
        {
          decision: { outcome, checks: [] },
          about: { notes: [] },
          compared: [],
          differences: [],
          used: undefined,
          runs: ['1', '2'],
          plan,
        } as unknown as Lift,
        { title: '', level: 0.95, trials: [], left: 0 },
      );
    const sentence = '20 cases like these show differences of 36 points or more in at least 80 of 100 lifts.';
    expect(report('inconclusive')).toContain(sentence);
    expect(report('pass')).not.toContain('like these');
  });

  it('a line of a template is split as a shell splits it', () => {
    expect(wordsOf(`my "a b" 'c "d"' e\\ f --x="y z" {prompt}`)).toEqual([
      'my',
      'a b',
      'c "d"',
      'e f',
      '--x=y z',
      '{prompt}',
    ]);
  });
});

describe('simulated agents', () => {
  it.each([
    ['does nothing', 0, 'inconclusive', 95],
    ['helps', 0.15, 'pass', 72],
    ['harms', -0.15, 'worse', 72],
  ] as const)(
    'of 100 experiments with a skill that %s, as many end as planned',
    async (_what, size, outcome, atLeast) => {
      const { id } = await terminal.client.createProject({ name: 'Simulated', description: '' });
      const world = { lift: size, cases: 61, trials: 3, among: 'some' as const };
      const counts = await verdictsOf(terminal.client, id, world, { experiments: 100, seed: 1_000 });
      expect(counts[outcome]).toBeGreaterThanOrEqual(atLeast);
      expect(counts.incomplete).toBe(0);
      // A skill that helps is never said to harm, and the other way round.
      if (size !== 0) expect(counts[size > 0 ? 'worse' : 'pass']).toBe(0);
    },
    600_000,
  );

  it('the number of cases is that of the plan', async () => {
    const { id } = await terminal.client.createProject({ name: 'Pilot', description: '' });
    expect(
      await plannedCases(terminal.client, id, { lift: 0.15, cases: 0, trials: 3, among: 'some' as const }),
    ).toBe(61);
  });
});
