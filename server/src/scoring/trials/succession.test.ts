import { beforeAll, describe, expect, it } from 'vitest';
import { createRescoring, createRun, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { createJudged, completed as finished } from '../../../test/judged.ts';
import { openJudging } from '../../../test/judging.ts';
import type { Received } from '../../../test/model-server.ts';
import { addRecords } from '../../../test/reviews.ts';
import { draw } from '../../evaluation/samples/draw.ts';

const price = (input: number) => ({ input, output: input });
const { models, own } = await openJudging({
  prices: { old: price(4), heir: price(1), dear: price(8), lax: price(0.5) },
});

/** People pass the first half of the answers. */
const records = 160;
const isGood = (answer: number) => answer < records / 2;

/** What each model passes: `old` and its successors err on the same four answers, `lax` passes 30 bad ones more. */
const passes: Record<string, (answer: number) => boolean> = {
  old: (answer) => (answer % 40 === 0 ? !isGood(answer) : isGood(answer)),
  heir: (answer) => passes.old!(answer),
  dear: (answer) => passes.old!(answer),
  lax: (answer) => isGood(answer) || answer < records / 2 + 30,
};

const judge = ({ body, system, messages }: Received) => {
  const model = String(body.model);
  const prompt = messages.join();
  if (prompt.includes('You improve the instructions'))
    return { reply: 'Pass answers below the middle. No errors.' };
  const answer = Number(/answer-(\d+)/.exec(prompt)![1]);
  const isAligned = `${system}${prompt}`.includes('Pass answers below the middle');
  return {
    model: `${model}-served`,
    reply: { reasoning: 'r', binaryScore: isAligned ? isGood(answer) : passes[model]!(answer) },
  };
};

beforeAll(async () => {
  models.answer(judge);
});

const completed = (runId: string) => finished(own.api, runId);

/** A judge with labels of people, pinned, and a run that it scored. */
const pinned = async () => {
  const { projectId, judgeId, peopleId, run } = await createJudged(own.api, {
    records,
    isGood,
    model: 'local/old',
  });
  await ok(own.api('PUT', `/metrics/${judgeId}/pinned-set`, { against: peopleId }));
  const [configId] = run.metricVersionIds as string[];
  return { projectId, metricId: judgeId, runId: run.id as string, configId: configId! };
};

const trialsOf = async (metricId: string) =>
  (await ok(own.api('GET', `/trials?metricId=${metricId}&kinds=succession,alignment`))).data;
const start = (metricId: string, body: object) =>
  own.api('POST', `/metrics/${metricId}/trials`, { kind: 'succession', ...body });
const tried = async (metricId: string, body: object) => {
  const made = await ok(start(metricId, body), 201);
  for (const { runId } of made.candidates) await completed(runId);
  return (await trialsOf(metricId))[0];
};
const candidates = ['heir', 'dear', 'lax'].map((model) => ({ evalModelName: `local/${model}` }));

describe('a trial of successors', () => {
  it('proposes the cheapest equivalent, and touches no stored score', async () => {
    const { projectId, metricId, runId, configId } = await pinned();
    const before = await ok(own.api('GET', `/runs/${runId}/summary`));
    const trial = await tried(metricId, { candidates, margin: 0.1 });
    expect(trial).toMatchObject({
      number: 1,
      kind: 'succession',
      metricConfigId: configId,
      evalModelName: 'local/old',
      labels: { numTested: records, numHumanPasses: records / 2, numForTuning: 0 },
      costUsd: expect.closeTo(0.00048, 8),
      adopted: null,
    });
    const [heir, dear, lax] = trial.candidates;
    expect(heir).toMatchObject({
      how: 'model',
      servedModelNames: ['heir-served'],
      costUsd: expect.closeTo(0.00012, 8),
      latencyMs: expect.any(Number),
      equivalence: { verdict: 'equivalent', passedByPeople: { n: 80, difference: 0, missing: 0 } },
      agreement: { verdict: 'cannot tell', difference: 0 },
    });
    expect(dear.equivalence.verdict).toBe('equivalent');
    expect(lax.equivalence).toMatchObject({ verdict: 'not equivalent', failedByPeople: { nowPass: 29 } });
    expect(trial.proposedConfigId).toBe(heir.metricConfigId);
    expect(trial.sentence).toBe('local/heir is the cheapest candidate that is equivalent');
    expect(await ok(own.api('GET', `/runs/${runId}/summary`))).toEqual(before);
    // Candidates are neither checks of the judge nor points of a trend.
    expect((await ok(own.api('GET', `/trials?metricId=${metricId}&kinds=drift`))).data).toEqual([]);
    const { metrics } = await ok(own.api('GET', `/projects/${projectId}/trends?metricId=${metricId}`));
    expect(metrics[0].points).toHaveLength(1);
  });

  it('adopts the candidate as the new configuration, once; the old one stays', async () => {
    const { metricId, configId, runId } = await pinned();
    const trial = await tried(metricId, { candidates, margin: 0.1 });
    const adopt = (metricConfigId: string, more = {}) =>
      own.api('POST', `/metrics/${metricId}/trials/1/decide`, {
        decision: 'adopted',
        metricConfigId,
        ...more,
      });
    const [heir, , lax] = trial.candidates;
    expect((await adopt(lax.metricConfigId)).body.details.issues[0].message).toContain('not equivalent');
    expect((await adopt(configId)).status).toBe(404);
    expect(trial.state).toBe('ready');
    const adopted = await ok(adopt(heir.metricConfigId));
    expect(adopted).toMatchObject({ state: 'adopted', endedByUserId: own.memberId });
    expect(adopted.adopted).toMatchObject({
      metricConfigId: heir.metricConfigId,
      equivalence: { verdict: 'equivalent' },
    });
    expect((await adopt(lax.metricConfigId, { evenIfNotShown: true })).status).toBe(409);
    const { data } = await ok(own.api('GET', `/metrics/${metricId}/versions`));
    expect(data.find(({ current }: { current: boolean }) => current).evalModelName).toBe('local/heir');
    expect(data.map(({ id }: { id: string }) => id)).toContain(configId);
    // The pinned verdicts are the old judge's, and what was found stays when they go. A rescoring does not rest on them.
    const rescoring = await createRescoring(own.api, runId, metricId);
    expect((await start(metricId, { candidates })).status).toBe(409);
    await ok(own.api('DELETE', `/metrics/${metricId}/pinned-set`));
    const [kept] = await trialsOf(metricId);
    expect(kept).toMatchObject({ candidates: [], adopted: { equivalence: { verdict: 'equivalent' } } });
    await ok(own.api('GET', rescoring));
  });

  it('leaves out a candidate whose run was deleted: of Holm’s adjustment, of the proposal and of adoption', async () => {
    const { metricId } = await pinned();
    const alone = await tried(metricId, { candidates: [candidates[1]], margin: 0.1 });
    const trial = await tried(metricId, { candidates: candidates.slice(0, 2), margin: 0.1 });
    const [heir, dear] = trial.candidates;
    const path = `/metrics/${metricId}/trials/${trial.number}`;
    const adopt = (metricConfigId: string) =>
      own.api('POST', `${path}/decide`, { decision: 'adopted', metricConfigId, evenIfNotShown: true });
    expect(dear.equivalence.adjustedP).toBeCloseTo(2 * dear.equivalence.p, 12);
    await ok(own.api('DELETE', `/runs/${heir.runId}`));
    const left = await ok(own.api('GET', path));
    expect(left.candidates[0]).toMatchObject({ runId: null, equivalence: null, agreement: null, gates: [] });
    expect(left.candidates[1].equivalence).toEqual(alone.candidates[0].equivalence);
    expect(left.proposedConfigId).toBe(dear.metricConfigId);
    expect(await adopt(heir.metricConfigId)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('its run was deleted') },
    });
    await ok(own.api('DELETE', `/runs/${dear.runId}`));
    expect(await ok(own.api('GET', path))).toMatchObject({
      state: 'ready',
      proposedConfigId: null,
      sentence: 'the runs of its candidates were deleted before it was decided',
    });
    expect((await adopt(dear.metricConfigId)).status).toBe(409);
    await ok(own.api('POST', `${path}/decide`, { decision: 'discarded' }));
  });

  it('anchors trends and splits comparisons across the switch, also of a judge that is not equivalent', async () => {
    const { projectId, metricId, runId } = await pinned();
    const trial = await tried(metricId, { candidates, margin: 0.1 });
    const [, , lax] = trial.candidates;
    await ok(
      own.api('POST', `/metrics/${metricId}/trials/1/decide`, {
        decision: 'adopted',
        metricConfigId: lax.metricConfigId,
        evenIfNotShown: true,
      }),
    );
    const later = await createRun(own.api, projectId, [metricId]);
    await addRecords(own.api, later.id, records, (i) => ({
      inputs: { question: i },
      outputs: { text: `answer-${i}` },
    }));
    await completed(later.id);
    const { metrics } = await ok(own.api('GET', `/projects/${projectId}/trends?metricId=${metricId}`));
    const [before, after] = metrics[0].points;
    // 80 of 160 by the old judge and 110 by the lax one: the system stayed as it was, and all of the change is the judge's.
    expect([before.passRate.estimate, after.passRate.estimate]).toEqual([0.5, 110 / 160]);
    expect(before.anchored).toMatchObject({
      metricConfigId: lax.metricConfigId,
      estimate: expect.closeTo(110 / 160, 10),
    });
    expect(before.anchored.standardError).toBeGreaterThan(before.passRate.standardError);
    expect(after).toMatchObject({ anchored: null });
    const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${runId},${later.id}`));
    for (const split of [after.change, pairs[0].metrics[0].split]) {
      expect(split.judge.estimate).toBeCloseTo(30 / 160, 10);
      expect(split.judge.interval.low).toBeGreaterThan(0.1);
      expect(split.system.estimate).toBeCloseTo(0, 10);
      expect(split.total).toBeCloseTo(split.system.estimate + split.judge.estimate, 10);
    }
    const back = await ok(own.api('GET', `/runs/compare?runs=${later.id},${runId}`));
    expect(back.pairs[0].metrics[0].split.judge.estimate).toBeCloseTo(-30 / 160, 10);
  });

  it('says of stored runs whether a comparison would have been decided otherwise', async () => {
    const { projectId, metricId } = await pinned();
    const testset = await createTestset(own.api, projectId);
    const testcases = await createTestcases(own.api, testset.id, 40);
    const runOf = async (answerOf: (i: number) => number) => {
      const run = await createRun(own.api, projectId, [metricId], { testsetId: testset.id });
      await addRecords(own.api, run.id, testcases.length, (i) => ({
        testcaseId: testcases[i].id,
        inputs: { question: `q${i}` },
        outputs: { text: `answer-${answerOf(i)}` },
      }));
      await completed(run.id);
      return run.id as string;
    };
    // The second run is worse by the judge; the lax one passes its bad answers too.
    const runIds = [
      await runOf((i) => i + 1),
      await runOf((i) => (i < 20 ? i + 1 : records / 2 + 1 + (i % 25))),
    ];
    const trial = await tried(metricId, { candidates, margin: 0.1, runIds });
    const [heir, , lax] = trial.candidates;
    expect(heir.gates).toMatchObject([
      {
        baselineRunId: runIds[0],
        runId: runIds[1],
        judge: { verdict: 'worse' },
        candidate: { verdict: 'worse' },
        changes: false,
      },
    ]);
    expect(lax.gates).toMatchObject([
      { judge: { verdict: 'worse' }, candidate: { verdict: 'cannot tell' }, changes: true },
    ]);
    // Labels alone are tested.
    expect(heir.equivalence.passedByPeople.n + heir.equivalence.failedByPeople.n).toBe(records);
  });

  it('finds its copies of records by search, like the records themselves', async () => {
    const { projectId, metricId } = await pinned();
    const testset = await createTestset(own.api, projectId);
    const testcases = await createTestcases(own.api, testset.id, 5);
    const runOf = async (answer: number) => {
      const run = await createRun(own.api, projectId, [metricId], { testsetId: testset.id });
      await addRecords(own.api, run.id, testcases.length, (i) => ({
        testcaseId: testcases[i].id,
        outputs: { text: `answer-${answer}`, ...(i === 0 && { source: 'stored' }) },
      }));
      await completed(run.id);
      return run.id as string;
    };
    const body = { candidates: [candidates[0]], runIds: [await runOf(1), await runOf(2)] };
    const made = await ok(start(metricId, body), 201);
    const [{ runId }] = made.candidates;
    const count = async (query = '') =>
      (await ok(own.api('GET', `/projects/${projectId}/records/histogram?runId=${runId}${query}`)))
        .numRecords;
    const all = records + 2 * testcases.length;
    expect(await count()).toBe(all);
    expect(await count('&q=answer')).toBe(all);
    expect([await count('&q=outputs.text:*'), await count('&q=-outputs.text:*')]).toEqual([all, 0]);
    expect([await count('&q=outputs.source:*'), await count('&q=-outputs.source:*')]).toEqual([2, all - 2]);
    expect((await ok(own.api('GET', `/runs/${runId}/details`))).kind).toBe('trial');
    const { data: copies } = await ok(
      own.api('GET', `/projects/${projectId}/records?runId=${runId}&q=outputs.source:*`),
    );
    const origins = copies.map(({ originRecordId }: { originRecordId: string }) => originRecordId);
    expect(origins.sort()).toEqual(body.runIds.map((id) => `${id}-1`).sort());
  });

  it('on verdicts that people put right says that no label can be tested, until a drift trial gives verdicts to compare with', async () => {
    const { judgeId, run, recordIds } = await createJudged(own.api, {
      records,
      isGood,
      model: 'local/old',
    });
    for (const [answer, recordId] of recordIds.entries()) {
      const path = `/records/${recordId}/scores/${run.metricVersionIds[0]}`;
      await ok(own.api('PUT', path, { score: { binaryScore: isGood(answer) } }));
    }
    await ok(own.api('PUT', `/metrics/${judgeId}/pinned-set`, { labels: 'overrides' }));
    const trial = await tried(judgeId, { candidates, margin: 0.1 });
    expect(trial).toMatchObject({
      proposedConfigId: null,
      sentence:
        'no label can be tested: all were chosen by verdicts that a steady judge would not repeat. Finish a drift trial, which gives the verdicts to compare with',
      labels: { numTested: 0 },
    });
    const drift = await ok(own.api('POST', `/metrics/${judgeId}/trials`, { kind: 'drift' }), 201);
    await completed(drift.candidates[0].runId);
    const [after] = await trialsOf(judgeId);
    expect(after).toMatchObject({
      proposedConfigId: trial.candidates[0].metricConfigId,
      sentence: 'local/heir is the cheapest candidate that is equivalent',
      labels: { numTested: records },
    });
  });

  it('404 without pinned records and for a run of another project, 400 for an even number of votes', async () => {
    const { metricId, runId } = await pinned();
    const other = await pinned();
    expect((await start(metricId, { candidates, runIds: [runId, other.runId] })).status).toBe(404);
    expect((await start(metricId, { candidates: [{ judgeRepeats: 2 }] })).status).toBe(400);
    await ok(own.api('DELETE', `/metrics/${metricId}/pinned-set`));
    expect((await start(metricId, { candidates })).status).toBe(404);
  });
});

describe('an alignment', () => {
  it('makes prompts from half of the labels, claims only what the other half shows, and keeps its split', async () => {
    const { metricId } = await pinned();
    // The judge errs on a quarter of the answers.
    const saved = passes.old!;
    passes.old = (answer) => (answer % 4 === 0 ? !isGood(answer) : isGood(answer));
    try {
      const world = await pinned();
      const asked = models.received.length;
      const trial = await tried(world.metricId, {
        kind: 'alignment',
        seed: 7,
        rewriterModelName: 'local/old',
      });
      expect(trial).toMatchObject({ kind: 'alignment', seed: 7 });
      const { numTested: n, numForTuning } = trial.labels;
      expect(n + numForTuning).toBe(records);
      const inputs = Array.from({ length: records }, (_, question) => JSON.stringify({ question }));
      expect(n).toBe(inputs.filter((text) => draw(7, text) >= 0.5).length);
      const [examples, rewrite] = trial.candidates;
      expect(examples).toMatchObject({ how: 'examples', agreement: { n, difference: 0 } });
      expect(examples.guidelines.match(/Example \d/g)).toHaveLength(4);
      expect(rewrite).toMatchObject({
        how: 'rewrite',
        guidelines: 'Pass answers below the middle. No errors.',
        agreement: { n, now: 1, verdict: 'better' },
      });
      expect(trial.proposedConfigId).toBe(rewrite.metricConfigId);
      // No candidate was asked about a question that was shown for tuning.
      const shown = models.received.slice(asked).map(({ messages }) => messages.join());
      const tuning = [...examples.guidelines.matchAll(/answer-(\d+)/g)].map(
        ([, i]) => `is answer-${i} right`,
      );
      expect(tuning).toHaveLength(4);
      for (const prompt of shown) for (const text of tuning) expect(prompt).not.toContain(text);
      const again = await start(world.metricId, { kind: 'alignment', seed: 8 });
      expect(again.status).toBe(409);
      const path = `/metrics/${world.metricId}/trials/1/decide`;
      await ok(own.api('POST', path, { decision: 'adopted', metricConfigId: rewrite.metricConfigId }));
    } finally {
      passes.old = saved;
    }
    expect((await start(metricId, { kind: 'alignment', rewriterModelName: 'none/x' })).status).toBe(400);
  });
});
