import { beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, namePeople, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { addRecords, createReviewers, type Reviewer, scoreOf, submit, undo } from '../../../test/reviews.ts';

const { own } = await openApp();
const { api } = own;
let projectId: string;

beforeAll(async () => {
  projectId = (await createProject(api)).id;
});

const items = [
  { id: 'polite', text: 'Is it polite?', weight: 1 },
  { id: 'right', text: 'Is the amount right?', weight: 2 },
  { id: 'promise', text: 'Does it promise a refund?', weight: -1 },
];
type Said = { [id: string]: boolean | undefined };
const criteriaOf = (said: Said) =>
  Object.entries(said).map(([id, met]) =>
    met === undefined ? { id, state: 'unscored', why: 'unclear' } : { id, met },
  );

/** A judge and its people with the same criteria, and a run of both in which they say this on each record. */
const judgedRun = async (records: { judge: Said; people: Said }[]) => {
  const kind = { outputType: 'float', passingThreshold: 0.5, criteria: { items } };
  const judge = await createMetric(api, projectId, {
    ...kind,
    evalType: 'ai',
    promptTemplate: '{{ outputs.a }}',
  });
  const people = await createMetric(api, projectId, { ...kind, evalType: 'human' });
  await namePeople(api, judge.id, people.id);
  const run = await createRun(api, projectId, [judge.id, people.id]);
  const [ofJudge, ofPeople] = run.metricVersionIds;
  const ids = await addRecords(api, run.id, records.length, (i) => ({ outputs: { a: i } }));
  const scores = records.flatMap((said, i) => [
    { recordId: ids[i], metricConfigId: ofJudge, score: { criteria: criteriaOf(said.judge) } },
    { recordId: ids[i], metricConfigId: ofPeople, score: { criteria: criteriaOf(said.people) } },
  ]);
  await ok(api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: scores }));
  return { judge, people, run, ids };
};

describe('a judge and people by criterion', () => {
  it('have the errors of each criterion, and of all verdicts clustered by record', async () => {
    // The judge is right about politeness, passes every second wrong amount, and leaves a promise out on 4 records.
    const records = Array.from({ length: 60 }, (_, i) => {
      const people = { polite: i % 3 > 0, right: i % 2 > 0, promise: i % 5 === 0 };
      const promise = i < 4 ? undefined : people.promise;
      return { people, judge: { polite: people.polite, right: people.right || i % 4 === 0, promise } };
    });
    const { judge, people } = await judgedRun(records);
    const path = `/metrics/${judge.id}/calibration?criteria=true`;
    const { criteria } = await ok(api('GET', `${path}&against=${people.id}`));
    const of = (id: string) => criteria.criteria.find((each: { id: string }) => each.id === id);
    expect(criteria.criteria.map(({ id }: { id: string }) => id)).toEqual(['polite', 'right', 'promise']);
    expect(of('polite')).toMatchObject({
      text: 'Is it polite?',
      n: 60,
      unjudged: 0,
      matrix: { truePositives: 40, falsePositives: 0, falseNegatives: 0, trueNegatives: 20 },
      sensitivity: { estimate: 1 },
      kappa: { estimate: 1 },
      state: 'calibrated',
      numDisagreements: 0,
    });
    expect(of('right')).toMatchObject({
      n: 60,
      matrix: { truePositives: 30, falsePositives: 15, falseNegatives: 0, trueNegatives: 15 },
      specificity: { n: 30, estimate: 0.5 },
      numDisagreements: 15,
    });
    // (0.75 − 0.5) / (1 − 0.5)
    expect(of('right').kappa.estimate).toBeCloseTo(0.5, 10);
    // Unscored is not a no: the other criteria of these records count.
    expect(of('promise')).toMatchObject({ n: 56, unjudged: 4, agreement: { estimate: 1 } });
    expect(criteria.together).toMatchObject({ n: 176, unjudged: 4, numDisagreements: 15 });
    expect(criteria.together.agreement.estimate).toBeCloseTo(161 / 176, 10);
    expect(criteria.together.warnings).toContain(
      '176 verdicts are of 60 records: the verdicts on a record are one unit',
    );
    // A judge that errs on all criteria of the same records: 60 units, not 180 verdicts.
    const both = Array.from({ length: 60 }, (_, i) => {
      const said = { polite: i % 2 > 0, right: i % 2 > 0, promise: i % 2 > 0 };
      return {
        people: said,
        judge: i % 10 > 1 ? said : { polite: !said.polite, right: !said.right, promise: !said.promise },
      };
    });
    const clustered = await judgedRun(both);
    const answer = await ok(
      api('GET', `/metrics/${clustered.judge.id}/calibration?criteria=true&against=${clustered.people.id}`),
    );
    expect(answer.criteria.together.agreement).toMatchObject({ n: 180, estimate: 0.8 });
    expect(Math.round(answer.criteria.together.agreement.effectiveN)).toBeLessThanOrEqual(60);
    expect(await ok(api('GET', `/metrics/${judge.id}/calibration`))).not.toHaveProperty('criteria');
  });

  it('of overrides are what the judge said before, and a metric without criteria has none', async () => {
    const records = Array.from({ length: 4 }, () => {
      const said = { polite: true, right: true, promise: false };
      return { judge: said, people: { ...said, right: false } };
    });
    const { judge } = await judgedRun(records);
    const of = await ok(api('GET', `/metrics/${judge.id}/calibration?criteria=true&labels=thumbs`));
    expect(of.criteria).toMatchObject({ criteria: [{ n: 0 }, { n: 0 }, { n: 0 }], together: { n: 0 } });
    const plain = await createMetric(api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    expect((await ok(api('GET', `/metrics/${plain.id}/calibration?criteria=true`))).criteria).toBeNull();
  });
});

describe('reviewers by criterion', () => {
  /** Records of a human metric with criteria, each to be reviewed by three. */
  const queueOf = async (records: number, settings = { numReviewers: 3, reviewRule: 'majority' }) => {
    const { id } = await createProject(api);
    const metric = await createMetric(api, id, {
      evalType: 'human',
      outputType: 'float',
      criteria: { items },
    });
    await ok(api('PATCH', `/metrics/${metric.id}/settings`, settings));
    const run = await createRun(api, id, [metric.id]);
    const recordIds = await addRecords(api, run.id, records);
    return {
      projectId: id,
      metricId: metric.id,
      runId: run.id,
      configId: run.metricVersionIds[0],
      recordIds,
    };
  };
  const say = (
    person: Reviewer,
    queue: { configId: string },
    recordId: string,
    said: Said,
    reasoning: string,
  ) => submit(person, queue, recordId, { criteria: criteriaOf(said), reasoning });

  it('make one score: the majority on each criterion, which can be the verdicts of none of them', async () => {
    const people = (await createReviewers(own, 3)) as [Reviewer, Reviewer, Reviewer];
    const queue = await queueOf(2);
    const [first, second] = queue.recordIds as [string, string];
    const said: Said[] = [
      { polite: true, right: true, promise: true },
      { polite: true, right: false, promise: false },
      { polite: false, right: true, promise: false },
    ];
    for (const [i, person] of people.entries()) await say(person, queue, first, said[i]!, `r${i}`);
    const { state, score } = await scoreOf(api, queue, first);
    // The median share is 1/3 of the second; the majority has two criteria met and no promise.
    expect({ state, ...score }).toMatchObject({
      state: 'scored',
      floatScore: 1,
      criteria: [
        { id: 'polite', met: true, yes: 2, of: 3 },
        { id: 'right', met: true, yes: 2, of: 3 },
        { id: 'promise', met: false, yes: 1, of: 3 },
      ],
    });
    expect(score.reasoning).toBe('r2');
    for (const [i, person] of people.entries()) await say(person, queue, second, said[0]!, `s${i}`);
    const answer = await ok(api('GET', `/metrics/${queue.metricId}/agreement?criteria=true`));
    expect(answer.criteria).toMatchObject([
      { id: 'polite', text: 'Is it polite?', numRecordsWithSeveral: 2 },
      { id: 'right', numRecordsWithSeveral: 2 },
      { id: 'promise', numRecordsWithSeveral: 2 },
    ]);
    // 1 of 3 pairs on the first record, all of them on the second.
    expect(answer.criteria[0].agreement.estimate).toBeCloseTo(2 / 3, 10);
    expect(await ok(api('GET', `/metrics/${queue.metricId}/agreement`))).not.toHaveProperty('criteria');
  });

  it('settle pending scores by majority when fewer are enough, and cannot be an even number', async () => {
    const people = (await createReviewers(own, 3)) as [Reviewer, Reviewer, Reviewer];
    const queue = await queueOf(1, { numReviewers: 5, reviewRule: 'majority' });
    const [recordId] = queue.recordIds as [string];
    for (const [i, person] of people.entries())
      await say(person, queue, recordId, { polite: i < 2, right: i > 0, promise: false }, 'r');
    expect((await scoreOf(api, queue, recordId)).state).toBe('pending');
    const even = await api('PATCH', `/metrics/${queue.metricId}/settings`, { numReviewers: 4 });
    expect([even.status, even.body.message]).toEqual([400, expect.stringContaining('must be odd')]);
    await ok(api('PATCH', `/metrics/${queue.metricId}/settings`, { numReviewers: 3 }));
    expect((await scoreOf(api, queue, recordId)).score).toMatchObject({ floatScore: 1 });
  });

  it('an undone review gives back what a client had left unscored', async () => {
    const [person] = (await createReviewers(own, 1)) as [Reviewer];
    const queue = await queueOf(1, { numReviewers: 1, reviewRule: 'latest' });
    const [recordId] = queue.recordIds as [string];
    const sent = { criteria: criteriaOf({ polite: true, right: undefined, promise: false }) };
    await ok(api('PUT', `/records/${recordId}/scores/${queue.configId}`, { score: sent }));
    const before = await scoreOf(api, queue, recordId);
    expect(before).toMatchObject({ state: 'unscored', reason: 'criterion_unscored: right' });
    await say(person, queue, recordId, { polite: true, right: true, promise: false }, 'r');
    expect(await scoreOf(api, queue, recordId)).toMatchObject({ state: 'scored' });
    await undo(person, queue);
    expect(await scoreOf(api, queue, recordId)).toMatchObject({
      state: 'unscored',
      reason: 'criterion_unscored: right',
    });
    const { evidence } = await ok(api('GET', `/records/${recordId}/scores/${queue.configId}`));
    expect(evidence).toEqual(sent);
  });
});
