import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../test/model-server.ts';

let app: TestApp;
let models: ModelServer;
let own: Organization;
let projectId: string;

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(own.api('POST', '/providers', provider), 201);
});
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});
afterAll(() => Promise.all([app.close(), models.close()]));

const patient = { timeout: 30_000, interval: 20 };
const code = (condition: string) => `function score(inputs) { return { score: ${condition} }; }`;
const heuristic = { evalType: 'heuristic', outputType: 'boolean' };

const completed = (runId: string) =>
  expect.poll(async () => (await ok(own.api('GET', `/runs/${runId}`))).status, patient).toBe('completed');

/** A run of `count` records with the inputs { i }, scored by code, whose metric then gets another configuration. */
const createRescored = async (before: string, after: string, count = 12) => {
  const metric = await createMetric(own.api, projectId, { ...heuristic, guidelines: code(before) });
  const run = await createRun(own.api, projectId, [metric.id]);
  const items = Array.from({ length: count }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  const { ids } = await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  await completed(run.id);
  await ok(own.api('PATCH', `/metrics/${metric.id}`, { ...heuristic, guidelines: code(after) }));
  const { data } = await ok(own.api('GET', `/metrics/${metric.id}/versions`));
  const path = `/runs/${run.id}/rescorings`;
  return {
    path,
    metricId: metric.id as string,
    runId: run.id as string,
    recordIds: ids as string[],
    oldConfigId: run.metricVersionIds[0] as string,
    newConfigId: data[0].id as string,
    begin: (fields = {}) => ok(own.api('POST', path, { metricId: metric.id, ...fields }), 201),
  };
};

const reaches = async (path: string, status: string) => {
  await expect.poll(async () => (await ok(own.api('GET', path))).status, patient).toBe(status);
  return ok(own.api('GET', path));
};

type Scored = { id: string; scores: { metricConfigId: string; score: { binaryScore: boolean } }[] };
const scoresOf = async (runId: string): Promise<[string, boolean][]> =>
  (await ok(own.api('GET', `/runs/${runId}/records?limit=100`))).data.flatMap(({ scores }: Scored) =>
    scores.map(({ metricConfigId, score }) => [metricConfigId, score.binaryScore]),
  );
const changesOf = async (path: string, query = '') =>
  (await ok(own.api('GET', `${path}/changes?limit=100${query}`))).data;

const none = {
  passToFail: 0,
  failToPass: 0,
  valueOnly: 0,
  same: 0,
  newlyScored: 0,
  unscored: 0,
  failed: 0,
  givenMeanwhile: 0,
  pending: 0,
};

describe('a rescoring', () => {
  it('proposes scores by the current configuration, which count nowhere, and says what they flip', async () => {
    // Of 0 to 11: even before, divisible by three after.
    const run = await createRescored('inputs.i % 2 === 0', 'inputs.i % 3 === 0');
    const before = await scoresOf(run.runId);
    const { id } = await run.begin();
    const rescoring = await reaches(`${run.path}/${id}`, 'ready');
    expect(rescoring).toMatchObject({
      metricId: run.metricId,
      metricConfigId: run.newConfigId,
      wholeRun: true,
      sample: null,
      numRecords: 12,
      numGiven: 0,
      numProposals: 12,
      changes: { ...none, passToFail: 4, failToPass: 2, same: 6 },
      spent: { costUsd: 0 },
      estimate: null,
    });
    expect(await scoresOf(run.runId)).toEqual(before);
    expect(await ok(own.api('GET', `/runs/${run.runId}`))).toMatchObject({
      status: 'completed',
      numScores: 12,
      metricVersionIds: [run.oldConfigId],
    });
    const changes = await changesOf(`${run.path}/${id}`, '&change=failToPass');
    expect(changes).toMatchObject([
      {
        recordId: run.recordIds[3],
        change: 'failToPass',
        applied: null,
        before: { metricConfigId: run.oldConfigId, passed: false, score: { binaryScore: false } },
        after: { metricConfigId: run.newConfigId, passed: true, score: { binaryScore: true } },
      },
      { recordId: run.recordIds[9] },
    ]);
  });

  it('kept, makes the proposals the scores, and the old ones history', async () => {
    const run = await createRescored('inputs.i % 2 === 0', 'inputs.i % 3 === 0');
    const { id } = await run.begin();
    await reaches(`${run.path}/${id}`, 'ready');
    const kept = await ok(own.api('POST', `${run.path}/${id}/keep`));
    expect(kept).toMatchObject({ status: 'kept', endedByUserId: own.memberId, changes: { passToFail: 4 } });
    expect(await scoresOf(run.runId)).toEqual(
      Array.from({ length: 12 }, (_, i) => [run.newConfigId, i % 3 === 0]),
    );
    expect(await ok(own.api('GET', `/runs/${run.runId}`))).toMatchObject({
      status: 'completed',
      numScores: 12,
      metricVersionIds: [run.newConfigId],
    });
    const detail = await ok(own.api('GET', `/records/${run.recordIds[2]}/scores/${run.newConfigId}`));
    expect(detail).toMatchObject({
      score: { binaryScore: false },
      history: [{ metricConfigId: run.oldConfigId, state: 'scored', score: { binaryScore: true } }],
    });
    // The difference can still be read.
    expect(await changesOf(`${run.path}/${id}`, '&change=failToPass')).toMatchObject([
      { recordId: run.recordIds[3], applied: true, before: { passed: false }, after: { passed: true } },
      { recordId: run.recordIds[9] },
    ]);
    // Records that come now are scored as the others are.
    const late = await createRecord(own.api, run.runId, { inputs: { i: 3 } });
    await completed(run.runId);
    expect((await ok(own.api('GET', `/records/${late.id}`))).scores).toMatchObject([
      { metricConfigId: run.newConfigId, score: { binaryScore: true } },
    ]);
  });
});
