import { expect, it } from 'vitest';
import { healthbench } from '../src/import/formats/healthbench.ts';
import type { Import } from '../src/import/rows.ts';
import { fixture, nothing, openImports } from './importing.ts';

const { opened, importFile, readRun } = openImports();

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

// The fields and the scale of points of the public files of openai/simple-evals.
it('a line of the public HealthBench keeps points, tags and the ideal answer; a text that it has twice counts twice', () => {
  const line = (rubrics: object[]) => ({
    example_tags: ['theme:hedging', 'physician_agreed_category:only-reducible'],
    ideal_completions_data: { ideal_completion: 'Call now.', ideal_completions_group: 'Group 1' },
    prompt: [{ role: 'user', content: 'My chest hurts.' }],
    prompt_id: 'a0c1',
    rubrics,
    canary: 'healthbench:0',
  });
  const read = (rubrics: object[]) =>
    healthbench.read({ items: [line(rubrics)], form: 'lines', name: 'h', digest: 'd' } as never);
  const tags = ['level:example', 'axis:accuracy'];
  const { rows } = read([
    { criterion: 'Says to call', points: 10, tags },
    { criterion: 'Says to wait', points: -10, tags: [] },
    { criterion: 'Says to call', points: 3, tags: [] },
  ]) as Import;
  expect(rows).toMatchObject([
    {
      id: 'a0c1',
      inputs: { messages: [{ role: 'user', content: 'My chest hurts.' }] },
      expected: {
        criteria: [
          { id: 'says-to-call', weight: 10, tags },
          { id: 'says-to-wait', weight: -10 },
          { id: 'says-to-call-2', text: 'Says to call', weight: 3 },
        ],
        ideal_completions_data: { ideal_completion: 'Call now.' },
      },
      metadata: { tags: ['theme:hedging', 'physician_agreed_category:only-reducible'] },
    },
  ]);
  expect(() => read([{ criterion: 'Says to call', points: 'many', tags }])).toThrow(
    'a0c1: each rubric needs',
  );
});

const cases = async (testsetId: string) => {
  const found = [];
  for await (const { jsonData } of opened.terminal.client.listTestcases(testsetId)) found.push(jsonData);
  return found.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
};
const metrics = async () => {
  const found = [];
  for await (const metric of opened.terminal.client.listMetrics(opened.projectId)) found.push(metric);
  return found;
};

// Items as opik 2.2 writes them: converters.dataset_item_to_suite_item_dict.
it('assertions of an Opik suite are criteria: those of the suite of the metric, those of an item of its testcase', async () => {
  const said = await importFile(fixture('criteria/opik-suite.json'));
  expect(said).toMatchObject({ tool: 'Opik', testcases: 2, metrics: 1, runs: 0 });
  expect(await cases(said.testsetId)).toMatchObject([
    {
      question: 'How do I get a refund?',
      criteria: [{ id: 'names-the-deadline-of-30-days', text: 'Names the deadline of 30 days' }],
      execution_policy: { runs_per_item: 3, pass_threshold: 2 },
    },
    { question: 'Is my account hacked?', criteria: [] },
  ]);
  expect(await metrics()).toMatchObject([
    {
      evalType: 'ai',
      passingThreshold: 1,
      criteria: {
        items: [{ text: 'The response is polite' }, { text: 'The response answers the question' }],
        fromExpected: true,
      },
    },
  ]);
  expect(said.notes.join()).toContain('execution policy');
});

// dataset.to_dict() of MLflow 3.17, which writes `"outputs": {}` for a record without an answer.
it('guidelines of an MLflow dataset are criteria, one or several; empty outputs are no answers', async () => {
  const said = await importFile(fixture('criteria/mlflow-dataset.json'));
  expect(said).toMatchObject({ tool: 'MLflow', testcases: 2, metrics: 1, runs: 0, records: 0 });
  expect(await cases(said.testsetId)).toMatchObject([
    {
      expected_response: 'See the pricing page.',
      topic: 'price',
      criteria: [
        { text: 'The response must decline to name a price' },
        { text: 'The response must link to the pricing page' },
      ],
    },
    { criteria: [{ text: 'The response must show empathy' }] },
  ]);
});

// promptfoo 0.123 wrote the file; without its long grading prompts.
it('llm-rubrics of promptfoo are criteria with the verdicts of its grader, also in a set; a failed grader is no "no"', async () => {
  const said = await importFile(fixture('criteria/promptfoo-rubrics.json'));
  expect(said).toMatchObject({ tool: 'promptfoo', testcases: 4, runs: 1, records: 4 });
  const { runIds = [] } = said;
  const records = await readRun(runIds[0]);
  const rubrics = 'llm-rubric criteria';
  // A weight of 0 does not count in promptfoo, so it is no criterion.
  expect(records[0]).toMatchObject({
    expected: {
      contains: 'Monday',
      criteria: [{ text: 'Is polite' }, { text: 'Names the delivery day', weight: 3 }],
    },
    scores: { [rubrics]: { floatScore: 1, criteria: [{ met: true, reason: 'Fine.' }, { met: true }] } },
  });
  expect(records[1]!.scores[rubrics]).toMatchObject({
    floatScore: 2 / 5,
    criteria: [
      { id: 'is-polite', met: true },
      { id: 'names-the-delivery-day', met: false },
      { id: 'is-short', met: true },
    ],
  });
  expect(records[2]).toMatchObject({ reasons: { [rubrics]: 'criterion_unscored: is-funny' } });
  expect(records[3]).toMatchObject({ reasons: { [rubrics]: 'the case has no llm-rubric' } });
  expect(await importFile(fixture('criteria/promptfoo-rubrics.json'))).toMatchObject(nothing);
});
