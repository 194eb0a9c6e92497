import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

it('each command that reads or writes a file takes - for standard input or output', async () => {
  const { client } = terminal;
  const { project } = await prepare(client, 0);
  terminal.environment.DOKIMA_PROJECT = project.id;
  const say = async (words: string[], stdin = '') => {
    const said = await terminal.dokima(words, { stdin });
    expect([words.join(' '), said.code, said.err]).toEqual([words.join(' '), 0, expect.any(String)]);
    return said.out;
  };
  const metric = 'metrics:\n  - { name: Short, evalType: heuristic, outputType: boolean }\n';
  expect(await say(['metric', 'push', '-'], metric)).toContain('1');
  expect(await say(['apply', '-f', '-', '--yes'], metric)).toContain('Nothing differs');
  const csv = 'inputs.q,outputs.a,scores.Right\n1,2,true\n3,4,false\n';
  const { runIds, testsetId } = JSON.parse(await say(['import', '-', '--json'], csv));
  const testset = await say(['testset', 'pull', testsetId]);
  expect(await say(['testset', 'push', '-', '--dry-run'], testset)).toMatch(
    /0 (to add|added)|no change|Nothing/i,
  );

  const lines = await say(['records', runIds[0], '-']);
  expect(lines.trim().split('\n')).toHaveLength(2);
  const run = await client.createRun(project.id, {
    metricIds: [(await client.listMetrics(project.id)).data[0]!.id],
  });
  const record = await client.createRecord(run.id, { inputs: {}, expected: {}, outputs: {} });
  const score = JSON.stringify({ recordId: record.id, score: { binaryScore: true } });
  await say(['score', run.id, '--file', '-'], score);
  expect((await client.getRecord(record.id)).scoreStates[0]!.state).toBe('scored');

  const gate = await terminal.dokima(['gate', runIds[0], '--config', '-'], { stdin: 'metrcs: {}' });
  expect(gate.err).toContain('metrcs');
  const wrong = await terminal.dokima(['push', '-', '-p', project.id], { stdin: 'x' });
  expect([wrong.code, wrong.err]).toEqual([4, expect.not.stringContaining('ENOENT')]);
  const design = await terminal.dokima(['simulate', '-', '-p', project.id, '--system-version', 'x'], {
    stdin: '{',
  });
  expect(design.err).toContain('is not JSON');

  const archive = await say(['export', '-']);
  const back = await terminal.dokima(['import', '-', '--json'], { stdin: archive });
  expect(back.json().rows).toMatchObject({ run: 2, record: 3 });
});
