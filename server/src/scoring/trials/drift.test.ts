import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../../test/model-server.ts';
import { addRecords } from '../../../test/reviews.ts';
import { draw } from '../../evaluation/samples/draw.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { startDueChecks } from './start-check.ts';

let app: TestApp;
let models: ModelServer;
let own: Organization;

beforeAll(async () => {
  models = await openOpenAiServer();
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(own.api('POST', '/providers', provider), 201);
});
afterAll(() => Promise.all([app.close(), models.close()]));

const completed = (runId: string) =>
  expect
    .poll(async () => (await ok(own.api('GET', `/runs/${runId}`))).status, { timeout: 30_000 })
    .toBe('completed');

const records = 24;
/** A model that calls itself `model` and passes the answers below `line`. */
const answerAs = (model: string, line: number) =>
  models.answer(({ messages }) => {
    const answer = Number(/answer-(\d+)/.exec(messages.join())![1]);
    return { model, reply: { reasoning: 'r', binaryScore: answer < line } };
  });

/** A judge that passed half of the answers, as people did, and the run that it did so in. */
const calibrated = async () => {
  answerAs('judge-january', records / 2);
  const projectId: string = (await createProject(own.api)).id;
  const judge = await createMetric(own.api, projectId, {
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: `Project ${projectId}: is {{ outputs.text }} right?`,
    evalModelName: 'local/judge',
  });
  const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const run = await createRun(own.api, projectId, [judge.id, people.id]);
  const recordIds = await addRecords(own.api, run.id, records, (i) => ({ outputs: { text: `answer-${i}` } }));
  const items = recordIds.map((recordId, i) => ({
    recordId,
    metricConfigId: run.metricVersionIds[1],
    score: { binaryScore: i < records / 2 },
  }));
  await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
  await completed(run.id);
  return { projectId, judgeId: judge.id as string, peopleId: people.id as string, run, recordIds };
};
type Calibrated = Awaited<ReturnType<typeof calibrated>>;

const pin = ({ judgeId, peopleId }: Calibrated, fields = {}) =>
  ok(own.api('PUT', `/metrics/${judgeId}/pinned-set`, { against: peopleId, ...fields }));
const driftOf = ({ judgeId }: { judgeId: string }) => ok(own.api('GET', `/metrics/${judgeId}/drift`));
const check = async ({ judgeId }: Calibrated) => {
  const made = await ok(own.api('POST', `/metrics/${judgeId}/drift-checks`, {}), 201);
  await completed(made.runId);
  return made;
};
/** Another answer of the same judge in an ordinary run. */
const scoreOrdinary = async ({ projectId, judgeId }: Calibrated) => {
  const run = await createRun(own.api, projectId, [judgeId]);
  await addRecords(own.api, run.id, 1, () => ({ inputs: { later: true }, outputs: { text: 'answer-1000' } }));
  await completed(run.id);
};

describe('a pinned set', () => {
  it('keeps labels and verdicts of the reference, and which model gave them', async () => {
    const world = await calibrated();
    const set = await pin(world);
    expect(set).toMatchObject({
      metricId: world.judgeId,
      metricConfigId: world.run.metricVersionIds[0],
      servedModels: ['judge-january'],
      source: 'metric',
      automatic: false,
      records,
      humanPasses: records / 2,
      judgePasses: records / 2,
    });
    expect(await ok(own.api('GET', `/metrics/${world.judgeId}/pinned-set`))).toEqual(set);
    expect(await driftOf(world)).toEqual({ pinnedSet: set, level: 0.95, due: null, checks: [] });
    // What people say later, and what the judge does, moves the calibration but not the reference.
    const score = { binaryScore: false };
    await ok(
      own.api('PUT', `/records/${world.recordIds[0]}/scores/${world.run.metricVersionIds[1]}`, { score }),
    );
    expect(await ok(own.api('GET', `/metrics/${world.judgeId}/pinned-set`))).toEqual(set);
    expect(await pin(world, { size: 10 })).toMatchObject({ records: 10 });
    const places = await app.db.read(
      system,
      (sql) => sql<{ id: string }[]>`
      select run_id || '-' || n as id from pinned_label where metric_id = ${world.judgeId} order by place`,
    );
    const drawOf = (id: string) => draw(null, `pinned ${id}`);
    const drawn = world.recordIds.toSorted((a, b) => drawOf(a) - drawOf(b)).slice(0, 10);
    expect(places.map(({ id }) => id)).toEqual(drawn);
    await ok(own.api('DELETE', `/metrics/${world.judgeId}/pinned-set`));
    for (const path of ['pinned-set', 'drift'])
      expect((await own.api('GET', `/metrics/${world.judgeId}/${path}`)).status).toBe(404);
  });

  it('400 without two labels of the judge, and for a metric that people score', async () => {
    const world = await calibrated();
    const none = await own.api('PUT', `/metrics/${world.judgeId}/pinned-set`, {});
    expect(none).toMatchObject({
      status: 400,
      body: { details: { issues: [{ message: expect.stringContaining('decided, not 0') }] } },
    });
    const people = await own.api('PUT', `/metrics/${world.peopleId}/pinned-set`, { against: world.judgeId });
    expect(people.status).toBe(400);
    expect((await own.api('POST', `/metrics/${world.judgeId}/drift-checks`, {})).status).toBe(404);
  });
});

describe('a drift check', () => {
  it('asks the model again, and of a judge that stayed as it was sees nothing', async () => {
    const world = await calibrated();
    await pin(world);
    const asked = models.received.length;
    const { runId, records: copies } = await check(world);
    expect([copies, models.received.length - asked]).toEqual([records, records]);
    const found = await ok(
      own.api('GET', `/projects/${world.projectId}/records?runId=${runId}&text=answer-7`),
    );
    expect(found.data).toHaveLength(1);
    const { checks } = await driftOf(world);
    expect(checks).toMatchObject([
      {
        runId,
        configChanged: false,
        servedModels: ['judge-january'],
        pending: 0,
        drift: { n: records, verdict: 'no drift seen', difference: 0, broken: [], unscored: [] },
      },
    ]);
    // A project's trend is about its systems.
    const { metrics } = await ok(
      own.api('GET', `/projects/${world.projectId}/trends?metricId=${world.judgeId}`),
    );
    expect(metrics[0].points.map((point: { runId: string }) => point.runId)).toEqual([world.run.id]);
  });

  it('is due when another model answers under the same name; a stricter one has drifted, record by record', async () => {
    const world = await calibrated();
    await pin(world);
    answerAs('judge-june', 2);
    await scoreOrdinary(world);
    expect((await driftOf(world)).due).toBe('a model answers that has not been checked: judge-june');
    await check(world);
    const { due, checks } = await driftOf(world);
    expect(due).toBeNull();
    const [{ drift, servedModels }] = checks;
    expect(servedModels).toEqual(['judge-june']);
    expect(drift).toMatchObject({
      verdict: 'drifted',
      agreementBefore: 1,
      agreementNow: expect.closeTo((records - 10) / records, 12),
      leniency: { nowPass: 0, nowFail: 10 },
      sentence:
        'drifted: the judge agrees with people 41.7 points less and has become stricter than at the reference',
    });
    // The records are named as people know them, not as their copies.
    expect([...drift.broken].sort()).toEqual(world.recordIds.slice(2, 12).sort());
    // scipy.stats.binom.pmf(0, 10, .5) = 1/1024: mid-p is the tail twice, less the table that was seen.
    expect(drift.mcnemar.midP).toBeCloseTo(1 / 1024, 12);
  });

  it('is due for a new configuration, which is then held against the old one', async () => {
    const world = await calibrated();
    await pin(world);
    const body = { evalType: 'ai', outputType: 'boolean', guidelines: 'Be kind.' };
    await ok(own.api('PATCH', `/metrics/${world.judgeId}`, body));
    expect((await driftOf(world)).due).toBe('its current configuration has not been checked');
    await check(world);
    const { due, checks } = await driftOf(world);
    expect([due, checks[0].configChanged, checks[0].drift.verdict]).toEqual([null, true, 'no drift seen']);
  });

  it('that the service starts itself comes once for each configuration and model, and only when it is asked for', async () => {
    const [left, watched] = [await calibrated(), await calibrated()];
    await pin(left);
    await pin(watched, { automatic: true });
    expect(await startDueChecks(app.db)).toBe(0);
    answerAs('judge-july', records / 2);
    for (const world of [left, watched]) await scoreOrdinary(world);
    const started = await Promise.all([startDueChecks(app.db), startDueChecks(app.db)]);
    expect(started.sort()).toEqual([0, 1]);
    const { checks } = await driftOf(watched);
    await completed(checks[0].runId);
    expect(await startDueChecks(app.db)).toBe(0);
    expect((await driftOf(left)).checks).toEqual([]);
  });

  it('that the service can not start keeps none from the sets after it', async () => {
    const worlds = [await calibrated(), await calibrated()];
    for (const world of worlds) await pin(world, { automatic: true });
    answerAs('judge-august', records / 2);
    for (const world of worlds) await scoreOrdinary(world);
    let failures = 1;
    const db: Database = {
      ...app.db,
      transaction: (tenant, work) =>
        failures-- > 0 ? Promise.reject(new Error('no start')) : app.db.transaction(tenant, work),
    };
    await expect(startDueChecks(db)).rejects.toThrow('no start');
    const checks = (await Promise.all(worlds.map(driftOf))).flatMap((drift) => drift.checks);
    expect(checks.length).toBeGreaterThan(0);
    for (const { runId } of checks) await completed(runId);
  });

  it('with verdicts that are missing says so; a judge that failed has not changed its mind', async () => {
    const world = await calibrated();
    await pin(world);
    models.answer(({ messages }) => {
      const answer = Number(/answer-(\d+)/.exec(messages.join())![1]);
      return answer < 4
        ? { status: 400, body: '{"error":{"message":"no"}}' }
        : { model: 'judge-january', reply: { reasoning: 'r', binaryScore: answer < records / 2 } };
    });
    await check(world);
    const [{ drift }] = (await driftOf(world)).checks;
    expect(drift).toMatchObject({ n: records - 4, verdict: 'no drift seen', unscored: { length: 4 } });
    expect(drift.warnings.join()).toContain('4 pinned records have no verdict this time');
  });

  it('tells nothing while verdicts are to come', async () => {
    const world = await calibrated();
    await pin(world);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    models.answer({ reply: { reasoning: 'r', binaryScore: true }, after: held });
    const { runId } = await ok(own.api('POST', `/metrics/${world.judgeId}/drift-checks`, {}), 201);
    expect((await driftOf(world)).checks[0]).toMatchObject({ runId, pending: records, drift: null });
    release();
    await completed(runId);
  });
});
