import { expect, it } from 'vitest';
import { fixture, nothing, openImports } from './importing.ts';

const { opened, importFile } = openImports();

it('rubrics in the form of HealthBench become testcases with criteria, and a judge that reads them', async () => {
  const path = fixture('healthbench/eggs.jsonl');
  const said = await importFile(path);
  expect(said).toMatchObject({ tool: 'HealthBench', testcases: 2, metrics: 1, runs: 0, records: 0 });
  const { client } = opened.terminal;
  const criteria = new Map<unknown, unknown>();
  for await (const { jsonData } of client.listTestcases(said.testsetId))
    criteria.set(jsonData.id, jsonData.criteria);
  const cooled = { id: 'says-to-cool-the-egg-in-water', text: 'Says to cool the egg in water' };
  expect(criteria.get('eggs-1')).toMatchObject([
    { text: 'Says at least eight minutes', weight: 5, tags: ['axis:accuracy'] },
    { ...cooled, weight: 2 },
    { text: 'Says that a cracked egg can be eaten next week', weight: -6 },
  ]);
  // The same text is the same criterion in each testcase.
  expect(criteria.get('eggs-2')).toMatchObject([{ weight: 4 }, { ...cooled, weight: 1 }]);
  const testset = await client.getTestset(said.testsetId);
  expect(testset.fieldMapping).toMatchObject({ inputs: ['messages'], expected: ['criteria'] });
  const metrics: unknown[] = [];
  for await (const metric of client.listMetrics(opened.projectId)) metrics.push(metric);
  expect(metrics).toMatchObject([
    { evalType: 'ai', outputType: 'float', criteria: { items: [], fromExpected: true, isolate: false } },
  ]);
  expect(await importFile(path)).toMatchObject(nothing);
});
