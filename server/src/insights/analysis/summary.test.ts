import { beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf, type ScoredRecord } from '../../../test/scored-runs.ts';

type Metric = { id: string; outputType: string };

const { app, own } = await openApp();
let projectId: string;
let right: Metric;
let quality: Metric;
let closeness: Metric;

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  const metric = (outputType: string) =>
    createMetric(own.api, projectId, { evalType: 'heuristic', outputType });
  [right, quality, closeness] = [await metric('boolean'), await metric('int'), await metric('float')];
});

const runOf = (records: ScoredRecord[], metrics = [right]) =>
  createRunOf(own.api, projectId, metrics, records);
const summarize = (runId: string, query = '') => ok(own.api('GET', `/runs/${runId}/summary${query}`));
const booleans = (values: (boolean | null)[], fields: Partial<ScoredRecord> = {}): ScoredRecord[] =>
  values.map((value) => ({ ...fields, scores: { [right.id]: value } }));

describe('GET /runs/:runId/summary', () => {
  it('a rate with Wilson’s interval: 81 of 263, and with another level another one', async () => {
    const { run } = await runOf(booleans(Array.from({ length: 263 }, (_, i) => i < 81)));
    const { metrics, level, createdAt } = await summarize(run.id);
    expect(level).toBe(0.95);
    expect(Date.parse(createdAt)).toBeGreaterThan(Date.now() - 60_000);
    const [{ passRate, mean }] = metrics;
    expect(passRate).toMatchObject({
      method: 'wilson',
      n: 263,
      level: 0.95,
      range: null,
      passK: [],
      warnings: [],
    });
    expect(mean).toBeNull();
    expect(passRate.estimate).toBe(81 / 263);
    expect(passRate.interval.low).toBeCloseTo(0.2553, 4);
    expect(passRate.interval.high).toBeCloseTo(0.3662, 4);
    const wider = (await summarize(run.id, '?level=0.99')).metrics[0].passRate;
    expect(wider.level).toBe(0.99);
    expect(wider.interval.low).toBeLessThan(0.25);
  });

  it('none of 20: 0 to .1611, and the rule of three in words', async () => {
    const { run } = await runOf(booleans(Array.from({ length: 20 }, () => false)));
    const { passRate } = (await summarize(run.id)).metrics[0];
    expect(passRate.interval).toMatchObject({ low: 0, high: expect.closeTo(0.1611, 4) });
    expect(passRate.warnings.join()).toMatch(/none of 20 passed.*rule of three.*only 20 testcases/);
  });

  it('a mean beside the share that passes the threshold, and how often each score was given', async () => {
    const values = [5, 4, 4, 3, 1];
    const { run } = await runOf(
      values.map((score) => ({ scores: { [quality.id]: score, [closeness.id]: (score - 1) / 4 } })),
      [quality, closeness],
    );
    const [ofQuality, ofCloseness] = (await summarize(run.id)).metrics;
    expect(ofQuality).toMatchObject({ passingThreshold: 4, outputType: 'int', pinned: true });
    expect(ofQuality.mean).toMatchObject({ method: 'wilson on the effective n', n: 5, estimate: 3.4 });
    // scipy: (p − p̂)² = t²·p(1 − p)/n_eff by brentq, t(4) at .975, n_eff from sem, on the scale from 1 to 5.
    expect(ofQuality.mean.interval.low).toBeCloseTo(1.8366676927386907, 8);
    expect(ofQuality.mean.interval.high).toBeCloseTo(4.57925557121877, 8);
    expect(ofQuality.passRate).toMatchObject({ method: 'wilson', estimate: 0.6 });
    expect(ofQuality.distribution.map(({ numScores }: { numScores: number }) => numScores)).toEqual([
      1, 0, 1, 2, 1,
    ]);
    const bins = ofCloseness.distribution;
    expect(bins).toHaveLength(20);
    expect(bins[19]).toEqual({ low: 0.95, high: 1, numScores: 1 });
    expect(bins[15]).toEqual({ low: 0.75, high: 0.8, numScores: 2 });
  });

  it('pending, unscored, failed and ill-formed scores count apart, and as a range', async () => {
    const { run, recordIds, configIds } = await runOf(
      booleans([true, true, false, null, null, null, null, null]),
    );
    await app.db.transaction(own, async (tx) => {
      await tx`update score set state = 'failed', reason = 'r' where run_id = ${run.id} and n = 4`;
      await tx`update score set state = 'unscored', reason = 'r' where run_id = ${run.id} and n in (5, 8)`;
    });
    const illFormed = { score: { intScore: 3 } };
    await ok(own.api('PUT', `/records/${recordIds[5]}/scores/${configIds[0]}`, illFormed));
    const [metric] = (await summarize(run.id)).metrics;
    expect(metric.states).toEqual({ scored: 3, pending: 1, unscored: 3, failed: 1 });
    expect(metric.passRate).toMatchObject({ n: 3, numTestcases: 3, estimate: 2 / 3 });
    expect(metric.passRate.range).toEqual({
      low: expect.closeTo(2 / 8, 12),
      high: expect.closeTo(7 / 8, 12),
    });
    expect(metric.passRate.warnings.join()).toContain('5 of 8 scores are missing');
    expect(metric.passRate.caveats).toContainEqual({
      code: 'invalidScores',
      sentence: '1 score does not fit the metric: binaryScore is required',
    });
  });

  it('trials of a testcase are averaged first: pass@k, pass^k and who is flaky, n never inflated', async () => {
    const testset = await createTestset(own.api, projectId);
    const testcases = await createTestcases(own.api, testset.id, 3);
    const [a, b, c] = testcases.map(({ id }: { id: string }) => id);
    const tries = (testcaseId: string, values: boolean[]) => booleans(values, { testcaseId });
    const { run } = await runOf([
      ...tries(a, [true, true, true]),
      ...tries(b, [true, false, false]),
      ...tries(c, [false, false, false]),
    ]);
    const { passRate } = (await summarize(run.id)).metrics[0];
    expect(passRate).toMatchObject({
      n: 3,
      numTestcases: 3,
      method: 'wilson on the effective n',
      estimate: expect.closeTo(4 / 9, 12),
    });
    const [, two, three] = passRate.passK;
    // Of one in three, two tries hold it in 2 of 3 cases, and never twice.
    expect(two.passAtK.estimate).toBeCloseTo((1 + 2 / 3) / 3, 12);
    expect(two.passHatK.estimate).toBeCloseTo(1 / 3, 12);
    expect(three.passAtK.estimate).toBeCloseTo(2 / 3, 12);
    expect(passRate.flaky).toEqual({
      numTestcases: 1,
      testcases: [{ testcaseId: b, trials: 3, numPasses: 1 }],
    });
  });

  it('a run without records has its metrics and says that there is nothing', async () => {
    const { run } = await runOf([]);
    const answer = await summarize(run.id);
    expect(answer).toMatchObject({ numRecords: 0, groupedBy: null, breakdown: null });
    expect(answer.metrics).toMatchObject([
      { metricId: right.id, passRate: { estimate: null, interval: null, reason: 'no testcase has a score' } },
    ]);
  });

  it('a configuration that was scored with without being the run’s comes after those that are', async () => {
    const { run, recordIds } = await runOf(booleans([true]));
    const other = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const { metricVersionIds } = (await createRunOf(own.api, projectId, [other], [])).run;
    const score = { binaryScore: false };
    await ok(own.api('PUT', `/records/${recordIds[0]}/scores/${metricVersionIds[0]}`, { score }));
    expect((await summarize(run.id)).metrics).toMatchObject([
      { metricId: right.id, pinned: true, passRate: { estimate: 1 } },
      { metricId: other.id, pinned: false, passRate: { estimate: 0 } },
    ]);
  });

  it('what judges took is added up; of others nothing is said', async () => {
    const judge = await createMetric(own.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: '{{ outputs.a }}',
    });
    const { run } = await createRunOf(own.api, projectId, [judge, right], booleans([true, true, true]));
    expect((await summarize(run.id)).metrics[0].cost).toMatchObject({ costUsd: null, priced: 0 });
    await app.db.transaction(
      own,
      (tx) => tx`
        update score set cost_usd = case when n = 3 then null else 0.25 end, input_tokens = 100, output_tokens = 7
        where run_id = ${run.id} and metric_config_id = ${run.metricVersionIds[0]}`,
    );
    const [ofJudge, ofCode] = (await summarize(run.id)).metrics;
    expect(ofJudge.cost).toEqual({ costUsd: 0.5, inputTokens: 300, outputTokens: 21, priced: 2 });
    expect(ofCode.cost).toBeNull();
  });
});

describe('GET /runs/:runId/summary?by=', () => {
  type Group = {
    value: string;
    numRecords: number;
    metrics: { passRate: { estimate: number; n: number } }[];
  };
  const rates = ({ breakdown }: { breakdown: { groups: Group[] } }) =>
    breakdown.groups.map(({ value, numRecords, metrics }) => [
      value,
      numRecords,
      metrics[0]!.passRate.estimate,
    ]);

  it('a tag: a record counts in each of its tags', async () => {
    const { run, recordIds } = await runOf(booleans([true, false, true]));
    for (const [i, text] of [
      [0, 'money'],
      [1, 'money'],
      [1, 'time'],
    ] as const) {
      await ok(own.api('POST', `/records/${recordIds[i]}/tags`, { text }), 201);
    }
    const answer = await summarize(run.id, '?by=tag');
    expect(answer.breakdown).toMatchObject({ by: 'tag', numGroupsLeftOut: 0 });
    expect(rates(answer)).toEqual([
      ['money', 2, 0.5],
      ['time', 1, 0],
    ]);
    expect(answer.metrics[0].passRate.n).toBe(3);
  });

  it('a field of the inputs or of the testcase, whatever escapes and NULs it holds', async () => {
    const testset = await createTestset(own.api, projectId);
    const items = ['é', 'é', '\0'].map((level) => ({ jsonData: { question: 'q', level } }));
    const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    const values = [true, false, true];
    const { run } = await runOf(
      values.map((value, i) => ({
        testcaseId: made.items[i].id,
        inputs: i === 2 ? { topic: '\0' } : { topic: i, nul: '\0' },
        scores: { [right.id]: value },
      })),
    );
    expect(rates(await summarize(run.id, '?by=metadata.level'))).toEqual([['é', 2, 0.5]]);
    expect(rates(await summarize(run.id, '?by=inputs.question.x'))).toEqual([]);
    const topics = await summarize(run.id, '?by=inputs.topic');
    // What PostgreSQL's text can't hold is not a value; nothing fails.
    expect(rates(topics)).toEqual([]);
  });

  it('the hundred largest groups, and how many are left out', async () => {
    const { run } = await runOf(
      Array.from({ length: 130 }, (_, i) => ({
        inputs: { i: Math.min(i, 119) },
        scores: { [right.id]: true },
      })),
    );
    const { breakdown } = await summarize(run.id, '?by=inputs.i');
    expect(breakdown.groups).toHaveLength(100);
    expect(breakdown.groups[0]).toMatchObject({ value: '119', numRecords: 11 });
    expect(breakdown.numGroupsLeftOut).toBe(20);
  });

  it('400 for what nothing is grouped by', async () => {
    const { run } = await runOf([]);
    for (const query of ['by=outputs.x', 'by=metadata.', 'by=', 'level=95', 'level=0.2']) {
      expect((await own.api('GET', `/runs/${run.id}/summary?${query}`)).status).toBe(400);
    }
  });
});
