import { expect } from 'vitest';
import { system } from '../../server/src/platform/db/database.ts';
import { newTraceId, post, requestOf, spanId } from '../../server/test/otlp.ts';
import { makeRest } from './archive-rest.ts';
import type { Terminal } from './terminal.ts';

type Reviewer = Awaited<ReturnType<Terminal['person']>>;

export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/**
 * Sends two traces of a session, which become a record with a tag, and one that is linked to `recordId`, and annotates its
 * span.
 */
const makeTraces = async (terminal: Terminal, projectId: string, recordId: string): Promise<void> => {
  const chat = {
    'gen_ai.operation.name': 'chat',
    'input.value': 'Why?',
    'output.value': 'So.',
    whole: 2n ** 60n,
  };
  const session = { 'session.id': 'traced', 'user.id': 'ada', 'dokima.tags': ['live'] };
  const [first, second, linked] = [newTraceId(), newTraceId(), newTraceId()];
  const spans = [
    { traceId: first, n: 1, attributes: { ...session, ['__proto__']: 1.5 } },
    {
      traceId: first,
      n: 2,
      parent: 1,
      attributes: chat,
      events: [{ name: 'x', attributes: { b: 1, a: 2 } }],
    },
    { traceId: second, n: 3, attributes: session, status: { code: 2, message: 'broken' } },
    { traceId: linked, n: 4, attributes: { 'dokima.otel_link_id': 'link-1', prompt: 'two\nlines' } },
  ];
  const request = requestOf(spans, { 'dokima.project_id': projectId });
  expect((await post(terminal.app, terminal.key, request)).status).toBe(200);
  const passage = { path: '/attributes/prompt', start: 0, text: 'two\nlines' };
  const onSpan = { spanId: spanId(4), rating: false };
  await terminal.client.createAnnotation(recordId, { ...onSpan, comment: 'No.', passage });
  await terminal.client.createAnnotation(recordId, { ...onSpan, comment: 'Why?' });
  await scoreSpan(terminal, projectId, recordId);
};

/** Scores the linked span by a metric of spans, as a person does. */
const scoreSpan = async ({ client }: Terminal, projectId: string, recordId: string): Promise<void> => {
  const { id } = await client.createMetric(projectId, {
    name: 'of spans',
    evalType: 'human',
    outputType: 'boolean',
    spans: 'latency:>=0',
  });
  const [config] = await collect(client.listMetricVersions(id));
  const score = { binaryScore: true, reasoning: 'So.' };
  await client.upsertSpanScore(recordId, config!.id, spanId(4), { score });
};

/** Creates a run with a judge's scores in every state. A person replaced one of them. */
const makeJudged = async (terminal: Terminal, projectId: string, metricId: string): Promise<void> => {
  const { client } = terminal;
  const run = await client.createRun(projectId, { metricIds: [metricId] });
  const items = [1, 2, 3, 4, 5].map((i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  await client.createAllRecords(run.id, items);
  await terminal.app.db.transaction(system, async (tx) => {
    const of = (n: number) => tx`run_id = ${run.id} and n = ${n}`;
    const evidence = '{"prompt":"\\u0000 x","10":1.10,"9":12345678901234567890}';
    const scored = tx`state = 'scored', score = '{"intScore":4,"reasoning":"so","x":1.0}'::json, value = 4, attempts = 1,
      evidence = ${evidence}::text::json, cost_usd = 0.25, input_tokens = 70, output_tokens = 30, due_at = null`;
    await tx`update score set state = 'failed', reason = 'broke', last_error = 'broke', due_at = null where ${of(1)}`;
    await tx`update score set state = 'unscored', reason = 'no_majority', due_at = null where ${of(2)}`;
    await tx`update score set ${scored} where ${of(3)}`;
    await tx`update score set ${scored} where ${of(4)}`;
    await tx`insert into run_judging (run_id, organization_id, spent_usd) select id, organization_id, 0.5 from run where id = ${run.id}`;
    await tx`
      insert into run_simulation (run_id, organization_id, user_version_id, replayed_run_id, max_turns)
      select id, organization_id, (
          select version.id from system_version version join system on system.id = version.system_id
          where system.project_id = run.project_id order by version.id limit 1),
        (select min(earlier.id) from run earlier where earlier.project_id = run.project_id), 7
      from run where id = ${run.id}`;
  });
  const records = await collect(client.listRecords(run.id));
  const corrected = { intScore: 1, reasoning: 'A person knows better.' };
  await client.upsertScore(records[3]!.id, run.metricVersionIds[0]!, { score: corrected });
};

/** Two reviewers: both review the first record, only `reviewer` the second. */
const makeReviewed = async (
  { client }: Terminal,
  reviewer: Reviewer,
  metricId: string,
  configId: string,
  recordIds: string[],
) => {
  await client.updateMetricSettings(metricId, { numReviewers: 2, reviewRule: 'latest' });
  for (const [i, intScore] of [5, 3].entries()) {
    const { status } = await reviewer.api('POST', `/records/${recordIds[i]}/reviews/${configId}`, {
      score: { intScore },
    });
    expect(status).toBe(201);
  }
  await client.submitReview(recordIds[0]!, configId, { score: { intScore: 2 } });
};

/**
 * Creates a run of a judge and a sample of its records, stratified by verdict; people scored all but two of them. One record
 * outside the sample is deleted.
 */
export const makeSampled = async ({ client }: Terminal, projectId: string) => {
  const variant = { outputType: 'boolean' } as const;
  const judge = await client.createMetric(projectId, {
    name: 'calibrated',
    evalType: 'heuristic',
    ...variant,
  });
  const people = await client.createMetric(projectId, { name: 'labels', evalType: 'human', ...variant });
  const run = await client.createRun(projectId, { metricIds: [judge.id] });
  const judged = (i: number) => i % 3 !== 0;
  const items = Array.from({ length: 30 }, (_, i) => ({
    inputs: { i },
    expected: {},
    outputs: {},
    scores: [{ metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: judged(i) } }],
  }));
  await client.createAllRecords(run.id, items);
  const stratifyBy = { metricId: judge.id };
  const draw = { metricId: people.id, size: 16, seed: 5, stratifyBy, allocation: 'equal' } as const;
  const sample = await client.createReviewSample(run.id, draw);
  const drawn = await collect(client.listSampledRecords(sample.id));
  for (const { recordId } of drawn.slice(2)) {
    const i = Number(recordId.split('-')[1]) - 1;
    const binaryScore = i % 7 === 0 ? !judged(i) : judged(i);
    await client.submitReview(recordId, sample.metricConfigId, { score: { binaryScore } });
  }
  const ids = new Set(drawn.map(({ recordId }) => recordId));
  const left = (await collect(client.listRecords(run.id))).find(({ id }) => !ids.has(id))!;
  await client.deleteRecord(left.id);
  return { judgeId: judge.id, peopleId: people.id, runId: run.id, sampleId: sample.id };
};

/** Creates a project with everything that a project can have. */
export const makeProject = async (terminal: Terminal, reviewer: Reviewer): Promise<string> => {
  const { client } = terminal;
  const { id: projectId } = await client.createProject({ name: 'Everything', description: 'All of it.' });
  const testset = await client.createTestset(projectId, {
    name: 'Cases',
    description: 'Some.',
    jsonSchema: { type: 'object', required: ['q'] },
    fieldMapping: { inputs: ['q'], expected: ['a'], metadata: ['topic'] },
  });
  // JSON.parse would change these digits, the key order and the odd keys.
  const jsonData =
    '{"q":1.10,"a":12345678901234567890,"2":"two","1":"one","__proto__":{"x":null},"topic":"\\u0000ü"}';
  await client.send({
    method: 'POST',
    path: `/api/v2/testsets/${testset.id}/testcases`,
    rawBody: `{"items":[{"jsonData":${jsonData}},{"jsonData":{"no":"question"}}]}`,
  });
  const testcases = await collect(client.listTestcases(testset.id));

  const metrics = [];
  for (const outputType of ['boolean', 'int', 'float'] as const) {
    metrics.push(
      await client.createMetric(projectId, { name: outputType, evalType: 'heuristic', outputType }),
    );
    metrics.push(
      await client.createMetric(projectId, {
        name: `by people ${outputType}`,
        evalType: 'human',
        outputType,
      }),
    );
  }
  const judge = await client.createMetric(projectId, {
    name: 'judge',
    description: 'By a model.',
    evalType: 'ai',
    outputType: 'int',
    temperature: 0.5,
    promptTemplate: 'Is {{outputs.a}} right?',
    guidelines: 'Be fair.',
    passingThreshold: 3,
    evalModelName: 'm',
  });
  await client.updateMetricSettings(judge.id, { judgeRepeats: 3 });
  const system = await client.upsertSystem(projectId, {
    name: 'Bot',
    description: 'A bot.',
    config: { model: 'a' },
  });
  const second = await client.upsertSystemVersion(system.id, { config: { model: 'b' }, name: 'second' });
  await client.updateSystem(system.id, { productionVersionId: system.productionVersion.id });

  const metricIds = metrics.map(({ id }) => id);
  const run = await client.createRun(projectId, {
    testsetId: testset.id,
    systemVersionId: second.id,
    metricIds,
  });
  await client.updateRunDetails(run.id, { notes: '# The first\nIt went well.' });
  await client.createRun(projectId, { metricIds: [] });
  const content = '"inputs":{"q":1.10},"expected":{"2":1,"1":2},"outputs":{"a":1e-7}';
  await client.send({
    method: 'POST',
    path: `/api/v2/runs/${run.id}/records/bulk-create`,
    rawBody: `{"items":[
      {${content},"testcaseId":"${testcases[0]!.id}","otelLinkId":"link-1","sessionId":"session-1"},
      {${content}},{${content}}]}`,
  });
  const records = await collect(client.listRecords(run.id));
  const [boolean, people, int, , float] = run.metricVersionIds as [string, string, string, string, string];
  const score = async (record: number, configId: string, value: object) =>
    client.upsertScore(records[record]!.id, configId, { score: { ...value } });
  await score(0, boolean, { binaryScore: false, reasoning: 'No.' });
  await score(0, int, { intScore: 4 });
  await score(1, float, { floatScore: 0.25, extra: [1, 2] });
  await score(1, people, { binaryScore: 'perhaps' });
  await client.createRecordTag(records[0]!.id, { text: 'money' });
  await client.createRecordTag(records[0]!.id, { text: 'hard' });
  await client.assignRecordUser(records[1]!.id, { assigneeUserId: (await client.getMe()).user.id });
  const annotation = await client.createAnnotation(records[0]!.id, { rating: true, comment: 'Good.' });
  for (const comment of ['Is it?', 'It is.'])
    await client.createReply(records[0]!.id, annotation.id, { comment });
  await client.resolveAnnotation(records[0]!.id, annotation.id, { resolved: true });
  const passage = { path: '/outputs/answer', start: 0, text: 'a' };
  const open = await client.createAnnotation(records[0]!.id, { rating: false, passage });
  await client.createReply(records[0]!.id, open.id, { comment: 'Not yet.' });
  await makeTraces(terminal, projectId, records[0]!.id);
  await makeJudged(terminal, projectId, judge.id);
  await makeReviewed(
    terminal,
    reviewer,
    metrics[3]!.id,
    run.metricVersionIds[3]!,
    records.map(({ id }) => id),
  );
  await makeSampled(terminal, projectId);
  await client.updateTestsetSettings(testset.id, { groupingField: 'topic' });
  await client.updateMetricSettings(metrics[1]!.id, { numReviewers: 3, reviewRule: 'majority' });
  await client.updateRunDetails(run.id, { judgeBudgetUsd: 1.5 });
  await client.updateProjectSettings(projectId, { traceDays: 9 });
  await client.createMetricGroup(projectId, {
    name: 'Release',
    description: 'd',
    metricIds: [metrics[1]!.id, metrics[0]!.id],
  });
  const filter = { service: 'bot', minDurationMs: 5 };
  const rare = { samplingRate: 0.25, settleSeconds: 60, paused: true };
  const monitor = await client.createMonitor(projectId, {
    name: 'Live',
    metricIds: [metrics[0]!.id],
    filter,
    ...rare,
  });
  await makeRest(terminal, reviewer, projectId, monitor.id);
  await client.uploadFile({
    sessionId: 'session-1',
    filePath: 'out/a.bin',
    contentType: 'application/octet-stream',
    filename: 'a.bin',
    metadata: { step: 3 },
    bytes: Uint8Array.from({ length: 5_000 }, (_, i) => i % 251),
  });
  return projectId;
};
