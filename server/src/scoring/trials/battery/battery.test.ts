import { beforeAll, expect, it } from 'vitest';
import { ok } from '../../../../test/fixtures.ts';
import { createJudged } from '../../../../test/judged.ts';
import { openJudging } from '../../../../test/judging.ts';

const { models, own } = await openJudging({});
const records = 90;

beforeAll(async () => {
  models.answer(({ messages }) => {
    const prompt = messages.join();
    const answer = Number(/answer-(\d+)/.exec(prompt)![1]);
    // Half of the failing answers pass when they are long.
    const isLong = prompt.includes('nothing in this paragraph adds to it');
    return { reply: { reasoning: 'r', binaryScore: answer < 50 || (isLong && answer % 2 === 0) } };
  });
});

it('a battery finds a judge that passes longer answers, clears it of the other edits, and says which do not apply', async () => {
  const { judgeId, peopleId, run, recordIds } = await createJudged(own.api, {
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
});
