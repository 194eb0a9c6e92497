import { beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from './fixtures.ts';
import { completedRun, createCode, createJudge, exact, listScoreStates, openJudging } from './judging.ts';
import { until } from './until.ts';

const { models, own } = await openJudging();
let projectId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const completed = (runId: string) => completedRun(own.api, runId);

const statesOf = (recordId: string) => listScoreStates(own.api, recordId);
const heuristic = (guidelines: string, outputType?: string) =>
  createCode(own.api, projectId, guidelines, outputType);
const ai = (fields?: Record<string, unknown>) => createJudge(own.api, projectId, fields);

const oneScore = (recordId: string, metricConfigId: string) => ({ of: 'scores', recordId, metricConfigId });
const changed = (scores: number) => ({ numExecutions: 0, numScores: scores, numProposals: 0 });

describe('replaced scores', () => {
  it('are kept, and returned with the score', async () => {
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, projectId, [metric.id]);
    const record = await createRecord(own.api, run.id);
    const path = `/records/${record.id}/scores/${run.metricVersionIds[0]}`;
    for (const binaryScore of [true, false, false])
      await ok(own.api('PUT', path, { score: { binaryScore } }));
    const { score, history } = await ok(own.api('GET', path));
    expect(score).toEqual({ binaryScore: false });
    expect(history).toMatchObject([
      { state: 'scored', score: { binaryScore: true }, scoredByUserId: own.memberId },
    ]);
  });
});

describe('retry and cancel', () => {
  const throwing =
    'function score(inputs) { if (inputs.bad) throw new Error("no"); return { score: true }; }';

  it('a retry re-scores what failed, and leaves the other scores', async () => {
    const run = await createRun(own.api, projectId, [(await heuristic(throwing)).id]);
    const items = [{}, { bad: true }].map((inputs) => ({ inputs, expected: {}, outputs: {} }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    await completed(run.id);
    expect(
      await ok(own.api('POST', `/runs/${run.id}/retry`, { of: 'scores', states: ['unscored'] })),
    ).toEqual(changed(0));
    expect(await ok(own.api('POST', `/runs/${run.id}/retry`, { of: 'scores' }))).toEqual(changed(1));
    await completed(run.id);
    const config = run.metricVersionIds[0];
    expect(await ok(own.api('GET', `/records/${run.id}-2/scores/${config}`))).toMatchObject({
      state: 'failed',
      numAttempts: 1,
      history: [{ state: 'failed' }],
    });
    expect((await ok(own.api('GET', `/records/${run.id}-1/scores/${config}`))).history).toEqual([]);
  });

  it('a retry leaves failed scores of a deleted metric: its scoring has ended', async () => {
    const metric = await heuristic(throwing);
    const run = await createRun(own.api, projectId, [metric.id]);
    const record = await createRecord(own.api, run.id, { inputs: { bad: true } });
    await completed(run.id);
    await ok(own.api('DELETE', `/metrics/${metric.id}`));
    const _path = `/records/${record.id}/scores/${run.metricVersionIds[0]}`;
    expect(
      await ok(own.api('POST', `/runs/${run.id}/retry`, oneScore(record.id, run.metricVersionIds[0]))),
    ).toEqual(changed(0));
    expect(await ok(own.api('POST', `/runs/${run.id}/retry`, { of: 'scores' }))).toEqual(changed(0));
    expect(await statesOf(record.id)).toMatchObject([{ state: 'failed' }]);
  });

  it('cancelling drops what is under way, and a retry takes it up again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    models.answer({ reply: { reasoning: 'Late.', binaryScore: true }, after: promise });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    const asked = models.received.length;
    await createRecord(own.api, run.id, { outputs: { a: 'slow' } });
    await until(async () => (models.received.length > asked ? true : undefined));
    expect(await ok(own.api('POST', `/runs/${run.id}/cancel`, { of: 'scores' }))).toEqual(changed(1));
    resolve();
    expect(await completed(run.id)).toMatchObject({ numScores: 0 });
    expect(await statesOf(`${run.id}-1`)).toMatchObject([{ state: 'unscored', reason: 'cancelled' }]);
    await ok(own.api('POST', `/runs/${run.id}/retry`, { of: 'scores' }));
    await until(async () => ((await statesOf(`${run.id}-1`))[0]!.state === 'scored' ? true : undefined));
  });
});

describe('retry and cancel of one score', () => {
  const at = (recordId: string, configId: string) => `/records/${recordId}/scores/${configId}`;

  it('400 for a field of other work, and 404 for the score of another run', async () => {
    const metric = await heuristic('function score() { return { score: true }; }');
    const [run, other] = [
      await createRun(own.api, projectId, [metric.id]),
      await createRun(own.api, projectId, [metric.id]),
    ];
    const record = await createRecord(own.api, other.id);
    const [config] = run.metricVersionIds;
    for (const verb of ['retry', 'cancel']) {
      const path = `/runs/${run.id}/${verb}`;
      expect((await own.api('POST', path, { metricId: metric.id })).body.details.issues[0].path).toBe(
        '/metricId',
      );
      expect((await own.api('POST', path, { of: 'scores', recordId: record.id })).status).toBe(400);
      expect((await own.api('POST', path, oneScore(record.id, config))).status).toBe(404);
    }
  });

  it('concern that score alone, and only while there is something to change', async () => {
    const throwing = 'function score(inputs) { throw new Error("no"); }';
    const run = await createRun(own.api, projectId, [(await heuristic(throwing)).id]);
    const [config] = run.metricVersionIds;
    const items = [{}, {}].map((inputs) => ({ inputs, expected: {}, outputs: {} }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    await completed(run.id);
    const first = at(`${run.id}-1`, config);
    expect(await ok(own.api('POST', `/runs/${run.id}/cancel`, oneScore(`${run.id}-1`, config)))).toEqual(
      changed(0),
    );
    expect(await ok(own.api('POST', `/runs/${run.id}/retry`, oneScore(`${run.id}-1`, config)))).toEqual(
      changed(1),
    );
    await completed(run.id);
    expect(await ok(own.api('GET', first))).toMatchObject({
      state: 'failed',
      history: [{ state: 'failed' }],
    });
    expect((await ok(own.api('GET', at(`${run.id}-2`, config)))).history).toEqual([]);
  });

  it('a score that is cancelled is dropped while it is under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    models.answer({ reply: { reasoning: 'Late.', binaryScore: true }, after: promise });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    const asked = models.received.length;
    await createRecord(own.api, run.id, { outputs: { a: 'slow, and alone' } });
    await until(async () => (models.received.length > asked ? true : undefined));
    expect(
      await ok(own.api('POST', `/runs/${run.id}/cancel`, oneScore(`${run.id}-1`, run.metricVersionIds[0]))),
    ).toEqual(changed(1));
    resolve();
    expect(await completed(run.id)).toMatchObject({ numScores: 0 });
    expect(await statesOf(`${run.id}-1`)).toMatchObject([{ state: 'unscored', reason: 'cancelled' }]);
  });

  it('leave what people score alone, and 404 where there is no such score', async () => {
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, projectId, [metric.id]);
    const [config] = run.metricVersionIds;
    await createRecord(own.api, run.id);
    for (const verb of ['retry', 'cancel']) {
      expect(await ok(own.api('POST', `/runs/${run.id}/${verb}`, oneScore(`${run.id}-1`, config)))).toEqual(
        changed(0),
      );
      expect((await own.api('POST', `${at(`${run.id}-2`, config)}/${verb}`)).status).toBe(404);
    }
    expect(await statesOf(`${run.id}-1`)).toMatchObject([{ state: 'pending' }]);
  });
});

describe('progress', () => {
  it('is reported metric by metric, and streamed until machines are done', async () => {
    const code = await heuristic(exact);
    const human = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, projectId, [code.id, human.id]);
    await createRecord(own.api, run.id);
    const stream = await own.api('GET', `/runs/${run.id}/details`, undefined, {
      headers: { accept: 'text/event-stream' },
    });
    expect(stream.headers['content-type']).toMatch('text/event-stream');
    expect(stream.text).toMatch(/event: done\ndata: \{\}\n\n$/);
    const last = JSON.parse(
      stream.text
        .match(/event: progress\ndata: (.*)/g)!
        .at(-1)!
        .split('data: ')[1]!,
    );
    expect(last).toEqual(
      await ok(own.api('GET', `/runs/${run.id}/details`)).then(({ progress }) => progress),
    );
    const none = { pending: 0, scored: 0, unscored: 0, failed: 0 };
    expect(last).toMatchObject({ working: false, stoppedBy: null });
    expect(last.metrics).toMatchObject([
      { ...none, scored: 1 },
      { ...none, metricId: human.id, pending: 1 },
    ]);
  });
});

describe('a preview', () => {
  const preview = (fields: Record<string, unknown>) =>
    own.api('POST', `/projects/${projectId}/metrics/preview`, { outputType: 'boolean', ...fields });
  let recordId: string;
  beforeEach(async () => {
    const run = await createRun(own.api, projectId, []);
    recordId = (await createRecord(own.api, run.id, { outputs: { a: 'Rome' }, expected: { a: 'Rome' } })).id;
  });

  it('runs code over a record', async () => {
    expect(await ok(preview({ evalType: 'heuristic', guidelines: exact, recordId }))).toMatchObject({
      state: 'scored',
      score: { binaryScore: true, reasoning: 'compared' },
      prompt: null,
    });
  });

  it('asks the judge, and shows the prompt, the reply and the tokens', async () => {
    models.answer({ reply: { reasoning: 'It is.', binaryScore: true } });
    const body = {
      evalType: 'ai',
      promptTemplate: 'Right: {{ outputs.a }}?',
      evalModelName: 'local/judge',
      recordId,
    };
    expect(await ok(preview(body))).toMatchObject({
      state: 'scored',
      score: { binaryScore: true, reasoning: 'It is.' },
      prompt: expect.stringContaining('Rome'),
      rawReply: expect.stringContaining('It is.'),
      inputTokens: 100,
    });
  });

  it('scores what the body holds where that is not a record of the project, and stores nothing of it', async () => {
    const record = { outputs: { a: 'Rome' }, expected: { a: 'Rome' } };
    const before = await ok(own.api('GET', `/projects/${projectId}/records`));
    const code = { evalType: 'heuristic', guidelines: exact };
    expect(await ok(preview({ ...code, record }))).toMatchObject({
      score: { binaryScore: true },
      trace: null,
    });
    expect(await ok(preview({ ...code, record: { ...record, expected: { a: 'Oslo' } } }))).toMatchObject({
      score: { binaryScore: false },
    });
    models.answer({ reply: { reasoning: 'It is.', binaryScore: true } });
    const judge = { evalType: 'ai', outputType: 'boolean', promptTemplate: 'Right: {{ outputs }}?' };
    const text = JSON.stringify({ ...judge, evalModelName: 'local/judge', record: { outputs: {} } });
    const raw = text.replace('"outputs":{}', '"outputs":{"a":12345678901234567890,"b":1.10}');
    const path = `/projects/${projectId}/metrics/preview`;
    const { prompt } = await ok(own.api('POST', path, undefined, { raw }));
    expect(prompt).toContain('12345678901234567890');
    expect(prompt).toContain('1.10');
    expect(await ok(own.api('GET', `/projects/${projectId}/records`))).toEqual(before);
  });

  it('names of a trace are empty for a record that the body holds', async () => {
    const guidelines = 'const score = (inputs, outputs, expected, { trace }) => trace === null;';
    const previewed = await ok(preview({ evalType: 'heuristic', guidelines, record: {} }));
    expect(previewed).toMatchObject({ state: 'scored', score: { binaryScore: true }, trace: null });
  });

  it('400 for a record of both kinds, of neither, and for one that nests deeper than 200 levels', async () => {
    const code = { evalType: 'heuristic', guidelines: exact };
    for (const fields of [{}, { recordId, record: {} }])
      expect((await preview({ ...code, ...fields })).body.details.issues).toEqual([
        { path: '/recordId', message: 'is required, unless record is given' },
      ]);
    const deep = JSON.parse(`${'{"a":'.repeat(201)}1${'}'.repeat(201)}`);
    const { body } = await preview({ ...code, record: { outputs: deep } });
    expect(body.details.issues).toMatchObject([{ path: '/record/outputs' }]);
  });

  it('400 for a human metric, 404 for a record of another project', async () => {
    expect((await preview({ evalType: 'human', recordId })).status).toBe(400);
    const elsewhere = (await createProject(own.api)).id;
    const body = { evalType: 'heuristic', outputType: 'boolean', guidelines: exact, recordId };
    expect((await own.api('POST', `/projects/${elsewhere}/metrics/preview`, body)).status).toBe(404);
  });
});

describe('judge settings', () => {
  it('ask the model as often, and keep the votes', async () => {
    const metric = await ai({ temperature: 0.7 });
    await ok(own.api('PATCH', `/metrics/${metric.id}/settings`, { judgeRepeats: 3 }));
    models.answer(
      [true, false, true].map((binaryScore) => ({ reply: { reasoning: `${binaryScore}`, binaryScore } })),
    );
    const run = await createRun(own.api, projectId, [metric.id]);
    const record = await createRecord(own.api, run.id, { outputs: { a: 'votes' } });
    await completed(run.id);
    const { score, evidence } = await ok(
      own.api('GET', `/records/${record.id}/scores/${run.metricVersionIds[0]}`),
    );
    expect(score.binaryScore).toBe(true);
    expect(evidence.votes.map((vote: { value: boolean }) => vote.value)).toEqual([true, false, true]);
    expect(await ok(own.api('GET', `/metrics/${metric.id}/settings`))).toMatchObject({
      judgeRepeats: 3,
      juryModelNames: [],
    });
  });

  it('keep what a change does not name; sent back as they are, they change nothing', async () => {
    const metric = await ai();
    const change = (id: string, body: object) => ok(own.api('PATCH', `/metrics/${id}/settings`, body));
    const versions = async () => (await ok(own.api('GET', `/metrics/${metric.id}/versions`))).data.length;
    const juryModelNames = ['fake/second', 'fake/third'];
    await change(metric.id, { juryModelNames });
    const both = await change(metric.id, { judgeRepeats: 3 });
    expect(both).toMatchObject({ judgeRepeats: 3, juryModelNames });
    expect(await versions()).toBe(3);
    expect(await change(metric.id, both)).toEqual(both);
    expect(await versions()).toBe(3);
    const human = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    await change(human.id, { reviewRule: 'majority' });
    const people = await change(human.id, { numReviewers: 3 });
    expect(people).toEqual({
      judgeRepeats: 1,
      juryModelNames: [],
      peopleMetricId: null,
      numReviewers: 3,
      reviewRule: 'majority',
    });
    expect(await change(human.id, people)).toEqual(people);
  });

  it('400 for an even number of yes and no, and for metrics that no model judges', async () => {
    const [judged, human] = [
      await ai(),
      await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' }),
    ];
    expect((await own.api('PATCH', `/metrics/${judged.id}/settings`, { judgeRepeats: 2 })).status).toBe(400);
    expect((await own.api('PATCH', `/metrics/${human.id}/settings`, { judgeRepeats: 3 })).status).toBe(400);
  });
});
