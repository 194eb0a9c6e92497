import { beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../../test/fixtures.ts';
import { completed, createJudged } from '../../../../test/judged.ts';
import { openJudging } from '../../../../test/judging.ts';
import { system } from '../../../platform/db/database.ts';

const { app, models, own } = await openJudging({});
const records = 90;

beforeAll(async () => {
  models.answer(({ messages, body }) => {
    const prompt = messages.join();
    const answer = Number(/answer-(\d+)/.exec(prompt)![1]);
    // Half of the failing answers pass when they are long.
    const isLong = prompt.includes('nothing in this paragraph adds to it');
    // One judge passes half of the failing answers that its own model wrote.
    const isOwn = body.model === 'vain' && /style of vain, number \d*[02468]\b/.test(prompt);
    return { reply: { reasoning: 'r', binaryScore: answer < 50 || (isLong && answer % 2 === 0) || isOwn } };
  });
});

it('a battery finds a judge that passes longer answers, clears it of the other edits, and says which do not apply', async () => {
  const { projectId, judgeId, peopleId, run, recordIds } = await createJudged(own.api, {
    records,
    isGood: (answer) => answer < 50,
    model: 'local/long',
  });
  const start = (body: object) => own.api('POST', `/metrics/${judgeId}/trials`, { kind: 'battery', ...body });
  expect(await start({})).toMatchObject({ status: 404 });
  await ok(own.api('PUT', `/metrics/${judgeId}/pinned-set`, { against: peopleId }));
  expect(await start({ edits: ['order'] })).toMatchObject({ status: 400 });
  expect(await start({ metricConfigId: run.metricVersionIds[1] })).toMatchObject({ status: 404 });
  const estimate = await ok(own.api('POST', `/metrics/${judgeId}/trials/estimate`, { kind: 'battery' }));
  expect(estimate).toMatchObject({ numRecords: records, numVerdicts: 7 * records });
  expect(estimate.biases.find(({ bias }: { bias: string }) => bias === 'order')).toMatchObject({
    numRecords: 0,
    reason: expect.stringContaining('list of two or more'),
  });
  const { number } = await ok(start({}), 201);
  const read = () => ok(own.api('GET', `/metrics/${judgeId}/trials/${number}`));
  await expect.poll(async () => (await read()).state, { timeout: 60_000 }).toBe('ready');
  const trial = await read();
  const sentence = 'biased by padding; not applicable: order, self-preference';
  expect(trial).toMatchObject({ kind: 'battery', margin: 0.05, sentence });
  expect(trial.battery).toMatchObject({
    verdict: 'biased',
    complete: true,
    numRecords: records,
    servedModelNames: ['long-2025-01-01'],
    metricHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(trial.battery.biases.map(({ bias, verdict }: Record<string, string>) => [bias, verdict])).toEqual([
    ['padding', 'biased'],
    ['order', 'not applicable'],
    ['author', 'clear'],
    ['authority', 'clear'],
    ['format', 'clear'],
    ['language', 'clear'],
    ['selfPreference', 'not applicable'],
  ]);
  const biases = Object.fromEntries(
    trial.candidates.map(({ how, bias }: { how: string; bias: { verdict: string } | null }) => [
      how,
      bias?.verdict ?? null,
    ]),
  );
  // What it found stands beside every rate of the judge.
  const judgeNow = async () => (await ok(own.api('GET', `/metrics/${judgeId}/calibration`))).judge;
  const doubted = async () => (await judgeNow()).doubts.map(({ code }: { code: string }) => code);
  await expect.poll(doubted).toEqual(['biased']);
  const biased = 'may gate alone; biased';
  const said = expect.stringMatching(
    /may gate alone: its rate can be off .*; its bias battery of .* says: biased by padding/,
  );
  expect(await judgeNow()).toMatchObject({ trust: biased, sentence: said });
  const summary = await ok(own.api('GET', `/runs/${run.id}/summary`));
  expect(summary.metrics[0].judge).toMatchObject({
    trust: biased,
    doubts: [{ code: 'biased' }],
    sentence: said,
  });
  const trends = await ok(own.api('GET', `/projects/${projectId}/trends?judges=true`));
  expect(trends.metrics[0].points[0].judge.trust).toBe(biased);
  const compared = await ok(own.api('GET', `/runs/compare?runs=${run.id},${trial.candidates[0].runId}`));
  expect(compared.pairs[0].metrics[0].judge.before.trust).toBe(biased);
  expect(biases).toEqual({
    reference: null,
    placebo: null,
    padding: 'biased',
    author: 'clear',
    authority: 'clear',
    format: 'clear',
    language: 'clear',
  });
  const padding = trial.candidates.find(({ how }: { how: string }) => how === 'padding');
  expect(padding.bias).toMatchObject({ n: records, numFlips: 20, numPlaceboFlips: 0, direction: 'pass' });
  // The record itself is as it was, and a battery neither gates nor replaces a judge.
  const text = (await ok(own.api('GET', `/records/${recordIds[60]}`))).outputs.text;
  expect(text).toBe('answer-60');
  const decide = (decision: string) =>
    own.api('POST', `/metrics/${judgeId}/trials/${number}/decide`, {
      decision,
      ...(decision === 'adopted' && { metricConfigId: trial.metricConfigId }),
    });
  expect(await decide('adopted')).toMatchObject({ status: 409 });
  expect(await ok(decide('discarded'))).toMatchObject({ state: 'discarded' });
  // The verdict outlives the runs of the battery, and another pinned set.
  for (const { runId } of trial.candidates) await ok(own.api('DELETE', `/runs/${runId}`));
  expect((await read()).battery).toEqual(trial.battery);
  await ok(own.api('PUT', `/metrics/${judgeId}/pinned-set`, { against: peopleId }));
  expect(await read()).toMatchObject({ battery: trial.battery, sentence, candidates: [] });
  // So does evidence that is too old.
  const passport = async () => (await ok(own.api('GET', `/metrics/${judgeId}/passport`))).payload;
  const age = (days: number) => `now() - interval '${days} days'`;
  await app.db.transaction(system, (tx) =>
    tx.unsafe(
      `update trial set verdict = jsonb_set(verdict::jsonb, '{decidedAt}', to_jsonb(${age(181)}))::json where kind = 'battery'`,
    ),
  );
  expect(await doubted()).toEqual(['biased', 'batteryExpired']);
  expect((await judgeNow()).trust).toBe('may gate alone; biased; bias battery expired');
  expect((await passport()).batteryReason).toContain('the newest battery is 181 days old');
  await app.db.transaction(system, (tx) =>
    tx.unsafe(
      `update trial set verdict = (verdict::jsonb || jsonb_build_object('verdict', 'clear', 'decidedAt', ${age(1)}))::json where kind = 'battery'`,
    ),
  );
  expect(await passport()).toMatchObject({ batteryCounts: true });
  expect(await doubted()).toEqual([]);
  await app.db.transaction(system, (tx) =>
    tx.unsafe(`update score set updated_at = ${age(366)} where scored_by is not null`),
  );
  expect(await doubted()).toEqual(['labelsExpired']);
  expect(await passport()).toMatchObject({
    batteryCounts: false,
    batteryReason: expect.stringContaining('its passport has expired: its newest label is 366 days old'),
  });
});

it('a battery finds a judge that prefers outputs of its own model, and clears one that does not', async () => {
  const judged = async (judgeModel: string) => {
    const projectId: string = (await createProject(own.api)).id;
    const judge = await createMetric(own.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: `Project ${projectId}: is {{ outputs.text }} right?`,
      evalModelName: `local/${judgeModel}`,
    });
    const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    for (const writer of [judgeModel, 'other']) {
      const system = { name: writer, description: '', config: { modelName: `local/${writer}` } };
      const { productionVersion: version } = await ok(
        own.api('POST', `/projects/${projectId}/systems`, system),
        201,
      );
      const run = await createRun(own.api, projectId, [judge.id, people.id], { systemVersionId: version.id });
      // Half of the answers of each model are right. One judge sees the style of its own model.
      const records = Array.from({ length: 60 }, (_, i) => ({
        inputs: { question: i },
        expected: {},
        outputs: { text: `answer-${i < 30 ? 0 : 90} in the style of ${writer}, number ${i}` },
        scores: [{ metricConfigId: run.metricVersionIds[1], score: { binaryScore: i < 30 } }],
      }));
      await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items: records }), 201);
      await completed(own.api, run.id);
    }
    await ok(own.api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id }));
    const edits = { kind: 'battery', edits: ['selfPreference'] };
    const { number } = await ok(own.api('POST', `/metrics/${judge.id}/trials`, edits), 201);
    const read = () => ok(own.api('GET', `/metrics/${judge.id}/trials/${number}`));
    await expect.poll(async () => (await read()).state, { timeout: 60_000 }).toBe('ready');
    return (await read()).battery;
  };
  const [vain, fair] = [await judged('vain'), await judged('fair')];
  expect(vain.biases).toMatchObject([{ bias: 'selfPreference', verdict: 'biased', n: 120 }]);
  expect(vain).toMatchObject({ verdict: 'biased', sentence: 'biased by self-preference' });
  expect(vain.biases[0].sentence).toMatch(
    /outputs of its own model \(60\) pass 25\.0 points more often than others/,
  );
  expect(fair.biases).toMatchObject([{ bias: 'selfPreference', verdict: 'clear', difference: 0 }]);
  expect(fair.verdict).not.toBe('biased');
});
