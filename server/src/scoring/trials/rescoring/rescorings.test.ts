// Longer than 400 lines: a rescoring has one life, and each part of it needs the parts before.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRescoring,
  createRun,
  ok,
} from '../../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../../test/harness.ts';
import { openJudging } from '../../../../test/judging.ts';
import { system } from '../../../platform/db/database.ts';
import { newUuid } from '../../../platform/http/ids.ts';
import {
  claimScores,
  commitOutcomes,
  findDueRun,
  type Lease,
  type Outcome,
  renewLease,
} from '../../queue/queries.ts';

const { app, models, own } = await openJudging();
let projectId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

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
  const path = `/metrics/${metric.id}/trials`;
  return {
    path,
    metricId: metric.id as string,
    runId: run.id as string,
    recordIds: ids as string[],
    oldConfigId: run.metricVersionIds[0] as string,
    newConfigId: data[0].id as string,
    begin: (fields = {}) => ok(own.api('POST', path, { kind: 'rescoring', runId: run.id, ...fields }), 201),
  };
};

const reaches = async (path: string, state: string) => {
  await expect.poll(async () => (await ok(own.api('GET', path))).state, patient).toBe(state);
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
  givenSince: 0,
  pending: 0,
};

describe('a rescoring', () => {
  it('proposes scores by the current configuration, which count nowhere, and says what they flip', async () => {
    // Of 0 to 11: even before, divisible by three after.
    const run = await createRescored('inputs.i % 2 === 0', 'inputs.i % 3 === 0');
    const before = await scoresOf(run.runId);
    const { number: id } = await run.begin();
    const rescoring = await reaches(`${run.path}/${id}`, 'ready');
    expect(rescoring).toMatchObject({
      number: 1,
      metricId: run.metricId,
      kind: 'rescoring',
      runId: run.runId,
      metricConfigId: run.oldConfigId,
      proposedConfigId: run.newConfigId,
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

  it('of a category knows equal labels by their texts, also if the labels have moved', async () => {
    const labels = { items: ['Wrong', 'Partly', 'Right'], passing: ['Right'] };
    const category = { evalType: 'heuristic', outputType: 'category' };
    const by = (logic: string) => `function score({ i }) { return ${logic}; }`;
    const guidelines = by('["Wrong", "Partly", "Right"][i % 3]');
    const metric = await createMetric(own.api, projectId, { ...category, labels, guidelines });
    const run = await createRun(own.api, projectId, [metric.id]);
    const items = Array.from({ length: 6 }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    await completed(run.id);
    // The first two labels change places: 4 has another label in the place of its former one.
    const moved = { ...labels, items: ['Partly', 'Wrong', 'Right'] };
    const next = by('i === 4 ? "Wrong" : ["Wrong", "Partly", "Right"][i % 3]');
    await ok(own.api('PATCH', `/metrics/${metric.id}`, { ...category, labels: moved, guidelines: next }));
    const path = `/metrics/${metric.id}/trials`;
    const { number } = await ok(own.api('POST', path, { kind: 'rescoring', runId: run.id }), 201);
    expect((await reaches(`${path}/${number}`, 'ready')).changes).toEqual({ ...none, same: 5, valueOnly: 1 });
    expect(await changesOf(`${path}/${number}`, '&change=valueOnly')).toMatchObject([
      { before: { score: { categoryScore: 'Partly' } }, after: { score: { categoryScore: 'Wrong' } } },
    ]);
  });

  it('adopted, makes the proposals the scores, and the old ones history', async () => {
    const run = await createRescored('inputs.i % 2 === 0', 'inputs.i % 3 === 0');
    const { number: id } = await run.begin();
    await reaches(`${run.path}/${id}`, 'ready');
    const adopted = await ok(own.api('POST', `${run.path}/${id}/decide`, { decision: 'adopted' }));
    expect(adopted).toMatchObject({
      state: 'adopted',
      endedByUserId: own.memberId,
      changes: { passToFail: 4 },
    });
    expect(await scoresOf(run.runId)).toEqual(
      Array.from({ length: 12 }, (_, i) => [run.newConfigId, i % 3 === 0]),
    );
    expect(await ok(own.api('GET', `/runs/${run.runId}`))).toMatchObject({
      status: 'completed',
      numScores: 12,
      metricVersionIds: [run.newConfigId],
    });
    const { metrics } = await ok(own.api('GET', `/runs/${run.runId}/details`)).then(
      ({ progress }) => progress,
    );
    expect(metrics).toEqual([expect.objectContaining({ metricConfigId: run.newConfigId, scored: 12 })]);
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

describe('what people and clients gave', () => {
  it('is left alone, whether it came before or during the rescoring', async () => {
    const run = await createRescored('true', 'false', 4);
    const give = (record: number) =>
      ok(
        own.api('PUT', `/records/${run.recordIds[record]}/scores/${run.oldConfigId}`, {
          score: { binaryScore: true, reasoning: 'I looked.' },
        }),
      );
    await give(0);
    const { number: id } = await run.begin();
    expect(await reaches(`${run.path}/${id}`, 'ready')).toMatchObject({
      numRecords: 3,
      numGiven: 1,
      changes: { ...none, passToFail: 3 },
    });
    await give(1);
    expect(await ok(own.api('GET', `${run.path}/${id}`))).toMatchObject({
      changes: { ...none, passToFail: 2, givenSince: 1 },
    });
    await ok(own.api('POST', `${run.path}/${id}/decide`, { decision: 'adopted' }));
    expect(await scoresOf(run.runId)).toEqual([
      [run.oldConfigId, true],
      [run.oldConfigId, true],
      [run.newConfigId, false],
      [run.newConfigId, false],
    ]);
    expect(await changesOf(`${run.path}/${id}`, '&change=givenSince')).toMatchObject([
      { recordId: run.recordIds[1], applied: false, before: { score: { reasoning: 'I looked.' } } },
    ]);
  });

  it('is left alone beside a score by another configuration that is still to be made', async () => {
    const run = await createRescored('true', 'false', 2);
    const { number: id } = await run.begin();
    await reaches(`${run.path}/${id}`, 'ready');
    await app.db.transaction(
      system,
      (tx) => tx`
        update score set state = 'pending', score = null, value = null, due_at = 'infinity'
        where run_id = ${run.runId}::text::bigint and n = 1`,
    );
    const score = { binaryScore: true, reasoning: 'I looked.' };
    await ok(own.api('PUT', `/records/${run.recordIds[0]}/scores/${run.newConfigId}`, { score }));
    await ok(own.api('POST', `${run.path}/${id}/decide`, { decision: 'adopted' }));
    expect(await ok(own.api('GET', `${run.path}/${id}`))).toMatchObject({
      changes: { ...none, passToFail: 1, givenSince: 1 },
    });
    const old = `/records/${run.recordIds[0]}/scores/${run.oldConfigId}`;
    expect((await ok(own.api('GET', old))).state).toBe('pending');
  });

  it('is not taken from the queue of people either', async () => {
    const human = { evalType: 'human', outputType: 'boolean' };
    const metric = await createMetric(own.api, projectId, human);
    const run = await createRun(own.api, projectId, [metric.id]);
    await createRecord(own.api, run.id);
    await ok(own.api('PATCH', `/metrics/${metric.id}`, { ...heuristic, guidelines: code('true') }));
    const made = await ok(own.api('GET', await createRescoring(own.api, run.id, metric.id)));
    expect(made).toMatchObject({ state: 'ready', numRecords: 0, numGiven: 1, numProposals: 0 });
  });
});

describe('a part of the run', () => {
  it('only chosen records are re-scored, by the chosen configuration, and the run keeps its own', async () => {
    const run = await createRescored('true', 'false', 4);
    const recordIds = [run.recordIds[3], run.recordIds[1]];
    const { number: id } = await run.begin({ recordIds, metricConfigId: run.newConfigId });
    expect(await reaches(`${run.path}/${id}`, 'ready')).toMatchObject({ wholeRun: false, numRecords: 2 });
    await ok(own.api('POST', `${run.path}/${id}/decide`, { decision: 'adopted' }));
    expect(await scoresOf(run.runId)).toEqual([
      [run.oldConfigId, true],
      [run.newConfigId, false],
      [run.oldConfigId, true],
      [run.newConfigId, false],
    ]);
    expect((await ok(own.api('GET', `/runs/${run.runId}`))).metricVersionIds).toEqual([run.oldConfigId]);
    // It shows no judge to be a successor of another, so no trend is anchored by it.
    const trends = await ok(own.api('GET', `/projects/${projectId}/trends`));
    const anchors = trends.metrics[0].points.map(({ anchored }: { anchored: unknown }) => anchored);
    expect(new Set(anchors)).toEqual(new Set([null]));
    // And back again, by the configuration that they had.
    const { number: back } = await run.begin({ metricConfigId: run.oldConfigId });
    expect(await reaches(`${run.path}/${back}`, 'ready')).toMatchObject({
      changes: { ...none, same: 2, failToPass: 2 },
    });
    await ok(own.api('POST', `${run.path}/${back}/decide`, { decision: 'adopted' }));
    expect(await scoresOf(run.runId)).toEqual(Array.from({ length: 4 }, () => [run.oldConfigId, true]));
  });

  it('a sample goes first: the same seed draws the same, and extend adds the others and makes nothing twice', async () => {
    const run = await createRescored('true', 'inputs.i % 3 === 0', 12);
    const drawn = async () => {
      const { number: id } = await run.begin({ sample: { size: 4, seed: 7 } });
      const sampled = await reaches(`${run.path}/${id}`, 'sampled');
      expect(sampled).toMatchObject({
        sample: { size: 4, seed: 7 },
        numRecords: 12,
        numProposals: 4,
        estimate: { numRecords: 8, numMeasured: 4, costUsd: { estimate: 0 }, seconds: expect.any(Number) },
      });
      const records = (await changesOf(`${run.path}/${id}`)).map(
        ({ recordId }: { recordId: string }) => recordId.split('-')[1],
      );
      return { id, records };
    };
    const first = await drawn();
    expect((await own.api('POST', `${run.path}/${first.id}/decide`, { decision: 'adopted' })).status).toBe(
      409,
    );
    const another = { decision: 'adopted', metricConfigId: run.oldConfigId };
    expect((await own.api('POST', `${run.path}/${first.id}/decide`, another)).status).toBe(404);
    await ok(own.api('POST', `${run.path}/${first.id}/decide`, { decision: 'discarded' }));
    const { id, records } = await drawn();
    expect(records).toEqual(first.records);
    await ok(own.api('POST', `${run.path}/${id}/extend`));
    expect(await reaches(`${run.path}/${id}`, 'ready')).toMatchObject({
      numProposals: 12,
      estimate: null,
      changes: { ...none, passToFail: 8, same: 4 },
    });
    const rows = await app.db.read(
      system,
      (sql) => sql<{ attempts: number }[]>`
        select attempts from proposed_score join trial on trial.id = trial_id
        where trial.metric_id = ${run.metricId} and trial.n = ${id}`,
    );
    expect(rows.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 12 }, () => 1));
  });
});

describe('an open rescoring', () => {
  it('discarded, changes no score and leaves the way free for another', async () => {
    const run = await createRescored('true', 'false', 3);
    const before = await scoresOf(run.runId);
    const { number: id } = await run.begin();
    const again = await own.api('POST', run.path, { kind: 'rescoring', runId: run.runId });
    expect(again.status).toBe(409);
    expect(again.body.details).toEqual({ trialNumber: id });
    await reaches(`${run.path}/${id}`, 'ready');
    const discarded = await ok(own.api('POST', `${run.path}/${id}/decide`, { decision: 'discarded' }));
    expect(discarded).toMatchObject({ state: 'discarded', numProposals: 3, changes: { passToFail: 3 } });
    expect(await changesOf(`${run.path}/${id}`)).toEqual([]);
    expect(await scoresOf(run.runId)).toEqual(before);
    expect((await own.api('POST', `${run.path}/${id}/extend`)).status).toBe(409);
    for (const decision of ['adopted', 'discarded'])
      expect((await own.api('POST', `${run.path}/${id}/decide`, { decision })).status).toBe(409);
    const proposals = { of: 'proposals', metricId: run.metricId, trialNumber: id };
    for (const verb of ['retry', 'cancel'])
      expect((await own.api('POST', `/runs/${run.runId}/${verb}`, proposals)).status).toBe(409);
    await run.begin();
    const { data } = await ok(own.api('GET', `/trials?runId=${run.runId}&limit=1`));
    expect(data).toMatchObject([{ metricId: run.metricId, number: 2 }]);
  });

  it('takes up records that have come since when it is extended again', async () => {
    const run = await createRescored('true', 'false', 2);
    const { number: id } = await run.begin();
    await reaches(`${run.path}/${id}`, 'ready');
    await createRecord(own.api, run.runId, { inputs: { i: 2 } });
    await completed(run.runId);
    expect(await ok(own.api('POST', `${run.path}/${id}/extend`))).toMatchObject({ numProposals: 3 });
    expect(await reaches(`${run.path}/${id}`, 'ready')).toMatchObject({ changes: { passToFail: 3 } });
  });

  it('keeps what could be scored; a record that could not keeps the score it has', async () => {
    const throws = 'inputs.i === 1 ? undefined.x : false';
    const run = await createRescored('true', throws, 3);
    const { number: id } = await run.begin();
    expect(await reaches(`${run.path}/${id}`, 'ready')).toMatchObject({
      changes: { ...none, passToFail: 2, failed: 1 },
    });
    await ok(
      own.api('POST', `/runs/${run.runId}/retry`, {
        of: 'proposals',
        metricId: run.metricId,
        trialNumber: id,
      }),
    );
    await reaches(`${run.path}/${id}`, 'ready');
    await ok(own.api('POST', `${run.path}/${id}/decide`, { decision: 'adopted' }));
    expect(await scoresOf(run.runId)).toEqual([
      [run.newConfigId, false],
      [run.oldConfigId, true],
      [run.newConfigId, false],
    ]);
  });

  it('goes with its run, its record and its metric', async () => {
    const run = await createRescored('true', 'false', 3);
    const { number: id } = await run.begin();
    await reaches(`${run.path}/${id}`, 'ready');
    await ok(own.api('DELETE', `/records/${run.recordIds[0]}`));
    expect(await ok(own.api('GET', `${run.path}/${id}`))).toMatchObject({ numRecords: 2, numProposals: 2 });
    await ok(own.api('DELETE', `/metrics/${run.metricId}`));
    expect((await own.api('GET', `${run.path}/${id}`)).status).toBe(404);
    expect((await own.api('POST', `${run.path}/${id}/decide`, { decision: 'adopted' })).status).toBe(404);
    expect((await own.api('POST', run.path, { kind: 'rescoring', runId: run.runId })).status).toBe(404);
    const other = await createRescored('true', 'false', 3);
    const { number: gone } = await other.begin();
    await ok(own.api('DELETE', `/runs/${other.runId}`));
    expect((await own.api('GET', `${other.path}/${gone}`)).status).toBe(404);
    const left = await app.db.read(
      system,
      (sql) => sql`
        select run_id from proposed_score where run_id in (${run.runId}, ${other.runId})
        union all select run_id from trial where run_id in (${run.runId}, ${other.runId})`,
    );
    expect(left).toHaveLength(0);
  });
});

describe('GET /trials', () => {
  const numbersOf = async (query: string) =>
    (await ok(own.api('GET', `/trials?${query}`))).data.map(
      ({ metricId, runId, number }: { metricId: string; runId: string; number: number }) => [
        metricId,
        runId,
        number,
      ],
    );

  it('lists those of a run and those of a metric, newest first, each numbered within its metric', async () => {
    const run = await createRescored('true', 'false', 2);
    const second = await createMetric(own.api, projectId, { ...heuristic, guidelines: code('true') });
    await ok(own.api('POST', `/runs/${run.runId}/metrics`, { metricIds: [second.id] }));
    const other = await createRun(own.api, projectId, [run.metricId]);
    await run.begin();
    await createRescoring(own.api, other.id, run.metricId);
    await createRescoring(own.api, run.runId, second.id);
    expect(await numbersOf(`runId=${run.runId}`)).toEqual([
      [second.id, run.runId, 1],
      [run.metricId, run.runId, 1],
    ]);
    expect(await numbersOf(`metricId=${run.metricId}`)).toEqual([
      [run.metricId, other.id, 2],
      [run.metricId, run.runId, 1],
    ]);
    expect(await numbersOf(`metricId=${run.metricId}&runId=${other.id}`)).toHaveLength(1);
    expect(await numbersOf(`metricId=${run.metricId}&kinds=drift,succession`)).toEqual([]);
    expect((await own.api('GET', '/trials')).status).toBe(400);
    expect((await own.api('GET', '/trials?runId=999999')).status).toBe(404);
  });
});

describe('POST /metrics/:metricId/trials of a run', () => {
  const post = (runId: string, { metricId, ...fields }: { metricId: string } & object) =>
    own.api('POST', `/metrics/${metricId}/trials`, { kind: 'rescoring', runId, ...fields });

  it('400 for a metric that people or clients score, and for one that the run does not have', async () => {
    const human = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const outside = await createMetric(own.api, projectId, { ...heuristic, guidelines: 'Is it polite?' });
    const other = await createMetric(own.api, projectId, { ...heuristic, guidelines: code('true') });
    const run = await createRun(own.api, projectId, [human.id, outside.id]);
    const paths = [
      [human.id, ''],
      [outside.id, ''],
      [other.id, '/runId'],
    ];
    for (const [metricId, path] of paths) {
      const { status, body } = await post(run.id, { metricId });
      expect([status, body.details.issues[0].path]).toEqual([400, path]);
    }
  });

  it('404 for another project’s metric, another metric’s configuration, another run’s record', async () => {
    const run = await createRescored('true', 'false', 1);
    const other = await createRescored('true', 'false', 1);
    const elsewhere = (await createProject(own.api)).id;
    const foreign = await createMetric(own.api, elsewhere, { ...heuristic, guidelines: code('true') });
    for (const fields of [
      { metricId: foreign.id },
      { metricConfigId: other.newConfigId },
      { recordIds: [other.recordIds[0]] },
    ]) {
      expect((await post(run.runId, { metricId: run.metricId, ...fields })).status).toBe(404);
    }
  });

  it('400 for what it does not know, and for a sample of none', async () => {
    const run = await createRescored('true', 'false', 1);
    const { metricId } = run;
    for (const fields of [{ samples: 1 }, { sample: { size: 0 } }, { recordIds: [] }]) {
      expect((await post(run.runId, { metricId, ...fields })).status).toBe(400);
    }
  });
});

describe('a rescoring by a model', () => {
  const judged = { evalType: 'ai', outputType: 'int' };
  const createJudged = async (count: number) => {
    models.answer({ reply: { reasoning: 'Good.', intScore: 4 } });
    const metric = await createMetric(own.api, projectId, {
      ...judged,
      promptTemplate: 'Rate {{ outputs.a }}.',
      evalModelName: 'local/judge',
    });
    const run = await createRun(own.api, projectId, [metric.id]);
    const items = ['red', 'green', 'blue', 'black', 'white', 'grey']
      .slice(0, count)
      .map((a) => ({ inputs: {}, expected: {}, outputs: { a } }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    await completed(run.id);
    const path = `/metrics/${metric.id}/trials`;
    return {
      runId: run.id as string,
      metricId: metric.id as string,
      path,
      begin: (fields = {}) => ok(own.api('POST', path, { kind: 'rescoring', runId: run.id, ...fields }), 201),
    };
  };

  it('asks again, by the same configuration too, and says what it took and will take', async () => {
    const run = await createJudged(6);
    const asked = models.received.length;
    models.answer([3, 2, 4].map((intScore) => ({ reply: { reasoning: 'Hm.', intScore } })));
    const { number: id } = await run.begin({ sample: { size: 3 } });
    const sampled = await reaches(`${run.path}/${id}`, 'sampled');
    expect(models.received.length).toBe(asked + 3);
    expect(sampled).toMatchObject({
      changes: { ...none, passToFail: 2, same: 1 },
      // The table has no price for it, and that is not 0.
      spent: { costUsd: null, inputTokens: 300, outputTokens: 60 },
      estimate: {
        numRecords: 3,
        numMeasured: 3,
        costUsd: null,
        inputTokens: { estimate: 300, low: 300, high: 300 },
        seconds: expect.any(Number),
      },
    });
  });

  it('cancelled, asks no more; what is there can be adopted, and a retry takes it back', async () => {
    const run = await createJudged(3);
    const { promise, resolve } = Promise.withResolvers<void>();
    models.answer(({ messages }) => ({
      reply: { reasoning: 'Bad.', intScore: 1 },
      ...(!messages[0]!.includes('green') && { after: promise }),
    }));
    const { number: id } = await run.begin();
    const done = async () => (await ok(own.api('GET', `${run.path}/${id}`))).changes.passToFail;
    await expect.poll(done, patient).toBe(1);
    expect((await own.api('POST', `${run.path}/${id}/decide`, { decision: 'adopted' })).body.details).toEqual(
      { pending: 2 },
    );
    const stopped = await ok(
      own.api('POST', `/runs/${run.runId}/cancel`, {
        of: 'proposals',
        metricId: run.metricId,
        trialNumber: id,
      }),
    );
    expect(stopped).toEqual({ numExecutions: 0, numScores: 0, numProposals: 2 });
    const cancelled = await ok(own.api('GET', `${run.path}/${id}`));
    expect(cancelled).toMatchObject({ state: 'ready', changes: { ...none, passToFail: 1, unscored: 2 } });
    resolve();
    await ok(
      own.api('POST', `/runs/${run.runId}/retry`, {
        of: 'proposals',
        metricId: run.metricId,
        trialNumber: id,
      }),
    );
    expect(await reaches(`${run.path}/${id}`, 'ready')).toMatchObject({
      changes: { ...none, passToFail: 3 },
    });
    await ok(own.api('POST', `${run.path}/${id}/decide`, { decision: 'adopted' }));
    const { data } = await ok(own.api('GET', `/runs/${run.runId}/records`));
    expect(data.map(({ scores }: { scores: { score: unknown }[] }) => scores[0]!.score)).toEqual(
      Array.from({ length: 3 }, () => ({ intScore: 1, reasoning: 'Bad.' })),
    );
    const [{ id: recordId, scores }] = data;
    const detail = await ok(own.api('GET', `/records/${recordId}/scores/${scores[0].metricConfigId}`));
    expect(detail.evidence.prompt).toContain('Rate');
    expect(detail.history).toMatchObject([{ score: { intScore: 4 } }]);
  });
});

describe('leases of proposals', () => {
  const leaseMs = 60_000;
  let idle: TestApp;
  let mine: Organization;
  beforeAll(async () => {
    idle = await startApp({});
    mine = await idle.organization();
  });
  afterAll(() => idle.close());

  const claim = (runId: bigint) =>
    idle.db.transaction(system, async (tx) => {
      const lease: Lease = { id: newUuid(), queue: 'proposed_score', lane: 'code', runId };
      const [due] = await findDueRun(tx, { queue: 'proposed_score', lane: 'code' }, runId - 1n);
      const claimed =
        due?.runId === runId ? await claimScores(tx, lease, { limit: 10, leaseMs: leaseMs }) : [];
      return claimed.map((score) => ({ ...score, lease }));
    });
  type Claimed = Awaited<ReturnType<typeof claim>>[number];
  const commit = ({ lease, n, configId, fence }: Claimed, reasoning: string) => {
    const score = JSON.stringify({ binaryScore: true, reasoning });
    const outcome: Outcome = {
      n,
      configId,
      fence,
      state: 'scored',
      score,
      value: 1,
      reason: null,
      attempts: 1,
      retryInMs: null,
      evidence: null,
      inputHash: null,
      usage: null,
    };
    return idle.db.transaction(system, (tx) => commitOutcomes(tx, lease, [outcome]));
  };
  const begin = async () => {
    const { id: project } = await createProject(mine.api);
    const metric = await createMetric(mine.api, project, { ...heuristic, guidelines: code('true') });
    const run = await createRun(mine.api, project, [metric.id]);
    await createRecord(mine.api, run.id);
    const rescoring = await createRescoring(mine.api, run.id, metric.id);
    const proposed = async () =>
      (await ok(mine.api('GET', `${rescoring}/changes`))).data.map(
        ({ after }: { after: { score: { reasoning: string } | null } }) => after.score?.reasoning ?? null,
      );
    return { runId: BigInt(run.id), metricId: metric.id, rescoring, proposed };
  };

  it('that were lost write nothing: the one who has the proposal now writes it', async () => {
    const { runId, proposed } = await begin();
    const [paused] = await claim(runId);
    expect(await claim(runId)).toHaveLength(0);
    await idle.db.transaction(system, (tx) => tx`update score_lease set until = now()`);
    const [winner] = await claim(runId);
    await commit(paused!, 'too late');
    expect(await proposed()).toEqual([null]);
    await commit(winner!, 'in time');
    await commit(paused!, 'too late again');
    expect(await proposed()).toEqual(['in time']);
  });

  it.each(['cancelled', 'discarded'])('end when the rescoring is taken back: %s', async (decision) => {
    const { runId, metricId, rescoring, proposed } = await begin();
    const [claimed] = await claim(runId);
    await ok(
      decision === 'cancelled'
        ? mine.api('POST', `/runs/${runId}/cancel`, {
            of: 'proposals',
            metricId,
            trialNumber: Number(rescoring.split('/').at(-1)),
          })
        : mine.api('POST', `${rescoring}/decide`, { decision }),
    );
    const { lease, ...proposal } = claimed!;
    const [renewed] = await idle.db.transaction(system, (tx) => renewLease(tx, lease, [proposal], leaseMs));
    expect(renewed).toEqual({ held: 0 });
    await commit(claimed!, 'for nothing');
    expect(await proposed()).toEqual(decision === 'cancelled' ? [null] : []);
  });

  it('write nothing into the score of the same record, nor that one’s into the proposal', async () => {
    const { runId, proposed } = await begin();
    const [claimed] = await claim(runId);
    await idle.db.transaction(system, async (tx) => {
      const lease: Lease = { id: newUuid(), queue: 'score', lane: 'code', runId };
      const [score] = await claimScores(tx, lease, { limit: 10, leaseMs: leaseMs });
      expect({ ...score, lease: claimed!.lease }).toEqual(claimed);
    });
    await commit(claimed!, 'proposed');
    expect(await proposed()).toEqual(['proposed']);
    const { data } = await ok(mine.api('GET', `/runs/${runId}/records`));
    expect(data[0].scores).toEqual([]);
  });
});
