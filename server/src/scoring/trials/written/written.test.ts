import { beforeAll, expect, it } from 'vitest';
import { ok } from '../../../../test/fixtures.ts';
import { createJudged } from '../../../../test/judged.ts';
import { openJudging } from '../../../../test/judging.ts';
import { system } from '../../../platform/db/database.ts';

const { app, models, own } = await openJudging({ prices: { live: { input: 1, output: 4 } } });
const records = 120;
const isGood = (answer: number) => answer < records / 2;

/** By its wording, a prompt errs on each fourth answer, on each tenth, or on none. */
const errsOn = (prompt: string): number =>
  prompt.includes('perfectly') ? Number.POSITIVE_INFINITY : prompt.includes('carefully') ? 10 : 4;
let asked: string[] = [];

type Compared = { people: boolean; before: { passed: boolean }; after: { passed: boolean } };

beforeAll(async () => {
  models.answer(({ messages }) => {
    const prompt = messages.join();
    asked.push(prompt);
    const answer = Number(/answer-(\d+)/.exec(prompt)![1]);
    const errs = answer % errsOn(prompt) === 0 && (answer > 0 || errsOn(prompt) < 100);
    return { reply: { reasoning: `reason ${answer}`, binaryScore: isGood(answer) !== errs } };
  });
});

it('an edited prompt is measured beside the saved one on labels for tuning, then on labels that are kept', async () => {
  const { judgeId, peopleId, projectId } = await createJudged(own.api, {
    records,
    isGood,
    model: 'local/live',
  });
  const template = (word: string) =>
    `Project ${projectId}: is {{ outputs.text }} ${word} right? {{ guidelines }}`;
  const create = (word: string, body: object = {}) =>
    own.api('POST', `/metrics/${judgeId}/trials`, {
      kind: 'alignment',
      candidates: [{ promptTemplate: template(word) }],
      ...body,
    });
  const estimate = (word: string, split: string) =>
    ok(
      own.api('POST', `/metrics/${judgeId}/trials/estimate`, {
        kind: 'alignment',
        candidates: [{ promptTemplate: template(word) }],
        split,
      }),
    );
  const read = (n: number) => ok(own.api('GET', `/metrics/${judgeId}/trials/${n}`));
  const done = async (n: number) => {
    await expect.poll(async () => (await read(n)).state, { timeout: 60_000 }).toBe('ready');
    return read(n);
  };
  const changes = (n: number, query = '') =>
    own.api('GET', `/metrics/${judgeId}/trials/${n}/changes?limit=100${query}`);
  const decide = (n: number, body: object) => own.api('POST', `/metrics/${judgeId}/trials/${n}/decide`, body);

  expect(await create('carefully')).toMatchObject({ status: 404 });
  await ok(own.api('PUT', `/metrics/${judgeId}/pinned-set`, { against: peopleId }));
  for (const [body, at] of [
    [{ candidates: [{ promptTemplate: '{{ answer }}' }] }, '/candidates/0/promptTemplate'],
    [{ seed: 1 }, '/seed'],
    [{ candidates: undefined, split: 'dev' }, '/split'],
  ] as const)
    expect((await create('carefully', body)).body.details.issues[0]).toMatchObject({ path: at });

  // The labels are those of the calibration, split in the same way.
  asked = [];
  const before = await estimate('carefully', 'dev');
  const calibrated = async (split: string) =>
    (await ok(own.api('GET', `/metrics/${judgeId}/calibration?split=${split}`))).agreement;
  for (const split of ['dev', 'test']) {
    const { n, estimate, interval } = await calibrated(split);
    expect(before.saved[split]).toMatchObject({ n, estimate, interval });
  }
  const { dev, test } = before.saved;
  expect(dev.n + test.n).toBe(records);
  expect(before).toMatchObject({
    numRecords: dev.n,
    numVerdicts: dev.n,
    basis: 'earlierScores',
    numChecks: 0,
  });
  expect(before.costUsd).toBeGreaterThan(0);
  expect(before.sentence).toContain(`${dev.n} verdicts on ${dev.n} pinned labels for tuning, about $`);
  expect(asked).toEqual([]);

  const tuned = await ok(create('carefully', { split: 'dev' }), 201);
  expect(tuned).toMatchObject({
    split: 'dev',
    seed: null,
    labels: { numTested: dev.n, numForTuning: dev.n },
  });
  const first = await done(tuned.number);
  expect(asked).toHaveLength(dev.n);
  const [{ agreement }] = first.candidates;
  expect(agreement).toMatchObject({ n: dev.n, before: dev.estimate, beforeInterval: dev.interval });
  expect(agreement.nowInterval.low).toBeLessThan(agreement.now);
  expect(agreement.now).toBeGreaterThan(agreement.before);
  expect(first).toMatchObject({
    proposedConfigId: null,
    sentence: expect.stringContaining('check it on the labels'),
  });
  const adopted = { decision: 'adopted', metricConfigId: first.candidates[0].metricConfigId };
  expect(await decide(tuned.number, adopted)).toMatchObject({ status: 409 });

  // The disagreements of both prompts, with both reasons.
  const { data } = await ok(changes(tuned.number, '&disagreements=true'));
  const errors = (share: number | null) => Math.round(dev.n * (1 - share!));
  expect(data.filter((item: Compared) => item.before.passed !== item.people)).toHaveLength(
    errors(agreement.before),
  );
  expect(data.filter((item: Compared) => item.after.passed !== item.people)).toHaveLength(
    errors(agreement.now),
  );
  expect(data[0]).toMatchObject({
    judgedRecordId: expect.stringMatching(/^\d+-\d+$/),
    before: { score: { reasoning: expect.stringContaining('reason') } },
    after: { score: { reasoning: expect.stringContaining('reason') } },
  });
  expect((await ok(changes(tuned.number, '&change=same'))).data.length).toBeGreaterThan(data.length);

  // The other half is kept: its records are not listed, and it adopts.
  const checked = await done((await ok(create('perfectly'), 201)).number);
  expect(checked).toMatchObject({ split: 'test', labels: { numTested: test.n, numForTuning: dev.n } });
  expect(checked.candidates[0].agreement).toMatchObject({ n: test.n, now: 1, verdict: 'better' });
  expect(checked.sentence).toBe(
    'the edited prompt agrees with people more often, on labels that were held out',
  );
  expect(await changes(checked.number)).toMatchObject({ status: 409 });
  expect(await estimate('perfectly', 'test')).toMatchObject({ numChecks: 1 });
  await ok(decide(checked.number, { ...adopted, metricConfigId: checked.proposedConfigId }));

  // The saved prompt has verdicts on one half now: only the other half asks for it again.
  const half = await estimate('carefully', 'test');
  expect(half).toMatchObject({
    numVerdicts: test.n,
    saved: { test: { n: test.n, estimate: 1 }, dev: { n: 0 } },
  });
  const both = await estimate('carefully', 'dev');
  expect(both).toMatchObject({ numRecords: dev.n, numVerdicts: 2 * dev.n });
  const again = await done((await ok(create('carefully', { split: 'dev' }), 201)).number);
  expect(again.candidates.map(({ how }: { how: string }) => how)).toEqual(['reference', 'model']);
  expect(again.candidates[0].agreement).toBeNull();
  expect(again.candidates[1].agreement).toMatchObject({ n: dev.n, before: 1, verdict: 'worse' });
  expect((await ok(changes(again.number, '&disagreements=true'))).data.length).toBe(
    errors(again.candidates[1].agreement.now),
  );

  // A model that no provider has gives no verdict, and the trial says so; without a price there is no budget.
  const nowhere = { candidates: [{ evalModelName: 'nowhere/judge' }], split: 'dev' };
  const silent = await done((await ok(create('', nowhere), 201)).number);
  expect(silent.sentence).toMatch(
    /^it has no verdicts, because .+ Then retry the failed scores of its runs$/,
  );
  const unpriced = { candidates: [{ evalModelName: 'local/other' }], budgetUsd: 1 };
  expect((await create('', unpriced)).body.details.issues).toEqual([
    {
      path: '/budgetUsd',
      message: expect.stringContaining("the price of 'local/other' is unknown: enter it"),
    },
  ]);

  // Prompts that were only tried fill neither list of configurations, also after their candidates are gone; the adopted one is in both.
  const configurations = async () => [
    (await ok(own.api('GET', `/metrics/${judgeId}/versions`))).data.map(({ id }: { id: string }) => id),
    (await ok(own.api('GET', `/metrics/${judgeId}/calibration?configurations=true`))).configurations.map(
      ({ judge }: { judge: { metricConfigId: string } }) => judge.metricConfigId,
    ),
  ];
  const saved = [checked.proposedConfigId, first.metricConfigId];
  expect(await configurations()).toEqual([saved, saved]);

  // A budget stops it, and discarding cancels the rest.
  const poor = await ok(create('hardly', { split: 'dev', budgetUsd: 0.000001 }), 201);
  await expect.poll(async () => (await read(poor.number)).stopped, { timeout: 60_000 }).toBe(true);
  expect((await read(poor.number)).sentence).toContain('its budget is used up');
  expect(await ok(decide(poor.number, { decision: 'discarded' }))).toMatchObject({ state: 'discarded' });
  expect((await read(poor.number)).candidates[0].numPending).toBe(0);
  await app.db.transaction(system, (tx) => tx`delete from trial_candidate`);
  expect(await configurations()).toEqual([saved, saved]);
});
