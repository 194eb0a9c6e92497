import { beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, namePeople, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const { own } = await openApp();
let projectId: string;
let right: { id: string; outputType: string };

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  right = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
});

type Case = { passes: boolean; [field: string]: unknown };

const runOf = async (cases: Case[]) => {
  const testset = await createTestset(own.api, projectId);
  const items = cases.map(({ passes: _, ...fields }, i) => ({ jsonData: { question: `q ${i}`, ...fields } }));
  const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const ids: string[] = made.items.map(({ id }: { id: string }) => id);
  const records = cases.map(({ passes }, i) => ({
    testcaseId: ids[i]!,
    inputs: { question: `q ${i}` },
    scores: { [right.id]: passes },
  }));
  return { ...(await createRunOf(own.api, projectId, [right], records)), ids };
};
const summarize = (runId: string, query: string) => own.api('GET', `/runs/${runId}/summary?${query}`);
const summaryOf = (runId: string, query: string) => ok(own.api('GET', `/runs/${runId}/summary?${query}`));
const repeat = (count: number, one: Case): Case[] => Array.from({ length: count }, () => one);

describe('GET /runs/:runId/summary?weightBy=', () => {
  it('weighs each testcase by its number, and says so beside the rate', async () => {
    const { run } = await runOf([
      ...repeat(10, { passes: true, visits: 9 }),
      ...repeat(10, { passes: false, visits: 1 }),
    ]);
    const { weightedBy, metrics } = await summaryOf(run.id, 'weightBy=metadata.visits');
    expect(weightedBy).toEqual({
      field: 'metadata.visits',
      shares: null,
      numTestcases: 20,
      numLeftOut: 0,
      sentence: 'weighted by metadata.visits',
    });
    const { passRate } = metrics[0];
    expect(passRate.method).toBe('weighted by metadata.visits: wilson on the effective n');
    expect(passRate.estimate).toBeCloseTo(0.9, 12);
    // (10·9 + 10·1)²/(10·81 + 10·1)
    expect(passRate.effectiveN).toBeCloseTo(10_000 / 820, 8);
    // √Σ(h(y − m))²/(1 − h): h = .09 with deviation .1, h = .01 with deviation −.9.
    const variance = 10 * ((0.09 * 0.1) ** 2 / 0.91 + (0.01 * 0.9) ** 2 / 0.99);
    expect(passRate.standardError).toBeCloseTo(Math.sqrt(variance), 12);
    expect((await summaryOf(run.id, '')).metrics[0].passRate.estimate).toBe(0.5);
    expect((await summaryOf(run.id, '')).weightedBy).toBeUndefined();
  });

  it('leaves out testcases without a number above 0, counts them, and names one', async () => {
    const { run, ids } = await runOf([
      ...repeat(4, { passes: true, visits: 5 }),
      { passes: false, visits: 0 },
      { passes: false, visits: 'many' },
      { passes: false },
    ]);
    const { weightedBy, metrics } = await summaryOf(run.id, 'weightBy=metadata.visits');
    expect(weightedBy).toMatchObject({
      numTestcases: 4,
      numLeftOut: 3,
      sentence: 'weighted by metadata.visits; 3 testcases without it are left out',
    });
    expect(metrics[0].passRate).toMatchObject({ estimate: 1, n: 4 });
    expect(metrics[0].passRate.caveats).toContainEqual({
      code: 'withoutWeight',
      sentence: `3 testcases have no weight by metadata.visits and are left out, such as ${ids[4]}: the number is about the others`,
    });
  });

  it('says that few testcases decide if the effective n is below half of n', async () => {
    const { run } = await runOf([
      { passes: true, visits: 1000 },
      ...repeat(19, { passes: false, visits: 1 }),
    ]);
    const { passRate } = (await summaryOf(run.id, 'weightBy=metadata.visits')).metrics[0];
    expect(passRate.caveats).toContainEqual(
      expect.objectContaining({
        code: 'unequalWeights',
        sentence: expect.stringContaining('20 units count as 1'),
      }),
    );
  });

  it('refuses a field without a number, with a testcase and what it has', async () => {
    const { run, ids } = await runOf([{ passes: true, intent: 'refund' }, { passes: true }]);
    const { status, body } = await summarize(run.id, 'weightBy=metadata.intent');
    expect(status).toBe(400);
    expect(body.message).toContain(`testcase ${ids[0]} has "refund"`);
    expect((await summarize(run.id, 'weightBy=metadata.nothing')).body.message).toContain(
      'none has the field',
    );
    expect((await summarize(run.id, 'weightBy=inputs.question')).status).toBe(400);
  });
});

describe('GET /runs/:runId/summary?shares=', () => {
  const intents = () =>
    runOf([
      ...repeat(8, { passes: true, intent: 'refund' }),
      ...repeat(2, { passes: false, intent: 'refund' }),
      ...repeat(5, { passes: true, intent: 'order' }),
      ...repeat(5, { passes: false, intent: 'order' }),
      ...repeat(3, { passes: false, intent: 'other' }),
    ]);

  it('weighs the rates of the values by their shares of the traffic', async () => {
    const { run } = await intents();
    const { weightedBy, metrics } = await summaryOf(run.id, 'shares=metadata.intent:refund=0.75,order=0.25');
    expect(weightedBy).toEqual({
      field: 'metadata.intent',
      shares: [
        { value: 'refund', share: 0.75, numTestcases: 10 },
        { value: 'order', share: 0.25, numTestcases: 10 },
      ],
      numTestcases: 20,
      numLeftOut: 3,
      sentence:
        'weighted to the traffic by metadata.intent: refund 75 %, order 25 %; 3 testcases without it are left out',
    });
    expect(metrics[0].passRate.estimate).toBeCloseTo(0.75 * 0.8 + 0.25 * 0.5, 12);
  });

  it('refuses shares that do not say what the traffic is, and names the value', async () => {
    const { run } = await intents();
    const message = async (shares: string) => {
      const { status, body } = await summarize(run.id, `shares=${encodeURIComponent(shares)}`);
      expect(status).toBe(400);
      return body.message;
    };
    expect(await message('metadata.intent:refund=0.7,order=0.2')).toContain('add up to 0.9');
    expect(await message('metadata.intent:refund=0.7,refunds=0.3')).toMatch(
      /gives "refunds" a share, but run \S+ has no testcase with it.*"refund", "order", "other"/,
    );
    expect(await message('metadata.intent:refund=0.5,refund=0.5')).toContain('must name "refund" once');
    expect(await message('metadata.intent:refund=1,order=0')).toContain('leave "order" out');
    expect(await message('metadata.intent:refund=0.7,order')).toContain('"order" is not such a pair');
    expect((await summarize(run.id, 'shares=metadata.intent:refund=1&weightBy=metadata.n')).status).toBe(400);
    const { body } = await summarize(run.id, 'shares=metadata.intent:refund=1&by=tag&across=metadata.intent');
    expect(body.message).toContain('cannot be weighted');
  });

  it('refuses a value with one testcase', async () => {
    const { run } = await runOf([...repeat(3, { passes: true, intent: 'a' }), { passes: true, intent: 'b' }]);
    const { status, body } = await summarize(run.id, 'shares=metadata.intent:a=0.5,b=0.5');
    expect(status).toBe(400);
    expect(body.message).toContain('gives "b" a share, but run');
    expect(body.message).toContain('one testcase with it');
  });

  it('breaks down with the weights: a group without a part of the traffic has no number', async () => {
    const { run } = await runOf([
      ...repeat(4, { passes: true, intent: 'a', lang: 'en' }),
      ...repeat(4, { passes: false, intent: 'b', lang: 'en' }),
      ...repeat(4, { passes: true, intent: 'a', lang: 'de' }),
    ]);
    const { breakdown } = await summaryOf(run.id, 'shares=metadata.intent:a=0.9,b=0.1&by=metadata.lang');
    const [en, de] = breakdown.groups;
    expect(en).toMatchObject({ value: 'en' });
    expect(en.metrics[0].passRate.estimate).toBeCloseTo(0.9, 12);
    expect(de.metrics[0].passRate).toMatchObject({
      estimate: null,
      interval: null,
      reason: 'no testcase of metadata.intent:b, 10 % of the traffic, has a score',
    });
    expect(de.metrics[0].versusRest).toMatchObject({ difference: null, p: null });
  });
});

describe('GET /runs/compare with weights', () => {
  const twoRuns = async (cases: (Case & { later: boolean })[]) => {
    const first = await runOf(cases.map(({ later: _, ...one }) => one));
    const records = cases.map(({ later }, i) => ({
      testcaseId: first.ids[i]!,
      inputs: { question: `q ${i}` },
      scores: { [right.id]: later },
    }));
    const second = await createRunOf(own.api, projectId, [right], records);
    return { first: first.run.id, second: second.run.id, ids: first.ids };
  };
  const compare = (runs: string, query: string) => ok(own.api('GET', `/runs/compare?runs=${runs}&${query}`));
  const cases = [
    ...repeat(20, { passes: true, intent: 'a', visits: 1 }).map((one, i) => ({ ...one, later: i >= 10 })),
    ...repeat(20, { passes: false, intent: 'b', visits: 9 }).map((one, i) => ({ ...one, later: i < 10 })),
  ];

  it('weighs the pairs by shares: what is lost in the rare part counts as the rare part', async () => {
    const { first, second } = await twoRuns(cases);
    const plain = (await compare(`${first},${second}`, '')).pairs[0].metrics[0];
    expect(plain).toMatchObject({ difference: 0, method: 'tango score interval, mcnemar mid-p' });
    const answer = await compare(`${first},${second}`, 'shares=metadata.intent:a=0.1,b=0.9');
    expect(answer.weightedBy).toMatchObject({
      field: 'metadata.intent',
      numLeftOut: 0,
      sentence: 'weighted to the traffic by metadata.intent: a 10 %, b 90 %',
    });
    const [metric] = answer.pairs[0].metrics;
    expect(metric.method).toBe('weighted by metadata.intent: paired t');
    expect(metric.before).toBeCloseTo(0.1, 12);
    expect(metric.after).toBeCloseTo(0.1 * 0.5 + 0.9 * 0.5, 12);
    expect(metric.difference).toBeCloseTo(0.4, 12);
    expect(metric.verdict).toBe('better');
    expect(metric).toMatchObject({
      mcnemar: null,
      correlation: null,
      wins: 10,
      losses: 10,
      corrected: null,
      split: null,
    });
    expect(metric.effectSizes).toMatchObject({ oddsRatio: null, riskDifference: expect.closeTo(0.4, 12) });
    expect(metric.conclusion.basis).toBe('scores');
    const byVisits = await compare(`${first},${second}`, 'weightBy=metadata.visits');
    expect(byVisits.pairs[0].metrics[0].difference).toBeCloseTo((10 * 9 - 10) / 200, 12);
  });

  it('refuses what has no weighted number, with what to do', async () => {
    const { first, second } = await twoRuns(cases);
    for (const [query, message] of [
      ['test=sequential', 'needs test=fixed: the sequential test counts each testcase once'],
      ['test=planned&looks=20,40', 'needs test=fixed: the planned test counts each testcase once'],
      ['usage=true', 'leave out usage, or weightBy'],
      ['slices=true', 'leave out slices, or weightBy'],
    ]) {
      const path = `/runs/compare?runs=${first},${second}&weightBy=metadata.visits&${query}`;
      const { status, body } = await own.api('GET', path);
      expect(status).toBe(400);
      expect(body.message).toContain(message);
    }
  });

  it('names no winner of three weighted runs, because the choice is corrected without weights', async () => {
    const { first, second, ids } = await twoRuns(cases);
    const records = ids.map((testcaseId, i) => ({
      testcaseId,
      inputs: { question: `q ${i}` },
      scores: { [right.id]: true },
    }));
    const third = (await createRunOf(own.api, projectId, [right], records)).run.id;
    const runs = `${first},${second},${third}`;
    expect((await compare(runs, '')).winners).toBeDefined();
    const weighted = await compare(runs, 'weightBy=metadata.visits');
    expect(weighted.winners).toBeUndefined();
    expect(weighted.pairs).toHaveLength(3);
  });
});

describe("a judge's weighted number", () => {
  const numCases = 40;

  it('is its own and says so, although people labelled every record, in both runs', async () => {
    const judge = await createMetric(own.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: '{{ outputs.a }}',
    });
    const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    await namePeople(own.api, judge.id, people.id);
    const testset = await createTestset(own.api, projectId);
    const items = Array.from({ length: numCases }, (_, i) => ({
      jsonData: { question: `q ${i}`, visits: 1 + (i % 3) },
    }));
    const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    const runOfJudge = async () =>
      (
        await createRunOf(
          own.api,
          projectId,
          [judge, people],
          made.items.map(({ id }: { id: string }, i: number) => ({
            testcaseId: id,
            inputs: { question: `q ${i}` },
            scores: { [judge.id]: i % 2 === 0, [people.id]: i % 4 === 0 },
          })),
        )
      ).run.id;
    const [first, second] = [await runOfJudge(), await runOfJudge()];
    const codesOf = ({ caveats }: { caveats: { code: string }[] }) => caveats.map(({ code }) => code);
    // biome-ignore lint/suspicious/noExplicitAny: the answer's type is not the test's concern
    const ofMetric = (metrics: any[], { id }: { id: string }) =>
      metrics.find(({ metricId }) => metricId === id);
    for (const [query, isWeighted] of [
      ['', false],
      ['weightBy=metadata.visits', true],
    ] as const) {
      const { metrics } = await summaryOf(first, query);
      expect(codesOf(ofMetric(metrics, judge).passRate).includes('notCorrected')).toBe(isWeighted);
      expect(codesOf(ofMetric(metrics, people).passRate)).not.toContain('notCorrected');
      const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${first},${second}&${query}`));
      const compared = ofMetric(pairs[0].metrics, judge);
      expect(codesOf(compared).includes('notCorrected')).toBe(isWeighted);
      expect(compared.corrected === null).toBe(isWeighted);
    }
  });
});

describe('GET /projects/:projectId/trends with weights', () => {
  it('weighs each run by its own testcases, and counts the runs that have no such field', async () => {
    const { id } = await createProject(own.api);
    const metric = await createMetric(own.api, id, { evalType: 'heuristic', outputType: 'boolean' });
    const runWith = async (dataOf: (i: number) => object, passes: (i: number) => boolean) => {
      const testset = await createTestset(own.api, id);
      const items = Array.from({ length: 20 }, (_, i) => ({
        jsonData: { question: `q ${i}`, ...dataOf(i) },
      }));
      const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
      const records = made.items.map(({ id: testcaseId }: { id: string }, i: number) => ({
        testcaseId,
        inputs: { question: `q ${i}` },
        scores: { [metric.id]: passes(i) },
      }));
      return (await createRunOf(own.api, id, [metric], records)).run.id as string;
    };
    const visits = (i: number) => ({ visits: i < 10 ? 9 : 1, intent: i < 10 ? 'refund' : 'order' });
    const first = await runWith(visits, (i) => i < 10);
    const second = await runWith(visits, (i) => i >= 10);
    await runWith(
      () => ({}),
      () => true,
    );
    const trends = (query: string) => own.api('GET', `/projects/${id}/trends?${query}`);
    const pointsOf = async (query: string) => {
      const { metrics, numRuns, numUnweighted } = await ok(trends(query));
      const points = metrics[0].points.map((point: { runId: string; passRate: { estimate: number } }) => [
        point.runId,
        point.passRate.estimate,
      ]);
      return { numRuns, numUnweighted, points };
    };
    expect(await pointsOf('')).toMatchObject({
      points: [
        [first, 0.5],
        [second, 0.5],
        [expect.any(String), 1],
      ],
    });
    expect((await pointsOf('')).numUnweighted).toBeUndefined();
    for (const query of ['weightBy=metadata.visits', 'shares=metadata.intent:refund=0.9,order=0.1'])
      expect(await pointsOf(query)).toEqual({
        numRuns: 3,
        numUnweighted: 1,
        points: [
          [first, expect.closeTo(0.9, 12)],
          [second, expect.closeTo(0.1, 12)],
        ],
      });
    const refused = await trends('weightBy=metadata.visits&judges=true');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('leave out judges')]);
    expect((await trends('shares=metadata.intent:refund=0.9')).status).toBe(400);
  });
});
