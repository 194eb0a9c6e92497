import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal({ DOKIMA_WORKERS: '1' });
});
afterAll(() => terminal.close());

const code = (condition: string) => ({
  evalType: 'heuristic' as const,
  outputType: 'boolean' as const,
  guidelines: `function score(inputs) { return { score: ${condition} }; }`,
});

/** Creates a run of 12 records scored by code that passes even numbers. Then changes the metrics to pass multiples of three. */
const scoredRun = async (metrics = 1) => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Rescored', description: '' });
  const metricIds: string[] = [];
  for (let m = 0; m < metrics; m++) {
    const metric = { name: `Metric ${m}`, ...code('inputs.i % 2 === 0') };
    metricIds.push((await client.createMetric(project.id, metric)).id);
  }
  const run = await client.createRun(project.id, { metricIds });
  const items = Array.from({ length: 12 }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  await client.createAllRecords(run.id, items);
  const status = async () => (await client.getRun(run.id)).status;
  await expect.poll(status, { timeout: 30_000 }).toBe('completed');
  for (const metricId of metricIds) await client.updateMetric(metricId, code('inputs.i % 3 === 0'));
  const passing = async () => {
    const passed: number[] = [];
    for await (const { inputs, scores } of client.listRecords(run.id)) {
      if (scores.every(({ score }) => score.binaryScore)) passed.push(Number(inputs.i));
    }
    return passed;
  };
  return { runId: run.id, metricIds, passing };
};
const even = [0, 2, 4, 6, 8, 10];
const threes = [0, 3, 6, 9];

it('rescore --adopt replaces the scores and lists the flipped records; --discard leaves the old scores', async () => {
  const { runId, passing } = await scoredRun();
  const discarded = await terminal.dokima(['rescore', runId, '--discard']);
  expect([discarded.code, discarded.out]).toEqual([0, 'Metric 0: discarded\n']);
  expect(discarded.err).toContain('12 of 12 records re-scored: 4 pass → fail, 2 fail → pass, 6 unchanged.');
  expect(await passing()).toEqual(even);

  const adopted = await terminal.dokima(['rescore', runId, '--adopt', '--json', '--flips', '5']);
  expect(adopted.code).toBe(0);
  const { rescorings } = adopted.json();
  expect(rescorings).toMatchObject([
    { state: 'adopted', metricName: 'Metric 0', changes: { passToFail: 4, failToPass: 2 } },
  ]);
  expect(rescorings[0].flips.map(({ change }: { change: string }) => change)).toEqual([
    ...Array(4).fill('passToFail'),
    'failToPass',
  ]);
  expect(await passing()).toEqual(threes);
});

it('rescore without a decision ends with 3 and stays open; the same command goes on with it', async () => {
  const { runId, passing } = await scoredRun();
  const sampled = await terminal.dokima(['rescore', runId, '--sample', '5', '--seed', '7']);
  expect([sampled.code, sampled.out]).toEqual([3, 'Metric 0: open: only the sample is scored\n']);
  expect(sampled.err).toContain('5 of 12 records re-scored');
  expect(sampled.err).toMatch(
    /So far: \$0\.00\. Estimate for the other 7 records, from 5 measured: cost \$0\.00/,
  );

  const sampleOnly = await terminal.dokima(['rescore', runId, '--adopt']);
  expect([sampleOnly.code, sampleOnly.out]).toEqual([3, 'Metric 0: open: only the sample is scored\n']);
  expect(await passing()).toEqual(even);

  const undecided = await terminal.dokima(['rescore', runId, '--extend']);
  expect([undecided.code, undecided.out]).toEqual([3, 'Metric 0: open: neither adopted nor discarded\n']);
  expect(await passing()).toEqual(even);

  const adopted = await terminal.dokima(['rescore', runId, '--adopt']);
  expect([adopted.code, await passing()]).toEqual([0, threes]);
  expect(adopted.err).toContain('continuing the open rescoring');
});

it('rescore --config neither continues nor adopts an open rescoring with another configuration', async () => {
  const { runId, metricIds, passing } = await scoredRun();
  const { metricVersionIds } = await terminal.client.getRun(runId);
  expect((await terminal.dokima(['rescore', runId])).code).toBe(3);
  const before = ['rescore', runId, '--config', metricVersionIds[0]!, '--adopt'];
  const other = await terminal.dokima(before);
  expect([other.code, other.err]).toEqual([
    4,
    expect.stringContaining(`Metric ${metricIds[0]}: the open rescoring uses configuration`),
  ]);
  expect(await passing()).toEqual(even);
  expect((await terminal.dokima(['rescore', runId, '--discard'])).code).toBe(0);
  expect((await terminal.dokima(before)).code).toBe(0);
  expect(await passing()).toEqual(even);
});

it('rescore --adopt does not adopt a rescoring from before the metric changed, unless --config names its configuration', async () => {
  const { runId, metricIds, passing } = await scoredRun();
  expect((await terminal.dokima(['rescore', runId])).code).toBe(3);
  const { metricVersionIds } = await terminal.client.getRun(runId);
  const newest = await terminal.client.listMetricVersions(metricIds[0]!)[Symbol.asyncIterator]().next();
  const begunBy: string = newest.value!.id;
  expect(metricVersionIds).not.toContain(begunBy);
  await terminal.client.updateMetric(metricIds[0]!, code('false'));
  const stale = await terminal.dokima(['rescore', runId, '--adopt']);
  expect(stale.code).toBe(4);
  expect(stale.err).toContain(`--config ${begunBy} --adopt`);
  expect(await passing()).toEqual(even);
  const named = ['rescore', runId, '--config', begunBy, '--adopt'];
  expect((await terminal.dokima(named)).code).toBe(0);
  expect(await passing()).toEqual(threes);
});

it('rescore asks on a terminal whether to extend the sample, and what to do with the scores', async () => {
  const { runId, passing } = await scoredRun();
  const asked = await terminal.dokima(['rescore', runId, '--sample', '5'], {
    stdin: 'what\ny\na\n',
    isTTY: true,
  });
  expect(asked.err).toContain('Score the other 7 records too? [yes/no; Enter: no]');
  expect(asked.err).toContain(
    'What do you want to do with the new scores? [adopt/discard/leave; Enter: leave]',
  );
  expect([asked.code, asked.out, await passing()]).toEqual([0, 'Metric 0: adopted\n', threes]);
});

it('rescore asks nothing with --json, and the end of stdin decides nothing', async () => {
  const { runId, passing } = await scoredRun();
  const json = await terminal.dokima(['rescore', runId, '--json'], { stdin: 'adopt\n', isTTY: true });
  expect([json.code, json.json().rescorings[0].state]).toEqual([3, 'ready']);
  const closed = await terminal.dokima(['rescore', runId], { isTTY: true });
  expect([closed.code, await passing()]).toEqual([3, even]);
});

it('rescore takes several metrics if they are named, and ends with 3 if a proposal failed', async () => {
  const { runId, metricIds, passing } = await scoredRun(2);
  const unnamed = await terminal.dokima(['rescore', runId, '--adopt']);
  expect([unnamed.code, unnamed.err]).toEqual([4, expect.stringContaining(`--metric ${metricIds[0]}`)]);
  const both = await terminal.dokima(['rescore', runId, '-m', metricIds.join(','), '--adopt']);
  expect([both.code, both.out]).toEqual([0, 'Metric 0: adopted\nMetric 1: adopted\n']);
  expect(await passing()).toEqual(threes);

  await terminal.client.updateMetric(metricIds[0]!, code("inputs.i === 4 ? 'neither' : true"));
  const partly = await terminal.dokima(['rescore', runId, '-m', metricIds[0]!, '--adopt']);
  expect([partly.code, partly.out]).toEqual([3, 'Metric 0: adopted\n']);
  expect(partly.err).toContain('1 failed (current score stays)');
});

it('rescore starts nothing if one of several metrics does not belong to the run', async () => {
  const { runId, metricIds } = await scoredRun();
  const named = await terminal.dokima(['rescore', runId, '-m', metricIds[0]!, '-m', '999999']);
  expect([named.code, named.err]).toEqual([4, expect.stringContaining('is not scored by metric 999999')]);
  for await (const rescoring of terminal.client.listTrials({ runId })) expect(rescoring).toBeUndefined();
});

it('rescore ends with 4 for invalid arguments', async () => {
  const { runId } = await scoredRun();
  const codes: number[] = [];
  for (const words of [
    ['999999'],
    [runId, '--adopt', '--discard'],
    [runId, '--sample', '0'],
    [runId, '-m', '999999'],
    [runId, '-m', '1,2', '--config', 'x'],
  ])
    codes.push((await terminal.dokima(['rescore', ...words])).code);
  expect(codes).toEqual([4, 4, 4, 4, 4]);
});
