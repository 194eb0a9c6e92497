import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openTerminal, type Said, type Terminal } from '../../cli/test/terminal.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const program = 'node .dokima/cli/bin/dokima.js ';

type Step = { run?: string; if?: string; env?: Record<string, string> };

let terminal: Terminal;
let steps: Step[];
let variables: Record<string, string>;

beforeAll(async () => {
  terminal = await openTerminal();
  for (const name of ['dokima.yaml', 'system.mts'])
    await copyFile(here(name), join(terminal.directory, name));
  steps = parse(await terminal.read(here('evaluate.yml'))).jobs.gate.steps;
  const { client } = terminal;
  const project = await client.createProject({ name: 'Capitals', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Right city',
    evalType: 'human',
    outputType: 'boolean',
  });
  const testset = await client.createTestset(project.id, {
    name: 'Countries',
    description: '',
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs: ['country', 'n'], expected: ['city'], metadata: [] },
  });
  const cases = Array.from({ length: 20 }, (_, n) => ({ jsonData: { country: 'Peru', n, city: 'Lima' } }));
  await client.createAllTestcases(testset.id, cases);
  terminal.environment.DOKIMA_PROJECT = project.id;
  variables = { DOKIMA_TESTSET: testset.id, DOKIMA_METRIC: metric.id };
});
afterAll(() => terminal.close());

/** Runs the commands of the workflow as an event starts them, and gives the scores by hand. Returns what the gate says. */
const evaluate = async (event: 'push' | 'pull_request', right = true): Promise<Said> => {
  let said: Said | undefined;
  for (const { run = '', if: condition } of steps) {
    if (condition?.includes('event_name') && !condition.includes(`'${event}'`)) continue;
    const line = run.split('\n').find((one) => one.startsWith(program));
    if (!line) continue;
    const words = line.slice(program.length).replace(' > run.json', '').split(/\s+/);
    said = await terminal.dokima(
      words.map((word) => word.replace(/^"\$(\w+)"$/, (_, name) => variables[name]!)),
    );
    if (words[0] !== 'run') continue;
    expect([said.code, said.err]).toEqual([0, expect.stringMatching(/^Run \d+$/m)]);
    const { id, metricVersionIds } = said.json().run;
    variables.RUN = id;
    for await (const record of terminal.client.listRecords(id)) {
      const score = { binaryScore: right && record.outputs.city === record.expected.city };
      await terminal.client.upsertScore(record.id, metricVersionIds[0], { score });
    }
  }
  return said!;
};

it('the workflow passes without a baseline, marks the run of main, and compares the next with it', async () => {
  const first = await evaluate('pull_request');
  expect([first.code, first.out]).toEqual([0, expect.stringContaining('no run is latest:main yet')]);
  const main = await evaluate('push');
  expect([main.code, main.err]).toEqual([0, expect.stringContaining('is now latest:main')]);
  const baseline = variables.RUN;
  const next = await evaluate('pull_request');
  expect([next.code, next.out]).toEqual([
    0,
    expect.stringContaining(`pass: run ${variables.RUN} against run ${baseline} (latest:main)`),
  ]);
  expect(await terminal.read('gate.xml')).toContain('tests="4" failures="0" errors="0"');
  expect((await evaluate('pull_request', false)).code).toBe(1);
});

it('no step that has the key runs code from a package registry', () => {
  for (const { run, env } of steps) {
    if (!run) continue;
    expect(run).not.toMatch(/\bnpx\b/);
    if (env?.DOKIMA_API_KEY) expect(run).not.toMatch(/\bnp[mx]\b/);
  }
});
