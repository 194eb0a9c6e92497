import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openTerminal, type Terminal } from '../../cli/test/terminal.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

let terminal: Terminal;

beforeAll(async () => {
  // The workflow names ids. In a new database they start at 1.
  terminal = await openTerminal({});
});
afterAll(() => terminal.close());

/** Returns the arguments of each `npx dokima` line of the workflow. `RUN` replaces the expressions of GitHub. */
const commandLines = async (): Promise<string[][]> => {
  const workflow = parse(await terminal.read(here('evaluate.yml')));
  const scripts = workflow.jobs.gate.steps.flatMap(({ run }: { run?: string }) => run ?? []).join('\n');
  return [...scripts.matchAll(/npx dokima (.*)/g)].map(([, line]) =>
    line!
      .replace(/ > run\.json$/, '')
      .replaceAll(/\$\{\{.*?\}\}/g, 'RUN')
      .split(/\s+/),
  );
};

it("the workflow's commands evaluate the example system and pass its gate", async () => {
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
    fieldMapping: { inputs: ['country'], expected: ['city'], metadata: [] },
  });
  const cases = Array.from({ length: 20 }, () => ({ jsonData: { country: 'Peru', city: 'Lima' } }));
  await client.createAllTestcases(testset.id, cases);
  // The example files name these ids.
  expect([project.id, metric.id, testset.id]).toEqual(['1', '1', '1']);
  terminal.environment.DOKIMA_PROJECT = '1';

  const [run, watch, gate] = await commandLines();
  const evaluate = async (): Promise<string> => {
    const said = await terminal.dokima(run!.map((word) => (word === 'system.ts' ? here('system.ts') : word)));
    expect([said.code, said.err]).toEqual([0, expect.stringMatching(/^Run \d+$/m)]);
    const { id, metricVersionIds } = said.json().run;
    for await (const record of client.listRecords(id)) {
      const score = { binaryScore: record.outputs.city === record.expected.city };
      await client.upsertScore(record.id, metricVersionIds[0], { score });
    }
    return id;
  };
  const [baseline, latest] = [await evaluate(), await evaluate()];
  const watched = await terminal.dokima(watch!.map((word) => (word === 'RUN' ? latest : word)));
  expect(watched.code).toBe(0);

  const ids = [latest, baseline];
  const words = gate!.map((word) => (word === 'RUN' ? ids.shift()! : word));
  const said = await terminal.dokima([...words, '--config', here('dokima.yaml')]);
  expect(`${said.code} ${said.err}`).toBe('0 ');
  expect(await terminal.read('gate.xml')).toContain('tests="3" failures="0" errors="0"');
});
