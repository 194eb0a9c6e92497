import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { addRecords, next, skip, submit } from '../../../test/reviews.ts';

let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

/** A record that a judge failed, that another person thumbed down, and that waits for two people. */
const createWorld = async () => {
  const projectId: string = (await createProject(own.api)).id;
  const judge = await createMetric(own.api, projectId, {
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: '{{ outputs }}',
  });
  const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  await ok(own.api('PATCH', `/metrics/${people.id}/settings`, { numReviewers: 2 }));
  const run = await createRun(own.api, projectId, [judge.id, people.id]);
  const [recordId] = (await addRecords(own.api, run.id, 1)) as [string];
  const [judgeConfig, configId] = run.metricVersionIds as [string, string];
  const score = { binaryScore: false, reasoning: 'The judge has a reason.' };
  await ok(own.api('PUT', `/records/${recordId}/scores/${judgeConfig}`, { score }));
  const body = { rating: false, comment: 'A person has one too.' };
  const { id } = await ok(own.api('POST', `/records/${recordId}/annotations`, body), 201);
  await ok(
    own.api('POST', `/records/${recordId}/annotations/${id}/replies`, { comment: 'And a reply.' }),
    201,
  );
  return { projectId, recordId, configId, judgeConfig };
};

/** A person who may only review. */
const newAnnotator = async () => {
  const annotator = await own.person();
  await app.db.transaction(own, (tx) => tx`update member set role = 'annotator' where id = ${annotator.id}`);
  return annotator;
};

/** All that the API says of a record to someone who opens it. */
const readAll = async (api: Client, recordId: string) => {
  const record = await ok(api('GET', `/records/${recordId}`));
  const annotations = await ok(api('GET', `/records/${recordId}/annotations`));
  const threads = await ok(api('GET', `/records/${recordId}/threads`));
  return { record, annotations, threads, text: JSON.stringify([record, annotations, threads]) };
};
const said = ['The judge has a reason.', 'A person has one too.', 'And a reply.', '"passed":false'];

const expectBlind = async (api: Client, recordId: string) => {
  const { record, annotations, threads, text } = await readAll(api, recordId);
  expect(record).toMatchObject({ blind: true, scores: [] });
  expect(record.annotationCounts).toEqual({ positive: 0, negative: 0, commented: 0 });
  expect([annotations.data, threads.data]).toEqual([[], []]);
  // The metrics are named, and nothing is said by them.
  expect(record.scoreStates).toHaveLength(2);
  for (const words of said) expect(text).not.toContain(words);
};
const expectAll = async (api: Client, recordId: string) => {
  const { record, text } = await readAll(api, recordId);
  expect(record.blind).toBe(false);
  expect(record.annotationCounts).toMatchObject({ negative: 1, commented: 1 });
  for (const words of said) expect(text).toContain(words);
};

it('an annotator reads a record blind until their own score is given', async () => {
  const world = await createWorld();
  const { recordId } = world;
  const annotator = await newAnnotator();
  // Without a claim too: this is the only way they read records.
  await expectBlind(annotator.api, recordId);
  expect((await next(annotator, world)).recordId).toBe(recordId);
  await expectBlind(annotator.api, recordId);
  await skip(annotator, world, recordId);
  await expectBlind(annotator.api, recordId);
  // What they said themselves stays theirs to read and change.
  const mine = await ok(annotator.api('POST', `/records/${recordId}/annotations`, { rating: true }), 201);
  const { annotations, record } = await readAll(annotator.api, recordId);
  expect(annotations.data.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
  expect(record.annotationCounts.positive).toBe(1);
  await submit(annotator, world, recordId);
  await expectAll(annotator.api, recordId);
});

it('a member reads a record blind while they hold it from the queue, and others do not', async () => {
  const world = await createWorld();
  const { recordId } = world;
  const member = await own.person();
  await expectAll(member.api, recordId);
  expect((await next(member, world)).recordId).toBe(recordId);
  await expectBlind(member.api, recordId);
  await expectAll(own.api, recordId);
  await skip(member, world, recordId);
  await expectAll(member.api, recordId);
  expect((await next(member, world)).recordId).toBe(recordId);
  await expectBlind(member.api, recordId);
  await submit(member, world, recordId);
  await expectAll(member.api, recordId);
});

it('no one reads blind once the score is settled', async () => {
  const world = await createWorld();
  const annotator = await newAnnotator();
  for (let i = 0; i < 2; i++) await submit(await own.person(), world, world.recordId);
  const { record, text } = await readAll(annotator.api, world.recordId);
  expect([record.blind, record.scores.length]).toEqual([false, 2]);
  expect(text).toContain('The judge has a reason.');
});
