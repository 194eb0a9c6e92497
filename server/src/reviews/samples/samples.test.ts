import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { type Client, startApp, type TestApp } from '../../../test/harness.ts';
import { addRecords, next, scoreOf, submit } from '../../../test/reviews.ts';
import { allocate } from './allocate.ts';

let app: TestApp;
let api: Client;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ api } = await app.organization());
});

type Fields = (i: number) => object;

/** A run that no human scores yet, and a human metric to sample it for. */
const createSampling = async (records: number, fields?: Fields, runFields = {}) => {
  const { id: projectId } = await createProject(api);
  const { id: metricId } = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
  const { id: runId } = await createRun(api, projectId, [], runFields);
  return { projectId, metricId, runId, recordIds: await addRecords(api, runId, records, fields) };
};
type Sampling = Awaited<ReturnType<typeof createSampling>>;

const fill = ({ runId, metricId }: Sampling, body: object) =>
  api('POST', `/runs/${runId}/review-samples`, { metricId, ...body });

type SampledRecord = { recordId: string; stratum: string | null; wave: number; inclusionProbability: number };

const sampledRecords = async (sampleId: string): Promise<SampledRecord[]> => {
  const all: SampledRecord[] = [];
  let cursor = '';
  do {
    const { data, nextCursor } = await ok(
      api('GET', `/review-samples/${sampleId}/records?limit=7&cursor=${cursor}`),
    );
    all.push(...data);
    cursor = nextCursor;
  } while (cursor);
  return all;
};

/** The first `count` of these in the order that the documentation gives for a seed. */
const firstBySeed = (seed: number, recordIds: string[], count: number) => {
  const place = (id: string) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return [...recordIds]
    .sort((a, b) => (place(a) < place(b) ? -1 : 1))
    .slice(0, count)
    .sort();
};

const idsOf = (records: { recordId: string }[]) => records.map(({ recordId }) => recordId).sort();

describe('a sample', () => {
  it('queues as many records as asked for, those that its seed says, each with its inclusion probability', async () => {
    const sampling = await createSampling(40);
    const sample = await ok(fill(sampling, { size: 10, seed: 7 }), 201);
    expect(sample).toMatchObject({
      numRecords: 40,
      numDrawn: 10,
      seed: 7,
      stratifyBy: null,
      allocation: 'proportional',
    });
    expect(sample.strata).toEqual([
      { value: null, wave: 1, numRecords: 40, numDrawn: 10, inclusionProbability: 0.25 },
    ]);
    const records = await sampledRecords(sample.id);
    expect(idsOf(records)).toEqual(firstBySeed(7, sampling.recordIds, 10));
    expect(new Set(records.map(({ inclusionProbability }) => inclusionProbability))).toEqual(new Set([0.25]));
    const queue = { projectId: sampling.projectId, configId: sample.metricConfigId };
    const reviewed: string[] = [];
    for (let task = await next({ api }, queue); task; task = await next({ api }, queue)) {
      reviewed.push(task.recordId);
      await submit({ api }, queue, task.recordId);
    }
    expect(reviewed.sort()).toEqual(idsOf(records));
    expect((await sampledRecords(sample.id))[0]).toMatchObject({ state: 'scored', value: 1 });
    expect((await ok(api('GET', `/runs/${sampling.runId}/review-samples`))).data).toEqual([sample]);
  });

  it('of each of several metrics is on one page of the list', async () => {
    const sampling = await createSampling(4);
    const second = { evalType: 'human', outputType: 'boolean' };
    const metricIds = [sampling.metricId, (await createMetric(api, sampling.projectId, second)).id];
    const drawn = await Promise.all(
      metricIds.map((metricId) => ok(fill({ ...sampling, metricId }, { size: 2 }), 201)),
    );
    drawn.sort((a, b) => (a.id < b.id ? -1 : 1));
    const first = await ok(api('GET', `/runs/${sampling.runId}/review-samples?limit=1`));
    const rest = await ok(
      api('GET', `/runs/${sampling.runId}/review-samples?limit=1&cursor=${first.nextCursor}`),
    );
    expect([first.data, rest.data]).toEqual(drawn.map((sample) => [sample]));
    expect([first.hasMore, rest.hasMore]).toEqual([true, false]);
  });

  it('of a category shows the label that each record got, and as value whether it passes', async () => {
    const { id: projectId } = await createProject(api);
    const labels = { items: ['Wrong', 'Partly', 'Right'], passing: ['Partly', 'Right'] };
    const { id: metricId } = await createMetric(api, projectId, {
      evalType: 'human',
      outputType: 'category',
      labels,
    });
    const { id: runId } = await createRun(api, projectId, []);
    await addRecords(api, runId, 3);
    const { id, metricConfigId } = await ok(
      api('POST', `/runs/${runId}/review-samples`, { metricId, size: 3 }),
      201,
    );
    const given = { Wrong: 0, Partly: 1 };
    const drawn = (await ok(api('GET', `/review-samples/${id}/records`))).data;
    for (const [i, label] of Object.keys(given).entries())
      await ok(
        api('PUT', `/records/${drawn[i].recordId}/scores/${metricConfigId}`, {
          score: { categoryScore: label },
        }),
      );
    const after = (await ok(api('GET', `/review-samples/${id}/records`))).data;
    expect(after.map(({ value, label }: { value: number; label: string }) => [label, value])).toEqual([
      ...Object.entries(given),
      [null, null],
    ]);
  });

  it('of a share is rounded up, but not for the sake of the last binary digit', async () => {
    const sampling = await createSampling(30);
    expect((await ok(fill(sampling, { share: 0.1 }), 201)).numDrawn).toBe(3);
    expect((await ok(fill(sampling, { share: 0.11 }), 201)).numDrawn).toBe(4);
  });

  it('draws the same testcases in two runs by one seed, each trial apart', async () => {
    const { id: projectId } = await createProject(api);
    const testset = await createTestset(api, projectId);
    const testcases = (await createTestcases(api, testset.id, 30)).map(({ id }: { id: string }) => id);
    const { id: metricId } = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
    const drawnIn = async (order: string[]) => {
      const run = await createRun(api, projectId, []);
      const recordIds = await addRecords(api, run.id, 60, (i) => ({ testcaseId: order[i % 30] }));
      const sample = await ok(
        api('POST', `/runs/${run.id}/review-samples`, { metricId, size: 12, seed: 5 }),
        201,
      );
      const drawn = (await ok(api('GET', `/review-samples/${sample.id}/records?limit=100`))).data;
      const testcaseAndTrial = new Map(
        recordIds.map((id, i) => [id, `${order[i % 30]} ${1 + Math.floor(i / 30)}`]),
      );
      return drawn.map(({ recordId }: { recordId: string }) => testcaseAndTrial.get(recordId)).sort();
    };
    const first = await drawnIn(testcases);
    expect(first).toHaveLength(12);
    expect(await drawnIn(testcases.toReversed())).toEqual(first);
    const place = (name: string) => createHash('sha256').update(`5 ${name}`).digest('hex');
    const all = testcases.flatMap((id: string) => [`${id} 1`, `${id} 2`]);
    const bySeed = all.toSorted((a: string, b: string) => (place(a) < place(b) ? -1 : 1)).slice(0, 12);
    expect(first).toEqual(bySeed.sort());
  });

  it('made larger holds the smaller one, and is the sample that the same seed gives at once', async () => {
    const sampling = await createSampling(30);
    const { id, seed } = await ok(fill(sampling, { size: 5 }), 201);
    const larger = await ok(fill(sampling, { size: 12 }), 201);
    expect(larger).toMatchObject({ id, seed, numDrawn: 12 });
    const records = await sampledRecords(id);
    expect(idsOf(records)).toEqual(firstBySeed(seed, sampling.recordIds, 12));
    for (const { inclusionProbability } of records) expect(inclusionProbability).toBe(12 / 30);
  });

  it('leaves scores that are there, and counts them as its own', async () => {
    const sampling = await createSampling(4);
    const pinning = await createRun(api, sampling.projectId, [sampling.metricId]);
    const queue = { configId: pinning.metricVersionIds[0] };
    const score = { binaryScore: true };
    await ok(api('PUT', `/records/${sampling.recordIds[0]}/scores/${queue.configId}`, { score }));
    const { id } = await ok(fill(sampling, { share: 1 }), 201);
    expect((await scoreOf(api, queue, sampling.recordIds[0]!)).score).toEqual(score);
    expect((await sampledRecords(id)).map(({ inclusionProbability }) => inclusionProbability)).toEqual([
      1, 1, 1, 1,
    ]);
  });

  it('gives records that came to the run since their own stratum', async () => {
    const sampling = await createSampling(20);
    const { id } = await ok(fill(sampling, { size: 10, seed: 1 }), 201);
    const late = await addRecords(api, sampling.runId, 30);
    const { strata, numRecords } = await ok(fill(sampling, { size: 25 }), 201);
    expect(numRecords).toBe(50);
    expect(strata).toEqual([
      { value: null, wave: 1, numRecords: 20, numDrawn: 10, inclusionProbability: 0.5 },
      { value: null, wave: 2, numRecords: 30, numDrawn: 15, inclusionProbability: 0.5 },
    ]);
    expect(idsOf((await sampledRecords(id)).filter(({ wave }) => wave === 2))).toEqual(
      firstBySeed(1, late, 15),
    );
  });

  it('keeps its probabilities when a record is deleted', async () => {
    const sampling = await createSampling(10);
    const { id } = await ok(fill(sampling, { size: 5 }), 201);
    const [drawn] = await sampledRecords(id);
    await ok(api('DELETE', `/records/${drawn!.recordId}`));
    const records = await sampledRecords(id);
    expect(records.map(({ inclusionProbability }) => inclusionProbability)).toEqual([0.5, 0.5, 0.5, 0.5]);
    await ok(fill(sampling, { size: 10 }), 201);
    expect(await sampledRecords(id)).toHaveLength(9);
  });
});

describe('a stratified sample', () => {
  const topics: Fields = (i) => ({ inputs: i < 30 ? { topic: 'common' } : i < 36 ? { topic: 'rare' } : {} });
  const strataOf = ({ strata }: { strata: { value: string; numRecords: number; numDrawn: number }[] }) =>
    strata.map(({ value, numRecords, numDrawn }) => [value, numRecords, numDrawn]);

  it('by a field of the inputs draws in proportion, at least one of each, each stratum by the seed', async () => {
    const sampling = await createSampling(40, topics);
    const sample = await ok(fill(sampling, { size: 8, seed: 3, stratifyBy: { inputField: 'topic' } }), 201);
    expect(sample.stratifyBy).toEqual({ inputField: 'topic' });
    expect(strataOf(sample)).toEqual([
      ['common', 30, 6],
      ['rare', 6, 1],
      [null, 4, 1],
    ]);
    const records = await sampledRecords(sample.id);
    const common = records.filter(({ stratum }) => stratum === 'common');
    expect(idsOf(common)).toEqual(firstBySeed(3, sampling.recordIds.slice(0, 30), 6));
    expect(common[0]!.inclusionProbability).toBe(6 / 30);
    expect(records.find(({ stratum }) => stratum === 'rare')!.inclusionProbability).toBe(1 / 6);
  });

  it('with equal allocation draws as equally as the strata allow', async () => {
    const sampling = await createSampling(40, topics);
    const by = { stratifyBy: { inputField: 'topic' }, allocation: 'equal' };
    expect(strataOf(await ok(fill(sampling, { size: 20, ...by }), 201))).toEqual([
      ['common', 30, 10],
      ['rare', 6, 6],
      [null, 4, 4],
    ]);
  });

  it('by a tag', async () => {
    const sampling = await createSampling(10);
    for (const id of sampling.recordIds.slice(0, 3))
      await ok(api('POST', `/records/${id}/tags`, { text: 'hard' }), 201);
    const sample = await ok(fill(sampling, { size: 2, stratifyBy: { tag: 'hard' } }), 201);
    expect(strataOf(sample)).toEqual([
      ['hard', 3, 1],
      [null, 7, 1],
    ]);
  });

  it('by a field of the testcase', async () => {
    const project = await createProject(api);
    const testset = await createTestset(api, project.id);
    const testcases: { id: string }[] = await createTestcases(api, testset.id, 2);
    const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'int' });
    const run = await createRun(api, project.id, [], { testsetId: testset.id });
    await addRecords(api, run.id, 5, (i) => (i < 4 ? { testcaseId: testcases[i % 2]!.id } : {}));
    const sampling = { projectId: project.id, metricId: metric.id, runId: run.id, recordIds: [] };
    const sample = await ok(fill(sampling, { size: 3, stratifyBy: { testcaseField: 'question' } }), 201);
    expect(strataOf(sample)).toEqual([
      ['q0', 2, 1],
      ['q1', 2, 1],
      [null, 1, 1],
    ]);
  });

  it('by what another metric says', async () => {
    const sampling = await createSampling(0);
    const judge = await createMetric(api, sampling.projectId, { evalType: 'heuristic', outputType: 'int' });
    const run = await createRun(api, sampling.projectId, [judge.id]);
    const ids = await addRecords(api, run.id, 6);
    const metricConfigId = run.metricVersionIds[0];
    const items = [5, 4, 1, 9].map((intScore, i) => ({
      recordId: ids[i],
      metricConfigId,
      score: { intScore },
    }));
    await ok(api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    const body = { size: 4, stratifyBy: { metricId: judge.id } };
    const sample = await ok(fill({ ...sampling, runId: run.id }, body), 201);
    expect(strataOf(sample)).toEqual([
      ['fail', 1, 1],
      ['pass', 2, 1],
      [null, 3, 2],
    ]);
  });

  it('takes inputs that PostgreSQL’s text can’t hold as records without the field', async () => {
    const sampling = await createSampling(2, (i) => ({
      inputs: i === 0 ? { topic: 'a', odd: '\0' } : { topic: 'a' },
    }));
    const sample = await ok(fill(sampling, { size: 2, stratifyBy: { inputField: 'topic' } }), 201);
    expect(strataOf(sample)).toEqual([
      ['a', 1, 1],
      [null, 1, 1],
    ]);
  });
});

describe('a sample is refused', () => {
  const refused = async (sampling: Sampling, body: object) => {
    const { status, body: answer } = await fill(sampling, body);
    return [status, answer.details.issues?.[0].path];
  };

  it('400 for what can’t be drawn', async () => {
    const sampling = await createSampling(150);
    const code = await createMetric(api, sampling.projectId, {
      evalType: 'heuristic',
      outputType: 'boolean',
    });
    expect(await refused(sampling, {})).toEqual([400, '']);
    expect(await refused(sampling, { size: 1, share: 1 })).toEqual([400, '']);
    expect(await refused(sampling, { size: 151 })).toEqual([400, '/size']);
    expect(await refused(sampling, { share: 0 })).toEqual([400, '/share']);
    expect(await refused(sampling, { size: 1, stratifyBy: {} })).toEqual([400, '/stratifyBy']);
    expect(await refused(sampling, { size: 1, stratifyBy: { tag: 'a', inputField: 'b' } })).toEqual([
      400,
      '/stratifyBy',
    ]);
    expect(await refused(sampling, { size: 120, stratifyBy: { inputField: 'i' } })).toEqual([
      400,
      '/stratifyBy',
    ]);
    expect(await refused(sampling, { size: 1, stratifyBy: { metricId: sampling.metricId } })).toEqual([
      400,
      '/stratifyBy/metricId',
    ]);
    expect(await refused(sampling, { size: 1, metricId: code.id })).toEqual([400, '/metricId']);
    expect(await refused(await createSampling(0), { share: 1 })).toEqual([400, '']);
    expect((await ok(api('GET', `/runs/${sampling.runId}/review-samples`))).data).toEqual([]);
  });

  it('400 when it would take back what is drawn, or leave a stratum without a record', async () => {
    const sampling = await createSampling(10, (i) => ({ inputs: { parity: i % 2 } }));
    expect(await refused(sampling, { size: 1, stratifyBy: { inputField: 'parity' } })).toEqual([
      400,
      '/size',
    ]);
    await ok(fill(sampling, { size: 6 }), 201);
    expect(await refused(sampling, { size: 5 })).toEqual([400, '/size']);
    await addRecords(api, sampling.runId, 1);
    expect(await refused(sampling, { size: 6 })).toEqual([400, '/size']);
  });

  it('409 when another design has drawn before', async () => {
    const sampling = await createSampling(10);
    await ok(fill(sampling, { size: 2, seed: 1 }), 201);
    for (const design of [{ seed: 2 }, { allocation: 'equal' }, { stratifyBy: { tag: 't' } }])
      expect((await fill(sampling, { size: 4, ...design })).status).toBe(409);
    expect((await fill(sampling, { size: 4, seed: 1, allocation: 'proportional' })).status).toBe(201);
  });

  it('409 when the run queues every record by itself', async () => {
    const sampling = await createSampling(0);
    const run = await createRun(api, sampling.projectId, [sampling.metricId]);
    await addRecords(api, run.id, 3);
    expect((await fill({ ...sampling, runId: run.id }, { size: 1 })).status).toBe(409);
  });

  it('404 of a metric of another project', async () => {
    const sampling = await createSampling(3);
    const { metricId } = await createSampling(0);
    expect((await fill(sampling, { size: 1, metricId })).status).toBe(404);
    expect((await fill(sampling, { size: 1, stratifyBy: { metricId } })).status).toBe(404);
  });
});

describe('allocate', () => {
  const of = (...numRecords: number[]) => numRecords.map((n) => ({ numRecords: n, numDrawn: 0 }));

  it('gives every total exactly, within bounds, and never takes a draw back as the total grows', () => {
    const strata = of(1, 2, 7, 40, 50);
    for (const allocation of ['proportional', 'equal'] as const) {
      let before = strata.map(() => 0);
      for (let total = strata.length; total <= 100; total++) {
        const drawn = allocate(strata, total, allocation);
        expect(drawn.reduce((sum, n) => sum + n)).toBe(total);
        for (const [i, { numRecords }] of strata.entries()) {
          expect(drawn[i]).toBeGreaterThanOrEqual(Math.max(1, before[i]!));
          expect(drawn[i]).toBeLessThanOrEqual(numRecords);
        }
        before = drawn;
      }
    }
  });

  it('of large strata is the quota to within one', () => {
    expect(allocate(of(600, 300, 100), 50, 'proportional')).toEqual([30, 15, 5]);
    expect(allocate(of(600, 300, 100), 50, 'equal').sort()).toEqual([16, 17, 17]);
  });
});
