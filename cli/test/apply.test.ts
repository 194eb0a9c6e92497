import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let projectId: string;
beforeAll(async () => {
  terminal = await openTerminal();
  terminal.environment.SLACK_URL = 'https://hooks.example.com/services/secret';
  projectId = (await terminal.client.createProject({ name: 'As code', description: '' })).id;
  await terminal.client.upsertSystem(projectId, {
    name: 'Bot',
    config: { messages: [{ role: 'user', content: '{{ inputs.country }}' }], modelName: 'fake/a' },
  });
});
afterAll(() => terminal.close());

const apply = (...more: string[]) =>
  terminal.dokima(['apply', '-p', projectId, '-f', 'resources.yaml', ...more]);

it('apply makes all kinds of resources of the page, then finds no difference, then only what changed', async () => {
  const page = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const [, text] = /```yaml\n(testsets:\n[\s\S]*?)```/.exec(page)!;
  await terminal.write('resources.yaml', text!);
  const added = [
    '+ testset Capitals',
    '    1 testcase more',
    '+ metric Right city',
    '+ monitor Live',
    '+ schedule Nightly',
    '+ alert Chat',
  ];
  const dry = await apply('--dry-run');
  expect([dry.code, dry.out.trimEnd().split('\n')]).toEqual([0, added]);
  const unasked = await apply();
  expect([unasked.code, unasked.err]).toEqual([4, expect.stringContaining('Nothing was changed.')]);
  const made = await apply('--yes');
  expect([made.code, made.out]).toEqual([0, '5 changes made.\n']);

  const { client } = terminal;
  const [metric] = (await client.listMetrics(projectId)).data;
  const [testset] = (await client.listTestsets(projectId)).data;
  expect((await client.listMonitors(projectId)).data).toMatchObject([
    { name: 'Live', metricIds: [metric!.id], samplingRate: 0.1 },
  ]);
  expect((await client.listSchedules(projectId)).data).toMatchObject([
    { name: 'Nightly', task: { kind: 'run', testsetId: testset!.id, metricIds: [metric!.id] } },
  ]);
  expect((await client.listAlerts(projectId)).data).toMatchObject([
    { kind: 'slack', target: 'https://hooks.example.com' },
  ]);
  expect((await client.listTestcases(testset!.id)).data).toMatchObject([
    { jsonData: { country: 'Peru', city: 'Lima' } },
  ]);
  expect((await apply('--yes')).out).toBe('Nothing differs.\n');

  // 0.20 and 1.50 are written so; only the testcase keeps the digits.
  await terminal.write(
    'resources.yaml',
    text!
      .replace('samplingRate: 0.1', 'samplingRate: 0.20')
      .replace('city: Lima }', 'city: Lima }\n      - { country: France, city: Paris, area: 1.50 }'),
  );
  const changed = [
    '~ testset Capitals',
    '    1 testcase more',
    '~ monitor Live',
    '    samplingRate: 0.1 → 0.2',
  ];
  expect((await apply('--dry-run')).out.trimEnd().split('\n')).toEqual(changed);
  expect((await apply('--yes', '--json')).json()).toMatchObject({
    changes: [
      { change: 'update', kind: 'testset', name: 'Capitals' },
      { change: 'update', kind: 'monitor', name: 'Live' },
    ],
  });
  expect((await client.listMonitors(projectId)).data[0]!.samplingRate).toBe(0.2);
  const testcases = await client.send({ method: 'GET', path: `/api/v2/testsets/${testset!.id}/testcases` });
  expect(testcases).toMatch(/"area" ?: ?1\.50/);
  expect((await apply('--yes')).out).toBe('Nothing differs.\n');

  const entry = (peru: string, chad = '') => `testsets:
  - name: Capitals
    groupingField: country
    splitRules: [{ split: test, q: 'data.city:Paris' }]
    testcases:
      - ${peru}${chad}`;
  const peru = '{ jsonData: { country: Peru, city: Lima }, split: dev, tags: [b, a] }';
  await terminal.write('resources.yaml', entry(peru));
  expect((await apply('--dry-run')).out.trimEnd().split('\n')).toEqual([
    '~ testset Capitals',
    '    groupingField: null → country',
    '    splitRules: [] → [{"split":"test","q":"data.city:Paris"}]',
    '    1 testcase with another split or other tags',
  ]);
  expect((await apply('--yes')).code).toBe(0);
  const marks = async () =>
    (await client.listTestcases(testset!.id)).data.map(({ split, tags }) => [split, tags]);
  expect(await marks()).toEqual([
    ['dev', ['a', 'b']],
    ['test', undefined],
  ]);
  expect((await apply('--yes')).out).toBe('Nothing differs.\n');
  // Without marks they stay; null takes a split away. A new testcase comes with its own, before any rule.
  const chad = `\n      - { jsonData: { country: Chad, city: N'Djamena }, split: dev, tags: [c] }`;
  await terminal.write(
    'resources.yaml',
    entry('{ jsonData: { country: Peru, city: Lima }, split: null }', chad),
  );
  expect((await apply('--yes')).code).toBe(0);
  expect(await marks()).toEqual([
    [undefined, ['a', 'b']],
    ['test', undefined],
    ['dev', ['c']],
  ]);
  expect((await apply('--yes')).out).toBe('Nothing differs.\n');
});

it('apply refuses what it does not know before it changes anything; open prints the address', async () => {
  for (const [text, words] of [
    ['metric: []', 'resources.yaml has metric.'],
    ['metrics: [{ evalType: ai }]', 'metrics must be a list of resources with names.'],
    ['testsets: [{ name: A }, { name: A }]', "resources.yaml has two testsets named 'A'."],
    [
      'testsets: [{ name: New }]\nmonitors: [{ name: M, metrics: [Nope], samplingRate: 1 }]',
      "There is no metric named 'Nope'",
    ],
    [
      'testsets: [{ name: New, testcases: [{ jsonData: {}, tag: [a] }] }]',
      "A testcase of testset 'New' has the unknown field 'tag'.",
    ],
    [`alerts: [{ name: A, url: "$\{UNSET_URL}" }]`, 'The variable UNSET_URL is not set.'],
  ] as const) {
    await terminal.write('resources.yaml', text);
    const said = await apply('--yes');
    expect([said.code, said.err]).toEqual([4, expect.stringContaining(words)]);
  }
  expect((await terminal.client.listTestsets(projectId)).data.map(({ name }) => name)).not.toContain('New');
  const run = await terminal.client.createRun(projectId, { metricIds: [] });
  expect((await terminal.dokima(['open', run.id])).out).toBe(
    `${terminal.url}/projects/${projectId}/runs/${run.id}\n`,
  );
  expect((await terminal.dokima(['open', '-p', projectId])).out).toBe(
    `${terminal.url}/projects/${projectId}\n`,
  );
});

it('new creates one resource of each kind by its name, and prints its id', async () => {
  const { client } = terminal;
  const say = async (...words: string[]) => {
    const said = await terminal.dokima(['new', ...words]);
    expect([words.join(' '), said.code, said.err]).toEqual([words.join(' '), 0, '']);
    return said.out.trim();
  };
  const project = await say('project', 'Made');
  const make = (...words: string[]) => say(...words, '-p', project);
  const metric = await make('metric', 'Right', 'evalType=human', 'outputType=boolean');
  expect(await client.getMetric(metric)).toMatchObject({ name: 'Right', evalType: 'human' });
  const guidelines = 'function score() { return { score: true }; }';
  const code = await make(
    'metric',
    'Code',
    'evalType=heuristic',
    'outputType=boolean',
    `guidelines=${guidelines}`,
  );
  expect(await client.getMetric(code)).toMatchObject({ guidelines });
  const testset = await make('testset', 'T', 'fieldMapping={inputs: [q], expected: [a], metadata: []}');
  expect((await client.getTestset(testset)).fieldMapping.inputs).toEqual(['q']);
  const monitor = await make('monitor', 'Live', 'metrics=[Right]', 'samplingRate=0.1');
  expect((await client.getMonitor(monitor)).metricIds).toEqual([metric]);
  const system = await make('system', 'Bot', 'config={endpoint: https://example.com/answer}');
  expect(await client.getSystem(system)).toMatchObject({ name: 'Bot' });
  const run = await make('run', 'First', 'testset=T', 'metrics=[Right]');
  expect(await client.getRunDetails(run)).toMatchObject({
    name: 'First',
    testsetId: testset,
    metricIds: [metric],
  });
  const again = await make('run', 'First', 'metrics=[Right]');
  expect(again).not.toBe(run);
  await client.createTestcases(testset, { items: [{ jsonData: { q: 1, a: 2 } }] });
  const nightly = 'task={kind: run, testset: T, system: Bot, metrics: [Right]}';
  const schedule = await make('schedule', 'Nightly', 'cron=0 2 * * *', 'timeZone=Europe/Athens', nightly);
  expect((await client.listSchedules(project)).data).toMatchObject([
    { id: schedule, task: { kind: 'run', testsetId: testset, systemId: system, metricIds: [metric] } },
  ]);
  const hook = await make(
    'alert',
    'Hook',
    'kind=webhook',
    'url=https://example.com/hook',
    'events=[run.completed]',
  );
  expect((await client.listAlerts(project)).data).toMatchObject([
    { id: hook, kind: 'webhook', events: ['run.completed'] },
  ]);
  for (const [words, problem] of [
    [['system', 'Bot', 'config={}', '-p', project], "There is a system named 'Bot' already."],
    [['run', 'R', 'testset=None', '-p', project], "There is no testset named 'None'"],
    [['schedule', 'S', 'task={kind: run, system: None}', '-p', project], 'There is no testset named'],
    [['alert', 'A', 'kind=pigeon', '-p', project], 'kind'],
    [['metrc', 'X'], "Did you mean 'metric'?"],
    [['metric', 'Right', '-p', project], "There is a metric named 'Right' already."],
    [['metric', 'Y', 'boolean', '-p', project], "'boolean' is not FIELD=VALUE."],
    [['monitor', 'Z', 'metrics=[None]', '-p', project], "There is no metric named 'None'"],
  ] as const) {
    const said = await terminal.dokima(['new', ...words]);
    expect([said.code, said.err]).toEqual([4, expect.stringContaining(problem)]);
  }
});
