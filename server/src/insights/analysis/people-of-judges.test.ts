import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createTestcases,
  createTestset,
  namePeople,
  ok,
} from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

const numRecords = 60;
const boolean = { outputType: 'boolean' };

/**
 * A project with the judges *tone* and *facts*, the human metrics *tonePeople* and *expert*, and two runs. People agree with *tone* about
 * tone on 9 of 10 records; the expert fails every second record whatever the judges say.
 */
const createWorld = async (guidelines: Record<string, string> = {}) => {
  const projectId: string = (await createProject(own.api)).id;
  const create = (name: string, evalType: string): Promise<{ id: string; outputType: string }> =>
    createMetric(own.api, projectId, {
      ...boolean,
      name,
      evalType,
      guidelines: guidelines[name] ?? '',
      ...(evalType === 'ai' && { promptTemplate: '{{ outputs.a }}' }),
    });
  const tone = await create('tone', 'ai');
  const facts = await create('facts', 'ai');
  const tonePeople = await create('tonePeople', 'human');
  const expert = await create('expert', 'human');
  const testset = await createTestset(own.api, projectId);
  const testcases = await createTestcases(own.api, testset.id, numRecords);
  const records = testcases.map(({ id }: { id: string }, i: number) => ({
    testcaseId: id,
    scores: {
      [tone.id]: i % 3 > 0,
      [facts.id]: i % 5 > 0,
      [tonePeople.id]: i % 10 === 0 ? i % 3 === 0 : i % 3 > 0,
      [expert.id]: i % 2 === 0,
    },
  }));
  const metrics = [tone, facts, tonePeople, expert];
  const runIds: string[] = [];
  for (let i = 0; i < 2; i++) runIds.push((await createRunOf(own.api, projectId, metrics, records)).run.id);
  const settingsOf = (metricId: string) => ok(own.api('GET', `/metrics/${metricId}/settings`));
  return { projectId, tone, facts, tonePeople, expert, runIds, settingsOf };
};
type World = Awaited<ReturnType<typeof createWorld>>;

/** What each reader of labels says about a judge: its human metric, its number of labels and the corrected rate of the first run. */
const readersOf = async ({ projectId, runIds }: World, metricId: string) => {
  type Judge = { peopleMetricId: string; numLabels: number; correctedRate?: { estimate: number } | null };
  const said = ({ peopleMetricId, numLabels, correctedRate = null }: Judge) => ({
    peopleMetricId,
    numLabels,
    rate: correctedRate?.estimate ?? null,
  });
  const summary = await ok(own.api('GET', `/runs/${runIds[0]}/summary`));
  const compared = await ok(own.api('GET', `/runs/compare?runs=${runIds}`));
  const trends = await ok(own.api('GET', `/projects/${projectId}/trends?metricId=${metricId}&judges=true`));
  const calibration = await ok(
    own.api('GET', `/metrics/${metricId}/calibration?runId=${runIds[0]}&configurations=true`),
  );
  const of = (metrics: { metricId: string }[]) => metrics.find((one) => one.metricId === metricId) as unknown;
  const { judge: ofRun } = of(summary.metrics) as { judge: Judge };
  const { judge: ofPair } = of(compared.pairs[0].metrics) as { judge: { before: Judge } };
  const { points } = of(trends.metrics) as { points: { judge: Judge }[] };
  return {
    summary: said(ofRun),
    comparison: said(ofPair.before),
    trend: said(points[0]!.judge),
    calibration: {
      ...said(calibration.judge),
      rate: calibration.corrected?.predictionPowered.estimate ?? null,
    },
    configuration: { ...said(calibration.configurations[0].judge), rate: said(ofRun).rate },
  };
};

it('each of two judges is held against its own people, by each reader of labels', async () => {
  const world = await createWorld();
  const { tone, facts, tonePeople, expert } = world;
  await namePeople(own.api, tone.id, tonePeople.id);
  await namePeople(own.api, facts.id, expert.id);
  for (const [judge, people, rate] of [
    [tone, tonePeople, 38 / 60],
    [facts, expert, 0.5],
  ] as const) {
    const readers = await readersOf(world, judge.id);
    for (const [reader, said] of Object.entries(readers)) {
      expect([reader, said.peopleMetricId, said.numLabels]).toEqual([reader, people.id, 2 * numRecords]);
      expect([reader, said.rate]).toEqual([reader, expect.closeTo(rate, 10)]);
    }
    const list = await ok(own.api('GET', `/metrics/${judge.id}/calibration/disagreements?limit=100`));
    expect(list.data).toHaveLength(judge === tone ? 12 : 2 * 30);
  }
});

it('a judge whose people are not known is held against no one, and says what to do', async () => {
  const world = await createWorld();
  const { tone, expert, runIds } = world;
  const readers = await readersOf(world, tone.id);
  for (const said of Object.values(readers))
    expect(said).toEqual({ peopleMetricId: null, numLabels: 0, rate: null });
  const answer = await ok(own.api('GET', `/metrics/${tone.id}/calibration?runId=${runIds[0]}`));
  expect(answer).toMatchObject({ source: 'none', corrected: null, judge: { state: 'notCalibrated' } });
  expect(answer.judge.sentence).toContain("choose it on the judge's page, or in its settings");
  const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${runIds}`));
  expect(pairs[0].metrics[0].warnings.join()).toContain("choose it on the judge's page, or in its settings");
  const pinned = await own.api('PUT', `/metrics/${tone.id}/pinned-set`, {});
  expect([pinned.status, pinned.body.details.issues[0].path]).toEqual([400, '/against']);
  // A metric that is asked for by name is taken, and the judge does not take it for its own.
  const asked = await ok(own.api('GET', `/metrics/${tone.id}/calibration?against=${expert.id}`));
  expect(asked.judge).toMatchObject({ peopleMetricId: expert.id, numLabels: 2 * numRecords });
  expect((await readersOf(world, tone.id)).summary.peopleMetricId).toBeNull();
});

it('a judge knows the only human metric with its guidelines and kind of score, until one is named', async () => {
  const same = { tone: 'Is it polite?', tonePeople: ' Is it polite?\n' };
  const { projectId, tone, facts, tonePeople, expert, settingsOf } = await createWorld(same);
  expect((await settingsOf(tone.id)).peopleMetricId).toBe(tonePeople.id);
  expect((await settingsOf(facts.id)).peopleMetricId).toBeNull();
  expect((await settingsOf(tonePeople.id)).peopleMetricId).toBeNull();
  const another = { name: 'M', evalType: 'human', guidelines: 'Is it polite?' };
  await createMetric(own.api, projectId, { ...another, outputType: 'int' });
  expect((await settingsOf(tone.id)).peopleMetricId).toBe(tonePeople.id);
  const second = await createMetric(own.api, projectId, { ...another, ...boolean });
  expect((await settingsOf(tone.id)).peopleMetricId).toBeNull();
  await namePeople(own.api, tone.id, expert.id);
  await ok(own.api('DELETE', `/metrics/${second.id}`));
  expect((await settingsOf(tone.id)).peopleMetricId).toBe(expert.id);
  await namePeople(own.api, tone.id, null);
  expect((await settingsOf(tone.id)).peopleMetricId).toBe(tonePeople.id);
});

it('a deleted human metric is no longer the truth about a judge, and its labels can still be asked for', async () => {
  const { tone, expert, settingsOf } = await createWorld();
  await namePeople(own.api, tone.id, expert.id);
  await ok(own.api('DELETE', `/metrics/${expert.id}`));
  expect((await settingsOf(tone.id)).peopleMetricId).toBeNull();
  const asked = await ok(own.api('GET', `/metrics/${tone.id}/calibration?against=${expert.id}`));
  expect(asked.judge.numLabels).toBe(2 * numRecords);
});

it('pinning labels of a human metric names it, and keeps one that was named', async () => {
  const { tone, facts, tonePeople, expert, settingsOf } = await createWorld();
  await ok(own.api('PUT', `/metrics/${tone.id}/pinned-set`, { against: tonePeople.id }));
  expect((await settingsOf(tone.id)).peopleMetricId).toBe(tonePeople.id);
  await ok(own.api('PUT', `/metrics/${tone.id}/pinned-set`, { against: expert.id }));
  expect((await settingsOf(tone.id)).peopleMetricId).toBe(tonePeople.id);
  const pinned = await ok(own.api('PUT', `/metrics/${tone.id}/pinned-set`, {}));
  expect(pinned).toMatchObject({ source: 'metric', numHumanPasses: 2 * 38 });
  await ok(own.api('PUT', `/metrics/${facts.id}/pinned-set`, { against: tone.id }));
  expect((await settingsOf(facts.id)).peopleMetricId).toBeNull();
});

it('labels that were pinned keep their human metric when the guidelines of the judge change', async () => {
  const { tone, tonePeople, expert, settingsOf } = await createWorld({
    tone: 'Polite?',
    tonePeople: 'Polite?',
  });
  await ok(own.api('PUT', `/metrics/${tone.id}/pinned-set`, { against: expert.id }));
  const body = { evalType: 'ai', outputType: 'boolean', guidelines: 'Polite, and never curt?' };
  await ok(own.api('PATCH', `/metrics/${tone.id}`, body));
  expect((await settingsOf(tone.id)).peopleMetricId).toBe(tonePeople.id);
});

it('400 unless a judge names a human metric of its project', async () => {
  const { tone, facts, tonePeople, expert } = await createWorld();
  const elsewhere = await createWorld();
  await ok(own.api('DELETE', `/metrics/${expert.id}`));
  for (const [judge, people] of [
    [tone, tone],
    [tone, facts],
    [tone, expert],
    [tone, elsewhere.expert],
    [tonePeople, tonePeople],
  ] as const) {
    const { status, body } = await own.api('PATCH', `/metrics/${judge.id}/settings`, {
      peopleMetricId: people.id,
    });
    expect([status, body.details.issues[0].path]).toEqual([400, '/peopleMetricId']);
  }
});
