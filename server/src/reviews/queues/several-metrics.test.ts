import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { addRecords, createReviewers, next, type Reviewer } from '../../../test/reviews.ts';
import { serviceScope } from '../../platform/http/scope.ts';
import { findOldestFrom, findQueues } from './claims.ts';

let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

const criteria = { items: [{ id: 'source', text: 'Names its source.' }] };

/** A run whose records wait for people by a boolean, an integer and criteria. */
const createWorld = async (records: number) => {
  const { id: projectId } = await createProject(own.api);
  const create = (fields: { outputType: string; name: string; criteria?: object }) =>
    createMetric(own.api, projectId, { evalType: 'human', ...fields });
  const metrics = [
    await create({ name: 'Polite', outputType: 'boolean' }),
    await create({ name: 'Tone', outputType: 'int' }),
    await create({ name: 'Rubric', outputType: 'float', criteria }),
  ];
  const run = await createRun(
    own.api,
    projectId,
    metrics.map(({ id }) => id),
  );
  const recordIds = await addRecords(own.api, run.id, records);
  return {
    projectId: projectId as string,
    metrics,
    recordIds,
    runId: run.id as string,
    configIds: run.metricVersionIds as [string, string, string],
  };
};
type Metric = { metricName: string; metricConfigId: string; previousScore: object | null };
type World = Awaited<ReturnType<typeof createWorld>>;

const ask = ({ api }: Pick<Reviewer, 'api'>, { projectId }: World, query = '') =>
  ok(api('POST', `/projects/${projectId}/reviews/next${query}`));
const scoresOf = ({ configIds }: World) => [
  { metricConfigId: configIds[0], score: { binaryScore: true, reasoning: 'Kind.' } },
  { metricConfigId: configIds[1], score: { intScore: 4 } },
  { metricConfigId: configIds[2], score: { criteria: [{ id: 'source', met: true }] } },
];
const send = ({ api }: Pick<Reviewer, 'api'>, recordId: string, body: object) =>
  api('POST', `/records/${recordId}/reviews`, body);
const statesOf = async (recordId: string): Promise<string[]> =>
  (await ok(own.api('GET', `/records/${recordId}`))).scoreStates.map(({ state }: { state: string }) => state);

it('next claims a record by every metric that waits for it; one request stores all, one undo takes all back', async () => {
  const world = await createWorld(2);
  const [first, second] = world.recordIds as [string, string];
  const { review, metrics } = await ask(own, world);
  expect(review.recordId).toBe(first);
  expect(metrics.map(({ metricName }: { metricName: string }) => metricName)).toEqual([
    'Polite',
    'Tone',
    'Rubric',
  ]);
  for (const { claimedUntil, previousScore } of metrics)
    expect([typeof claimedUntil, previousScore]).toEqual(['string', null]);
  expect(metrics[2].criteria.items).toHaveLength(1);
  const { data } = await ok(send(own, first, { reviews: scoresOf(world) }), 201);
  expect(data.map(({ state }: { state: string }) => state)).toEqual(['scored', 'scored', 'scored']);
  expect(
    new Set(data.map(({ review: { submittedAt } }: { review: { submittedAt: string } }) => submittedAt)).size,
  ).toBe(1);
  expect((await ask(own, world)).review.recordId).toBe(second);
  const undone = await ok(own.api('POST', `/projects/${world.projectId}/reviews/undo`));
  expect(undone.review.recordId).toBe(first);
  expect(undone.metrics.map(({ previousScore }: Metric) => previousScore)).toMatchObject([
    { binaryScore: true, reasoning: 'Kind.' },
    { intScore: 4 },
    { floatScore: 1 },
  ]);
  expect(await statesOf(first)).toEqual(['pending', 'pending', 'pending']);
  expect((await ask(own, world)).metrics).toHaveLength(3);
});

it('with a metric, next claims the record by it alone, and undo takes back its review alone', async () => {
  const world = await createWorld(1);
  const [recordId] = world.recordIds as [string];
  const query = `?metricId=${world.metrics[1]!.id}`;
  expect((await ask(own, world, query)).metrics).toMatchObject([{ metricName: 'Tone' }]);
  await ok(send(own, recordId, { reviews: scoresOf(world) }), 201);
  await ok(own.api('POST', `/projects/${world.projectId}/reviews/undo${query}`));
  expect(await statesOf(recordId)).toEqual(['scored', 'pending', 'scored']);
});

it('some scores can be submitted and the rest skipped: the record comes back with the rest, after all others', async () => {
  const world = await createWorld(2);
  const [first, second] = world.recordIds as [string, string];
  await ask(own, world);
  const [, tone, rubric] = world.configIds;
  await ok(send(own, first, { reviews: scoresOf(world).slice(0, 1), skip: [tone, rubric] }), 201);
  expect((await ask(own, world)).review.recordId).toBe(second);
  await ok(send(own, second, { reviews: scoresOf(world) }), 201);
  const back = await ask(own, world);
  expect(back.review.recordId).toBe(first);
  expect(back.metrics.map(({ metricConfigId }: Metric) => metricConfigId)).toEqual([tone, rubric]);
  expect(await statesOf(first)).toEqual(['scored', 'pending', 'pending']);
});

it('all or none: a score that does not fit, a foreign or deleted metric and a deleted record store nothing', async () => {
  const world = await createWorld(2);
  const [first, second] = world.recordIds as [string, string];
  const [polite, tone] = scoresOf(world) as [object, object];
  const wrong = { metricConfigId: world.configIds[1], score: { intScore: 9 } };
  const refused = await send(own, first, { reviews: [polite, wrong] });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining('/reviews/1/score/intScore'),
  ]);
  for (const body of [{ reviews: [] }, { reviews: [polite, polite] }])
    expect((await send(own, first, body)).status).toBe(400);
  const other = await createWorld(1);
  expect((await send(own, first, { reviews: [polite, ...scoresOf(other)] })).status).toBe(404);
  await ok(own.api('DELETE', `/metrics/${world.metrics[1]!.id}`));
  const retired = await send(own, first, { reviews: [polite, tone] });
  expect([retired.status, JSON.stringify(retired.body)]).toEqual([
    404,
    expect.stringContaining(world.configIds[1]),
  ]);
  expect((await ask(own, world)).metrics.map(({ metricName }: Metric) => metricName)).toEqual([
    'Polite',
    'Rubric',
  ]);
  expect(await statesOf(first)).not.toContain('scored');
  await ok(own.api('DELETE', `/records/${second}`));
  expect((await send(own, second, { reviews: [polite] })).status).toBe(404);
});

it('a second submission replaces the first, or is refused when the sender says that it may not', async () => {
  const world = await createWorld(1);
  const [recordId] = world.recordIds as [string];
  const reviews = scoresOf(world).slice(1, 2);
  await ok(send(own, recordId, { reviews, replace: false }), 201);
  const again = await send(own, recordId, { reviews, replace: false });
  expect([again.status, again.body.details]).toEqual([409, { metricConfigIds: [world.configIds[1]] }]);
  await ok(send(own, recordId, { reviews }), 201);
  const { data } = await ok(own.api('GET', `/records/${recordId}/reviews/${world.configIds[1]}`));
  expect(data).toHaveLength(1);
});

it('a record that one member is being given goes to no other, not even by another of its metrics', async () => {
  const world = await createWorld(2);
  const [first, second] = world.recordIds as [string, string];
  const [reviewer] = (await createReviewers(own, 1)) as [Reviewer];
  const scope = { ...serviceScope(own.organizationId), memberId: own.memberId };
  await app.db.transaction(scope, async (tx) => {
    const queues = await findQueues(tx, scope, BigInt(world.projectId), null);
    const start = world.configIds.map((configId) => ({ runId: BigInt(world.runId), n: 1, configId }));
    const [found] = await findOldestFrom(start.slice(0, 1))(tx, scope, queues, null, true);
    expect(found).toMatchObject({ n: 1, configId: world.configIds[0] });
    expect((await ask(reviewer, world)).review.recordId).toBe(second);
  });
  expect((await ask(own, world)).review.recordId).toBe(first);
});

it('ten reviewers at once: each record goes to one of them with all its metrics, and each score is given once', async () => {
  const world = await createWorld(15);
  const reviewers = await createReviewers(own, 10);
  const by = new Map<string, string[]>();
  await Promise.all(
    reviewers.map(async (reviewer) => {
      for (let task = await ask(reviewer, world); task.review; task = await ask(reviewer, world)) {
        const { recordId } = task.review;
        by.set(recordId, [...(by.get(recordId) ?? []), reviewer.id]);
        const wanted = task.metrics.map(({ metricConfigId }: { metricConfigId: string }) => metricConfigId);
        const reviews = scoresOf(world).filter(({ metricConfigId }) => wanted.includes(metricConfigId));
        await ok(send(reviewer, recordId, { reviews, replace: false }), 201);
      }
    }),
  );
  expect([...by.keys()].sort()).toEqual([...world.recordIds].sort());
  for (const ids of by.values()) expect(ids).toHaveLength(1);
  expect(await next(own, world)).toBeNull();
});
