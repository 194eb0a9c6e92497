import { describe, expect, it } from 'vitest';
import { evaluateGate } from '../../../../client/src/gate/evaluate.ts';
import { readPolicy } from '../../../../client/src/gate/policy.ts';
import { createClient } from '../../../../client/src/main.ts';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';

const { app, own } = await openApp();
const { api } = own;

const opened = async () => {
  const project = await createProject(api);
  const metric = await createMetric(api, project.id, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const testset = await createTestset(api, project.id);
  await createTestcases(api, testset.id, 30);
  const path = `/testsets/${testset.id}/fresh-testcases`;
  const add = (count: number) =>
    ok(
      api('POST', `${path}/bulk-create`, {
        items: Array.from({ length: count }, (_, i) => ({ jsonData: { question: `fresh ${i}` } })),
      }),
      201,
    );
  /** A run that takes fresh testcases. Old testcases pass, and fresh ones fail. */
  const run = async (more: object) => {
    const body = { testsetId: testset.id, metricIds: [metric.id], ...more };
    const made = await ok(api('POST', `/projects/${project.id}/runs`, body), 201);
    const { data } = await ok(api('GET', `/testsets/${testset.id}/testcases?limit=100`));
    const items = data.map(({ id, inputs }: { id: string; inputs: object }) => ({
      testcaseId: id,
      inputs,
      expected: {},
      outputs: {},
    }));
    const { ids } = await ok(api('POST', `/runs/${made.id}/records/bulk-create`, { items }), 201);
    const fresh = (await ok(api('GET', `${path}?limit=100`))).data
      .filter(({ runId }: { runId: string }) => runId === made.id)
      .map(({ testcaseId }: { testcaseId: string }) => testcaseId);
    const scores = ids.map((recordId: string, i: number) => ({
      recordId,
      metricConfigId: made.metricVersionIds[0],
      score: { binaryScore: !fresh.includes(data[i].id) },
    }));
    await ok(api('POST', `/runs/${made.id}/scores/bulk-upsert`, { items: scores }));
    return made;
  };
  const wear = (query = '') => ok(api('GET', `/testsets/${testset.id}/wear${query}`));
  return { project, metric, testset, path, add, run, wear };
};

describe('fresh testcases', () => {
  it('wait outside of the testset until a run takes them, and are fresh for this run alone', async () => {
    const { project, metric, testset, path, add, run, wear } = await opened();
    expect(await add(25)).toEqual({ numbers: Array.from({ length: 25 }, (_, i) => i + 1), numMisfits: 0 });
    const misfit = await ok(
      api('POST', `${path}/bulk-create`, { items: [{ jsonData: { answer: 'a' } }] }),
      201,
    );
    expect(misfit).toEqual({ numbers: [26], numMisfits: 1 });
    expect(await wear()).toMatchObject({ numWaiting: 25, numMisfits: 1, numTaken: 0, metrics: [] });
    const before = await run({});
    expect(before.numExpectedRecords).toBe(30);
    const first = await run({ fresh: 20 });
    expect(first.numExpectedRecords).toBe(50);
    const second = await run({ fresh: 20 });
    expect(second.numExpectedRecords).toBe(55);
    const found = await wear(`?runId=${second.id}`);
    expect(found).toMatchObject({ numWaiting: 0, numMisfits: 1, numTaken: 25, numOfRun: 5 });
    // Each fresh one fails; those of the first run are old in the second, where they pass.
    expect(found.metrics).toMatchObject([
      {
        metricId: metric.id,
        numRuns: 2,
        numFresh: 25,
        optimism: { old: 1, fresh: 0, difference: 1 },
        bet: { needed: 40, announcedBy: first.id },
      },
    ]);
    expect(found.metrics[0].sentence).toContain(`Wear is shown since run ${first.id}`);

    // The figures of a run rest on its old testcases, and those that it took count in later runs.
    const { metrics } = await ok(api('GET', `/runs/${first.id}/summary`));
    expect(metrics[0].passRate).toMatchObject({ n: 30, estimate: 1 });
    const { pairs } = await ok(api('GET', `/runs/compare?runs=${before.id},${second.id}`));
    expect(pairs[0].metrics[0]).toMatchObject({ n: 30, dropped: { onlyAfter: { numTestcases: 20 } } });

    const client = createClient({ baseUrl: await app.url(), apiKey: own.key });
    const rules = { baseline: before.id, fresh: 20, metrics: { Right: { noRegression: {} } } };
    const verdict = await evaluateGate(client, second.id, readPolicy(rules, 'rules'), {
      level: 0.95,
      now: 0,
    });
    expect(verdict.decision.outcome).toBe('pass');
    expect(verdict.about.notes.filter((note) => note.startsWith('Fresh testcases: '))).toEqual([
      'Fresh testcases: the run took 5 of 20 fresh testcases: 0 wait, so draw some on the page Wear, and start runs with --fresh 20',
      `Fresh testcases: Right: ${found.metrics[0].sentence}`,
    ]);
    expect(() => readPolicy({ ...rules, fresh: 0 }, 'rules')).toThrow('fresh must be');
    const refused = await api('POST', `/projects/${project.id}/runs`, { metricIds: [], fresh: 1 });
    expect(refused.status).toBe(400);
    expect((await api('POST', `${path}/bulk-delete`, { numbers: [1, 26] })).status).toBe(400);
    await ok(api('POST', `${path}/bulk-delete`, { numbers: [26] }));
    expect((await api('POST', `${path}/bulk-delete`, { numbers: [26] })).status).toBe(404);
    // No number is given twice.
    expect((await add(1)).numbers).toEqual([27]);
    expect((await ok(api('GET', `/testsets/${testset.id}/testcases?limit=100`))).data).toHaveLength(55);
  });

  it('are drawn from the traffic, each record once, with its chance', async () => {
    const { project, path, run, testset } = await opened();
    for (let i = 0; i < 6; i++) {
      const attributes = { 'input.value': `{"question":"t${i}"}`, 'output.value': '4' };
      const spans = [{ traceId: newTraceId(), n: 1, ms: Date.now(), attributes }];
      await post(app, own.key, requestOf(spans, { 'dokima.project_id': project.id }));
    }
    const preview = await ok(api('POST', `${path}/draw`, { numTestcases: 4, dryRun: true }));
    expect(preview).toMatchObject({ numRecords: 6, numDrawn: 4, numMisfits: 0, numbers: [] });
    expect(preview.first).toHaveLength(4);
    const drawn = await ok(api('POST', `${path}/draw`, { numTestcases: 4 }));
    expect(drawn).toEqual({ ...preview, numbers: [1, 2, 3, 4] });
    expect(drawn.inclusionProbability).toBeCloseTo(4 / 6, 9);
    expect(await ok(api('POST', `${path}/draw`, { numTestcases: 4 }))).toMatchObject({
      numRecords: 2,
      numDrawn: 2,
      inclusionProbability: 1,
      numbers: [5, 6],
    });
    const [listed] = (await ok(api('GET', `${path}?limit=1`))).data;
    expect(listed).toMatchObject({ number: 6, inclusionProbability: 1, runId: null, testcaseId: null });
    expect(listed.recordId).toMatch(/^\d+-\d+$/);
    await ok(api('PATCH', `/testsets/${testset.id}/testcases`, { split: 'test' }));
    const made = await run({ fresh: 6, split: 'test' });
    expect(made.numExpectedRecords).toBe(36);
  });
});
