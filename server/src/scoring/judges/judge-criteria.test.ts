import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../../test/model-server.ts';

let app: TestApp;
let own: Organization;
let models: ModelServer;
let projectId: string;
const patient = { timeout: 30_000, interval: 50 };

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
  await ok(
    own.api('POST', '/providers', { name: 'own', kind: 'openai-compatible', baseUrl: models.url }),
    201,
  );
  projectId = (await createProject(own.api)).id;
});
afterAll(() => Promise.all([app.close(), models.close()]));

const items = [
  { id: 'polite', text: 'Is it polite?', weight: 1 },
  { id: 'amount', text: 'Is the amount right?', weight: 3 },
];
const answer = 'Thank you! You get "20 €"\nback on Monday.';
type Entry = { id: string; met: boolean; quote?: string };
const reply = (...entries: Entry[]) => ({
  reply: {
    reasoning: 'Read it.',
    criteria: entries.map((entry) => ({ reason: 'R', quote: '', ...entry })),
  },
});

let numRecords = 0;
const judged = async (criteria: object, record: Record<string, unknown> = {}, judgeRepeats = 1) => {
  const metric = await createMetric(own.api, projectId, {
    evalType: 'ai',
    outputType: 'float',
    promptTemplate: 'Good? {{ outputs.answer }}',
    evalModelName: 'own/judge',
    criteria,
  });
  if (judgeRepeats > 1) await ok(own.api('PATCH', `/metrics/${metric.id}/settings`, { judgeRepeats }));
  const run = await createRun(own.api, projectId, [metric.id]);
  models.received.length = 0;
  // Its own answer, so that no verdict is reused.
  const outputs = { answer: `${answer} ${++numRecords}` };
  const { id } = await createRecord(own.api, run.id, { outputs, ...record });
  const state = async () => (await ok(own.api('GET', `/records/${id}`))).scoreStates[0];
  await expect.poll(async () => (await state()).state, patient).not.toBe('pending');
  const detail = await ok(own.api('GET', `/records/${id}/scores/${run.metricVersionIds[0]}`));
  return { ...(await state()), evidence: detail.evidence, runId: run.id, metricId: metric.id };
};
const questions = () => models.received.map(({ body }) => JSON.stringify(body));

describe('a judge with criteria', () => {
  it('gives each a verdict with a quote in one call, and the score is their share', async () => {
    const quote = 'You get \\"20 €\\" back';
    models.answer(() => reply({ id: 'polite', met: false }, { id: 'amount', met: true, quote }));
    const { state, score } = await judged({ items });
    expect({ state, score }).toEqual({
      state: 'scored',
      score: {
        floatScore: 0.75,
        reasoning: 'Read it.',
        criteria: [
          { id: 'polite', met: false, reason: 'R' },
          { id: 'amount', met: true, reason: 'R', quote },
        ],
      },
    });
    const [asked, ...more] = questions();
    expect(more).toEqual([]);
    expect(asked).toContain('Is the amount right?');
    expect(asked).toContain('"enum":["polite","amount"]');
  });

  it('asks once more for a quote that is not there and for a verdict that is missing; then these are unscored, and no "no"', async () => {
    models.answer(() => reply({ id: 'amount', met: true, quote: 'You get "30 €" back' }));
    const { state, reason, score, evidence } = await judged({ items });
    expect({ state, reason, score }).toEqual({
      state: 'unscored',
      reason: 'criterion_unscored: polite, amount',
      score: null,
    });
    expect(evidence.criteria).toMatchObject([
      { id: 'polite', state: 'unscored', why: 'the judge gave no verdict' },
      { id: 'amount', state: 'unscored', why: expect.stringContaining('30 €') },
    ]);
    expect(questions()).toHaveLength(2);
  });

  it('asks about each by itself with isolate, also about those of the testcase', async () => {
    models.answer(({ body }) => {
      const text = JSON.stringify(body);
      return reply({ id: text.includes('"enum":["day"]') ? 'day' : 'polite', met: text.includes('polite') });
    });
    const criteria = { items: [items[0]], fromExpected: true, isolate: true };
    const expected = { criteria: [{ id: 'day', text: 'Does it name the day?' }] };
    const { score } = await judged(criteria, { expected });
    expect(score).toMatchObject({
      floatScore: 0.5,
      criteria: [
        { id: 'polite', met: true },
        { id: 'day', met: false },
      ],
    });
    const [first, second, ...more] = questions();
    expect(more).toEqual([]);
    expect(first).not.toContain('Does it name the day?');
    expect(second).not.toContain('Is it polite?');
  });

  it('takes the majority of the votes on each, with their numbers, and reuses the verdicts for an equal question', async () => {
    let vote = 0;
    models.answer(() => {
      vote++;
      return reply(
        { id: 'polite', met: vote !== 1 },
        { id: 'amount', met: vote === 3 },
        { id: 'there', met: true },
      );
    });
    const record = { outputs: { answer } };
    const three = { items: [...items, { id: 'there', text: 'Is it there?', weight: 1 }] };
    const { score, evidence, runId, metricId } = await judged(three, record, 3);
    expect(score.criteria).toEqual([
      { id: 'polite', met: true, reason: 'R', yes: 2, of: 3 },
      { id: 'amount', met: false, reason: 'R', yes: 1, of: 3 },
      { id: 'there', met: true, reason: 'R', yes: 3, of: 3 },
    ]);
    expect(score.floatScore).toBe(0.4);
    expect(evidence.disagreement).toBeCloseTo(2 / 3, 10);
    // Votes differ on two criteria: they are vague. The third is always met: its rate says so.
    const { metrics } = await ok(own.api('GET', `/runs/${runId}/summary?criteriaOf=${metricId}`));
    expect(metrics.map(({ criterion }: { criterion: object }) => criterion)).toMatchObject([
      { id: 'polite', numVoted: 1, numSplit: 1 },
      { id: 'amount', numVoted: 1, numSplit: 1 },
      { id: 'there', numVoted: 1, numSplit: 0 },
    ]);
    expect(metrics[2].passRate).toMatchObject({ estimate: 1, n: 1 });
    const again = await judged(three, record, 3);
    expect(again).toMatchObject({ score, evidence: { reused: true } });
    expect(questions()).toEqual([]);
  });

  it('does not ask about a record that has no criteria', async () => {
    const { state, reason } = await judged({ fromExpected: true });
    expect({ state, reason }).toEqual({
      state: 'unscored',
      reason: 'no_criteria: the testcase has no expected.criteria',
    });
    expect(questions()).toEqual([]);
  });
});
