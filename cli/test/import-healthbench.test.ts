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

  // A judge and people say something on each criterion; the command line shows both, criterion by criterion.
  const judge = metrics[0] as { id: string };
  const people = await client.createMetric(opened.projectId, {
    name: 'Doctors',
    evalType: 'human',
    outputType: 'float',
    criteria: { fromExpected: true },
  });
  await client.updateMetricSettings(judge.id, { peopleMetricId: people.id });
  const run = await client.createRun(opened.projectId, {
    testsetId: said.testsetId,
    metricIds: [judge.id, people.id],
  });
  const records = [];
  for await (const { id: testcaseId, jsonData } of client.listTestcases(said.testsetId)) {
    const ofCase = jsonData.criteria as { id: string; weight: number }[];
    const scoreBy = (met: (weight: number) => boolean) => ({
      criteria: ofCase.map(({ id, weight }) => ({ id, met: met(weight) })),
    });
    records.push({
      testcaseId,
      inputs: {},
      expected: { criteria: ofCase },
      outputs: {},
      scores: [
        { metricConfigId: run.metricVersionIds[0]!, score: scoreBy(() => true) },
        { metricConfigId: run.metricVersionIds[1]!, score: scoreBy((weight) => weight > 0) },
      ],
    });
  }
  await client.createAllRecords(run.id, records);
  const rates = await opened.terminal.dokima(['summary', run.id, '--criteria', judge.id]);
  expect(rates.out).toMatch(/says-to-cool-the-egg-in-water +100\.00 %/);
  const { out } = await opened.terminal.dokima(['metric', 'agreement', judge.id]);
  expect(out).toContain(`held against metric ${people.id}`);
  // Five verdicts of two records, one of them wrong: the egg that can be eaten next week.
  expect(out).toMatch(/all verdicts +5 .* 80\.00 %/);
  expect(out).toMatch(/says-to-cool-the-egg-in-water +2 +100\.00 %/);
});
