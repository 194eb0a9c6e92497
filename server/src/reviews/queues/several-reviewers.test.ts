import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, ok } from '../../../test/fixtures.ts';
import { type Client, engine, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import {
  createQueue,
  createReviewers,
  next,
  type Queue,
  type Reviewer,
  scoreOf,
  skip,
  submit,
  undo,
} from '../../../test/reviews.ts';
import { type Sql, system } from '../../platform/db/database.ts';
import { submitReview } from './submit-review.ts';

let app: TestApp;
let organization: Organization;
let api: Client;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await app.organization();
  api = organization.api;
});

describe('several reviewers', () => {
  it('each of N distinct ones gets every record, ten of them asking in parallel; it is pending until then', async () => {
    const queue = await createQueue(api, 12, { numReviewers: 3, reviewRule: 'latest' });
    const reviewers = await createReviewers(organization, 10);
    const by = new Map<string, string[]>();
    await Promise.all(
      reviewers.map(async (reviewer) => {
        for (let task = await next(reviewer, queue); task; task = await next(reviewer, queue)) {
          by.set(task.recordId, [...(by.get(task.recordId) ?? []), reviewer.id]);
          const { state, numReviews } = await submit(reviewer, queue, task.recordId);
          expect(state).toBe(numReviews === 3 ? 'scored' : 'pending');
        }
      }),
    );
    expect([...by.keys()].sort()).toEqual([...queue.recordIds].sort());
    for (const ids of by.values()) expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
  });

  // The embedded database has one session: no other transaction can come in between.
  describe.runIf(engine === 'server')('while one has the record locked', () => {
    /** What the next reviewer hears who asks while a transaction holds what `hold` took. It commits once the question waits for it. */
    const askedAgainst = async (
      reviewer: { api: Client },
      queue: Queue,
      hold: (tx: Sql) => PromiseLike<unknown>,
    ) => {
      let asked: Promise<unknown> | undefined;
      await app.db.transaction(system, async (tx) => {
        await hold(tx);
        let answered = false;
        asked = next(reviewer, queue).finally(() => {
          answered = true;
        });
        const waiting = () => tx`
          select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
        await expect.poll(async () => answered || (await waiting()).length > 0).toBe(true);
      });
      return asked;
    };

    it('another waits: the answer is not that nothing is left', async () => {
      const queue = await createQueue(api, 1, { numReviewers: 2, reviewRule: 'latest' });
      const lock = (tx: Sql) => tx`select from score where run_id = ${queue.runId} for update`;
      expect(await askedAgainst({ api }, queue, lock)).toMatchObject({ recordId: queue.recordIds[0] });
    });

    it('by submitting a review, another who waits for it gets the record: claim and review count once', async () => {
      const queue = await createQueue(api, 1, { numReviewers: 2, reviewRule: 'latest' });
      const [first, second] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
      expect(await next(first, queue)).toMatchObject({ recordId: queue.recordIds[0] });
      const scope = { ...organization, memberId: first.id, role: 'admin', access: 'full' } as const;
      const key = { runId: BigInt(queue.runId), n: 1, configId: queue.configId };
      const score = { binaryScore: true };
      const review = (tx: Sql) =>
        submitReview(tx, { ...scope, keyId: null, signInId: null }, key, {
          score,
          raw: JSON.stringify(score),
        });
      expect(await askedAgainst(second, queue, review)).toMatchObject({ recordId: queue.recordIds[0] });
    });
  });

  it('do not see each other’s reviews before they have submitted their own', async () => {
    const queue = await createQueue(api, 1, { numReviewers: 3, reviewRule: 'latest' });
    const [recordId] = queue.recordIds as [string];
    const [a, b, c] = (await createReviewers(organization, 3)) as [Reviewer, Reviewer, Reviewer];
    const seenBy = async (reviewer: { api: Client }) => {
      const { data, numReviews } = await ok(
        reviewer.api('GET', `/records/${recordId}/reviews/${queue.configId}`),
      );
      return [data.length, numReviews];
    };
    await submit(a, queue, recordId, { binaryScore: true, reasoning: 'secret' });
    expect([await seenBy(a), await seenBy(b), await seenBy({ api })]).toEqual([
      [1, 1],
      [0, 1],
      [0, 1],
    ]);
    for (const path of [
      `/records/${recordId}`,
      `/runs/${queue.runId}/records`,
      `/projects/${queue.projectId}/records`,
      `/projects/${queue.projectId}/reviews/progress`,
      `/metrics/${queue.metricId}/review-disagreements`,
    ])
      expect((await b.api('GET', path)).text).not.toContain('secret');
    expect((await b.api('POST', `/projects/${queue.projectId}/reviews/next`)).text).not.toContain('secret');
    await submit(b, queue, recordId, { binaryScore: false });
    expect([await seenBy(b), await seenBy(c)]).toEqual([
      [2, 2],
      [0, 2],
    ]);
    await submit(c, queue, recordId);
    expect(await seenBy({ api })).toEqual([3, 3]);
  });

  it('the majority counts where the metric says so, with the reasoning of one who was of it', async () => {
    const queue = await createQueue(api, 1, { numReviewers: 3, reviewRule: 'majority' });
    const [recordId] = queue.recordIds as [string];
    const [a, b, c] = (await createReviewers(organization, 3)) as [Reviewer, Reviewer, Reviewer];
    await submit(a, queue, recordId, { binaryScore: true, reasoning: 'a' });
    await submit(b, queue, recordId, { binaryScore: true, reasoning: 'b' });
    await submit(c, queue, recordId, { binaryScore: false, reasoning: 'c' });
    const score = { binaryScore: true, reasoning: 'b' };
    expect(await scoreOf(api, queue, recordId)).toMatchObject({ score, scoredByUserId: b.id, passed: true });
  });

  it.each([
    ['int', [5, 1, 2], 2],
    ['int', [5, 1, 2, 4], 2],
    ['float', [0.9, 0.1, 0.4], 0.4],
  ])('of %s scores %j the median is %d', async (outputType, values, median) => {
    const field = outputType === 'int' ? 'intScore' : 'floatScore';
    const queue = await createQueue(
      api,
      1,
      { numReviewers: values.length, reviewRule: 'majority' },
      outputType,
    );
    const [recordId] = queue.recordIds as [string];
    const reviewers = await createReviewers(organization, values.length);
    for (const [i, value] of values.entries())
      await submit(reviewers[i]!, queue, recordId, { [field]: value });
    expect((await scoreOf(api, queue, recordId)).score).toEqual({ [field]: median });
  });

  it.each([
    ['an order the median counts', true, 'scored', { categoryScore: 'b' }],
    ['no order a tie waits for one more, and half of the votes are none', false, 'pending', null],
  ])('of labels with %s', async (_, ordered, state, score) => {
    const labels = { items: ['a', 'b', 'c'], passing: ['c'], ordered };
    const settings = { numReviewers: 3, reviewRule: 'majority' };
    const queue = await createQueue(api, 1, settings, 'category', { labels });
    const [recordId] = queue.recordIds as [string];
    const reviewers = await createReviewers(organization, 4);
    for (const [i, categoryScore] of ['a', 'b', 'c'].entries())
      await submit(reviewers[i]!, queue, recordId, { categoryScore });
    if (!ordered) await submit(reviewers[3]!, queue, recordId, { categoryScore: 'b' });
    const { scoreStates } = await ok(api('GET', `/records/${recordId}`));
    expect(scoreStates[0]).toMatchObject({ state, score });
  });

  it('with the rule "latest", the latest counts, from any reviewer', async () => {
    const queue = await createQueue(api, 1, { numReviewers: 2, reviewRule: 'latest' });
    const [recordId] = queue.recordIds as [string];
    const [a, b] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
    await submit(a, queue, recordId, { binaryScore: true });
    await submit(b, queue, recordId, { binaryScore: false });
    expect(await scoreOf(api, queue, recordId)).toMatchObject({ scoredByUserId: b.id, passed: false });
    const { review } = await submit(a, queue, recordId, { binaryScore: true, reasoning: 'again' });
    expect(review.blind).toBe(false);
    expect(await scoreOf(api, queue, recordId)).toMatchObject({ scoredByUserId: a.id, passed: true });
  });

  it('fewer of them settle what is pending; more of them leave what is settled', async () => {
    const queue = await createQueue(api, 2, { numReviewers: 3, reviewRule: 'majority' });
    const [first, second] = queue.recordIds as [string, string];
    const [a, b] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
    await submit(a, queue, first);
    await ok(
      api('PATCH', `/metrics/${queue.metricId}/settings`, { numReviewers: 1, reviewRule: 'majority' }),
    );
    expect((await scoreOf(api, queue, first)).state).toBe('scored');
    expect((await scoreOf(api, queue, second)).state).toBe('pending');
    await ok(
      api('PATCH', `/metrics/${queue.metricId}/settings`, { numReviewers: 3, reviewRule: 'majority' }),
    );
    expect((await scoreOf(api, queue, first)).state).toBe('scored');
    await submit(b, queue, second);
    expect((await scoreOf(api, queue, second)).state).toBe('pending');
  });

  it('400 for settings without a sense', async () => {
    const queue = await createQueue(api, 0);
    const code = await createMetric(api, queue.projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const change = async (metricId: string, body: object) =>
      (await api('PATCH', `/metrics/${metricId}/settings`, body)).status;
    expect(await change(queue.metricId, { numReviewers: 10, reviewRule: 'latest' })).toBe(400);
    expect(await change(queue.metricId, { numReviewers: 2, reviewRule: 'majority' })).toBe(400);
    expect(await change(queue.metricId, { numReviewers: 2, reviewRule: 'latest' })).toBe(200);
    expect(await change(code.id, { numReviewers: 2, reviewRule: 'latest' })).toBe(400);
    expect(await change('999999999', { numReviewers: 2, reviewRule: 'latest' })).toBe(404);
    expect(await ok(api('GET', `/metrics/${queue.metricId}/settings`))).toEqual({
      judgeRepeats: 1,
      juryModelNames: [],
      peopleMetricId: null,
      numReviewers: 2,
      reviewRule: 'latest',
    });
  });

  it('400 for a metric that would become one of booleans on which they could tie', async () => {
    const { metricId } = await createQueue(api, 0, { numReviewers: 2, reviewRule: 'majority' }, 'int');
    const become = (evalType: string, outputType: string) =>
      api('PATCH', `/metrics/${metricId}`, { evalType, outputType });
    const refused = {
      status: 400,
      body: {
        details: { issues: [{ path: '/outputType', message: expect.stringContaining('by majority') }] },
      },
    };
    expect(await become('human', 'boolean')).toMatchObject(refused);
    expect((await ok(api('GET', `/metrics/${metricId}`))).outputType).toBe('int');
    // No one reviews a code metric; it may become a human metric again.
    await ok(become('heuristic', 'boolean'));
    expect(await become('human', 'boolean')).toMatchObject(refused);
    await ok(become('human', 'float'));
    await ok(api('PATCH', `/metrics/${metricId}/settings`, { numReviewers: 3, reviewRule: 'majority' }));
    await ok(become('human', 'boolean'));
  });
});

describe('progress', () => {
  it('counts by queue and by person what is reviewed, skipped and left', async () => {
    const queue = await createQueue(api, 4, { numReviewers: 2, reviewRule: 'latest' });
    const [first, second, third] = queue.recordIds as [string, string, string];
    const [a, b] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
    await submit(a, queue, first);
    await submit(b, queue, first);
    await submit(a, queue, second);
    await skip(b, queue, third);
    await skip(b, queue, second);
    await submit(b, queue, second);
    await undo(b, queue);
    const progress = () =>
      ok(api('GET', `/projects/${queue.projectId}/reviews/progress?runId=${queue.runId}`));
    const { queues, members } = await progress();
    const { metricId, configId: metricConfigId } = queue;
    expect(queues).toEqual([
      {
        metricId,
        metricName: 'Metric',
        metricConfigId,
        numReviewers: 2,
        numPending: 3,
        numStarted: 1,
        numReviewed: 1,
        numForYou: 3,
      },
    ]);
    const byId = new Map(
      members.map(({ userId, name: _, ...counts }: { userId: string; name: string }) => [userId, counts]),
    );
    expect(Object.fromEntries(byId)).toEqual({
      [organization.memberId]: { numReviewed: 0, numSkipped: 0, numRemaining: 3, numAssigned: 0 },
      [a.id]: { numReviewed: 2, numSkipped: 0, numRemaining: 2, numAssigned: 0 },
      [b.id]: { numReviewed: 1, numSkipped: 1, numRemaining: 3, numAssigned: 0 },
    });
    expect((await api('GET', `/projects/${queue.projectId}/reviews/progress?runId=999999999`)).status).toBe(
      404,
    );
  });
});

describe('disagreements', () => {
  it('are the records on which reviewers differ, page by page, once the score is there', async () => {
    const queue = await createQueue(api, 6, { numReviewers: 2, reviewRule: 'latest' }, 'int');
    const [a, b] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
    const values = [[1, 5], [3, 3], [2, 3], [4, 1], [2]];
    for (const [i, given] of values.entries()) {
      for (const [j, intScore] of given.entries())
        await submit([a, b][j]!, queue, queue.recordIds[i]!, { intScore });
    }
    const seen: [string, number, number][] = [];
    let cursor = '';
    do {
      const path = `/metrics/${queue.metricId}/review-disagreements?limit=1&runId=${queue.runId}&cursor=${cursor}`;
      const { data, nextCursor } = await ok(api('GET', path));
      for (const { recordId, spread, reviews } of data) seen.push([recordId, spread, reviews.length]);
      cursor = nextCursor;
    } while (cursor);
    const [first, , third, fourth] = queue.recordIds;
    expect(seen).toEqual([
      [first, 4, 2],
      [third, 1, 2],
      [fourth, 3, 2],
    ]);
  });

  it('of a pending score are for those alone who have reviewed it', async () => {
    const queue = await createQueue(api, 1, { numReviewers: 3, reviewRule: 'latest' });
    const [a, b, c] = (await createReviewers(organization, 3)) as [Reviewer, Reviewer, Reviewer];
    await submit(a, queue, queue.recordIds[0]!, { binaryScore: true });
    await submit(b, queue, queue.recordIds[0]!, { binaryScore: false });
    const seenBy = async (reviewer: Reviewer) =>
      (await ok(reviewer.api('GET', `/metrics/${queue.metricId}/review-disagreements`))).data.length;
    expect([await seenBy(a), await seenBy(c)]).toEqual([1, 0]);
    expect((await api('GET', '/metrics/999999999/review-disagreements')).status).toBe(404);
  });
});
