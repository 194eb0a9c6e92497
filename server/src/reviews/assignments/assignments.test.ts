import { beforeEach, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { addRecords, createReviewers, next, type Reviewer, skip } from '../../../test/reviews.ts';

const { own } = await openApp();

type World = {
  projectId: string;
  runId: string;
  recordIds: string[];
  configIds: string[];
  metricIds: string[];
};
let world: World;
let people: [Reviewer, Reviewer, Reviewer];

/** A run whose records wait for people by two metrics. */
const createWorld = async (records: number, numReviewers = 1): Promise<World> => {
  const { id: projectId } = await createProject(own.api);
  const metricIds: string[] = [];
  for (const outputType of ['boolean', 'int']) {
    const { id } = await createMetric(own.api, projectId, { evalType: 'human', outputType });
    await ok(own.api('PATCH', `/metrics/${id}/settings`, { numReviewers, reviewRule: 'latest' }));
    metricIds.push(id);
  }
  const run = await createRun(own.api, projectId, metricIds);
  const recordIds = await addRecords(own.api, run.id, records);
  return { projectId, runId: run.id, recordIds, configIds: run.metricVersionIds, metricIds };
};

beforeEach(async () => {
  world = await createWorld(6);
  people = (await createReviewers(own, 3)) as typeof people;
});

const assign = (body: object, query = '') =>
  own.api('POST', `/projects/${world.projectId}/reviews/assign${query}`, body);
const progressOf = async ({ api }: Pick<Reviewer, 'api'>) =>
  ok(api('GET', `/projects/${world.projectId}/reviews/progress`));
const assigneesOf = async (recordId: string): Promise<string[]> =>
  (await ok(own.api('GET', `/records/${recordId}/assignees`))).data.map(
    ({ assigneeUserId }: { assigneeUserId: string }) => assigneeUserId,
  );
const scoreBoth = ({ api }: Pick<Reviewer, 'api'>, recordId: string) =>
  ok(
    api('POST', `/records/${recordId}/reviews`, {
      reviews: [
        { metricConfigId: world.configIds[0], score: { binaryScore: true } },
        { metricConfigId: world.configIds[1], score: { intScore: 3 } },
      ],
    }),
    201,
  );

it('records are dealt out in turn; each person gets theirs and no others, and the counts say so', async () => {
  const [a, b, c] = people;
  const dealt = await ok(assign({ userIds: [a.id, b.id], maxRecords: 4 }));
  expect(dealt).toEqual({
    numRecords: 4,
    people: [
      { userId: a.id, numRecords: 2 },
      { userId: b.id, numRecords: 2 },
    ],
  });
  // Two of theirs and two that are for anyone; a record counts once, whatever the number of its metrics.
  const { forYou, queues, members } = await progressOf(a);
  expect(forYou).toEqual({ numRecords: 4, numAssigned: 2 });
  expect(queues.map(({ numForYou, numPending }: Record<string, number>) => [numForYou, numPending])).toEqual([
    [4, 6],
    [4, 6],
  ]);
  expect(members.find(({ userId }: { userId: string }) => userId === b.id).numAssigned).toBe(2);
  expect((await progressOf(c)).forYou).toEqual({ numRecords: 2, numAssigned: 0 });
  const got: string[] = [];
  for (let task = await next(b, world); task; task = await next(b, world)) {
    got.push(task.recordId);
    await scoreBoth(b, task.recordId);
  }
  expect(got).toEqual([1, 3, 4, 5].map((i) => world.recordIds[i]));
  expect(await next(c, world)).toBeNull();
  expect((await progressOf(c)).forYou).toEqual({ numRecords: 0, numAssigned: 0 });
  expect((await next(a, world)).recordId).toBe(world.recordIds[0]);
  // A record that is assigned is not dealt out again.
  expect((await ok(assign({ userIds: [c.id] }))).numRecords).toBe(0);
});

it('several people for each record, as many as it needs; one slot stays for anyone if it needs more', async () => {
  world = await createWorld(3, 3);
  const [a, b, c] = people;
  await ok(assign({ userIds: [a.id, b.id], numPerRecord: 2 }));
  expect(await assigneesOf(world.recordIds[0]!)).toEqual([a.id, b.id]);
  // Two of three reviews are reserved: one other person can give the third, and no fourth.
  await scoreBoth(c, (await next(c, world)).recordId);
  const [fourth] = (await createReviewers(own, 1)) as [Reviewer];
  expect((await next(fourth, world)).recordId).toBe(world.recordIds[1]);
  for (const who of [a, b]) await scoreBoth(who, (await next(who, world)).recordId);
  const { scoreStates } = await ok(own.api('GET', `/records/${world.recordIds[0]}`));
  expect(scoreStates.map(({ state }: { state: string }) => state)).toEqual(['scored', 'scored']);
});

it('reassigned records go from one person to others, and those that are left go to anyone; reviews stay', async () => {
  const [a, b, c] = people;
  await ok(assign({ userIds: [a.id] }));
  await scoreBoth(a, world.recordIds[0]!);
  expect(await next(b, world)).toBeNull();
  const moved = await ok(assign({ userIds: [b.id, c.id], fromUserId: a.id, maxRecords: 2 }));
  expect(moved.people.map(({ numRecords }: { numRecords: number }) => numRecords)).toEqual([1, 1]);
  expect((await next(b, world)).recordId).toBe(world.recordIds[1]);
  // What they have scored stays theirs.
  expect(await assigneesOf(world.recordIds[0]!)).toEqual([a.id]);
  const leave = (query = '') => a.api('POST', `/projects/${world.projectId}/reviews/leave${query}`);
  expect(await ok(leave(`?recordId=${world.recordIds[5]}`))).toEqual({ numRecords: 1 });
  // One that is on their screen goes too: the next one is another.
  const held = await next(a, world);
  expect(await ok(leave(`?recordId=${held.recordId}`))).toEqual({ numRecords: 1 });
  expect((await next(a, world)).recordId).not.toBe(held.recordId);
  expect(await ok(leave())).toEqual({ numRecords: 1 });
  expect((await progressOf(a)).forYou.numAssigned).toBe(0);
  expect((await progressOf(b)).forYou).toEqual({ numRecords: 4, numAssigned: 1 });
  // A skipped record stays reserved.
  const task = await next(c, world);
  await skip(c, { configId: world.configIds[0]! }, task.recordId);
  await skip(c, { configId: world.configIds[1]! }, task.recordId);
  expect((await progressOf(b)).forYou.numRecords).toBe(4);
});

it('400 for people who cannot get their share, 404 for an unknown person, and only members may assign', async () => {
  const [a, b] = people;
  for (const body of [
    { userIds: [] },
    { userIds: [a.id, a.id] },
    { userIds: [a.id], numPerRecord: 2 },
    { userIds: [a.id], fromUserId: a.id },
    { userIds: [a.id], maxRecords: 0 },
  ])
    expect((await assign(body)).status).toBe(400);
  const unknown = '01890000-0000-7000-8000-000000000000';
  expect((await assign({ userIds: [unknown] })).status).toBe(404);
  expect((await assign({ userIds: [a.id], fromUserId: unknown })).status).toBe(404);
  expect((await assign({ userIds: [a.id] }, '?runId=999999')).status).toBe(404);
  expect((await ok(assign({ userIds: [a.id] }, `?metricId=${world.metricIds[0]}`))).numRecords).toBe(6);
  expect((await ok(assign({ userIds: [], fromUserId: a.id, maxRecords: 1 }))).numRecords).toBe(1);
  expect((await next(b, world)).recordId).toBe(world.recordIds[0]);
});
