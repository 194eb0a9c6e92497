import { describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
const projectId: string = (await createProject(own.api)).id;

const metric = (evalType: string) => createMetric(own.api, projectId, { evalType, outputType: 'boolean' });
const getRun = (id: string) => ok(own.api('GET', `/runs/${id}`));
const score = (recordId: string, configId: string) =>
  ok(own.api('PUT', `/records/${recordId}/scores/${configId}`, { score: { binaryScore: true } }));

describe('POST /projects/:projectId/runs', () => {
  it('201 pins the configuration of each metric in the order of metricIds', async () => {
    const [a, b] = [await metric('human'), await metric('heuristic')];
    const run = await createRun(own.api, projectId, [b.id, a.id]);
    expect(run.metricIds).toEqual([b.id, a.id]);
    const reversed = await createRun(own.api, projectId, [a.id, b.id]);
    expect(reversed.metricVersionIds).toEqual([...run.metricVersionIds].reverse());
  });

  it('counts the testcases that there are now', async () => {
    const testset = await createTestset(own.api, projectId);
    await createTestcases(own.api, testset.id, 3);
    const run = await createRun(own.api, projectId, [], { testsetId: testset.id });
    await createTestcases(own.api, testset.id, 1);
    expect((await getRun(run.id)).numExpectedRecords).toBe(3);
    expect((await createRun(own.api, projectId, [])).numExpectedRecords).toBeNull();
  });

  it('names the system of its version', async () => {
    const system = await ok(
      own.api('POST', `/projects/${projectId}/systems`, { config: { model: 'm' } }),
      201,
    );
    const systemVersionId = system.productionVersion.id;
    const run = await createRun(own.api, projectId, [], { systemVersionId });
    expect(run).toMatchObject({ systemId: system.id, systemVersionId });
  });

  it('404 for a metric, testset or system version of another project', async () => {
    const elsewhere = (await createProject(own.api)).id;
    const foreignMetric = await createMetric(own.api, elsewhere, { evalType: 'human', outputType: 'int' });
    const foreignTestset = await createTestset(own.api, elsewhere);
    const foreignSystem = await ok(own.api('POST', `/projects/${elsewhere}/systems`, { config: {} }), 201);
    for (const body of [
      { metricIds: [foreignMetric.id] },
      { metricIds: [], testsetId: foreignTestset.id },
      { metricIds: [], systemVersionId: foreignSystem.productionVersion.id },
    ]) {
      expect((await own.api('POST', `/projects/${projectId}/runs`, body)).status).toBe(404);
    }
  });

  it('400 for a metric named twice', async () => {
    const { id } = await metric('human');
    const { body } = await own.api('POST', `/projects/${projectId}/runs`, { metricIds: [id, id] });
    expect(body.details.issues).toEqual([{ path: '/metricIds', message: 'must name each metric once' }]);
  });
});

describe('status', () => {
  it('pending without records and none expected', async () => {
    expect((await createRun(own.api, projectId, [])).status).toBe('pending');
  });

  it('follows the records of a testset and then their scores', async () => {
    const testset = await createTestset(own.api, projectId);
    const testcases = await createTestcases(own.api, testset.id, 2);
    const [heuristic, human] = [await metric('heuristic'), await metric('human')];
    const run = await createRun(own.api, projectId, [heuristic.id, human.id], { testsetId: testset.id });
    const [heuristicConfig, humanConfig] = run.metricVersionIds;
    expect(run.status).toBe('awaiting_execution');

    const first = await createRecord(own.api, run.id, { testcaseId: testcases[0].id });
    expect(await getRun(run.id)).toMatchObject({ status: 'running_execution', numRecords: 1, numScores: 0 });
    const second = await createRecord(own.api, run.id, { testcaseId: testcases[1].id });
    expect((await getRun(run.id)).status).toBe('awaiting_scoring');
    await score(first.id, heuristicConfig);
    expect(await getRun(run.id)).toMatchObject({ status: 'running_scoring', numScores: 1 });
    await score(second.id, heuristicConfig);
    expect((await getRun(run.id)).status).toBe('awaiting_human_scoring');
    await score(first.id, humanConfig);
    await score(second.id, humanConfig);
    expect(await getRun(run.id)).toMatchObject({ status: 'completed', numRecords: 2, numScores: 4 });
  });

  it('completed when records without metrics are there', async () => {
    const run = await createRun(own.api, projectId, []);
    await createRecord(own.api, run.id);
    expect((await getRun(run.id)).status).toBe('completed');
  });

  it('is the same in the list, newest first', async () => {
    const older = await createRun(own.api, projectId, []);
    const newer = await createRun(own.api, projectId, []);
    const { data } = await ok(own.api('GET', `/projects/${projectId}/runs?limit=2`));
    expect(data).toEqual([await getRun(newer.id), await getRun(older.id)]);
  });
});

describe('DELETE /runs/:runId', () => {
  it('takes its records, scores, tags and annotations with it', async () => {
    const { id: metricId } = await metric('human');
    const run = await createRun(own.api, projectId, [metricId]);
    const record = await createRecord(own.api, run.id);
    await ok(own.api('POST', `/records/${record.id}/tags`, { text: 'x' }), 201);
    await ok(own.api('POST', `/records/${record.id}/annotations`, { rating: true }), 201);
    await ok(own.api('DELETE', `/runs/${run.id}`));
    for (const path of [
      `/runs/${run.id}`,
      `/runs/${run.id}/records`,
      `/records/${record.id}`,
      `/records/${record.id}/tags`,
    ]) {
      expect((await own.api('GET', path)).status).toBe(404);
    }
  });
});

describe('the notes of a run', () => {
  it('are empty at first and hold what was put last', async () => {
    const { id } = await createRun(own.api, projectId, []);
    expect(await ok(own.api('GET', `/runs/${id}/details`))).toMatchObject({ id, notes: '' });
    await ok(own.api('PATCH', `/runs/${id}/details`, { notes: '# Baseline' }));
    expect(await ok(own.api('GET', `/runs/${id}/details`))).toMatchObject({ id, notes: '# Baseline' });
  });
});
