import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEndpoint } from '../../server/test/endpoint.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { openGrowing } from './growing-run.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let models: ModelServer;
let runs = 0;

beforeAll(async () => {
  models = await openOpenAiServer();
  terminal = await openTerminal({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
});
afterAll(() => Promise.all([terminal.close(), models.close()]));

/** Creates a run with these records and a judge of a new provider. */
const judgedRun = async (outputs: Record<string, unknown>[], more: { judgeBudgetUsd?: number } = {}) => {
  const { client } = terminal;
  const name = `provider${++runs}`;
  await client.createProvider({ name, kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' });
  const project = await client.createProject({ name: `Of ${name}`, description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Correct',
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: `${name}/judge`,
    promptTemplate: '{{ outputs.answer }}',
  });
  const run = await client.createRun(project.id, { metricIds: [metric.id], ...more });
  const items = outputs.map((each) => ({ inputs: {}, expected: {}, outputs: each }));
  await client.createRecords(run.id, { items });
  return { runId: run.id, metricId: metric.id };
};

it('ends with 3 and says which scores are missing and why, also for a deleted metric', async () => {
  models.answer({ status: 401, body: '{"error":{"message":"no"}}' });
  const { runId, metricId } = await judgedRun([{ answer: 'a' }, { answer: 'b' }, {}]);
  const watched = await terminal.dokima(['watch', runId]);
  expect([watched.code, watched.out]).toEqual([
    3,
    expect.stringMatching(
      /^Run \d+: 3 records, 0 scores, failed with 2 errors\.\n {2}Correct: 2 failed, 1 unscored: provider '.*' refuses the API key \(401\)/,
    ),
  ]);
  await terminal.client.deleteMetric(metricId);
  const json = (await terminal.dokima(['watch', runId, '--json'])).json();
  expect(json).toMatchObject({
    id: runId,
    progress: { working: false, metrics: [{ failed: 2, unscored: 1 }] },
  });
  expect((await terminal.dokima(['watch', runId])).out).toContain(`Metric ${metricId}: 2 failed`);
});

it('ends with 3 for a run whose calls all failed, with each error once and its count', async () => {
  const { client } = terminal;
  const system = await openEndpoint(() => ({ status: 400, body: 'no' }));
  const project = await client.createProject({ name: 'Calls', description: '' });
  const { id: testsetId } = await client.createTestset(project.id, {
    name: 'T',
    description: '',
    jsonSchema: {},
    fieldMapping: { inputs: ['q'], expected: [], metadata: [] },
  });
  await client.createTestcases(testsetId, { items: [{ jsonData: { q: 1 } }, { jsonData: { q: 2 } }] });
  const { productionVersion } = await client.upsertSystem(project.id, { config: { endpoint: system.url } });
  const { id } = await client.createRun(project.id, {
    metricIds: [],
    testsetId,
    execute: true,
    systemVersionId: productionVersion.id,
  });
  const watched = await terminal.dokima(['watch', id]);
  expect([watched.code, watched.out]).toEqual([
    3,
    `Run ${id}: 0 records, 0 scores, failed with 2 errors.\n  2 calls failed: the endpoint answers 400: no\n`,
  ]);
  await system.close();
});

it('says once, while it waits, why scores are delayed', async () => {
  models.answer({ status: 503, headers: { 'retry-after': '3600' }, body: '{"error":{"message":"busy"}}' });
  const { runId } = await judgedRun([{ answer: 'a' }]);
  const heard = Promise.withResolvers<void>();
  const onErr = (text: string) => void (text.includes('(503)') && heard.resolve());
  const watching = terminal.dokima(['watch', runId], { onErr });
  await heard.promise;
  await terminal.client.cancelRun(runId, { of: 'scores' });
  const watched = await watching;
  expect([watched.code, watched.out]).toEqual([
    3,
    `Run ${runId}: 1 record, 0 scores, completed, nothing scored.\n  Correct: 1 unscored: cancelled\n`,
  ]);
  expect(watched.err.match(/failed \(503\)/g)).toHaveLength(1);
});

it('ends with 3 if the judge budget is used up, instead of waiting without end', async () => {
  const { runId } = await judgedRun([{ answer: 'a' }], { judgeBudgetUsd: 0 });
  const watched = await terminal.dokima(['watch', runId]);
  expect([watched.code, watched.out]).toEqual([
    3,
    expect.stringContaining('The judge budget is used up. Raise it'),
  ]);
});

it('ends with 3 if only a client can score, and with --timeout waits for that client', async () => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Scored by a client', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Right city',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const run = await client.createRun(project.id, { metricIds: [metric.id] });
  const { id } = await client.createRecord(run.id, { inputs: {}, expected: {}, outputs: {} });
  const heard = Promise.withResolvers<void>();
  const onErr = (text: string) => void (text.includes('A client must send the scores') && heard.resolve());
  const alone = await terminal.dokima(['watch', run.id]);
  expect([alone.code, alone.out]).toEqual([3, `Run ${run.id}: 1 record, 0 scores, awaiting scoring.\n`]);
  const late = await terminal.dokima(['watch', run.id, '--timeout', '1']);
  expect([late.code, late.out]).toEqual([3, alone.out]);
  const watching = terminal.dokima(['watch', run.id, '--timeout', '60'], { onErr });
  await heard.promise;
  await client.upsertScore(id, run.metricVersionIds[0]!, { score: { binaryScore: true } });
  const watched = await watching;
  expect([watched.code, watched.out]).toEqual([0, `Run ${run.id}: 1 record, 1 score, completed.\n`]);
  expect(alone.err).toContain(
    `A client must send the scores of Right city, for example: dokima score ${run.id} -m ${metric.id}`,
  );
});

it('ends with 3 if no record is there or expected', async () => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Empty', description: '' });
  const run = await client.createRun(project.id, { metricIds: [] });
  const watched = await terminal.dokima(['watch', run.id]);
  expect([watched.code, watched.out]).toEqual([3, `Run ${run.id}: 0 records, 0 scores, pending.\n`]);
});

it('cancels the rest of a run once it is decided against the baseline, and says what that saved', async () => {
  const { baselineId, runId, close } = await openGrowing(terminal, { stopAfter: 20 });
  const watched = await terminal.dokima(['watch', runId, '--until-decided', baselineId]);
  expect([watched.code, watched.out]).toEqual([
    0,
    expect.stringMatching(
      /is decided:\n {2}Correct: worse by 100.* decided after \d+ testcases; a single test at the end needs \d+\nCancelled the rest of the run: [34]\d calls, \d+ scores?\./,
    ),
  ]);
  expect((await terminal.client.getRunDetails(runId)).executions.cancelled).toBeGreaterThan(30);
  await close();
});

it('counts a testcase of a growing run once it has all its trials', async () => {
  const { baselineId, runId, close } = await openGrowing(terminal, { stopAfter: 65, trials: 2 });
  const { client } = terminal;
  await expect
    .poll(async () => (await client.getRunDetails(runId)).progress.metrics[0]!.scored, { timeout: 30_000 })
    .toBe(65);
  // The calls overlap, so some second trials may be answered before the last of the first.
  const trials = new Map<string, number>();
  for await (const { testcaseId } of client.listRecords(runId))
    trials.set(testcaseId!, (trials.get(testcaseId!) ?? 0) + 1);
  const numWhole = [...trials.values()].filter((count) => count === 2).length;
  expect(numWhole).toBeGreaterThanOrEqual(5);
  const compared = await client.compareRuns({
    runs: [baselineId, runId],
    measure: 'pass',
    test: 'sequential',
  });
  expect(compared.pairs[0]!.metrics[0]).toMatchObject({ n: numWhole, losses: numWhole });
  await close();
});

it('looks only as often as planned, and says what each look finds', async () => {
  const { baselineId, runId, close } = await openGrowing(terminal, { stopAfter: 32 });
  const watched = await terminal.dokima(['watch', runId, '--until-decided', baselineId, '--looks', '4']);
  expect([watched.code, watched.out]).toEqual([
    0,
    expect.stringMatching(
      /is decided:\n {2}Correct: worse by 100.*, at look 2 of 4\nCancelled the rest of the run: 2\d calls, \d+ scores?\./,
    ),
  ]);
  // What came before the rest was cancelled is no further look.
  const after = await terminal.client.compareRuns({
    runs: [baselineId, runId],
    measure: 'pass',
    test: 'planned',
    looks: [15, 30, 45, 60],
  });
  expect(after.pairs[0]?.metrics[0]).toMatchObject({ n: 30, look: { look: 2, numLooks: 4, next: null } });
  await close();
});

it('a run with no score of one metric, or of any, says so instead of plain completed', async () => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Unscored', description: '' });
  const metricOf = (field: string) =>
    client.createMetric(project.id, {
      name: `Has ${field}`,
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: `function score(inputs, outputs, expected) { return exact(outputs.${field}, 1); }`,
    });
  const [there, missing] = [await metricOf('there'), await metricOf('missing')];
  const watched = async (metricIds: string[]) => {
    const run = await client.createRun(project.id, { metricIds });
    await client.createRecord(run.id, { inputs: {}, expected: {}, outputs: { there: 1 } });
    return terminal.dokima(['watch', run.id]);
  };
  const nothing = await watched([missing.id]);
  expect([nothing.code, nothing.out]).toEqual([
    3,
    expect.stringContaining(
      '1 record, 0 scores, completed, nothing scored.\n  Has missing: 1 unscored: missing_field: outputs.missing',
    ),
  ]);
  const partly = await watched([there.id, missing.id]);
  expect([partly.code, partly.out]).toEqual([
    3,
    expect.stringContaining('1 record, 1 score, completed, 1 of 2 metrics without a score.'),
  ]);
  expect((await watched([there.id])).out).toContain('1 score, completed.\n');
});

it('refuses to stop a run whose order was not drawn: a testset sorted by difficulty begins with its easy part', async () => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Sorted', description: '' });
  const { id: testsetId } = await client.createTestset(project.id, {
    name: 'T',
    description: '',
    jsonSchema: {},
    fieldMapping: { inputs: ['q'], expected: [], metadata: [] },
  });
  const items = Array.from({ length: 40 }, (_, q) => ({ jsonData: { q } }));
  const testcases = await client.createAllTestcases(testsetId, items);
  const metric = await client.createMetric(project.id, {
    name: 'Correct',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const runOf = async (passes: boolean, of: number) => {
    const run = await client.createRun(project.id, { metricIds: [metric.id], testsetId });
    const records = testcases.slice(0, of).map(({ id }) => ({
      testcaseId: id,
      inputs: {},
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: passes } }],
    }));
    await client.createAllRecords(run.id, records);
    return run.id;
  };
  const [baseline, growing] = [await runOf(true, 40), await runOf(false, 30)];
  const watched = await terminal.dokima(['watch', growing, '--until-decided', baseline]);
  expect([watched.code, watched.err]).toEqual([
    4,
    expect.stringContaining('Dokima did not draw the order of its testcases'),
  ]);
});

it('refuses to look at grouped testcases until they are decided: no test there holds for several looks', async () => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Grouped', description: '' });
  const { id: testsetId } = await client.createTestset(project.id, {
    name: 'T',
    description: '',
    jsonSchema: {},
    fieldMapping: { inputs: ['q'], expected: [], metadata: ['document'] },
  });
  const items = Array.from({ length: 40 }, (_, q) => ({ jsonData: { q, document: `d${q % 10}` } }));
  const testcases = await client.createAllTestcases(testsetId, items);
  await client.updateTestsetSettings(testsetId, { groupingField: 'document' });
  const metric = await client.createMetric(project.id, {
    name: 'Correct',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const runOf = async (passes: number, of: number) => {
    const run = await client.createRun(project.id, { metricIds: [metric.id], testsetId });
    const records = testcases.slice(0, of).map(({ id }, i) => ({
      testcaseId: id,
      inputs: {},
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: i < passes } }],
    }));
    await client.createAllRecords(run.id, records);
    return run.id;
  };
  const [baseline, growing] = [await runOf(40, 40), await runOf(0, 30)];
  const watched = await terminal.dokima(['watch', growing, '--until-decided', baseline]);
  expect([watched.code, watched.err]).toEqual([
    4,
    expect.stringContaining('--until-decided cannot look at Correct: its testcases are grouped'),
  ]);
});

it('cancels nothing while the runs do not differ', async () => {
  const { client } = terminal;
  models.answer({ status: 401, body: '{"error":{"message":"no"}}' });
  const [{ runId }, { runId: other }] = [await judgedRun([{}]), await judgedRun([{}])];
  expect((await terminal.dokima(['watch', runId, '--until-decided', other])).out).not.toContain('Cancelled');
  expect((await client.getRun(runId)).numRecords).toBe(1);
});
