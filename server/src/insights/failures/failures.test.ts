import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openJudging } from '../../../test/judging.ts';

const { models, own } = await openJudging({}, { DOKIMA_WORKERS: '0' });

const refunds = ['lamp', 'chair', 'table', 'sofa', 'desk', 'shelf'].map(
  (what) => `The answer promises a refund for the ${what} although the deadline has passed.`,
);
const languages = ['Norwegian', 'German', 'Polish', 'Danish'].map(
  (language) => `The customer wrote ${language}, but the answer is in English.`,
);

/** A run with one record for each text, failed with it as its reasoning; and one that passed, or those with the further texts. */
const failedRun = async (
  reasonings: readonly string[],
  questions: readonly string[] = [],
  passing: readonly string[] = ['Right.'],
) => {
  const projectId = (await createProject(own.api)).id;
  const body = { evalType: 'heuristic', outputType: 'boolean', guidelines: 'Read by hand.' };
  const metric = await createMetric(own.api, projectId, body);
  const run = await createRun(own.api, projectId, [metric.id]);
  const items = [...reasonings, ...passing].map((_, i) => ({
    inputs: { question: questions[i] ?? `Question ${i}` },
    expected: {},
    outputs: {},
  }));
  const { ids } = await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  const scores = ids.map((id: string, i: number) => ({
    recordId: id,
    metricConfigId: run.metricVersionIds[0],
    score: {
      binaryScore: reasonings[i] === undefined,
      reasoning: reasonings[i] ?? passing[i - reasonings.length]!,
    },
  }));
  await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: scores }));
  return { projectId, run, metric, ids: ids as string[] };
};

const group = (runId: string, body: object = {}) =>
  ok(own.api('POST', `/runs/${runId}/failure-clusters`, body));

describe('POST /runs/:runId/failure-clusters', () => {
  it('groups failures by the words of their reasonings, largest first, with shares and their intervals; names them by their words if the default model cannot be asked', async () => {
    const { run, ids } = await failedRun([...refunds, ...languages]);
    const { clusters, ...rest } = await group(run.id);
    expect(clusters.map(({ recordIds }: { recordIds: string[] }) => recordIds.toSorted())).toEqual([
      ids.slice(0, 6).toSorted(),
      ids.slice(6, 10).toSorted(),
    ]);
    expect(clusters[0].words).toContain('refund');
    expect(clusters[1].name).toMatch(/customer|english|wrote/);
    expect(clusters[0].share).toMatchObject({ estimate: 0.6, n: 10, interval: { low: expect.any(Number) } });
    expect(rest).toEqual({
      others: [],
      numFailures: 10,
      numGrouped: 10,
      basis: 'reasoning',
      embeddingModelName: null,
      namedBy: null,
      error: expect.stringContaining('no provider'),
      costUsd: null,
    });
  });

  it.each([
    ['code', (i: number) => `Answered ${17 * i}, expected ${18 * i}.`, () => 'Answered 8, expected 8.'],
    [
      'a judge',
      (i: number) =>
        `The response does not satisfy the criterion of correctness. The final number ${17 * i} differs from the expected answer ${18 * i}.`,
      () =>
        'The response satisfies the criterion of correctness. The final number equals the expected answer.',
    ],
  ])('reasons of %s that share a template do not group: inputs and outputs do', async (_, reason, right) => {
    const names = ['Ann', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal'];
    const trains = names.map(
      (name, i) =>
        `${name} rides a train at ${40 + i} miles per hour for ${i + 2} hours. How many miles does the train travel?`,
    );
    const shops = names.map(
      (name, i) =>
        `${name} buys ${i + 3} apples at the market for ${i + 1} dollars each. How many dollars does the market get?`,
    );
    const questions = [...trains, ...shops];
    const { run, ids } = await failedRun(
      questions.map((_, i) => reason(i + 1)),
      questions,
      Array(8).fill(right()),
    );
    const { clusters, basis } = await group(run.id);
    expect(basis).toBe('content');
    expect(clusters.map(({ recordIds }: { recordIds: string[] }) => new Set(recordIds))).toEqual(
      expect.arrayContaining([new Set(ids.slice(0, 8)), new Set(ids.slice(8, 16))]),
    );
    expect(clusters).toHaveLength(2);
    const words = clusters.flatMap(({ words }: { words: string[] }) => words);
    expect(words).toEqual(expect.arrayContaining(['train', 'apples']));
    for (const word of ['answered', 'expected', 'criterion', 'correctness'])
      expect(words).not.toContain(word);
  });

  it('what a judge adds to its template still groups, and failures that are all alike are no group', async () => {
    const said = [...refunds, ...languages].map(
      (text, i) =>
        `The response does not satisfy the criterion of helpfulness, because: ${text} Grade ${i % 2}.`,
    );
    const { clusters, basis } = await group((await failedRun(said)).run.id);
    expect([basis, clusters.length]).toEqual(['reasoning', 2]);
    const alike = await group((await failedRun(Array(8).fill('Too long.'), Array(8).fill('Why?'))).run.id);
    expect(alike).toMatchObject({ clusters: [], basis: 'content', numGrouped: 8 });
    expect(alike.others).toHaveLength(8);
  });

  it('lets a model name the clusters, and says why it did not', async () => {
    const { run } = await failedRun([...refunds, ...languages]);
    models.answer(() => ({ reply: { names: ['Refund after the deadline', 'Wrong language'] } }));
    const named = await group(run.id, { modelName: 'local/namer' });
    expect(named.clusters.map(({ name }: { name: string }) => name)).toEqual([
      'Refund after the deadline',
      'Wrong language',
    ]);
    expect(named).toMatchObject({ namedBy: 'local/namer', error: null });
    models.answer({ reply: { names: ['Only one'] } });
    const unnamed = await group(run.id, { modelName: 'local/namer' });
    expect(unnamed).toMatchObject({
      namedBy: null,
      error: 'the answer of the model did not have a name for each group',
    });
    expect(unnamed.clusters).toHaveLength(2);
  });

  it('groups by embeddings when a model of them is named', async () => {
    const { run } = await failedRun([...refunds, ...languages]);
    const { clusters, embeddingModelName } = await group(run.id, { embeddingModelName: 'fake/embeddings' });
    expect(embeddingModelName).toBe('fake/embeddings');
    expect(clusters.map(({ recordIds }: { recordIds: string[] }) => recordIds.length)).toEqual([6, 4]);
    const refused = await group(run.id, { embeddingModelName: 'nowhere/embeddings' });
    expect(refused.error).toMatch(/no provider/);
    expect(refused.clusters).toHaveLength(2);
  });

  it('a run without failures has no clusters', async () => {
    const { run, metric } = await failedRun([]);
    expect(await group(run.id, { metricId: metric.id })).toMatchObject({ clusters: [], numFailures: 0 });
  });
});

describe('POST /projects/:projectId/criteria-drafts', () => {
  it('a model writes criteria from failures and guidelines, after its cost is known; nothing is stored', async () => {
    const { projectId, run, metric, ids } = await failedRun([
      ...Array.from({ length: 4 }, () => refunds).flat(),
      ...languages,
    ]);
    const draft = (body: object) => ok(own.api('POST', `/projects/${projectId}/criteria-drafts`, body));
    const body = { runId: run.id, guidelines: 'Kind.', criteria: ['Is it kind?'], modelName: 'local/writer' };
    models.received.length = 0;
    const asked = await draft({ ...body, dryRun: true });
    expect(asked).toMatchObject({ drafts: [], numFailures: 20, error: null, modelName: 'local/writer' });
    expect(asked.estimate.inputTokens).toBeGreaterThan(500);
    expect(asked.estimate).toMatchObject({ outputTokens: 720, costUsd: null });
    expect(models.received).toHaveLength(0);
    let seen = '';
    models.answer(({ messages }) => {
      seen = messages.join('\n');
      const criteria = [
        { text: ' Does it keep to the deadline? ', weight: 3, mustPass: true, why: 'W', failures: [2, 99] },
        { text: 'Is the answer kind?', weight: 0, mustPass: 'yes', why: 1, failures: 'all' },
        { text: 'Does it promise a refund?', weight: -50, mustPass: true, why: '', failures: [] },
        { text: '' },
        null,
      ];
      return { reply: { criteria } };
    });
    const { drafts } = await draft(body);
    expect(drafts).toEqual([
      {
        id: 'does-it-keep-to-the-deadline',
        text: 'Does it keep to the deadline?',
        weight: 3,
        mustPass: true,
        why: 'W',
        // The newest failures come first, 20 of the 28 spread over all.
        recordIds: [ids[26]],
        similarTo: null,
      },
      expect.objectContaining({ text: 'Is the answer kind?', weight: 1, mustPass: false, recordIds: [] }),
      expect.objectContaining({ weight: -10, mustPass: false }),
    ]);
    for (const part of ['Kind.', 'Is it kind?', 'deadline has passed']) expect(seen).toContain(part);
    models.answer({ reply: { criteria: [] } });
    expect(await draft(body)).toMatchObject({
      error: 'the answer of the model had no criterion',
      drafts: [],
    });
    expect(await ok(own.api('GET', `/metrics/${metric.id}`))).not.toHaveProperty('criteria');
  });

  it('refuses what there is nothing to learn from, and a run of another project', async () => {
    const { projectId, run, metric } = await failedRun([]);
    const other = (await createProject(own.api)).id;
    const draft = (of: string, body: object) => own.api('POST', `/projects/${of}/criteria-drafts`, body);
    expect((await draft(projectId, {})).body.message).toContain('nothing to learn from');
    expect((await draft(projectId, { runId: run.id })).body.message).toContain(
      'no record of this run has failed',
    );
    expect((await draft(other, { runId: run.id, guidelines: 'g' })).status).toBe(404);
    expect((await draft(other, { metricId: metric.id, guidelines: 'g' })).status).toBe(404);
  });
});
