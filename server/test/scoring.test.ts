import { beforeEach, describe, expect, it } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { createProject, createRecord, createRun, ok } from './fixtures.ts';
import { completedRun, createCode, createJudge, exact, listScoreStates, openJudging } from './judging.ts';
import { until } from './until.ts';

const { app, models, own } = await openJudging();
let projectId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const completed = (runId: string) => completedRun(own.api, runId);

const statesOf = (recordId: string) => listScoreStates(own.api, recordId);
const rowOf = async (runId: string) => {
  const [row] = await app.db.read(
    system,
    (sql) => sql<Record<string, unknown>[]>`
    select state, attempts, fence, last_error, evidence::text as evidence from score where run_id = ${runId}`,
  );
  return row!;
};

const heuristic = (guidelines: string, outputType?: string) =>
  createCode(own.api, projectId, guidelines, outputType);
const ai = (fields?: Record<string, unknown>) => createJudge(own.api, projectId, fields);

describe('code metrics', () => {
  it('score every record of a run by themselves', async () => {
    const run = await createRun(own.api, projectId, [(await heuristic(exact)).id]);
    const items = Array.from({ length: 300 }, (_, i) => ({
      inputs: {},
      expected: { a: i % 2 },
      outputs: { a: 0 },
    }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    expect(await completed(run.id)).toMatchObject({ numScores: 300 });
    const { data } = await ok(own.api('GET', `/runs/${run.id}/records?limit=2`));
    expect(data.map((record: { scores: { score: unknown }[] }) => record.scores[0]!.score)).toEqual([
      { binaryScore: true, reasoning: 'compared' },
      { binaryScore: false, reasoning: 'compared' },
    ]);
  });

  it('fail with the reason, and leave their neighbours alone', async () => {
    const metric = await heuristic(
      'function score(inputs) { if (inputs.bad) throw new Error("no"); return { score: true }; }',
    );
    const run = await createRun(own.api, projectId, [metric.id]);
    const bad = await createRecord(own.api, run.id, { inputs: { bad: true } });
    const good = await createRecord(own.api, run.id, { inputs: {} });
    await completed(run.id);
    expect(await statesOf(bad.id)).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('no'), score: null },
    ]);
    expect(await statesOf(good.id)).toMatchObject([{ state: 'scored', passed: true }]);
  });

  it('fail when what they return does not fit the output type', async () => {
    const run = await createRun(own.api, projectId, [
      (await heuristic('function score() { return 7; }', 'int')).id,
    ]);
    const record = await createRecord(own.api, run.id);
    await completed(run.id);
    expect(await statesOf(record.id)).toMatchObject([
      { state: 'failed', reason: 'returned 7, but intScore must be an integer from 1 to 5' },
    ]);
  });

  it('400 with the message of the compiler for code that does not compile', async () => {
    for (const guidelines of [
      'function score( { return 1 }',
      'def score(inputs, outputs, expected)\n  return 1',
    ]) {
      const body = { name: 'M', evalType: 'heuristic', outputType: 'boolean', guidelines };
      const answer = await own.api('POST', `/projects/${projectId}/metrics`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.details.issues).toMatchObject([
        { path: '/guidelines', message: expect.stringMatching(/line 1/) },
      ]);
    }
  });
});

describe('AI metrics', () => {
  it('are judged, and keep what went in and out', async () => {
    models.answer({ reply: { reasoning: 'It is.', binaryScore: true } });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    const record = await createRecord(own.api, run.id, { outputs: { a: 'Paris' } });
    await completed(run.id);
    expect(await statesOf(record.id)).toMatchObject([
      { state: 'scored', passed: true, score: { binaryScore: true, reasoning: 'It is.' } },
    ]);
    const evidence = JSON.parse(String((await rowOf(run.id)).evidence));
    expect(evidence).toMatchObject({
      modelAsked: 'local/judge',
      modelAnswered: 'judge-2025-01-01',
      inputTokens: 100,
    });
    expect(evidence.prompt).toContain('Paris');
    const { metrics } = await ok(own.api('GET', `/runs/${run.id}/summary`));
    expect(metrics[0].cost).toMatchObject({ inputTokens: 100, costUsd: null, priced: 0 });
  });

  it('are unscored when the model gives no verdict, never a no', async () => {
    models.answer({ reply: 'I would rather not say.' });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    const record = await createRecord(own.api, run.id, { outputs: { a: 'unclear' } });
    expect(await completed(run.id)).toMatchObject({ numScores: 0 });
    expect(await statesOf(record.id)).toMatchObject([
      { state: 'unscored', reason: 'invalid_judge_output', score: null },
    ]);
  });

  it('fail without a provider, with what to set', async () => {
    const run = await createRun(own.api, projectId, [(await ai({ evalModelName: 'gpt-4o' })).id]);
    const record = await createRecord(own.api, run.id, { outputs: { a: 1 } });
    await completed(run.id);
    expect(await statesOf(record.id)).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('OPENAI_API_KEY') },
    ]);
  });

  it('are tried again after an error of the provider, and count the tries', async () => {
    // The second try, whenever it comes, waits until the first has been looked at.
    const { promise, resolve } = Promise.withResolvers<void>();
    const now = { reply: { reasoning: 'Now.', binaryScore: false }, after: promise };
    models.answer([{ status: 500, body: '{}' }, now]);
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    await createRecord(own.api, run.id, { outputs: { a: 'retried' } });
    await until(async () => ((await rowOf(run.id)).attempts === 1 ? true : undefined));
    expect(await rowOf(run.id)).toMatchObject({
      state: 'pending',
      last_error: expect.stringContaining('500'),
    });
    resolve();
    await app.db.transaction(system, (tx) => tx`update score set due_at = now() where run_id = ${run.id}`);
    await completed(run.id);
    expect(await rowOf(run.id)).toMatchObject({ state: 'scored', attempts: 2, last_error: null });
  });

  it('are tried again while another of their batch is still being made', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const verdict = { reply: { reasoning: 'Yes.', binaryScore: true } };
    let tries = 0;
    models.answer(({ messages }) => {
      if (messages.join().includes('slow')) return { ...verdict, after: promise };
      return tries++ === 0 ? { status: 500, body: '{}' } : verdict;
    });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    const items = ['slow', 'retried'].map((a) => ({ inputs: {}, expected: {}, outputs: { a } }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const states = async () =>
      (
        await app.db.read(
          system,
          (sql) => sql<{ state: string }[]>`select state from score where run_id = ${run.id} order by n`,
        )
      ).map(({ state }) => state);
    await until(async () => ((await states())[1] === 'scored' ? true : undefined));
    expect(await states()).toEqual(['pending', 'scored']);
    resolve();
    await completed(run.id);
  });

  it('take the stored verdict of the very same question at temperature 0', async () => {
    models.answer({ reply: { reasoning: 'Once.', binaryScore: true } });
    const run = await createRun(own.api, projectId, [(await ai()).id]);
    await createRecord(own.api, run.id, { outputs: { a: 'twice' } });
    await completed(run.id);
    const asked = models.received.length;
    const again = await createRecord(own.api, run.id, { outputs: { a: 'twice' } });
    await completed(run.id);
    expect(models.received.length).toBe(asked);
    expect(await statesOf(again.id)).toMatchObject([{ state: 'scored', score: { reasoning: 'Once.' } }]);
  });

  it('400 with the line and the tag for a template that does not parse', async () => {
    const body = { name: 'M', evalType: 'ai', outputType: 'boolean', promptTemplate: 'Hello\n{% if %}' };
    const answer = await own.api('POST', `/projects/${projectId}/metrics`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues).toMatchObject([
      { path: '/promptTemplate', message: expect.stringMatching(/line 2, /) },
    ]);
  });
});
