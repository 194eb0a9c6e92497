import { afterAll, beforeAll, expect, it } from 'vitest';
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
  expect([csv.code, csv.out]).toEqual([0, 'run.csv: 24 kB.\n']);
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
    'Choose one of: csv, jsonl, parquet, arrow',
  );
});
