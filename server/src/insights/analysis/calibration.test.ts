// Longer than 400 lines: all calibrations are of the same judges and people.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createTestcases,
  createTestset,
  namePeople,
  ok,
} from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { createRunOf, type ScoredRecord } from '../../../test/scored-runs.ts';
import { splitOf } from '../../scoring/labels/split.ts';

type Metric = { id: string; outputType: string };

let app: TestApp;
let own: Organization;
let projectId: string;
let people: Metric;

beforeAll(async () => {
  // Its own database: what a sample draws depends on ids, and here they are always the same.
  app = await startApp({});
  own = await app.organization();
  projectId = (await createProject(own.api)).id;
  people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
});
afterAll(() => app.close());

/** A judge that names `people`. */
const newJudge = async (outputType = 'boolean'): Promise<Metric> => {
  const judge = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType });
  await namePeople(own.api, judge.id, people.id);
  return judge;
};
const runOf = (judge: Metric, records: ScoredRecord[]) =>
  createRunOf(own.api, projectId, [judge, people], records);
const calibrate = (judge: Metric, query = '') =>
  ok(own.api('GET', `/metrics/${judge.id}/calibration?against=${people.id}${query}`));

/** Returns the given number of records of each kind: [judge, people, number]. */
const table = (judge: Metric, counts: [boolean | number | null, boolean | null, number][]): ScoredRecord[] =>
  counts.flatMap(([verdict, label, count]) =>
    Array.from({ length: count }, () => ({ scores: { [judge.id]: verdict, [people.id]: label } })),
  );

describe('GET /metrics/:metricId/calibration', () => {
  it('says whether the judge may gate, by the people that it names, and corrects any rate by its errors', async () => {
    const judge = await newJudge();
    await runOf(
      judge,
      table(judge, [
        [true, true, 45],
        [false, true, 5],
        [true, false, 10],
        [false, false, 40],
      ]),
    );
    const path = `/metrics/${judge.id}/calibration?level=0.95`;
    const answer = await ok(own.api('GET', `${path}&numPasses=594&numJudged=1000`));
    expect(answer.judge).toMatchObject({ state: 'calibrated', numLabels: 100, peopleMetricId: people.id });
    // (.594 + .8 − 1) / (.9 + .8 − 1)
    expect(answer.correctedRate.estimate).toBeCloseTo(0.5629, 4);
    expect(answer.correctedRate.interval.low).toBeLessThan(0.5629);
    const { correctedRate, correctedRates } = await ok(own.api('GET', path));
    expect({ correctedRate, correctedRates }).toEqual({ correctedRate: null, correctedRates: [] });
    const { n, estimate, interval } = answer.correctedRate;
    const several = await ok(own.api('GET', `${path}&rates=0/10,594/1000`));
    expect(several.correctedRates).toEqual([
      { n: 10, estimate: 0, interval: expect.anything() },
      { n, estimate, interval },
    ]);
    expect((await own.api('GET', `${path}&rates=5/4`)).body.details.issues).toMatchObject([
      { path: '/rates' },
    ]);
    expect((await own.api('GET', `${path}&numPasses=2&numJudged=1`)).status).toBe(400);
    const list = await ok(own.api('GET', `/metrics/${judge.id}/calibration/disagreements`));
    expect(list.data).toHaveLength(15);
  });

  it('counts a run that the judge and people scored after its start, as trends do', async () => {
    const judge = await newJudge();
    const { run } = await createRunOf(own.api, projectId, [], [{ scores: {} }, { scores: {} }]);
    const items = await Promise.all(
      [judge, people].flatMap((metric) =>
        [1, 2].map(async (n) => {
          const { data } = await ok(own.api('GET', `/metrics/${metric.id}/versions`));
          return { recordId: `${run.id}-${n}`, metricConfigId: data[0].id, score: { binaryScore: n === 1 } };
        }),
      ),
    );
    await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    const answer = await ok(own.api('GET', `/metrics/${judge.id}/calibration`));
    expect(answer).toMatchObject({ n: 2, hasPinnedSet: false, judge: { peopleMetricId: people.id } });
    const { metrics } = await ok(own.api('GET', `/projects/${projectId}/trends?metricId=${judge.id}`));
    expect(metrics[0].points.map(({ runId }: { runId: string }) => runId)).toEqual([run.id]);
  });

  it('κ of [[20, 5], [10, 15]] is .4 with ASE .1270, beside matrix, sensitivity and specificity', async () => {
    const judge = await newJudge();
    const records = table(judge, [
      [true, true, 20],
      [true, false, 5],
      [false, true, 10],
      [false, false, 15],
      [null, true, 3],
      [true, null, 7],
    ]);
    await runOf(judge, records);
    const answer = await calibrate(judge);
    expect(answer).toMatchObject({
      n: 50,
      level: 0.95,
      source: 'metric',
      split: 'all',
      matrix: { truePositives: 20, falsePositives: 5, falseNegatives: 10, trueNegatives: 15 },
      numDisagreements: 15,
      labels: { unjudged: 3 },
      corrected: null,
      threshold: null,
      weightedKappa: null,
    });
    expect(answer.labels.dev + answer.labels.test).toBe(50);
    expect(answer.kappa.estimate).toBeCloseTo(0.4, 12);
    expect(answer.kappa.standardError).toBeCloseTo(0.127, 4);
    expect(answer.sensitivity).toMatchObject({ method: 'wilson', n: 30, estimate: 20 / 30 });
    expect(answer.specificity).toMatchObject({ method: 'wilson', n: 20, estimate: 15 / 20 });
    expect(answer.agreement.estimate).toBe(35 / 50);
    expect(answer.baseRate.estimate).toBe(30 / 50);
  });

  it('too little is said: without a label there is no number, and each has its reason', async () => {
    const answer = await calibrate(await newJudge());
    expect(answer).toMatchObject({ n: 0, numDisagreements: 0 });
    for (const name of ['sensitivity', 'specificity', 'agreement', 'kappa', 'ac1']) {
      expect(answer[name]).toMatchObject({
        estimate: null,
        interval: null,
        reason: expect.stringMatching(/\w/),
      });
    }
  });

  it('corrects a run’s pass rate by Rogan–Gladen and by PPI++, and refuses for a judge that is no better than chance', async () => {
    const judge = await newJudge();
    const { run } = await runOf(
      judge,
      table(judge, [
        [true, true, 45],
        [false, true, 5],
        [true, false, 10],
        [false, false, 40],
        [true, null, 300],
        [false, null, 100],
      ]),
    );
    const { corrected } = await calibrate(judge, `&runId=${run.id}`);
    // Judged 355 of 500 with sensitivity .9 and specificity .8: (.71 + .8 − 1)/.7.
    expect(corrected.roganGladen).toMatchObject({ n: 500, uncorrected: 0.71, reason: null });
    expect(corrected.roganGladen.estimate).toBeCloseTo(0.51 / 0.7, 12);
    expect(corrected.roganGladen.interval.low).toBeLessThan(0.7286);
    expect(corrected.roganGladen.interval.high).toBeGreaterThan(0.7286);
    expect(corrected.predictionPowered).toMatchObject({
      n: 500,
      numLabels: 100,
      uncorrected: 0.71,
      sampled: false,
    });
    expect(corrected.predictionPowered.interval.low).toBeLessThan(corrected.predictionPowered.interval.high);

    const coin = await newJudge();
    const tossed = await runOf(
      coin,
      table(coin, [
        [true, true, 5],
        [false, true, 5],
        [true, false, 6],
        [false, false, 5],
      ]),
    );
    const refused = (await calibrate(coin, `&runId=${tossed.run.id}`)).corrected.roganGladen;
    expect(refused).toMatchObject({ estimate: null, interval: null });
    expect(refused.reason).toContain('is no better than chance');
  });

  const drawSample = async (runId: string, body: object): Promise<string[]> => {
    const sample = await ok(own.api('POST', `/runs/${runId}/review-samples`, body), 201);
    const drawn: string[] = [];
    let cursor = '';
    do {
      const page = await ok(
        own.api('GET', `/review-samples/${sample.id}/records?limit=100&cursor=${cursor}`),
      );
      drawn.push(...page.data.map(({ recordId }: { recordId: string }) => recordId));
      cursor = page.nextCursor;
    } while (cursor !== '');
    return drawn;
  };

  it('weighs labels of a random sample by the chance that each record had: hard ones were drawn more often', async () => {
    const judge = await newJudge();
    // 300 easy records, 9 in 10 right, and 100 hard ones, half right; the judge passes 2 in 10 failures and all else.
    const records = Array.from({ length: 400 }, (_, i) => {
      const hard = i >= 300;
      const truth = hard ? i % 2 === 0 : i % 10 > 0;
      return { hard, truth, verdict: truth || i % 5 === 0 };
    });
    const { run } = await createRunOf(
      own.api,
      projectId,
      [judge],
      records.map(({ hard, verdict }) => ({
        inputs: { hard: String(hard) },
        scores: { [judge.id]: verdict },
      })),
    );
    const draw = {
      metricId: people.id,
      size: 160,
      seed: 1,
      stratifyBy: { inputField: 'hard' },
      allocation: 'equal',
    };
    const drawn = await drawSample(run.id, draw);
    expect(drawn).toHaveLength(160);
    const { data } = await ok(own.api('GET', `/metrics/${people.id}/versions`));
    const label = (recordId: string) => ({
      recordId,
      metricConfigId: data[0].id,
      score: { binaryScore: records[Number(recordId.split('-')[1]) - 1]!.truth },
    });
    // One that was not drawn is labelled too, and one that was is not.
    const undrawn = `${run.id}-${records.findIndex((_, i) => !drawn.includes(`${run.id}-${i + 1}`)) + 1}`;
    const items = [...drawn.slice(1), undrawn].map(label);
    await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    const { predictionPowered } = (await calibrate(judge, `&runId=${run.id}`)).corrected;
    expect(predictionPowered).toMatchObject({ sampled: true, numLabels: 159, reason: null });
    expect(predictionPowered.warnings.join()).toContain(
      'one record of the sample, most of them without a label yet',
    );
    const truth = records.filter((record) => record.truth).length / 400;
    expect(truth).toBe(0.8);
    // Unweighted, half of the labels would be hard ones and the rate about .7.
    expect(Math.abs(predictionPowered.estimate - truth)).toBeLessThan(0.05);
    expect(predictionPowered.interval.low).toBeLessThan(truth);
    expect(predictionPowered.interval.high).toBeGreaterThan(truth);
  });

  it('counts a stratum that is labelled wholly by its share: the example of docs/reviews.md', async () => {
    const judge = await newJudge();
    // The judge fails 25 of 300 records: 19 of these are failures, as are 8 of those that it passes.
    const records = Array.from({ length: 300 }, (_, i) => ({
      truth: i >= 19 && (i < 25 || i >= 33),
      verdict: i >= 25,
    }));
    const { run } = await createRunOf(
      own.api,
      projectId,
      [judge],
      records.map(({ verdict }) => ({ scores: { [judge.id]: verdict } })),
    );
    const stratifyBy = { metricId: judge.id };
    const drawn = await drawSample(run.id, {
      metricId: people.id,
      size: 100,
      seed: 1,
      stratifyBy,
      allocation: 'equal',
    });
    const { data } = await ok(own.api('GET', `/metrics/${people.id}/versions`));
    const items = drawn.map((recordId) => ({
      recordId,
      metricConfigId: data[0].id,
      score: { binaryScore: records[Number(recordId.split('-')[1]) - 1]!.truth },
    }));
    await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    const answer = await calibrate(judge, `&runId=${run.id}`);
    const { predictionPowered, roganGladen } = answer.corrected;
    const failed = (from: number, to: number) =>
      items.filter(({ recordId, score }) => {
        const n = Number(recordId.split('-')[1]) - 1;
        return n >= from && n < to && !score.binaryScore;
      }).length;
    // All 25 that the judge failed were drawn, and 75 of the 275 others.
    expect(failed(0, 25)).toBe(19);
    expect(predictionPowered).toMatchObject({ sampled: true, numLabels: 100 });
    expect(predictionPowered.estimate).toBeCloseTo(1 - (19 + (275 * failed(25, 300)) / 75) / 300, 12);
    expect(predictionPowered.interval.low).toBeLessThan(273 / 300);
    expect(predictionPowered.interval.high).toBeGreaterThan(273 / 300);
    // The judge's errors count each label by its chance too: of 300 records, not of 100 labels.
    const missed = (275 * failed(25, 300)) / 75;
    expect(answer.specificity.estimate).toBeCloseTo(19 / (19 + missed), 12);
    expect(answer.sensitivity.estimate).toBeCloseTo((275 - missed) / (275 - missed + 6), 12);
    expect(answer.matrix).toMatchObject({ trueNegatives: 19, falseNegatives: 6 });
    expect(answer.judge.specificity).toEqual(answer.specificity);
    expect(roganGladen.estimate).toBeCloseTo(1 - (19 + missed) / 300, 9);
    // People passed 74 of 100 reviewed records; weighted by the draw, their rate is that of the run.
    const { metrics } = await ok(own.api('GET', `/runs/${run.id}/summary`));
    const passRateOf = ({ id }: { id: string }) =>
      metrics.find(({ metricId }: { metricId: string }) => metricId === id).passRate;
    expect(passRateOf(people)).toMatchObject({
      n: 100,
      estimate: expect.closeTo(predictionPowered.estimate, 12),
      method: 'weighted by the draw: wilson on the effective n',
      range: null,
    });
    expect(passRateOf(people).interval.low).toBeLessThan(273 / 300);
    expect(passRateOf(people).interval.high).toBeGreaterThan(273 / 300);
    expect(passRateOf(people).caveats.map(({ code }: { code: string }) => code)).not.toContain('notSampled');
    expect(passRateOf(judge).caveats).toEqual([]);
    // A person chose this record.
    const undrawn = records.findIndex((_, i) => i >= 25 && !drawn.includes(`${run.id}-${i + 1}`));
    const chosen = { ...items[0]!, recordId: `${run.id}-${undrawn + 1}`, score: { binaryScore: false } };
    await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: [chosen] }));
    const after = await calibrate(judge, `&runId=${run.id}`);
    expect(after).toMatchObject({
      n: 100,
      specificity: answer.specificity,
      numDisagreements: answer.numDisagreements + 1,
    });
    const notDrawn = 'one label of records that were not drawn for people does not count';
    expect(after.warnings.join()).toContain(notDrawn);
    const { metrics: later } = await ok(own.api('GET', `/runs/${run.id}/summary`));
    const rate = later.find(({ metricId }: { metricId: string }) => metricId === people.id).passRate;
    expect(rate.estimate).toBeCloseTo(predictionPowered.estimate, 12);
    expect(rate.warnings.join()).toContain(notDrawn);
  });

  it('chooses a passing line on the dev labels and confirms it on the test labels', async () => {
    const judge = await newJudge('int');
    // People pass from 3 on; the judge's own line is 4.
    const records = Array.from({ length: 200 }, (_, i) => ({
      scores: { [judge.id]: 1 + (i % 5), [people.id]: i % 5 >= 2 },
    }));
    await runOf(judge, records);
    const answer = await calibrate(judge);
    expect(answer).toMatchObject({ passingThreshold: 4, matrix: { falseNegatives: 40, falsePositives: 0 } });
    expect(answer.threshold.n).toBe(answer.labels.dev);
    expect(answer.threshold.best).toMatchObject({ threshold: 3, sensitivity: 1, specificity: 1 });
    expect(answer.threshold.onTest).toMatchObject({ n: answer.labels.test, numDisagreements: 0 });
    const [dev, test] = [await calibrate(judge, '&split=dev'), await calibrate(judge, '&split=test')];
    expect([dev.n, test.n]).toEqual([answer.labels.dev, answer.labels.test]);
  });

  it('weighs near misses where both score from 1 to 5', async () => {
    const judge = await newJudge('int');
    const scale = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const pairs = [1, 2, 3, 4, 5, 1, 2, 3, 4, 4].map((score, i) => [score, 1 + (i % 5)] as const);
    const records = pairs.map(([a, b]) => ({ scores: { [judge.id]: a, [scale.id]: b } }));
    await createRunOf(own.api, projectId, [judge, scale], records);
    const answer = await ok(own.api('GET', `/metrics/${judge.id}/calibration?against=${scale.id}`));
    // Nine of ten agree, one is off by one. By chance (a − b)² would be 1.69 + 2 + .1², both variances and the bias.
    expect(answer.weightedKappa.method).toBe('cohen kappa, quadratic weights');
    expect(answer.weightedKappa.estimate).toBeCloseTo(1 - 0.1 / 3.7, 12);
  });

  it('a testcase is on one side of the split in every run, and is one unit', async () => {
    const judge = await newJudge();
    const testset = await createTestset(own.api, projectId);
    const testcases = await createTestcases(own.api, testset.id, 20);
    const records = testcases.map(({ id }: { id: string }) => ({
      testcaseId: id,
      scores: { [judge.id]: true, [people.id]: true },
    }));
    await runOf(judge, records);
    await runOf(judge, records);
    const answer = await calibrate(judge);
    const dev = testcases.filter(({ id }: { id: string }) => splitOf(id) === 'dev').length;
    expect(answer.labels).toMatchObject({ dev: 2 * dev, test: 2 * (20 - dev) });
    expect(answer.warnings).toContain('40 labels are of 20 distinct inputs: each input is one unit');
    expect(answer.agreement.effectiveN).toBeCloseTo(20, 9);
  });

  it('testcases with the same inputs are on one side of the split, and one unit', async () => {
    const judge = await newJudge();
    const testset = await createTestset(own.api, projectId);
    const testcases = await createTestcases(own.api, testset.id, 40);
    const records = testcases.map(({ id }: { id: string }, i: number) => ({
      testcaseId: id,
      inputs: { question: i % 20 },
      // People and the judge disagree on each question once, so that the list has each label of both testcases.
      scores: { [judge.id]: true, [people.id]: false },
    }));
    await runOf(judge, records);
    const answer = await calibrate(judge);
    expect(answer.agreement.effectiveN).toBeCloseTo(20, 9);
    const { data } = await ok(
      own.api('GET', `/metrics/${judge.id}/calibration/disagreements?against=${people.id}&limit=100`),
    );
    const sides = Map.groupBy(
      data as { recordId: string; split: string }[],
      ({ recordId }) => Number(recordId.split('-')[1]) % 20,
    );
    expect(sides.size).toBe(20);
    for (const labels of sides.values()) {
      expect(labels).toHaveLength(2);
      expect(labels[0]!.split).toBe(labels[1]!.split);
    }
    expect(new Set(data.map(({ split }: { split: string }) => split)).size).toBe(2);
  });

  // printf 'dokima:1-1' | sha256sum | cut -c1-8, as a share of 2^32: .146, .956, .445, .068.
  it.each([
    ['1-1', 'test'],
    ['1-2', 'dev'],
    ['1-3', 'test'],
    ['1-4', 'test'],
  ] as const)('label %s is for %s in every release', (id, side) => {
    expect(splitOf(id)).toBe(side);
  });

  it('a configuration is a separate judge: labels of another do not count', async () => {
    const judge = await newJudge();
    const { run } = await runOf(judge, table(judge, [[true, true, 10]]));
    await ok(
      own.api('PATCH', `/metrics/${judge.id}`, {
        evalType: 'heuristic',
        outputType: 'boolean',
        guidelines: 'new',
      }),
    );
    expect((await calibrate(judge)).n).toBe(0);
    expect((await calibrate(judge, `&metricConfigId=${run.metricVersionIds[0]}`)).n).toBe(10);
    expect((await calibrate(judge, `&runId=${run.id}`)).n).toBe(10);
    const { configurations, pinnedSet } = await calibrate(judge, '&configurations=true&pinnedSet=true');
    expect(configurations.map(({ judge }: { judge: { numLabels: number } }) => judge.numLabels)).toEqual([
      0, 10,
    ]);
    const alone = await calibrate(judge, `&metricConfigId=${run.metricVersionIds[0]}`);
    expect(configurations[1]).toEqual({ judge: alone.judge, kappa: alone.kappa });
    expect(pinnedSet).toBeNull();
  });

  it('takes people’s scores in place of the judge’s own, held against what the machine said before', async () => {
    const judge = await newJudge();
    const records = table(judge, [[true, null, 4]]);
    const { run, recordIds, configIds } = await runOf(judge, records);
    // A worker's verdicts are stored without a user.
    await app.db.transaction(
      own,
      (tx) =>
        tx`update score set scored_by = null where run_id = ${run.id} and metric_config_id = ${configIds[0]!}`,
    );
    await app.db.transaction(own, (tx) => tx`delete from score_history where run_id = ${run.id}`);
    for (const [i, binaryScore] of [false, true].entries()) {
      await ok(
        own.api('PUT', `/records/${recordIds[i]}/scores/${configIds[0]}`, {
          score: { binaryScore, reasoning: 'mine' },
        }),
      );
    }
    const answer = await ok(own.api('GET', `/metrics/${judge.id}/calibration?labels=overrides`));
    expect(answer).toMatchObject({
      source: 'overrides',
      n: 2,
      matrix: { truePositives: 1, falsePositives: 1 },
    });
    expect(answer.assumption).toContain('looks worse than it is');
  });

  it('takes thumbs: the majority of a record, none where they are even', async () => {
    const judge = await newJudge();
    const { recordIds } = await runOf(judge, table(judge, [[true, null, 3]]));
    const ratings = [[true], [false, false, true], [true, false]];
    for (const [i, given] of ratings.entries()) {
      for (const rating of given)
        await ok(own.api('POST', `/records/${recordIds[i]}/annotations`, { rating }), 201);
    }
    const answer = await ok(own.api('GET', `/metrics/${judge.id}/calibration?labels=thumbs`));
    expect(answer).toMatchObject({ source: 'thumbs', n: 2, matrix: { truePositives: 1, falsePositives: 1 } });
  });

  it('400 for an unknown source, and for itself', async () => {
    const judge = await newJudge();
    for (const query of ['labels=auto', `against=${judge.id}`, 'labels=stars', 'split=train']) {
      expect((await own.api('GET', `/metrics/${judge.id}/calibration?${query}`)).status).toBe(400);
    }
  });
});

describe('GET /metrics/:metricId/calibration/disagreements', () => {
  it('lists who said what of each record on which they differ', async () => {
    const judge = await newJudge('int');
    const records = table(judge, [
      [5, true, 2],
      [3, true, 1],
      [4, false, 1],
    ]);
    const { recordIds } = await runOf(judge, records);
    const path = `/metrics/${judge.id}/calibration/disagreements?against=${people.id}`;
    const { data } = await ok(own.api('GET', path));
    expect(data).toMatchObject([
      { id: recordIds[2], judge: { value: 3, passed: false }, human: { value: 1, passed: true } },
      { id: recordIds[3], judge: { value: 4, passed: true }, human: { value: 0, passed: false } },
    ]);
    expect(data[0].split).toBe(splitOf(recordIds[2]!));
    const other = data[0].split === 'dev' ? 'test' : 'dev';
    const rest = (await ok(own.api('GET', `${path}&split=${other}`))).data;
    expect(rest.map(({ id }: { id: string }) => id)).not.toContain(recordIds[2]);
    const whole = (await ok(own.api('GET', `${path}&records=true`))).data;
    for (const [i, disagreement] of data.entries()) {
      const {
        blind,
        currentTestcaseRevision: _,
        ...record
      } = await ok(own.api('GET', `/records/${disagreement.recordId}`));
      expect(blind).toBe(false);
      expect(whole[i]).toEqual({ ...disagreement, record });
    }
  });
});
