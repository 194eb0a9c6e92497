import { beforeEach, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from './fixtures.ts';
import { openJudging } from './judging.ts';

/**
 * PostgreSQL's text knows no NUL and no half of a surrogate pair; JSON, JavaScript, Python and models do. What holds one must not
 * keep what is written or read beside it from being so.
 */

const { models, own } = await openJudging({ name: 'ours' });
let projectId: string;
const patient = { timeout: 150_000, interval: 50 };
/** The sandbox of each language starts for it. */
const slow = 180_000;
const unstorable = 'a\0b\ud800c';

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const judge = {
  evalType: 'ai',
  outputType: 'boolean',
  evalModelName: 'ours/judge',
  promptTemplate: 'Is {{ outputs.a }} good?',
};

/** A run by these metrics of records with these outputs, once machines are done with it. */
const scored = async (metrics: Record<string, unknown>[], outputs: unknown[]) => {
  const ids: string[] = [];
  for (const metric of metrics) ids.push((await createMetric(own.api, projectId, metric as never)).id);
  const run = await createRun(own.api, projectId, ids);
  const items = outputs.map((a) => ({ inputs: {}, expected: {}, outputs: { a } }));
  await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  await expect
    .poll(async () => (await ok(own.api('GET', `/runs/${run.id}`))).status, patient)
    .toBe('completed');
  const statesOf = async (n: number) => (await ok(own.api('GET', `/records/${run.id}-${n}`))).scoreStates;
  return { runId: run.id as string, metricIds: ids, configIds: run.metricVersionIds as string[], statesOf };
};

it(
  'code that throws such a text fails with it, and its neighbours are scored',
  async () => {
    const code = { evalType: 'heuristic', outputType: 'boolean' };
    const { statesOf } = await scored(
      [
        { ...code, guidelines: 'function score(inputs, outputs) { throw new Error(outputs.a); }' },
        { ...code, guidelines: 'def score(inputs, outputs, expected):\n    raise ValueError(outputs["a"])' },
        { ...code, guidelines: 'function score() { return true; }' },
      ],
      [unstorable, 'c'],
    );
    for (const n of [1, 2]) {
      expect(await statesOf(n)).toMatchObject([
        { state: 'failed', reason: expect.stringMatching(n === 1 ? /a\ufffdb\ufffdc/ : /c/) },
        { state: 'failed', reason: expect.stringMatching(n === 1 ? /a\ufffdb/ : /c/) },
        { state: 'scored' },
      ]);
    }
  },
  slow,
);

it(
  'a verdict or a record that holds one can be reused, estimated from and re-scored',
  async () => {
    models.answer({ reply: { reasoning: unstorable, binaryScore: true } });
    models.received.length = 0;
    const { runId, metricIds, statesOf } = await scored([judge], [unstorable]);
    const reasoning = 'a\ufffdb\ufffdc';
    expect(await statesOf(1)).toMatchObject([{ state: 'scored', score: { reasoning } }]);
    // The same question again, whose verdict is taken from the first.
    const items = [{ inputs: {}, expected: {}, outputs: { a: unstorable } }];
    await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201);
    await expect.poll(async () => (await ok(own.api('GET', `/runs/${runId}`))).numScores, patient).toBe(2);
    expect(models.received).toHaveLength(1);
    await ok(own.api('POST', `/projects/${projectId}/runs/estimate`, { metricIds, numRecords: 10 }));
    const path = `/metrics/${metricIds[0]}/trials`;
    const rescoring = { kind: 'rescoring', runId, sample: { size: 1 } };
    const { number } = await ok(own.api('POST', path, rescoring), 201);
    await expect
      .poll(async () => (await ok(own.api('GET', `${path}/${number}`))).state, patient)
      .toBe('sampled');
  },
  slow,
);

it(
  'a provider that says one in its error fails that score alone',
  async () => {
    models.answer(({ messages }) =>
      messages[0]!.includes('bad')
        ? { status: 422, body: JSON.stringify({ error: { message: unstorable } }) }
        : { reply: { reasoning: 'Yes.', binaryScore: true } },
    );
    const { statesOf } = await scored([judge], ['bad', 'good']);
    expect([(await statesOf(1))[0], (await statesOf(2))[0]]).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('a\ufffdb') },
      { state: 'scored' },
    ]);
  },
  slow,
);

it(
  'a provider that counts tokens as no one can is believed none, and the verdict beside it is there',
  async () => {
    models.answer(({ messages }) => ({
      reply: { reasoning: 'Yes.', binaryScore: true },
      ...(messages[0]!.includes('unlikely') && { usage: { input: 3e9, output: 1.5 } }),
    }));
    const { runId, configIds } = await scored([judge], ['unlikely', 'countable', 'unlikely too']);
    const counts = await Promise.all(
      [1, 2, 3].map(
        async (n) => (await ok(own.api('GET', `/records/${runId}-${n}/scores/${configIds[0]}`))).evidence,
      ),
    );
    expect(counts).toMatchObject([
      { inputTokens: null, outputTokens: null },
      { inputTokens: 100, outputTokens: 20 },
      { inputTokens: null, outputTokens: null },
    ]);
  },
  slow,
);
