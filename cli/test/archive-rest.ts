import { system } from '../../server/src/platform/db/database.ts';
import { storeDrifts } from '../../server/src/scoring/trials/store-drift.ts';
import type { Client } from '../../server/test/harness.ts';
import { createTrial } from '../../server/test/trials.ts';
import { asPinned } from '../src/trials.ts';
import { collect } from './archive-project.ts';
import type { Terminal } from './terminal.ts';

type Reviewer = Awaited<ReturnType<Terminal['person']>>;

/** Creates a judge with three configurations, scores by two of them, and an adopted, a discarded and an open rescoring. */
const makeConfigurations = async (terminal: Terminal, projectId: string): Promise<void> => {
  const { client, app } = terminal;
  const metric = await client.createMetric(projectId, {
    name: 'reconfigured',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'function score() { return true; }',
  });
  const run = await client.createRun(projectId, { metricIds: [metric.id] });
  const items = [1, 2, 3, 4].map((i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  await client.createAllRecords(run.id, items);
  const settle = (table: 'score' | 'proposed_score', binaryScore: boolean, n: number) =>
    app.db.transaction(
      system,
      (tx) => tx`
        update ${tx(table)} set state = 'scored', score = ${JSON.stringify({ binaryScore, x: 1 })}::text::json,
          value = ${Number(binaryScore)}, due_at = null, evidence = '{"10":1.10}'::json, cost_usd = 0.5
        where run_id = ${run.id} and n = ${n} and state = 'pending'`,
    );
  for (const n of [1, 2, 3]) await settle('score', true, n);
  await app.db.transaction(
    system,
    (tx) => tx`
      insert into run_judging (run_id, organization_id, spent_usd, unpriced) select id, organization_id, 3.5, 2 from run where id = ${run.id}`,
  );
  const configure = (guidelines: string) =>
    client.updateMetric(metric.id, { evalType: 'heuristic', outputType: 'boolean', guidelines });
  const records = (await collect(client.listRecords(run.id))).map(({ id }) => id);
  const rescore = async (recordIds: string[]) => {
    const made = await client.createTrial(metric.id, { kind: 'rescoring', runId: run.id, recordIds });
    for (const id of recordIds) await settle('proposed_score', false, Number(id.split('-')[1]));
    return String(made.number);
  };
  await configure('function score() { return false; }');
  await client.decideTrial(metric.id, await rescore(records.slice(0, 2)), { decision: 'adopted' });
  await client.decideTrial(metric.id, await rescore(records.slice(2, 3)), { decision: 'discarded' });
  await configure('function score() { return 1 > 2; }');
  await client.createTrial(metric.id, {
    kind: 'rescoring',
    runId: run.id,
    sample: { size: 2, seed: 7 },
  });
  await settle('proposed_score', true, 1);
  // A score by the current configuration, next to one by the run's own.
  const [current] = await collect(client.listMetricVersions(metric.id));
  await client.upsertScore(records[3]!, current!.id, { score: { binaryScore: true } });
};

/** Sends requests with the key of the terminal. */
const apiOf =
  ({ url, key }: Terminal): Client =>
  async (method, path, body) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text), headers: {} };
  };

/** Pins records of a judge with labels by people, and tries it for drift twice. The run of the first trial is deleted. */
const makeDrifts = async ({ client, app }: Terminal, projectId: string): Promise<void> => {
  const metrics = await collect(client.listMetrics(projectId));
  const judge = metrics.find(({ name }) => name === 'calibrated')!;
  const people = metrics.find(({ name }) => name === 'labels')!;
  await client.upsertPinnedSet(judge.id, { against: people.id, size: 6 });
  const tryJudge = async (): Promise<string> => {
    const { candidates } = asPinned(await client.createTrial(judge.id, { kind: 'drift' }));
    const runId = candidates[0]!.runId!;
    const records = await collect(client.listRecords(runId));
    const run = await client.getRun(runId);
    for (const [i, { id }] of records.entries())
      await client.upsertScore(id, run.metricVersionIds[0]!, { score: { binaryScore: i % 2 === 0 } });
    return runId;
  };
  const runId = await tryJudge();
  await storeDrifts(app.db);
  await client.deleteRun(runId);
  await tryJudge();
};

/** Creates a run that the service executed: two calls for each testcase, in every final state. */
const makeExecuted = async ({ client, app }: Terminal, projectId: string): Promise<void> => {
  const testset = await client.createTestset(projectId, {
    name: 'Executed',
    description: '',
    jsonSchema: {},
    fieldMapping: { inputs: ['q'], expected: [], metadata: [] },
  });
  const made = await client.createAllTestcases(
    testset.id,
    [1, 2, 3].map((q) => ({ jsonData: { q } })),
  );
  await client.updateTestcase(made[1]!.id, { jsonData: { q: 'twice' } });
  const bot = await client.upsertSystem(projectId, {
    name: 'Called',
    description: '',
    config: { promptTemplate: 'Say {{q}}.', modelName: 'fake/m' },
  });
  const run = await client.createRun(projectId, {
    metricIds: [],
    testsetId: testset.id,
    systemVersionId: bot.productionVersion.id,
    execute: true,
    trials: 2,
  });
  const content = { inputs: { q: 1 }, expected: {}, outputs: { text: 'one' } };
  await client.createRecord(run.id, { ...content, testcaseId: made[1]!.id });
  await client.createRecord(run.id, { ...content, testcaseId: made[2]!.id });
  await app.db.transaction(system, async (tx) => {
    const of = (n: number) => tx`run_id = ${run.id} and n = ${n}`;
    const evidence = '{"prompt":"\\u0000 x","10":1.10}';
    for (const n of [1, 2])
      await tx`update execution set state = 'done', due_at = null, record_n = ${n}, attempts = 2, latency_ms = 120, input_tokens = 7,
        output_tokens = 3, cost_usd = 0.125, evidence = ${evidence}::text::json where ${of(n)}`;
    await tx`update execution set state = 'failed', due_at = null, attempts = 3, last_error = 'broke' where ${of(3)}`;
    await tx`update execution set state = 'cancelled', due_at = null where run_id = ${run.id} and n > 3`;
  });
  // Its record still names the deleted testcase.
  await client.deleteTestcases({ ids: [made[2]!.id] });
};

/** Creates reviews that were replaced or undone, and a skipped record. */
const makeReplacedReviews = async ({ client }: Terminal, reviewer: Reviewer, projectId: string) => {
  const metric = await client.createMetric(projectId, {
    name: 'reviewed again',
    evalType: 'human',
    outputType: 'int',
  });
  await client.updateMetricSettings(metric.id, { numReviewers: 2, reviewRule: 'latest' });
  const run = await client.createRun(projectId, { metricIds: [metric.id] });
  const items = [1, 2, 3].map((i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  await client.createAllRecords(run.id, items);
  const records = await collect(client.listRecords(run.id));
  const configId = run.metricVersionIds[0]!;
  const submit = (i: number, intScore: number) =>
    client.submitReview(records[i]!.id, configId, { score: { intScore } });
  for (const intScore of [1, 2, 3]) await submit(0, intScore);
  await client.undoReview(projectId);
  await reviewer.api('POST', `/records/${records[0]!.id}/reviews/${configId}`, { score: { intScore: 5 } });
  await client.skipReview(records[1]!.id, configId);
};

/** Creates a monitor's draw of a record that traces created. */
const makeDraws = async ({ client, app }: Terminal, projectId: string, monitorId: string): Promise<void> => {
  const traced = (await collect(client.listProjectRecords(projectId, { tags: ['live'] })))[0]!;
  const [runId, n] = traced.id.split('-') as [string, string];
  await app.db.transaction(
    system,
    (tx) => tx`
      insert into monitor_record (organization_id, run_id, n, monitor_id, decided_at, inclusion_probability, drawn, spans, ends)
      select organization_id, ${runId}, ${n}, id, now(), 0.25, true, 2, 12345678901234567890 from monitor where id = ${monitorId}`,
  );
};

/** Creates two runs, the newest of the project. The second is worse on their testcase. */
const makeCompared = async ({ client }: Terminal, projectId: string): Promise<void> => {
  const testset = (await collect(client.listTestsets(projectId)))[0]!;
  const [testcase] = await collect(client.listTestcases(testset.id));
  const fields = { name: 'compared', evalType: 'heuristic', outputType: 'boolean' } as const;
  const metric = await client.createMetric(projectId, fields);
  const runIds: string[] = [];
  for (const binaryScore of [true, false]) {
    const run = await client.createRun(projectId, { testsetId: testset.id, metricIds: [metric.id] });
    const content = { inputs: {}, expected: {}, outputs: {}, testcaseId: testcase!.id };
    const record = await client.createRecord(run.id, content);
    await client.upsertScore(record.id, run.metricVersionIds[0]!, { score: { binaryScore } });
    runIds.push(run.id);
  }
  const study = await client.createPreferenceStudy(projectId, { criterion: 'C', runIds });
  await client.submitPreference(study.id, { pairNumber: 1, choice: 'left', comment: 'clearer' });
};

/** Creates everything else: earlier configurations, rescorings, pinned sets, executions, undone reviews and views. */
export const makeRest = async (
  terminal: Terminal,
  reviewer: Reviewer,
  projectId: string,
  monitorId: string,
): Promise<void> => {
  const { client } = terminal;
  await makeConfigurations(terminal, projectId);
  await makeDrifts(terminal, projectId);
  const tried = await createTrial(apiOf(terminal), projectId);
  await client.decideTrial(tried.metricId, tried.trialNumber, {
    decision: 'adopted',
    metricConfigId: tried.candidateId,
    evenIfNotShown: true,
  });
  await makeExecuted(terminal, projectId);
  await makeReplacedReviews(terminal, reviewer, projectId);
  await makeDraws(terminal, projectId, monitorId);
  const [run] = await collect(client.listRuns(projectId));
  const [metric] = await collect(client.listMetrics(projectId));
  const display = {
    order: ['id', `score.${metric!.id}`],
    widths: { [`score.${metric!.id}`]: 90 },
    z: 1,
    a: 2,
  };
  await client.createView(projectId, { name: 'Mine', shared: false, search: `run:${run!.id} fail`, display });
  await reviewer.api('POST', `/projects/${projectId}/views`, {
    name: 'Shared',
    shared: true,
    search: 'tag:"run:1 x"',
    display: {},
  });
  const gone = await client.createMetric(projectId, {
    name: 'gone',
    evalType: 'heuristic',
    outputType: 'float',
  });
  const scored = await client.createRun(projectId, { metricIds: [gone.id] });
  const record = await client.createRecord(scored.id, { inputs: {}, expected: {}, outputs: {} });
  await client.upsertScore(record.id, scored.metricVersionIds[0]!, { score: { floatScore: 0.5 } });
  await client.deleteMetric(gone.id);
  await makeCompared(terminal, projectId);
};
