import { describe, expect, it } from 'vitest';
import { createAlert } from '../../../test/alerting.ts';
import { openEndpoint } from '../../../test/endpoint.ts';
import { createRun, ok } from '../../../test/fixtures.ts';
import { createJudged, completed as finished } from '../../../test/judged.ts';
import { openJudging } from '../../../test/judging.ts';
import { addRecords } from '../../../test/reviews.ts';
import { draw } from '../../evaluation/samples/draw.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { startDueDrifts } from './start-drift.ts';

const { app, models, own } = await openJudging();

const completed = (runId: string) => finished(own.api, runId);

const records = 24;
/** A model that calls itself `model` and passes the answers below `line`. */
const answerAs = (model: string, line: number) =>
  models.answer(({ messages }) => {
    const answer = Number(/answer-(\d+)/.exec(messages.join())![1]);
    return { model, reply: { reasoning: 'r', binaryScore: answer < line } };
  });

/** A judge that passed half of the answers, as people did, and the run that it did so in. */
const calibrated = () => {
  answerAs('judge-january', records / 2);
  return createJudged(own.api, { records, isGood: (answer) => answer < records / 2, model: 'local/judge' });
};
type Calibrated = Awaited<ReturnType<typeof calibrated>>;

const pin = ({ judgeId, peopleId }: Calibrated, fields = {}) =>
  ok(own.api('PUT', `/metrics/${judgeId}/pinned-set`, { against: peopleId, ...fields }));
const setOf = ({ judgeId }: { judgeId: string }) => ok(own.api('GET', `/metrics/${judgeId}/pinned-set`));
const trialsOf = async ({ judgeId }: { judgeId: string }) =>
  (await ok(own.api('GET', `/trials?metricId=${judgeId}&kinds=drift`))).data;
const start = ({ judgeId }: { judgeId: string }) =>
  ok(own.api('POST', `/metrics/${judgeId}/trials`, { kind: 'drift' }), 201);
/** Starts a drift trial and returns it when it is ready. */
const check = async (world: Calibrated) => {
  const made = await start(world);
  expect(made).toMatchObject({ kind: 'drift', state: 'running', candidates: [{ drift: null }] });
  await completed(made.candidates[0].runId);
  const trial = await ok(own.api('GET', `/metrics/${world.judgeId}/trials/${made.number}`));
  expect(trial.state).toBe('ready');
  return trial;
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
      servedModelNames: ['judge-january'],
      source: 'metric',
      automatic: false,
      numRecords: records,
      numHumanPasses: records / 2,
      numJudgePasses: records / 2,
      due: null,
    });
    expect(await setOf(world)).toEqual(set);
    expect(await trialsOf(world)).toEqual([]);
    // What people say later, and what the judge does, moves the calibration but not the reference.
    const score = { binaryScore: false };
    await ok(
      own.api('PUT', `/records/${world.recordIds[0]}/scores/${world.run.metricVersionIds[1]}`, { score }),
    );
    expect(await setOf(world)).toEqual(set);
    expect(await pin(world, { size: 10 })).toMatchObject({ numRecords: 10 });
    const places = await app.db.read(
      system,
      (sql) => sql<{ id: string }[]>`
      select run_id || '-' || n as id from pinned_label where metric_id = ${world.judgeId} order by place`,
    );
    const drawOf = (id: string) => draw(null, `pinned ${id}`);
    const drawn = world.recordIds.toSorted((a, b) => drawOf(a) - drawOf(b)).slice(0, 10);
    expect(places.map(({ id }) => id)).toEqual(drawn);
    await ok(own.api('DELETE', `/metrics/${world.judgeId}/pinned-set`));
    expect((await own.api('GET', `/metrics/${world.judgeId}/pinned-set`)).status).toBe(404);
  });

  it('400 without two labels of the judge, and for a metric that people score', async () => {
    const world = await calibrated();
    const unnamed = await own.api('PUT', `/metrics/${world.judgeId}/pinned-set`, {});
    expect(unnamed).toMatchObject({
      status: 400,
      body: { details: { issues: [{ path: '/against', message: expect.stringContaining('is required') }] } },
    });
    const none = await own.api('PUT', `/metrics/${world.judgeId}/pinned-set`, { labels: 'overrides' });
    expect(none).toMatchObject({
      status: 400,
      body: { details: { issues: [{ message: expect.stringContaining('decided, not 0') }] } },
    });
    const people = await own.api('PUT', `/metrics/${world.peopleId}/pinned-set`, { against: world.judgeId });
    expect(people.status).toBe(400);
    const drift = await own.api('POST', `/metrics/${world.judgeId}/trials`, { kind: 'drift' });
    expect(drift.status).toBe(404);
  });
});

describe('a drift trial', () => {
  it('asks the model again, and of a judge that stayed as it was sees nothing', async () => {
    const world = await calibrated();
    await pin(world);
    const asked = models.received.length;
    const trial = await check(world);
    const [{ runId }] = trial.candidates;
    expect(models.received.length - asked).toBe(records);
    const found = await ok(
      own.api('GET', `/projects/${world.projectId}/records?runId=${runId}&text=answer-7`),
    );
    expect(found.data).toHaveLength(1);
    expect(await trialsOf(world)).toEqual([trial]);
    expect(trial).toMatchObject({
      number: 1,
      metricId: world.judgeId,
      metricConfigId: world.run.metricVersionIds[0],
      createdByUserId: own.memberId,
      labels: { numTested: records, numHumanPasses: records / 2, numForTuning: 0 },
      candidates: [
        {
          how: 'current',
          metricConfigId: world.run.metricVersionIds[0],
          servedModelNames: ['judge-january'],
          numPending: 0,
          drift: { n: records, verdict: 'no drift seen', difference: 0, broken: [], unscored: [] },
          equivalence: null,
        },
      ],
      proposedConfigId: null,
    });
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
    expect((await setOf(world)).due).toBe('a model answers that has not been checked: judge-june');
    const { candidates, sentence } = await check(world);
    expect((await setOf(world)).due).toBeNull();
    const [{ drift, servedModelNames }] = candidates;
    expect(sentence).toBe(drift.sentence);
    expect(servedModelNames).toEqual(['judge-june']);
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

  it('of verdicts that people put right has the first trial as its reference: the judge would not repeat a slip', async () => {
    const world = await calibrated();
    for (const recordId of world.recordIds.slice(0, 12)) {
      const path = `/records/${recordId}/scores/${world.run.metricVersionIds[0]}`;
      await ok(own.api('PUT', path, { score: { binaryScore: false } }));
    }
    const set = await ok(own.api('PUT', `/metrics/${world.judgeId}/pinned-set`, { labels: 'overrides' }));
    expect(set).toMatchObject({ source: 'overrides', numRecords: 12, numJudgePasses: 12 });
    // The judge's ten slips are over: it answers as people do, again and again.
    answerAs('judge-january', 2);
    const first = await check(world);
    expect(first.candidates[0].drift).toMatchObject({ verdict: 'no drift seen', difference: 0, mended: [] });
    expect(first.sentence).toContain('these verdicts are the reference of later trials');
    const second = await check(world);
    expect(second.candidates[0].drift).toMatchObject({ n: 12, verdict: 'no drift seen', mended: [] });
    answerAs('judge-june', 12);
    expect((await check(world)).candidates[0].drift).toMatchObject({
      verdict: 'drifted',
      leniency: { nowPass: 10, nowFail: 0 },
    });
  });

  it('is due for a new configuration, which is then held against the old one', async () => {
    const world = await calibrated();
    await pin(world);
    const body = { evalType: 'ai', outputType: 'boolean', guidelines: 'Be kind.' };
    await ok(own.api('PATCH', `/metrics/${world.judgeId}`, body));
    expect((await setOf(world)).due).toBe('its current configuration has not been checked');
    const { metricConfigId, candidates } = await check(world);
    expect((await setOf(world)).due).toBeNull();
    expect(metricConfigId).toBe(world.run.metricVersionIds[0]);
    expect(candidates[0].metricConfigId).not.toBe(metricConfigId);
    expect(candidates[0].drift.verdict).toBe('no drift seen');
  });

  const fail = (error: unknown) => {
    throw error;
  };
  it('that the service starts itself comes once for each configuration and model, and only when it is asked for', async () => {
    const [left, watched] = [await calibrated(), await calibrated()];
    await pin(left);
    await pin(watched, { automatic: true });
    expect(await startDueDrifts(app.db, fail)).toBe(0);
    answerAs('judge-july', records / 2);
    for (const world of [left, watched]) await scoreOrdinary(world);
    const started = await Promise.all([startDueDrifts(app.db, fail), startDueDrifts(app.db, fail)]);
    expect(started.sort()).toEqual([0, 1]);
    const [trial] = await trialsOf(watched);
    expect(trial.createdByUserId).toBeNull();
    await completed(trial.candidates[0].runId);
    expect(await startDueDrifts(app.db, fail)).toBe(0);
    expect(await trialsOf(left)).toEqual([]);
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
    const errors: unknown[] = [];
    expect(await startDueDrifts(db, (error) => errors.push(error))).toBeGreaterThan(0);
    expect(errors).toEqual([new Error('no start')]);
    const trials = (await Promise.all(worlds.map(trialsOf))).flat();
    expect(trials.length).toBeGreaterThan(0);
    for (const { candidates } of trials) await completed(candidates[0].runId);
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
    const [{ drift }] = (await check(world)).candidates;
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
    const [{ runId }] = (await start(world)).candidates;
    const [trial] = await trialsOf(world);
    expect(trial).toMatchObject({
      state: 'running',
      sentence: 'verdicts are still pending',
      candidates: [{ runId, numPending: records, drift: null }],
    });
    release();
    await completed(runId);
  });

  it('can be discarded, which asks no more; it has no candidate to adopt', async () => {
    const world = await calibrated();
    await pin(world);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    models.answer({ reply: { reasoning: 'r', binaryScore: true }, after: held });
    const { number, candidates, metricConfigId } = await start(world);
    const path = `/metrics/${world.judgeId}/trials/${number}`;
    expect((await own.api('POST', `${path}/decide`, { decision: 'adopted', metricConfigId })).status).toBe(
      409,
    );
    expect((await own.api('POST', `${path}/decide`, { decision: 'adopted' })).status).toBe(400);
    // What only a rescoring has.
    expect((await own.api('POST', `${path}/extend`)).status).toBe(404);
    expect((await own.api('GET', `${path}/changes`)).status).toBe(404);
    const discarded = await ok(own.api('POST', `${path}/decide`, { decision: 'discarded' }));
    release();
    expect(discarded).toMatchObject({
      state: 'discarded',
      endedByUserId: own.memberId,
      candidates: [{ numPending: 0 }],
    });
    await completed(candidates[0].runId);
    const { candidates: kept } = await ok(own.api('GET', path));
    expect(kept[0].drift).toMatchObject({ n: 0, unscored: { length: records } });
    expect((await own.api('POST', `${path}/decide`, { decision: 'discarded' })).status).toBe(409);
  });

  it('that has found drift tells it to alerts, and keeps it when its run is deleted', async () => {
    const world = await calibrated();
    const receiver = await openEndpoint(() => ({ body: 'ok' }));
    const alert = await createAlert(own.api, world.projectId, receiver.url, { events: ['drift.found'] });
    await pin(world);
    answerAs('judge-september', 2);
    await scoreOrdinary(world);
    const { number, candidates, sentence } = await check(world);
    const [{ runId, drift }] = candidates;
    const told = async () => (await ok(own.api('GET', `/alerts/${alert.id}/deliveries`))).data;
    await expect.poll(told, { timeout: 15_000, interval: 50 }).toMatchObject([{ event: 'drift.found' }]);
    const messages = await app.db.read(
      own,
      (sql) => sql<{ facts: object }[]>`
      select message -> 'facts' as facts from alert_delivery where alert_id = ${alert.id}`,
    );
    expect(messages.map(({ facts }) => facts)).toMatchObject([
      { metric: { id: world.judgeId }, trialNumber: number, runId },
    ]);
    await ok(own.api('DELETE', `/runs/${runId}`));
    expect(await ok(own.api('GET', `/metrics/${world.judgeId}/trials/${number}`))).toMatchObject({
      state: 'ready',
      sentence,
      candidates: [{ runId: null, numPending: 0, drift }],
    });
    // It counts as tried: a deletion costs no second trial.
    await scoreOrdinary(world);
    expect((await setOf(world)).due).toBeNull();
    await receiver.close();
  });

  it('whose run is deleted before it was decided says so, and can be discarded', async () => {
    const world = await calibrated();
    await pin(world);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    models.answer({ reply: { reasoning: 'r', binaryScore: true }, after: held });
    const { number, candidates } = await start(world);
    await ok(own.api('DELETE', `/runs/${candidates[0].runId}`));
    release();
    const path = `/metrics/${world.judgeId}/trials/${number}`;
    expect(await ok(own.api('GET', path))).toMatchObject({
      state: 'ready',
      sentence: 'its run was deleted before it was decided',
      candidates: [{ runId: null, drift: null }],
    });
    expect(await ok(own.api('POST', `${path}/decide`, { decision: 'discarded' }))).toMatchObject({
      state: 'discarded',
    });
  });
});
