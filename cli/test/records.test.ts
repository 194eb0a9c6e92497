import { afterAll, beforeAll, expect, it } from 'vitest';
import { valueOfScore } from '../../client/src/score-value.ts';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

it('records writes a run of several pages that import reads back with the same scores', async () => {
  const { client } = terminal;
  const { project, metric } = await prepare(client, 0);
  const run = await client.createRun(project.id, { metricIds: [metric.id] });
  const items = Array.from({ length: 250 }, (_, i) => ({
    inputs: { q: `What, "is" ${i}?\nSay.`, ...(i === 249 && { late: true }) },
    expected: { a: i },
    outputs: { a: i, parts: [i], cell: '=1+1' },
    scores: [
      { metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: i % 3 > 0, reasoning: 'Looked.' } },
    ],
  }));
  await client.createAllRecords(run.id, items);
  const body = '{"inputs":{"q":"digits"},"expected":{"a":1.50},"outputs":{"a":12345678901234567890}}';
  await client.send({ method: 'POST', path: `/api/v2/runs/${run.id}/records`, rawBody: body });

  const csv = await terminal.dokima(['records', run.id, 'run.csv']);
  expect([csv.code, csv.out]).toEqual([0, expect.stringMatching(/^run\.csv: \d+ kB\.\n$/)]);
  const text = await terminal.read('run.csv');
  // Also the columns of the last page, and no cell that a spreadsheet would run.
  expect(text).toMatch(
    /^id,run,testcase,created,inputs\.q,inputs\.late,expected\.a,outputs\.a,outputs\.parts,outputs\.cell,scores\.Right,reasoning\.Right\r\n/,
  );
  expect(text).toContain(`,"What, ""is"" 0?\nSay.",,0,0,[0],'=1+1,false,Looked.\r\n`);
  const lines = await terminal.dokima(['records', run.id]);
  const digits = lines.out.split('\n').find((line) => line.includes('"digits"'))!;
  expect([lines.code, lines.out.trimEnd().split('\n').length]).toEqual([0, 251]);
  expect(digits).toContain('"expected.a":1.50,"outputs.a":12345678901234567890,"scores.Right":null');

  const found = await terminal.dokima(['records', '-p', project.id, '--search', 'inputs.q:digits', '-']);
  expect(found.out).toBe(`${digits}\n`);
  for (const ending of ['parquet', 'arrows'])
    expect((await terminal.dokima(['records', run.id, `run.${ending}`])).code).toBe(0);

  const target = await client.createProject({ name: 'Back', description: '' });
  await terminal.write('run.jsonl', lines.out);
  for (const file of ['run.csv', 'run.jsonl', 'run.parquet', 'run.arrows']) {
    const said = await terminal.dokima(['import', '-p', target.id, file, '--json']);
    const { metrics } = await client.summarizeRun(said.json().runIds[0]);
    const [own] = (await client.summarizeRun(run.id)).metrics;
    const back = metrics.find(({ metricName }) => metricName === 'Right');
    expect([file, back?.passRate.estimate, back?.states.scored]).toEqual([file, own!.passRate.estimate, 250]);
  }
  expect((await terminal.dokima(['records', run.id, '--format', 'xml'])).err).toContain(
    'Choose one of: csv, jsonl, parquet, arrow, inspect',
  );
});

it('a run leaves as a log of Inspect, as trajectories and for Every Eval Ever, and comes back with equal records and scores', async () => {
  const { client } = terminal;
  const { project, metric } = await prepare(client, 0);
  const share = await client.createMetric(project.id, {
    name: 'Share',
    evalType: 'human',
    outputType: 'float',
    passingThreshold: 0.6,
  });
  const labels = { items: ['Wrong', 'Partly', 'Right'], passing: ['Right'], ordered: true };
  const grade = await client.createMetric(project.id, {
    name: 'Grade',
    evalType: 'human',
    outputType: 'category',
    labels,
  });
  const run = await client.createRun(project.id, { metricIds: [metric.id, share.id, grade.id] });
  const [right, shares, grades] = run.metricVersionIds as [string, string, string];
  const items = Array.from({ length: 12 }, (_, i) => ({
    inputs: { q: `What is ${i}?`, n: i },
    expected: { a: i },
    outputs: { a: i, parts: [i] },
    scores: [
      { metricConfigId: right, score: { binaryScore: i % 3 > 0, reasoning: 'Looked.' } },
      ...(i === 0 ? [] : [{ metricConfigId: shares, score: { floatScore: i / 12 } }]),
      ...(i === 1 ? [] : [{ metricConfigId: grades, score: { categoryScore: labels.items[i % 3]! } }]),
    ],
  }));
  await client.createAllRecords(run.id, items);
  await client.send({
    method: 'POST',
    path: `/api/v2/runs/${run.id}/records`,
    rawBody: '{"inputs":{"q":"digits"},"expected":{"a":1.50},"outputs":{"a":12345678901234567890}}',
  });
  const contentOf = async (projectId: string, runId: string) => {
    const found: unknown[] = [];
    for await (const record of client.listProjectRecords(projectId, { runId, sort: 'created' }))
      found.push([
        JSON.stringify([record.inputs, record.expected, record.outputs]),
        record.scoreStates
          .flatMap(({ metricName, score }) => {
            return score ? [[metricName, valueOfScore(score)]] : [];
          })
          .sort(),
      ]);
    return found.sort();
  };
  const before = await contentOf(project.id, run.id);
  expect(before).toHaveLength(13);
  const forms = [
    ['inspect', 'log.json', 'log.json'],
    ['atif', 'trajectories.jsonl', 'trajectories.jsonl'],
    ['every-eval-ever', 'eee', 'eee'],
  ] as const;
  let evaluation = '';
  for (const [format, file, back] of forms) {
    const written = ['records', run.id, file, '--format', format, '--model', 'acme/bot'];
    const wrote = await terminal.dokima(written);
    expect(wrote.err).toBe('');
    if (format === 'every-eval-ever') evaluation = wrote.out.split('\n')[0]!;
    const target = await client.createProject({ name: format, description: '' });
    const scale = format === 'atif' ? ['--scale', 'Share=0..1'] : [];
    const said = await terminal.dokima(['import', '-p', target.id, back, '--json', ...scale]);
    expect([format, said.code, said.err]).toEqual([format, 0, expect.any(String)]);
    // Rows of Every Eval Ever are scores: an answer without one is not there.
    const wanted =
      format === 'every-eval-ever' ? before.filter((one) => (one as [string, []])[1].length > 0) : before;
    expect(await contentOf(target.id, said.json().runIds[0])).toEqual(wanted);
    const { metrics } = await client.summarizeRun(said.json().runIds[0]);
    const graded = metrics.find(({ metricName }) => metricName === 'Grade')!;
    expect(graded).toMatchObject({ outputType: 'category', labels: { ordered: true } });
    expect(graded.labels!.shares.map(({ label, passes }) => [label, passes])).toEqual([
      ['Wrong', false],
      ['Partly', false],
      ['Right', true],
    ]);
  }
  const aggregate = JSON.parse(await terminal.read(evaluation));
  const rates = aggregate.evaluation_results.map((one: { score_details: object }) => one.score_details);
  expect(rates[0]).toMatchObject({ score: 8 / 12, uncertainty: { num_samples: 12 } });
  expect(aggregate.detailed_evaluation_results).toMatchObject({
    file_path: expect.stringMatching(/^data\/[^/]+\/acme\/bot\/[0-9a-f-]{36}_samples\.jsonl$/),
    total_rows: 34,
  });
  const partly = await terminal.dokima(['records', '-p', project.id, '--format', 'inspect', 'x.json']);
  expect(partly.err).toContain('--format inspect is for a whole run.');
});

it('two runs of a category: labels in compare, its changes, find, the gate and the agreement with people', async () => {
  const { client, dokima } = terminal;
  const { project, testset, testcases } = await prepare(client, 40);
  const labels = { items: ['Wrong', 'Partly', 'Right'], passing: ['Right'], ordered: true };
  const metric = (name: string, evalType: 'human' | 'heuristic') =>
    client.createMetric(project.id, { name, evalType, outputType: 'category', labels });
  const [code, people] = [await metric('Grade', 'heuristic'), await metric('By people', 'human')];
  await dokima(['metric', 'people', code.id, people.id]);
  const runs: string[] = [];
  for (const side of [0, 1]) {
    const run = await client.createRun(project.id, {
      testsetId: testset.id,
      metricIds: [code.id, people.id],
    });
    const [grade, said] = run.metricVersionIds as [string, string];
    const labelOf = (i: number) => labels.items[Math.min(2, (i % 3) + (side && i % 2))]!;
    const items = testcases.map(({ id }, i) => ({
      testcaseId: id,
      inputs: { q: i },
      expected: {},
      outputs: { a: i },
      scores: [
        { metricConfigId: grade, score: { categoryScore: labelOf(i) } },
        { metricConfigId: said, score: { categoryScore: labels.items[i % 3]! } },
      ],
    }));
    await client.createAllRecords(run.id, items);
    runs.push(run.id);
  }
  const said = async (...words: string[]) => (await dokima([...words])).out.replace(/ +/g, ' ');
  const compared = await said('compare', ...runs);
  expect(compared).toMatch(
    /Grade: sign test of the order: p [<=] 0\.\d+, n = 40; better minus worse: \+35\.0 points/,
  );
  expect(compared).toContain('Wrong 35.00 % 17.50 % −17.50 %\n');
  expect(await said('compare', ...runs, '--changes', 'Grade')).toMatch(/better Partly Right/);
  expect(await said('find', '-p', project.id, 'score.Grade:Partly')).toContain('Grade: Partly (fail)');
  await terminal.write(
    'grade.yaml',
    `baseline: ${runs[0]}\nmetrics:\n  Grade: { atLeast: 0.2, noRegression: {} }\n`,
  );
  const gate = await said('gate', runs[1]!, '--config', 'grade.yaml');
  expect(gate).toContain('Grade: labels Wrong 17.5 % (');
  expect(gate).toContain('labels Wrong 35.0 % → 17.5 %');
  const agreement = await said('metric', 'agreement', code.id);
  expect(agreement).toContain('judge \\ people Wrong Partly Right\n');
  expect(agreement).toMatch(/same label 82\.50 % .*; weighted κ 0\.\d+ .*; ordinal α 0\.\d+/);
});
