import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const { own } = await openApp();

type FieldsOf = (i: number) => Record<string, unknown>;

const addTestset = async (projectId: string, count: number, fieldsOf: FieldsOf = () => ({})) => {
  const testset = await createTestset(own.api, projectId);
  if (count === 0) return { testsetId: testset.id as string, ids: [] };
  const items = Array.from({ length: count }, (_, i) => ({
    jsonData: { question: `q ${i}`, ...fieldsOf(i) },
  }));
  const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  return { testsetId: testset.id as string, ids: made.items.map(({ id }: { id: string }) => id) as string[] };
};

const createWorld = async (outputType: string, testcases = 0, fieldsOf?: FieldsOf) => {
  const projectId = (await createProject(own.api)).id as string;
  const metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType });
  const { testsetId, ids } = await addTestset(projectId, testcases, fieldsOf);
  const runOf = async (scores: (boolean | number)[], fields: Record<string, unknown> = {}) => {
    const records = scores.map((score, i) => ({
      ...(ids.length > 0 && { testcaseId: ids[i % ids.length]! }),
      scores: { [metric.id]: score },
    }));
    return (await createRunOf(own.api, projectId, [metric], records, fields)).run;
  };
  return { projectId, metric, testsetId, runOf };
};

describe('GET /projects/:projectId/trends', () => {
  it('gives the last runs oldest first, each with the interval that its summary gives', async () => {
    const { projectId, metric, runOf } = await createWorld('int');
    const runs = [];
    for (const score of [3, 4, 5]) runs.push(await runOf([2, score, 5]));
    const { metrics, numRuns } = await ok(own.api('GET', `/projects/${projectId}/trends?limit=2`));
    expect(numRuns).toBe(2);
    expect(metrics).toMatchObject([{ metricId: metric.id, metricName: 'Metric', outputType: 'int' }]);
    expect(metrics[0].points.map(({ runId }: { runId: string }) => runId)).toEqual([runs[1].id, runs[2].id]);
    const { metrics: summaries } = await ok(own.api('GET', `/runs/${runs[2].id}/summary`));
    const [{ mean, passRate }] = summaries;
    for (const [name, whole] of Object.entries({ mean, passRate })) {
      const point = metrics[0].points[1][name];
      expect(point.interval).not.toBeNull();
      expect(whole).toMatchObject(point);
    }
  });

  it('leaves out runs without scores and of other kinds when asked, and says what people were asked', async () => {
    const { projectId, metric, runOf } = await createWorld('boolean');
    const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const run = await runOf([true, false, true]);
    await ok(own.api('POST', `/runs/${run.id}/review-samples`, { metricId: people.id, size: 2 }), 201);
    const { run: empty } = await createRunOf(own.api, projectId, [metric], []);
    const trendsOf = (query: string) => ok(own.api('GET', `/projects/${projectId}/trends?${query}`));
    expect(await trendsOf('scored=true')).toMatchObject({ numRuns: 1 });
    expect(await trendsOf('kind=evaluation')).toMatchObject({ numRuns: 2 });
    expect(await trendsOf('kind=traces')).toMatchObject({ numRuns: 0 });
    expect((await trendsOf('judges=true')).runs).toEqual([
      {
        runId: run.id,
        metricIds: [metric.id],
        numRecords: 3,
        samples: [{ metricId: people.id, numDrawn: 2 }],
      },
      { runId: empty.id, metricIds: [metric.id], numRecords: 0, samples: [] },
    ]);
    expect(await trendsOf('limit=1')).not.toHaveProperty('runs');
  });

  it('only one metric when asked, of the runs that were started with it', async () => {
    const { projectId, metric, runOf } = await createWorld('boolean');
    await runOf([true, false]);
    const other = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    await createRunOf(own.api, projectId, [other], []);
    const { metrics, numRuns } = await ok(
      own.api('GET', `/projects/${projectId}/trends?metricId=${metric.id}`),
    );
    expect(numRuns).toBe(1);
    expect(metrics).toHaveLength(1);
  });

  it('404 for a metric of another project', async () => {
    const [one, other] = [await createWorld('boolean'), await createWorld('boolean')];
    for (const path of ['trends', 'plan']) {
      const { status } = await own.api(
        'GET',
        `/projects/${one.projectId}/${path}?metricId=${other.metric.id}`,
      );
      expect(status).toBe(404);
    }
  });
});

describe('GET /projects/:projectId/plan', () => {
  const plan = (projectId: string, metricId: string, query = '') =>
    ok(own.api('GET', `/projects/${projectId}/plan?metricId=${metricId}${query}`));

  it('says that nothing is known without an earlier run', async () => {
    const { projectId, metric } = await createWorld('boolean');
    const answer = await plan(projectId, metric.id, '&difference=0.05&n=100');
    expect(answer).toMatchObject({ n: 100, minimumDetectable: null, numNeeded: null, basis: null });
    expect(answer.reason).toContain('no earlier run');
  });

  it('knows pooled runs of the baseline by two runs of one version, candidates and looks', async () => {
    const { projectId, metric, runOf } = await createWorld('boolean', 100);
    const { productionVersion } = await ok(
      own.api('POST', `/projects/${projectId}/systems`, { config: {} }),
      201,
    );
    const ofVersion = { systemVersionId: productionVersion.id };
    const scores = (shift: number) =>
      Array.from({ length: 100 }, (_, i) => (i * 7 + shift * (i % 3)) % 10 < 6);
    await runOf(scores(0), ofVersion);
    const alone = await plan(projectId, metric.id, '&difference=0.1&baselineRuns=3');
    expect(alone.basis.within).toBeNull();
    expect(alone.assumption).toContain('more runs of the baseline are not counted');
    await runOf(scores(5), ofVersion);
    const [one, three, many, looks] = await Promise.all(
      ['', '&baselineRuns=3', '&candidates=3', '&looks=4'].map((query) =>
        plan(projectId, metric.id, `&difference=0.1&n=400${query}`),
      ),
    );
    expect(one).toMatchObject({
      tests: 1,
      baselineRuns: 1,
      looks: [400],
      basis: { within: expect.any(Number) },
    });
    expect(three.numNeeded).toBeLessThan(one.numNeeded);
    expect(many).toMatchObject({ tests: 3 });
    expect(many.numNeeded).toBeGreaterThan(one.numNeeded);
    expect(looks.looks).toEqual([100, 200, 300, 400]);
    expect(looks.neededLooks.at(-1)).toBe(looks.numNeeded);
    expect(looks.numNeeded / one.numNeeded).toBeCloseTo(1.02, 1);
  });

  it('from one run, with the ρ of .5 that is said to be assumed, as many testcases as Connor asks for', async () => {
    const { projectId, metric, runOf } = await createWorld('boolean', 50);
    const run = await runOf(Array.from({ length: 50 }, (_, i) => i < 25));
    const answer = await plan(projectId, metric.id, '&difference=0.1');
    const variance = 12.5 / 49;
    expect(answer.basis).toMatchObject({ runId: run.id, n: 50, within: null });
    expect(answer.basis.between).toBeCloseTo(variance, 12);
    expect(answer.correlation).toMatchObject({ value: 0.5, n: 0 });
    // By hand: z.975 = 1.959964, z.8 = .841621; 2·(1 − ρ)·s² differ by noise; of .5 that pass, δ/.5 are lost, and those that passed differ.
    const psi = (delta: number) => variance + (delta / 0.5) * (0.5 ** 2 + variance - variance);
    const threshold = (delta: number) =>
      1.959964 * Math.sqrt(psi(delta)) + 0.841621 * Math.sqrt(psi(delta) - delta ** 2);
    expect(answer.numNeeded).toBe(Math.ceil((threshold(0.1) / 0.1) ** 2));
    const { minimumDetectable: delta } = answer;
    expect(delta * Math.sqrt(50)).toBeCloseTo(threshold(delta), 5);
    expect(answer).toMatchObject({ n: 50, level: 0.95, power: 0.8, trials: 1, reason: null });
  });

  it('a run with equal scores does not show how they vary; an older run that does is used', async () => {
    const { projectId, metric, runOf } = await createWorld('boolean');
    await runOf(Array.from({ length: 6 }, () => true));
    const answer = await plan(projectId, metric.id, '&difference=0.05&n=100');
    expect(answer).toMatchObject({ minimumDetectable: null, numNeeded: null, basis: null });
    const older = await runOf([true, false, true]);
    await runOf([true, true]);
    expect((await plan(projectId, metric.id)).basis.runId).toBe(older.id);
  });

  it("takes the testcases of the testset that the coming run is over; 404 for another project's", async () => {
    const { projectId, metric, runOf, testsetId } = await createWorld('boolean', 60);
    await runOf(Array.from({ length: 30 }, (_, i) => i < 15));
    expect((await plan(projectId, metric.id)).n).toBe(30);
    expect((await plan(projectId, metric.id, `&testsetId=${testsetId}`)).n).toBe(60);
    expect((await plan(projectId, metric.id, `&testsetId=${testsetId}&n=7`)).n).toBe(7);
    const other = await createWorld('boolean');
    const query = `metricId=${metric.id}&testsetId=${other.testsetId}`;
    expect((await own.api('GET', `/projects/${projectId}/plan?${query}`)).status).toBe(404);
  });

  it('measures the correlation on two earlier runs that share testcases', async () => {
    const { projectId, metric, runOf } = await createWorld('boolean', 40);
    const older = await runOf(Array.from({ length: 40 }, (_, i) => i < 20));
    const newer = await runOf(Array.from({ length: 40 }, (_, i) => i < 16 || i >= 36));
    const answer = await plan(projectId, metric.id);
    // 16 pass in both, 4 only before, 4 only after: φ = (16·16 − 4·4)/20².
    expect(answer.correlation.value).toBeCloseTo(0.6, 12);
    expect(answer.correlation).toMatchObject({ n: 40, source: `runs ${older.id} and ${newer.id}` });
  });

  it('tells what varies within a testcase from what varies between them, so that trials help only with the first', async () => {
    const { projectId, metric, runOf } = await createWorld('float', 30);
    // Three tries of 30 testcases, each around its own mean.
    await runOf(
      Array.from({ length: 90 }, (_, i) => 0.3 + (i % 30) / 100 + [-0.1, 0, 0.1][Math.floor(i / 30)]!),
    );
    const once = await plan(projectId, metric.id);
    expect(once.basis.within).toBeCloseTo(0.01, 10);
    const thrice = await plan(projectId, metric.id, '&trials=3');
    const floor = await plan(projectId, metric.id, '&trials=1000');
    expect(once.minimumDetectable).toBeGreaterThan(thrice.minimumDetectable);
    expect(thrice.minimumDetectable).toBeGreaterThan(floor.minimumDetectable);
    const between = 2 * (1 - 0.5) * once.basis.between;
    // scipy: nct.ppf(.8, 29, t.ppf(.975, 29)) = 2.97408
    expect(floor.minimumDetectable).toBeCloseTo(2.97408 * Math.sqrt((between + 0.02 / 1000) / 30), 4);
  });

  it('knows the groups of the earlier run, and those of another testset', async () => {
    const { projectId, metric, runOf, testsetId } = await createWorld('boolean', 96, (i) => ({
      document: `d${Math.floor(i / 6)}`,
    }));
    const group = (id: string) =>
      ok(own.api('PATCH', `/testsets/${id}/settings`, { groupingField: 'document' }));
    // Documents pass or fail as a whole, and every third of them otherwise in the second run.
    await runOf(Array.from({ length: 96 }, (_, i) => Math.floor(i / 6) % 2 === 0));
    const before = await plan(projectId, metric.id, '&difference=0.1');
    expect(before.groups).toBeNull();
    await group(testsetId);
    await runOf(Array.from({ length: 96 }, (_, i) => Math.floor(i / 6) % 3 === 0));
    const ofRun = await plan(projectId, metric.id, `&difference=0.1&testsetId=${testsetId}`);
    expect(ofRun.groups).toMatchObject({ size: 6, numNeeded: Math.ceil(ofRun.numNeeded / 6) });
    expect(ofRun.groups.designEffect).toBeGreaterThan(5);
    expect(ofRun.numNeeded).toBeGreaterThan(3 * before.numNeeded);
    const { testsetId: larger } = await addTestset(projectId, 60, (i) => ({ document: `d${i % 3}` }));
    const ungrouped = await plan(projectId, metric.id, `&difference=0.1&testsetId=${larger}`);
    expect(ungrouped).toMatchObject({ n: 60, groups: null });
    await group(larger);
    const ofLarger = await plan(projectId, metric.id, `&difference=0.1&testsetId=${larger}`);
    expect(ofLarger.groups.size).toBe(20);
    // The correlation within groups stays: 1 + (20 − 1)·(deff − 1)/(6 − 1).
    const effect = 1 + (19 * (ofRun.groups.designEffect - 1)) / 5;
    expect(ofLarger.groups.designEffect).toBeCloseTo(effect, 9);
  });
});
