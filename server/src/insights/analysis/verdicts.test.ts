// Longer than 400 lines: all verdicts are of the same few runs.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createTestcases,
  createTestset,
  namePeople,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf, type ScoredRecord } from '../../../test/scored-runs.ts';

type Metric = { id: string; outputType: string };
// biome-ignore lint/suspicious/noExplicitAny: answers of the API, read field by field.
type Json = any;

const { app, own } = await openApp();
let projectId: string;
let testcaseIds: string[];
let people: Metric;

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  const testset = await createTestset(own.api, projectId);
  const made = [
    ...(await createTestcases(own.api, testset.id, 60)),
    ...(await createTestcases(own.api, testset.id, 60)),
  ];
  testcaseIds = made.map(({ id }: { id: string }) => id);
  people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
});

/** A metric; one that a model scores names `people`. */
const newMetric = async (outputType: string, evalType = 'heuristic'): Promise<Metric> => {
  const prompt = evalType === 'ai' && { promptTemplate: '{{ outputs.a }}' };
  const metric = await createMetric(own.api, projectId, { evalType, outputType, ...prompt });
  if (evalType === 'ai') await namePeople(own.api, metric.id, people.id);
  return metric;
};
const recordsOf = (metric: Metric, values: (boolean | number | null)[]): ScoredRecord[] =>
  values.map((value, i) => ({ testcaseId: testcaseIds[i]!, scores: { [metric.id]: value } }));
const runOf = async (metrics: Metric[], records: ScoredRecord[]): Promise<string> =>
  (await createRunOf(own.api, projectId, metrics, records)).run.id;
const compare = async (ids: string[], query = ''): Promise<Json> =>
  (await ok(own.api('GET', `/runs/compare?runs=${ids}${query}`))).pairs[0].metrics[0];
const codesOf = ({ caveats }: Json): string[] => caveats.map(({ code }: { code: string }) => code);

it('a verdict that a person put right enters no comparison, no corrected rate, and the summary says so', async () => {
  const judge = await newMetric('boolean', 'ai');
  const values = Array.from({ length: 100 }, (_, i) => i % 2 === 0);
  const made = [
    await createRunOf(own.api, projectId, [judge], recordsOf(judge, values)),
    await createRunOf(own.api, projectId, [judge], recordsOf(judge, values)),
  ] as const;
  const ids = made.map(({ run }) => run.id as string);
  // A worker's verdicts are stored without a user.
  await app.db.transaction(own, async (tx) => {
    await tx`update score set scored_by = null where run_id = any(${ids}::bigint[])`;
    await tx`delete from score_history where run_id = any(${ids}::bigint[])`;
  });
  const before = await compare(ids);
  const { recordIds, configIds } = made[1];
  for (const recordId of recordIds.filter((_, i) => values[i]).slice(0, 20)) {
    const score = { binaryScore: false, reasoning: 'wrong' };
    await ok(own.api('PUT', `/records/${recordId}/scores/${configIds[0]}`, { score }));
  }
  const after = await compare(ids);
  const figures = ({ difference, interval, p, verdict }: Json) => ({ difference, interval, p, verdict });
  expect(figures(after)).toEqual(figures(before));
  expect(after.difference).toBe(0);
  // The rates of a comparison are not those of the run's page.
  expect(after.warnings).toContain(
    "20 scores are a person's in the judge's place: this comparison uses the judge's own verdicts, so the rates of the runs' pages are others",
  );
  expect(codesOf(before)).not.toContain('mixedScorers');
  expect(after.corrected.difference).toBeNull();
  expect(after.judge.after).toMatchObject({ state: 'notCalibrated', correctedRate: null });
  const summary = (await ok(own.api('GET', `/runs/${ids[1]}/summary`))).metrics[0];
  expect(summary.passRate.estimate).toBeCloseTo(0.3, 12);
  expect(summary.passRate.warnings).toContain(
    "20 scores are a person's in the judge's place: the rate is neither the judge's nor people's, and comparisons use the judge's own verdicts",
  );
  expect(summary.judge.correctedRate).toBeNull();
  const unasked = await ok(own.api('GET', `/metrics/${judge.id}/calibration?runId=${ids[1]}`));
  expect([unasked.source, unasked.n, unasked.corrected.predictionPowered.estimate]).toEqual([
    'metric',
    0,
    null,
  ]);
  const asked = await ok(own.api('GET', `/metrics/${judge.id}/calibration?runId=${ids[1]}&labels=overrides`));
  expect(asked.corrected.predictionPowered).toMatchObject({ numLabels: 20, sampled: false });
});

describe('runs without spread', () => {
  it('identical scores have an interval around 0', async () => {
    const metric = await newMetric('float');
    const values = Array.from({ length: 120 }, (_, i) => (i % 7) / 7);
    const result = await compare([
      await runOf([metric], recordsOf(metric, values)),
      await runOf([metric], recordsOf(metric, values)),
    ]);
    expect(result).toMatchObject({ difference: 0, p: 1, reason: null, verdict: 'cannot tell' });
    // 1 − .025^(1/120)
    expect(result.interval.high).toBeCloseTo(0.030273, 5);
    expect(codesOf(result)).toContain('noSpread');
  });
  it('everyone lost one star: worse', async () => {
    const metric = await newMetric('int');
    const values = Array.from({ length: 60 }, (_, i) => 2 + (i % 4));
    const after = await runOf(
      [metric],
      recordsOf(
        metric,
        values.map((value) => value - 1),
      ),
    );
    const result = await compare([await runOf([metric], recordsOf(metric, values)), after]);
    expect(result).toMatchObject({ difference: -1, verdict: 'worse' });
    expect(result.interval.high).toBeLessThan(0);
    const perfect = await runOf([metric], recordsOf(metric, Array(100).fill(5)));
    const { mean } = (await ok(own.api('GET', `/runs/${perfect}/summary`))).metrics[0];
    expect(mean.interval.low).toBeGreaterThan(4.8);
  });
  it('a grouped testset that collapses is worse', async () => {
    const metric = await newMetric('boolean');
    const testset = await createTestset(own.api, projectId);
    const items = Array.from({ length: 60 }, (_, i) => ({
      jsonData: { question: `q${i}`, document: `d${i % 20}` },
    }));
    const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    await ok(own.api('PATCH', `/testsets/${testset.id}/settings`, { groupingField: 'document' }));
    const records = (value: boolean): ScoredRecord[] =>
      made.items.map(({ id }: { id: string }) => ({ testcaseId: id, scores: { [metric.id]: value } }));
    const result = await compare([
      await runOf([metric], records(true)),
      await runOf([metric], records(false)),
    ]);
    expect(result).toMatchObject({ losses: 60, verdict: 'worse', effectiveN: 20 });
  });
});

describe('what stands beside a verdict', () => {
  it('missing verdicts have a range and a tipping point', async () => {
    const metric = await newMetric('boolean');
    const before = await runOf(
      [metric],
      recordsOf(metric, [...Array(40).fill(false), ...Array(80).fill(true)]),
    );
    const values = [
      ...Array(30).fill(true),
      ...Array(10).fill(false),
      ...Array(50).fill(true),
      ...Array(30).fill(null),
    ];
    const result = await compare([before, await runOf([metric], recordsOf(metric, values))]);
    expect(result).toMatchObject({
      verdict: 'better',
      n: 90,
      missing: { numMissing: 30, numTestcases: 120, holds: false },
    });
    expect(result.missing.sentence).toMatch(/"better" holds unless \d+ of the 30 missing are failures/);
    expect(codesOf(result)).toContain('missingVerdicts');
  });
  it('several metrics have simultaneous intervals, effect sizes and a detectable difference at their level', async () => {
    const metrics = [await newMetric('boolean'), await newMetric('boolean'), await newMetric('int')];
    const records = (shift: number): ScoredRecord[] =>
      testcaseIds.map((testcaseId, i) => ({
        testcaseId,
        scores: {
          [metrics[0]!.id]: (i * 7 + shift) % 10 < 6,
          [metrics[1]!.id]: (i * 3 + shift) % 11 < 5,
          [metrics[2]!.id]: 1 + ((i * 11 + shift) % 5),
        },
      }));
    const ids = [await runOf(metrics, records(0)), await runOf(metrics, records(1))];
    const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${ids}`));
    for (const { simultaneousLevel, simultaneousInterval, interval } of pairs[0].metrics) {
      expect(simultaneousLevel).toBeCloseTo(1 - 0.05 / 3, 12);
      expect(simultaneousInterval.low).toBeLessThan(interval.low);
    }
    // A metric that no one has scored is no test.
    const unscored = await newMetric('boolean');
    const more = [
      await runOf([...metrics, unscored], records(0)),
      await runOf([...metrics, unscored], records(1)),
    ];
    const answer = await ok(own.api('GET', `/runs/compare?runs=${more}`));
    expect(answer.tests).toBe(3);
    expect(answer.pairs[0].metrics[0].simultaneousLevel).toBeCloseTo(1 - 0.05 / 3, 12);
    const [first, , third] = pairs[0].metrics;
    expect(first.effectSizes).toMatchObject({ cohensD: null, oddsRatio: { method: expect.any(String) } });
    expect(third.effectSizes).toMatchObject({ cohensH: null, cohensD: expect.any(Number) });
  });
  it('test=sequential says where it cannot be had: with groups, and without common testcases', async () => {
    const metric = await newMetric('boolean');
    const testset = await createTestset(own.api, projectId);
    const items = Array.from({ length: 40 }, (_, i) => ({
      jsonData: { question: `q${i}`, document: `d${i % 10}` },
    }));
    const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    await ok(own.api('PATCH', `/testsets/${testset.id}/settings`, { groupingField: 'document' }));
    const run = (passes: number, grouped: boolean) =>
      runOf(
        [metric],
        made.items.map(({ id }: { id: string }, i: number) => ({
          ...(grouped && { testcaseId: id }),
          scores: { [metric.id]: i % 10 < passes },
        })),
      );
    const grouped = await compare([await run(8, true), await run(7, true)], '&test=sequential');
    expect([grouped.watched, codesOf(grouped)]).toEqual([null, expect.arrayContaining(['notSequential'])]);
    expect(grouped.warnings.join()).toContain('the sequential test does not know groups of testcases');
    const apart = await compare([await run(8, false), await run(7, false)], '&test=sequential');
    expect(codesOf(apart)).toContain('notSequential');
    expect(codesOf(await compare([await run(8, true), await run(7, true)]))).not.toContain('notSequential');
  });
  it('test=sequential answers with evidence that may be looked at again', async () => {
    const metric = await newMetric('boolean');
    const before = await runOf([metric], recordsOf(metric, Array(120).fill(true)));
    const after = await runOf(
      [metric],
      recordsOf(
        metric,
        Array.from({ length: 120 }, (_, i) => i % 3 > 0),
      ),
    );
    const result = await compare([before, after], '&test=sequential');
    expect(result).toMatchObject({
      verdict: 'worse',
      mcnemar: null,
      watched: { neededEvidence: expect.closeTo(20, 9) },
    });
    expect(result.watched.numUntilDecided).toBeLessThan(60);
    expect((await compare([before, after])).watched).toBeNull();
    expect((await own.api('GET', `/runs/compare?runs=${before},${after}&test=often`)).status).toBe(400);
  });
});

describe('the judge of a comparison', () => {
  /** Records of 120 testcases: the judge's verdict, and people's on every `labelled`th of them. */
  const judgedRun = (
    judge: Metric,
    verdict: (i: number) => boolean | null,
    human: (i: number) => boolean,
    every: number,
  ) =>
    runOf(
      [judge, people],
      testcaseIds.map((testcaseId, i) => ({
        testcaseId,
        scores: { [judge.id]: verdict(i), [people.id]: i % every === 0 ? human(i) : null },
      })),
    );

  it('that no one checked is said, and no correction is made', async () => {
    const judge = await newMetric('boolean', 'ai');
    const ids = [
      await judgedRun(
        judge,
        () => true,
        () => true,
        1000,
      ),
      await judgedRun(
        judge,
        (i) => i % 2 > 0,
        () => true,
        1000,
      ),
    ];
    const result = await compare(ids);
    expect(result.judge).toMatchObject({
      before: { state: 'tooFewLabels', numLabels: 2 },
      errorInInterval: false,
    });
    expect(codesOf(result)).toContain('judgeNotCalibrated');
    expect(result.warnings.join()).toContain("the interval leaves the judge's errors out");
  });

  it('that is no better than chance is named, and people find the other verdict', async () => {
    const judge = await newMetric('boolean', 'ai');
    // The judge flips: it passes 3 of 4 whatever people say, and more of the second run.
    const before = await judgedRun(
      judge,
      (i) => i % 4 < 2,
      (i) => i % 10 < 8,
      2,
    );
    const after = await judgedRun(
      judge,
      (i) => i % 4 < 3,
      (i) => i % 10 < 4,
      2,
    );
    const result = await compare([before, after]);
    expect(result.verdict).toBe('better');
    expect(result.judge.after).toMatchObject({
      state: 'noBetterThanChance',
      peopleMetricId: people.id,
      numLabels: 120,
    });
    expect(result.judge.after.labelledAt).toMatch(/^20\d\d-/);
    expect(codesOf(result)).toContain('judgeNoBetterThanChance');
    expect(result.corrected).toMatchObject({
      n: 120,
      labelled: { before: 60, after: 60, both: 60 },
      verdict: 'worse',
      sampled: false,
    });
    expect(result.corrected.interval.high).toBeLessThan(0);
    expect(codesOf(result.corrected)).toContain('notSampled');
    expect(result.corrected.moreLabels).toMatch(/labels/);
    const plan = await ok(own.api('GET', `/projects/${projectId}/plan?metricId=${judge.id}`));
    expect(plan.labels).toMatchObject({
      before,
      after,
      labelled: { both: 60 },
      interval: result.corrected.interval,
    });
  });

  it('that errs otherwise on the two runs has a test of it with a line of its own', async () => {
    const judge = await newMetric('boolean', 'ai');
    const human = (i: number) => i % 3 > 0;
    const lenient = (i: number) => human(i) || i % 2 === 0;
    const ids = [await judgedRun(judge, human, human, 1), await judgedRun(judge, lenient, human, 1)];
    const result = await compare(ids);
    expect(result.judge.errors).toMatchObject({
      sensitivity: { before: 1, after: 1, numBefore: 80, numAfter: 80, difference: 0 },
      specificity: { before: 1, after: 0.5, numBefore: 40, numAfter: 40, difference: -0.5 },
      level: 0.95,
      verdict: 'differs',
    });
    expect(result.judge.errors.p).toBeLessThan(0.001);
    expect(result.judge.errors.specificity.interval.high).toBeLessThan(0);
    expect(result.judge.errors.sentence).toContain('the judge errs otherwise on the two runs');
    expect(result.judge.errors.sentence).toContain('specificity 1.00 on 40 and 0.50 on 40 labels');
    expect(result.warnings).toContain(result.judge.errors.sentence);
    const same = await compare([ids[0]!, await judgedRun(judge, human, human, 1)]);
    expect(same.judge.errors).toMatchObject({ p: 1, verdict: 'cannot tell' });
    expect(codesOf(same)).not.toContain('judgeErrsDifferently');
    const few = await compare([ids[0]!, await judgedRun(judge, human, human, 60)]);
    expect(few.judge.errors).toMatchObject({ p: null, verdict: 'unknown' });
  });

  it('that is calibrated has its errors beside the difference, and what it left out is counted', async () => {
    const judge = await newMetric('boolean', 'ai');
    const human = (i: number) => i % 3 > 0;
    const verdict = (i: number) => (i % 40 === 7 ? null : i % 10 === 0 ? !human(i) : human(i));
    const ids = [await judgedRun(judge, verdict, human, 1), await judgedRun(judge, verdict, human, 1)];
    const { judge: status } = await compare(ids);
    expect(status.before).toMatchObject({
      state: 'calibrated',
      abstained: 6,
      youden: { estimate: expect.closeTo(0.8, 1) },
    });
    const calibration = await ok(
      own.api('GET', `/metrics/${judge.id}/calibration?against=${people.id}&runId=${ids[0]}`),
    );
    expect(calibration.abstained).toMatchObject({
      numRecords: 6,
      numLabels: 240,
      share: { estimate: 0.025 },
    });
    expect(codesOf(calibration)).toContain('abstained');
    expect(calibration.corrected.predictionPowered).toMatchObject({
      numDisagreements: 12,
      numLabelsToHalve: null,
    });
  });

  it('weighs labels of review samples that the service drew on both runs by their inclusion probabilities', async () => {
    const judge = await newMetric('boolean', 'ai');
    const human = (i: number) => i % 3 > 0;
    const sampledRun = async (wrong: (i: number) => boolean) => {
      const records = testcaseIds.map((testcaseId, i) => ({
        testcaseId,
        scores: { [judge.id]: wrong(i) ? !human(i) : human(i) },
      }));
      const { run } = await createRunOf(own.api, projectId, [judge], records);
      const body = { metricId: people.id, size: 60, seed: 5 };
      const sample = await ok(own.api('POST', `/runs/${run.id}/review-samples`, body), 201);
      const { data } = await ok(own.api('GET', `/review-samples/${sample.id}/records?limit=100`));
      const items = data.map(({ recordId }: { recordId: string }) => ({
        recordId,
        metricConfigId: sample.metricConfigId,
        score: { binaryScore: human(Number(recordId.split('-')[1]) - 1) },
      }));
      await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
      return run.id as string;
    };
    // The judge wrongly fails two of five good answers of the second run; people see two equal runs.
    const ids = [await sampledRun((i) => i % 8 === 0), await sampledRun((i) => i % 5 < 2 && human(i))];
    const { verdict, corrected } = await compare(ids);
    expect(verdict).toBe('worse');
    expect(corrected).toMatchObject({
      n: 120,
      method: 'paired ppi++',
      labelled: { before: 60, after: 60 },
      sampled: true,
      verdict: 'cannot tell',
    });
    expect(codesOf(corrected)).not.toContain('notSampled');
    expect(corrected.interval.low).toBeLessThan(0);
    expect(corrected.interval.high).toBeGreaterThan(0);
  });

  it('corrected differences of several metrics are adjusted together', async () => {
    const judges = [await newMetric('boolean', 'ai'), await newMetric('boolean', 'ai')];
    const metrics = [...judges, people];
    const run = (human: (i: number) => boolean) =>
      runOf(
        metrics,
        testcaseIds.map((testcaseId, i) => ({
          testcaseId,
          scores: {
            [judges[0]!.id]: i % 10 === 0 ? !human(i) : human(i),
            [judges[1]!.id]: i % 7 === 0 ? !human(i) : human(i),
            [people.id]: i % 2 ? null : human(i),
          },
        })),
      );
    const ids = [await run((i) => i % 10 < 8), await run((i) => i % 10 < 7)];
    const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${ids}`));
    const [a, b] = judges.map(
      ({ id }) => pairs[0].metrics.find((one: Json) => one.metricId === id).corrected,
    );
    expect([a.tests, b.tests, a.simultaneousLevel]).toEqual([2, 2, 0.975]);
    const [least, most] = [Math.min(a.p, b.p), Math.max(a.p, b.p)];
    expect(Math.min(a.adjustedP, b.adjustedP)).toBeCloseTo(Math.min(1, 2 * least), 12);
    expect(Math.max(a.adjustedP, b.adjustedP)).toBeCloseTo(Math.max(Math.min(1, 2 * least), most), 12);
    expect(a.simultaneousInterval.low).toBeLessThan(a.interval.low);
  });

  it('a metric that code scores has no judge', async () => {
    const metric = await newMetric('boolean');
    const ids = [
      await runOf([metric], recordsOf(metric, [true, false])),
      await runOf([metric], recordsOf(metric, [true, true])),
    ];
    expect(await compare(ids)).toMatchObject({ judge: null, corrected: null });
  });
});

describe('GET /runs/:runId/summary?by=', () => {
  it('compares each group with the rest, adjusted for the number of groups', async () => {
    const metric = await newMetric('boolean');
    const records = testcaseIds.map((testcaseId, i) => ({
      testcaseId,
      inputs: { part: `p${i % 10}`, question: i },
      scores: { [metric.id]: i % 10 === 3 ? false : i % 7 > 0 },
    }));
    const run = await runOf([metric], records);
    const { breakdown } = await ok(own.api('GET', `/runs/${run}/summary?by=inputs.part`));
    const groups: { value: string; metrics: Json[] }[] = breakdown.groups;
    const found = groups.filter(({ metrics }) => metrics[0].versusRest.adjustedP <= 0.05);
    expect(found.map(({ value }) => value)).toEqual(['p3']);
    expect(found[0]!.metrics[0].versusRest.difference).toBeLessThan(-0.7);
    for (const { metrics } of groups)
      expect(metrics[0].versusRest.adjustedP).toBeGreaterThanOrEqual(metrics[0].versusRest.p);
  });
});

describe('the summary', () => {
  it('says how well the judge of a metric is calibrated if a model scores it, and says nothing for other metrics', async () => {
    const judge = await newMetric('boolean', 'ai');
    const truth = Array.from({ length: 60 }, (_, i) => i % 3 !== 0);
    const { run } = await createRunOf(
      own.api,
      projectId,
      [judge, people],
      truth.map((passed, i) => ({
        testcaseId: testcaseIds[i]!,
        scores: { [judge.id]: i % 10 === 0 ? !passed : passed, [people.id]: passed },
      })),
    );
    const { metrics } = await ok(own.api('GET', `/runs/${run.id}/summary`));
    const of = (metric: Metric) => metrics.find(({ metricId }: Json) => metricId === metric.id);
    expect(of(judge).judge).toMatchObject({ state: 'calibrated', numLabels: 60, peopleMetricId: people.id });
    expect(of(people).judge).toBeNull();
  });

  it('corrects the pass rate as the calibration of the run does, and so do trends and comparisons', async () => {
    const judge = await newMetric('boolean', 'ai');
    // Of 120 testcases 60 have a label: it passes 2 of 3, and is wrong on each tenth.
    const scoresOf = (i: number) => ({
      [judge.id]: (i % 3 !== 0) !== (i % 10 === 0),
      [people.id]: i < 60 ? i % 3 !== 0 : null,
    });
    const records = testcaseIds.map((testcaseId, i) => ({ testcaseId, scores: scoresOf(i) }));
    const runs = [
      (await createRunOf(own.api, projectId, [judge, people], records)).run.id,
      (await createRunOf(own.api, projectId, [judge, people], records.slice(0, 90))).run.id,
    ];
    const isOfJudge = ({ metricId }: Json) => metricId === judge.id;
    const ofJudge = async (path: string) => (await ok(own.api('GET', path))).metrics.find(isOfJudge);
    const trend = await ofJudge(`/projects/${projectId}/trends?metricId=${judge.id}&judges=true`);
    const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${runs.join()}`));
    const compared = pairs[0].metrics.find(isOfJudge).judge;
    for (const [i, runId] of runs.entries()) {
      const path = `/metrics/${judge.id}/calibration?runId=${runId}`;
      const { predictionPowered, roganGladen } = (await ok(own.api('GET', path))).corrected;
      const { correctedRate, ...status } = (await ofJudge(`/runs/${runId}/summary`)).judge;
      expect(correctedRate.interval).not.toBeNull();
      expect(predictionPowered).toMatchObject(correctedRate);
      expect(roganGladen.estimate).not.toBe(correctedRate.estimate);
      expect(trend.points[i].judge).toEqual({ ...status, correctedRate });
      expect(compared[i === 0 ? 'before' : 'after'].correctedRate).toEqual(correctedRate);
    }
    const plain = await ofJudge(`/projects/${projectId}/trends?metricId=${judge.id}`);
    expect(plain.points[0]).not.toHaveProperty('judge');
  });

  it('corrects by the error rates of the judge where the run has no labels, and not at all without any label', async () => {
    const judge = await newMetric('boolean', 'ai');
    const scored = (labelled: boolean) =>
      testcaseIds.slice(0, 60).map((testcaseId, i) => ({
        testcaseId,
        scores: {
          [judge.id]: (i % 3 !== 0) !== (i % 10 === 0),
          ...(labelled && { [people.id]: i % 3 !== 0 }),
        },
      }));
    const { run } = await createRunOf(own.api, projectId, [judge], scored(false));
    const rateOf = async () =>
      (await ok(own.api('GET', `/runs/${run.id}/summary`))).metrics[0].judge.correctedRate;
    expect(await rateOf()).toBeNull();
    await createRunOf(own.api, projectId, [judge, people], scored(true));
    expect(await rateOf()).toMatchObject({
      method: expect.stringContaining('rogan'),
      uncorrected: 0.6333333333333333,
    });
  });
});
