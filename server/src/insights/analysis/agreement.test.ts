import { beforeAll, describe, expect, it } from 'vitest';
import { createMetric, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import {
  addRecords,
  createQueue,
  createReviewers,
  type Queue,
  type Reviewer,
  submit,
} from '../../../test/reviews.ts';

const { app, own } = await openApp();
let people: Reviewer[];

beforeAll(async () => {
  people = await createReviewers(own, 4);
});

const no = null;
// Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, example C: four raters, twelve units, gaps.
const worked = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, no, no, no],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, no, 3],
  [no, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, no],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, no],
];

/** Has each person review the records that they have rated. */
const review = async (queue: Queue, ratings: (number | boolean | null)[][], field: string) => {
  for (const [i, row] of ratings.entries()) {
    for (const [j, value] of row.entries()) {
      if (value !== null) await submit(people[i]!, queue, queue.recordIds[j]!, { [field]: value });
    }
  }
};
const measure = (queue: Queue, query = '') =>
  ok(own.api('GET', `/metrics/${queue.metricId}/agreement${query}`));

describe('GET /metrics/:metricId/agreement', () => {
  it('counts each rater whose scores one key stored under their ids', async () => {
    const queue = await createQueue(own.api, 3, { numReviewers: 1, reviewRule: 'latest' });
    for (const [i, { id: userId }] of people.slice(0, 3).entries()) {
      for (const [j, recordId] of queue.recordIds.entries()) {
        const score = { binaryScore: i === 0 || j > 0 };
        await ok(own.api('PUT', `/records/${recordId}/scores/${queue.configId}`, { score, userId }));
      }
    }
    const answer = await measure(queue);
    expect(answer).toMatchObject({ numRecords: 3, numReviews: 9 });
  });

  it('α, AC2 and raw agreement of four reviewers with gaps, each reviewer and each two of them', async () => {
    const queue = await createQueue(own.api, 12, { numReviewers: 4, reviewRule: 'latest' }, 'int');
    await review(queue, worked, 'intScore');
    const answer = await measure(queue);
    expect(answer).toMatchObject({
      metricConfigId: queue.configId,
      outputType: 'int',
      level: 0.95,
      numReviews: 41,
      numReviewsLeftOut: 0,
      numRecords: 12,
      numRecordsWithSeveral: 11,
    });
    // Ordinal α as Krippendorff (2011) prints it; AC2 and p_a by irrCAC, see statistics/raters.test.ts.
    expect(answer.alpha).toMatchObject({ method: 'krippendorff alpha, ordinal, jackknife', n: 11 });
    expect(answer.alpha.estimate).toBeCloseTo(0.815, 3);
    expect(answer.ac).toMatchObject({ method: 'gwet ac2, quadratic weights', n: 11 });
    expect(answer.ac.estimate).toBeCloseTo(0.914000723551605, 12);
    expect(answer.agreement.estimate).toBeCloseTo(0.818181818181818, 12);
    expect(answer.reviewers.map(({ userId }: { userId: string }) => userId).sort()).toEqual(
      people.map(({ id }) => id).sort(),
    );
    // The third stands apart on four of nine records, and the others agree better without them.
    const third = answer.reviewers.find(({ userId }: { userId: string }) => userId === people[2]!.id);
    expect(third.numReviews).toBe(10);
    expect(third.alphaWithout).toBeGreaterThan(answer.alpha.estimate);
    expect(third.difference).toBeGreaterThan(0);
    expect(answer.pairs).toHaveLength(6);
    expect(answer.pairs[0]).toMatchObject({
      n: 10,
      agreement: { method: 'wilson' },
      kappa: { method: 'cohen kappa, quadratic weights', n: 10 },
    });
    const passes = await measure(queue, '?measure=pass&level=0.9');
    expect(passes.alpha).toMatchObject({ method: 'krippendorff alpha, nominal, jackknife', level: 0.9 });
    expect(passes.ac.method).toBe('gwet ac1');
  });

  it('floats have α alone; with measure=pass everything', async () => {
    const queue = await createQueue(own.api, 3, { numReviewers: 2, reviewRule: 'latest' }, 'float');
    await review(
      queue,
      [
        [0.1, 0.95, 0.5],
        [0.2, 0.97, 0.5],
      ],
      'floatScore',
    );
    const answer = await measure(queue);
    expect(answer.alpha.estimate).toBeGreaterThan(0.9);
    expect(answer.ac).toMatchObject({ estimate: null, reason: expect.stringContaining('measure=pass') });
    expect(answer.pairs[0].kappa).toBeNull();
    expect((await measure(queue, '?measure=pass')).ac.estimate).toBe(1);
  });

  it('reviews that saw other reviews are left out and counted, unless they are asked for', async () => {
    const queue = await createQueue(own.api, 2, { numReviewers: 2, reviewRule: 'latest' });
    await review(
      queue,
      [
        [true, true],
        [true, false],
        [true, no],
      ],
      'binaryScore',
    );
    const answer = await measure(queue);
    expect(answer).toMatchObject({ numReviews: 4, numReviewsLeftOut: 1, reviewers: { length: 2 } });
    expect(answer.warnings.join()).toContain(
      'reviews left out, because their authors could have seen other reviews: 1',
    );
    expect(await measure(queue, '?sighted=true')).toMatchObject({ numReviews: 5, numReviewsLeftOut: 0 });
  });

  it('of one run alone, by the configuration that it was started with', async () => {
    const queue = await createQueue(own.api, 1, { numReviewers: 2, reviewRule: 'latest' });
    await review(queue, [[true], [true]], 'binaryScore');
    const other = await ok(
      own.api('POST', `/projects/${queue.projectId}/runs`, { metricIds: [queue.metricId] }),
      201,
    );
    const recordIds = await addRecords(own.api, other.id, 1);
    await review({ ...queue, recordIds }, [[true], [false]], 'binaryScore');
    expect((await measure(queue)).numRecordsWithSeveral).toBe(2);
    expect((await measure(queue, `?runId=${other.id}`)).agreement.estimate).toBe(0);
    expect((await measure(queue, `?runId=${queue.runId}`)).agreement.estimate).toBe(1);
  });

  it('too little is said: without reviews, and of one reviewer, there is no number', async () => {
    const queue = await createQueue(own.api, 2);
    for (const reviews of [[], [[true, false]]]) {
      await review(queue, reviews, 'binaryScore');
      const answer = await measure(queue);
      for (const name of ['agreement', 'alpha', 'ac'])
        expect(answer[name]).toMatchObject({
          estimate: null,
          interval: null,
          reason: expect.stringMatching(/\w/),
        });
      expect(answer.pairs).toEqual([]);
    }
  });

  it('404 for a metric, a run or a configuration of somewhere else', async () => {
    const queue = await createQueue(own.api, 1);
    const elsewhere = await createQueue(own.api, 1);
    const stranger = await app.organization();
    const path = `/metrics/${queue.metricId}/agreement`;
    expect((await stranger.api('GET', path)).status).toBe(404);
    for (const query of [`runId=${elsewhere.runId}`, `metricConfigId=${elsewhere.configId}`])
      expect((await own.api('GET', `${path}?${query}`)).status).toBe(404);
    const unreviewed = await createMetric(own.api, queue.projectId, {
      evalType: 'heuristic',
      outputType: 'boolean',
    });
    expect((await measure({ ...queue, metricId: unreviewed.id })).numReviews).toBe(0);
  });
});
