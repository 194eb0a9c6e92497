import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createRun, ok } from '../../../test/fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import {
  addRecords,
  createQueue,
  createReviewers,
  next,
  type Reviewer,
  scoreOf,
  skip,
  submit,
  undo,
} from '../../../test/reviews.ts';
import { system } from '../../platform/db/database.ts';

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

const expireClaims = () =>
  app.db.transaction(system, (tx) => tx`update review_claim set expires_at = now() - interval '1 second'`);

describe('the next record', () => {
  it('is the oldest that waits, and the same one until it is submitted', async () => {
    const queue = await createQueue(api, 2);
    const me = { api };
    const first = await next(me, queue);
    expect(first).toMatchObject({
      recordId: queue.recordIds[0],
      metricId: queue.metricId,
      metricConfigId: queue.configId,
      assigned: false,
      numReviewers: 1,
      previousScore: null,
      record: { id: queue.recordIds[0], inputs: { i: 0 } },
    });
    const again = await next(me, queue);
    expect(again.recordId).toBe(first.recordId);
    expect(Date.parse(again.claimedUntil)).toBeGreaterThanOrEqual(Date.parse(first.claimedUntil));
    await submit(me, queue, first.recordId);
    expect((await next(me, queue)).recordId).toBe(queue.recordIds[1]);
    await submit(me, queue, queue.recordIds[1]!);
    expect(await next(me, queue)).toBeNull();
  });

  it('no two of ten parallel reviewers get the same one, until all are done', async () => {
    const queue = await createQueue(api, 60);
    const reviewers = await createReviewers(organization, 10);
    const scored: string[] = [];
    await Promise.all(
      reviewers.map(async (reviewer) => {
        for (let task = await next(reviewer, queue); task; task = await next(reviewer, queue)) {
          scored.push(task.recordId);
          await submit(reviewer, queue, task.recordId);
        }
      }),
    );
    expect(scored.sort()).toEqual([...queue.recordIds].sort());
  });

  it('a claim that has ended leaves the record to others', async () => {
    const queue = await createQueue(api, 1);
    const [a, b] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
    expect(await next(a, queue)).not.toBeNull();
    expect(await next(b, queue)).toBeNull();
    await expireClaims();
    expect((await next(b, queue)).recordId).toBe(queue.recordIds[0]);
    expect(await next(a, queue)).toBeNull();
  });

  it('what is assigned to me comes first, what I skipped comes last, first skipped first', async () => {
    const queue = await createQueue(api, 4);
    const [first, second, third, fourth] = queue.recordIds as [string, string, string, string];
    const [me, other] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
    await ok(api('POST', `/records/${third}/assignees`, { assigneeUserId: me.id }), 201);
    expect(await next(me, queue)).toMatchObject({ recordId: third, assigned: true });
    await skip(me, queue, third);
    expect((await next(other, queue)).recordId).toBe(first);
    expect(await next(me, queue)).toMatchObject({ recordId: second, assigned: false });
    await skip(me, queue, second);
    expect((await next(me, queue)).recordId).toBe(fourth);
    await submit(me, queue, fourth);
    expect((await next(me, queue)).recordId).toBe(third);
    await skip(me, queue, third);
    expect((await next(me, queue)).recordId).toBe(second);
    await submit(me, queue, second);
    expect((await next(me, queue)).recordId).toBe(third);
  });

  it('can be narrowed to a metric or a run; 404 for one that is not there', async () => {
    const queue = await createQueue(api, 1);
    const { id: metricId } = await createMetric(api, queue.projectId, {
      evalType: 'human',
      outputType: 'int',
    });
    const run = await createRun(api, queue.projectId, [metricId]);
    const [later] = await addRecords(api, run.id, 1);
    const me = { api };
    expect((await next(me, queue, `?metricId=${metricId}`)).recordId).toBe(later);
    expect((await next(me, queue, `?runId=${queue.runId}`)).recordId).toBe(queue.recordIds[0]);
    const path = `/projects/${queue.projectId}/reviews/next`;
    for (const query of ['metricId=999999999', 'runId=999999999', 'runId=x'])
      expect((await api('POST', `${path}?${query}`)).status).toBe(404);
    expect((await api('POST', '/projects/999999999/reviews/next')).status).toBe(404);
  });

  it('is none of a metric that code or a model scores, nor of a deleted one', async () => {
    const queue = await createQueue(api, 1);
    const code = await createMetric(api, queue.projectId, { evalType: 'heuristic', outputType: 'boolean' });
    await addRecords(api, (await createRun(api, queue.projectId, [code.id])).id, 1);
    await ok(api('DELETE', `/metrics/${queue.metricId}`));
    expect(await next({ api }, queue)).toBeNull();
  });

  it('comes from a score that was queued for one record by hand', async () => {
    const { projectId } = await createQueue(api, 0);
    const { id: metricId } = await createMetric(api, projectId, { evalType: 'human', outputType: 'int' });
    const other = await createRun(api, projectId, [metricId]);
    const run = await createRun(api, projectId, []);
    const [recordId] = await addRecords(api, run.id, 1);
    const configId = other.metricVersionIds[0];
    const queue = { projectId, metricId, runId: run.id, configId, recordIds: [recordId!] };
    expect(await next({ api }, queue)).toBeNull();
    await ok(api('PUT', `/records/${recordId}/scores/${configId}`, {}));
    expect(await next({ api }, queue)).toMatchObject({ recordId, metricConfigId: configId });
    await ok(api('PUT', `/records/${recordId}/scores/${configId}`, { score: { intScore: 3 } }));
    expect(await next({ api }, queue)).toBeNull();
    await ok(api('PUT', `/records/${recordId}/scores/${configId}`, {}));
    expect((await scoreOf(api, queue, recordId!)).score).toEqual({ intScore: 3 });
  });
});

describe('a review', () => {
  it('becomes the record’s score, in its author’s name and as it was sent', async () => {
    const queue = await createQueue(api, 1, undefined, 'float');
    const [recordId] = queue.recordIds as [string];
    const [me] = (await createReviewers(organization, 1)) as [Reviewer];
    const raw = '{"score":{"reasoning":"\\u00e9","floatScore":0.50,"x":12345678901234567890}}';
    const answer = await me.api('POST', `/records/${recordId}/reviews/${queue.configId}`, undefined, { raw });
    expect(answer.body).toMatchObject({
      state: 'scored',
      numReviews: 1,
      review: { recordId, userId: me.id, blind: true },
    });
    expect(answer.text).toContain('"floatScore":0.50,"x":12345678901234567890');
    expect(await scoreOf(api, queue, recordId)).toMatchObject({
      state: 'scored',
      passed: false,
      score: { floatScore: 0.5 },
      scoredByUserId: me.id,
    });
  });

  it('400 when it does not fit its metric, with every problem; nothing is stored', async () => {
    const queue = await createQueue(api, 1, undefined, 'int');
    const path = `/records/${queue.recordIds[0]}/reviews/${queue.configId}`;
    const score = { intScore: 6, binaryScore: true, reasoning: 1 };
    const { status, body } = await api('POST', path, { score });
    expect(status).toBe(400);
    expect(body.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      '/score/intScore',
      '/score/binaryScore',
      '/score/reasoning',
    ]);
    expect((await api('POST', path, { score: { intScore: 1 }, extra: 1 })).status).toBe(400);
    expect((await scoreOf(api, queue, queue.recordIds[0]!)).state).toBe('pending');
  });

  it('400 of a metric that people do not score, 404 of another project’s', async () => {
    const queue = await createQueue(api, 1);
    const [recordId] = queue.recordIds;
    const code = await createMetric(api, queue.projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const run = await createRun(api, queue.projectId, [code.id]);
    const elsewhere = await createQueue(api, 0);
    for (const verb of ['', '/skip']) {
      const body = verb === '' ? { score: { binaryScore: true } } : undefined;
      const call = (id: string, configId: string) =>
        api('POST', `/records/${id}/reviews/${configId}${verb}`, body);
      expect((await call(recordId!, run.metricVersionIds[0])).status).toBe(400);
      expect((await call(recordId!, elsewhere.configId)).status).toBe(404);
      expect((await call(`${queue.runId}-99`, queue.configId)).status).toBe(404);
    }
  });
});

describe('undo', () => {
  it('makes the score pending again and gives the record back to its reviewer, with what they had said', async () => {
    const queue = await createQueue(api, 2);
    const [first, second] = queue.recordIds as [string, string];
    const [a, b] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
    await submit(a, queue, first);
    await submit(a, queue, second, { binaryScore: false, reasoning: 'slip' });
    const task = await undo(a, queue);
    expect(task).toMatchObject({
      recordId: second,
      previousScore: { binaryScore: false, reasoning: 'slip' },
    });
    expect(await scoreOf(api, queue, second)).toMatchObject({
      state: 'pending',
      score: null,
      scoredByUserId: null,
    });
    expect(await next(b, queue)).toBeNull();
    expect((await next(a, queue)).recordId).toBe(second);
    expect((await undo(a, queue)).recordId).toBe(first);
    expect(await undo(a, queue)).toBeNull();
    expect(await undo(b, queue)).toBeNull();
  });

  it('brings back the review that it had replaced', async () => {
    const queue = await createQueue(api, 1);
    const [recordId] = queue.recordIds as [string];
    await submit({ api }, queue, recordId, { binaryScore: true });
    await submit({ api }, queue, recordId, { binaryScore: false });
    expect((await scoreOf(api, queue, recordId)).passed).toBe(false);
    expect((await undo({ api }, queue)).claimedUntil).toBeNull();
    expect((await scoreOf(api, queue, recordId)).passed).toBe(true);
    await undo({ api }, queue);
    expect((await scoreOf(api, queue, recordId)).state).toBe('pending');
  });

  it('brings back another’s review, or a score that came by the score endpoint', async () => {
    const queue = await createQueue(api, 2);
    const [first, second] = queue.recordIds as [string, string];
    const [a, b] = (await createReviewers(organization, 2)) as [Reviewer, Reviewer];
    await submit(a, queue, first, { binaryScore: true, reasoning: 'a' });
    await submit(b, queue, first, { binaryScore: false, reasoning: 'b' });
    await undo(b, queue);
    expect(await scoreOf(api, queue, first)).toMatchObject({
      score: { reasoning: 'a' },
      scoredByUserId: a.id,
    });
    const path = `/records/${second}/scores/${queue.configId}`;
    await ok(api('PUT', path, { score: { binaryScore: true, reasoning: 'put' } }));
    await submit(b, queue, second, { binaryScore: false, reasoning: 'b' });
    expect((await scoreOf(api, queue, second)).score.reasoning).toBe('b');
    await undo(b, queue);
    expect(await scoreOf(api, queue, second)).toMatchObject({
      score: { reasoning: 'put' },
      scoredByUserId: organization.memberId,
    });
  });

  it('leaves a score that came by the score endpoint since', async () => {
    const queue = await createQueue(api, 1);
    const [recordId] = queue.recordIds as [string];
    for (const reasoning of ['first', 'second'])
      await submit({ api }, queue, recordId, { binaryScore: false, reasoning });
    await ok(api('PUT', `/records/${recordId}/scores/${queue.configId}`, { score: { binaryScore: true } }));
    await undo({ api }, queue);
    expect(await scoreOf(api, queue, recordId)).toMatchObject({ state: 'scored', passed: true });
  });

  it('of the review that settled the score takes the score back; a review that saw other reviews is not blind', async () => {
    const queue = await createQueue(api, 1, { numReviewers: 3, reviewRule: 'majority' });
    const [recordId] = queue.recordIds as [string];
    const [a, b, c] = (await createReviewers(organization, 3)) as [Reviewer, Reviewer, Reviewer];
    for (const reviewer of [a, b]) expect((await submit(reviewer, queue, recordId)).review.blind).toBe(true);
    expect((await submit(c, queue, recordId)).state).toBe('scored');
    await undo(c, queue);
    expect((await scoreOf(api, queue, recordId)).state).toBe('pending');
    expect(await submit(c, queue, recordId)).toMatchObject({ state: 'scored', review: { blind: false } });
  });

  it('keeps to the metric and run that are named', async () => {
    const queue = await createQueue(api, 2);
    const other = await createRun(api, queue.projectId, [queue.metricId]);
    const [later] = await addRecords(api, other.id, 1);
    await submit({ api }, queue, queue.recordIds[0]!);
    await submit({ api }, queue, later!);
    expect((await undo({ api }, queue, `?runId=${queue.runId}`)).recordId).toBe(queue.recordIds[0]);
    expect((await scoreOf(api, queue, later!)).state).toBe('scored');
    expect((await api('POST', `/projects/${queue.projectId}/reviews/undo?runId=999999999`)).status).toBe(404);
  });
});
