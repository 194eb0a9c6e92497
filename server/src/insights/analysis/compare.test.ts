import { beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf, type ScoredRecord } from '../../../test/scored-runs.ts';

const { own } = await openApp();
let projectId: string;
let testsetId: string;
let testcaseIds: string[];
let right: { id: string; outputType: string };
let quality: { id: string; outputType: string };

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  testsetId = (await createTestset(own.api, projectId)).id;
  testcaseIds = (await createTestcases(own.api, testsetId, 40)).map(({ id }: { id: string }) => id);
  right = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
  quality = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
});

const runOf = async (records: ScoredRecord[], metrics = [right]) =>
  (await createRunOf(own.api, projectId, metrics, records)).run.id as string;
const booleans = (values: (boolean | null)[], ids = testcaseIds): ScoredRecord[] =>
  values.map((value, i) => ({ testcaseId: ids[i]!, scores: { [right.id]: value } }));
const compare = (ids: string[], query = '') => ok(own.api('GET', `/runs/compare?runs=${ids}${query}`));
const listChanges = (ids: string[], query = '') =>
  ok(own.api('GET', `/runs/compare/testcases?runs=${ids}&metricId=${right.id}${query}`));

describe('GET /runs/compare', () => {
  it('pairs on testcases: 1 win and 7 losses give McNemar’s exact .0703 and mid-p .0391', async () => {
    const before = await runOf(booleans(Array.from({ length: 20 }, (_, i) => i < 10)));
    // Seven of the ten that passed now fail; one of the ten that failed now passes.
    const after = await runOf(booleans(Array.from({ length: 20 }, (_, i) => i < 3 || i === 10)));
    const { pairs, tests } = await compare([before, after]);
    expect(tests).toBe(1);
    expect(pairs).toMatchObject([{ before, after, notCompared: [] }]);
    const [result] = pairs[0].metrics;
    expect(result).toMatchObject({
      n: 20,
      wins: 1,
      losses: 7,
      ties: 12,
      level: 0.95,
      before: 0.5,
      after: 0.2,
    });
    expect(result.mcnemar.exact).toBeCloseTo(0.0703125, 10);
    expect(result.mcnemar.midP).toBeCloseTo(0.0390625, 10);
  });

  it('names what was dropped: in one run only, changed in between, and without a score', async () => {
    const all = (count: number) => Array.from({ length: count }, () => true);
    const [revised] = await createTestcases(own.api, testsetId, 1);
    const [a, b, c, d] = testcaseIds as [string, string, string, string];
    const before = await runOf(booleans([...all(3), null], [a, b, revised.id, c]));
    await ok(own.api('PUT', `/testcases/${revised.id}`, { jsonData: { question: 'new', answer: 'new' } }));
    const after = await runOf(booleans(all(4), [a, revised.id, c, d]));
    const [result] = (await compare([before, after])).pairs[0].metrics;
    expect(result).toMatchObject({ n: 1, interval: null, verdict: 'cannot tell' });
    expect(result.dropped).toEqual({
      onlyBefore: { numTestcases: 1, testcases: [b] },
      onlyAfter: { numTestcases: 1, testcases: [d] },
      revised: { numTestcases: 1, testcases: [revised.id] },
      unscored: { numTestcases: 1, testcases: [c] },
    });
    const { data } = await listChanges([before, after], '&change=onlyBefore,onlyAfter,revised,unscored');
    expect(new Map(data.map((row: { id: string; change: string }) => [row.id, row.change]))).toEqual(
      new Map([
        [b, 'onlyBefore'],
        [d, 'onlyAfter'],
        [revised.id, 'revised'],
        [c, 'unscored'],
      ]),
    );
  });

  it('compares each run with each later one, and adjusts all tests together', async () => {
    const values = [0.2, 0.5, 0.9].map((share) => Array.from({ length: 40 }, (_, i) => i < 40 * share));
    const runs = [];
    for (const passes of values) runs.push(await runOf(booleans(passes)));
    const { pairs, tests } = await compare(runs);
    expect(tests).toBe(3);
    expect(pairs.map(({ before, after }: { before: string; after: string }) => [before, after])).toEqual([
      [runs[0], runs[1]],
      [runs[0], runs[2]],
      [runs[1], runs[2]],
    ]);
    const ps = pairs.map(({ metrics }: { metrics: { p: number; adjustedP: number }[] }) => metrics[0]!);
    // The smallest of three p counts three times.
    expect(ps[1].adjustedP).toBeCloseTo(3 * ps[1].p, 12);
    expect((await compare(runs.slice(0, 2))).pairs[0].metrics[0].adjustedP).toBe(ps[0].p);
  });

  it('averages trials first: ten tries of four testcases are n = 4', async () => {
    const records = (passes: number) =>
      testcaseIds.slice(0, 4).flatMap((id, t) =>
        booleans(
          Array.from({ length: 10 }, (_, i) => i < passes + t),
          Array.from({ length: 10 }, () => id),
        ),
      );
    const [result] = (await compare([await runOf(records(2)), await runOf(records(5))])).pairs[0].metrics;
    expect(result).toMatchObject({ n: 4, wins: 4, mcnemar: null });
    expect(result.difference).toBeCloseTo(0.3, 12);
    expect(result.verdict).toBe('cannot tell');
    expect(result.caveats.map(({ code }: { code: string }) => code)).toContain('noSpread');
    expect(result).toMatchObject({ reason: null, p: 0.125 });
  });

  it('says what it could have seen when it cannot tell', async () => {
    const passes = Array.from({ length: 40 }, (_, i) => i % 2 === 0);
    const [result] = (await compare([await runOf(booleans(passes)), await runOf(booleans(passes))])).pairs[0]
      .metrics;
    expect(result.sentence).toMatch(
      /^cannot tell: not enough data: only changes above \d+\.\d points would show$/,
    );
  });

  it('draws the same signs for the same seed', async () => {
    const closeness = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'float' });
    const records = (seed: number) =>
      testcaseIds.slice(0, 20).map((testcaseId, i) => ({
        testcaseId,
        // Values without a common step are drawn, not counted.
        scores: { [closeness.id]: Math.sin(i * i * seed + i) ** 2 },
      }));
    const runs = [await runOf(records(3), [closeness]), await runOf(records(7), [closeness])];
    const before = await compare(runs, '&seed=7');
    expect(before.pairs[0].metrics[0]).toMatchObject({
      n: 20,
      seed: 7,
      method: expect.stringContaining('drawn'),
    });
    expect((await compare(runs, '&seed=8')).pairs[0].metrics[0].p).not.toBe(before.pairs[0].metrics[0].p);
    expect(await compare(runs, '&seed=7')).toEqual(before);
  });

  it('compares scores, or with measure=pass whether they pass', async () => {
    const records = (score: number) =>
      testcaseIds.map((testcaseId, i) => ({ testcaseId, scores: { [quality.id]: i % 2 ? score : 3 } }));
    const runs = [await runOf(records(4), [quality]), await runOf(records(5), [quality])];
    expect((await compare(runs)).pairs[0].metrics[0].difference).toBeCloseTo(0.5, 12);
    const passing = (await compare(runs, '&measure=pass')).pairs[0].metrics[0];
    expect(passing).toMatchObject({ difference: 0, before: 0.5, ties: 40 });
  });

  it('a metric that one run lacks is named, and a changed one is warned of', async () => {
    const both = [right, quality];
    const scores = { [right.id]: true, [quality.id]: 4 };
    const records = testcaseIds.map((testcaseId) => ({ testcaseId, scores }));
    const [before, one] = [await runOf(records, both), await runOf(records)];
    expect((await compare([before, one])).pairs[0].notCompared).toEqual([
      { metricId: quality.id, metricName: 'Metric', reason: `run ${one} has no score by it` },
    ]);
    await ok(
      own.api('PATCH', `/metrics/${quality.id}`, {
        evalType: 'human',
        outputType: 'int',
        guidelines: 'stricter',
      }),
    );
    const after = await runOf(records, both);
    const { metrics } = (await compare([before, after])).pairs[0];
    expect(metrics[1].warnings[0]).toContain('the metric was changed between the runs');
    expect(metrics[0].warnings.join()).not.toContain('the metric was changed');
  });

  it('records without a testcase pair with nothing: the comparison is unpaired and says so', async () => {
    const records = Array.from({ length: 30 }, (_, i) => ({ scores: { [right.id]: i % 3 > 0 } }));
    const [result] = (await compare([await runOf(records), await runOf(records)])).pairs[0].metrics;
    expect(result).toMatchObject({ method: 'newcombe (unpaired)', n: 60, correlation: null });
    expect(result.dropped.onlyBefore.numTestcases).toBe(30);
  });

  it('400 for fewer than two runs, one named twice, or a level that is none; 404 for one that is not there', async () => {
    const run = await runOf([]);
    for (const query of [
      `runs=${run}`,
      `runs=${run},${run}`,
      `runs=${run},${run}1&level=1`,
      `runs=${run},2&power=x`,
      '',
    ]) {
      expect((await own.api('GET', `/runs/compare?${query}`)).status).toBe(400);
    }
    expect((await own.api('GET', `/runs/compare?runs=${run},999999`)).status).toBe(404);
  });
});

describe('groups', () => {
  it('widen the interval of run and comparison to that of the groups, once the testset names the field', async () => {
    const testset = await createTestset(own.api, projectId);
    const items = Array.from({ length: 60 }, (_, i) => ({
      jsonData: { question: `q${i}`, document: `d${i % 6}` },
    }));
    const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    const ids = made.items.map(({ id }: { id: string }) => id);
    const [before, after] = [
      await runOf(
        booleans(
          ids.map((_: string, i: number) => i % 6 < 2),
          ids,
        ),
      ),
      await runOf(
        booleans(
          ids.map((_: string, i: number) => i % 6 < 3),
          ids,
        ),
      ),
    ];
    const summary = async () => (await ok(own.api('GET', `/runs/${after}/summary`))).metrics[0].passRate;
    const [plainRate, plain] = [await summary(), (await compare([before, after])).pairs[0].metrics[0]];
    expect(plain).toMatchObject({ n: 60, verdict: 'better' });
    expect(await ok(own.api('GET', `/testsets/${testset.id}/settings`))).toEqual({
      groupingField: null,
      splitRules: [],
    });
    await ok(own.api('PATCH', `/testsets/${testset.id}/settings`, { groupingField: 'document' }));

    const grouped = await compare([before, after]);
    expect(grouped.runs[0].groupedBy).toBe('document');
    // Six documents, and one of them changed entirely: six documents cannot show that.
    expect(grouped.pairs[0].metrics[0]).toMatchObject({
      method: 'paired cluster-robust t (CR2, Satterthwaite)',
      difference: plain.difference,
      verdict: 'cannot tell',
    });
    const rate = await summary();
    expect(rate).toMatchObject({
      method: 'cluster-robust wilson (CR2, Satterthwaite)',
      n: 6,
      numTestcases: 60,
    });
    expect(rate.interval.high - rate.interval.low).toBeGreaterThan(
      2 * (plainRate.interval.high - plainRate.interval.low),
    );
    await ok(own.api('PATCH', `/testsets/${testset.id}/settings`, { groupingField: null }));
    expect(await summary()).toEqual(plainRate);
  });
});

describe('GET /runs/compare/testcases', () => {
  it('with records=true answers each testcase with the first record of both runs, as getRecord does', async () => {
    const before = await runOf(booleans([true, true, true]));
    const after = await runOf(booleans([true, false]));
    const { data } = await listChanges([before, after], '&records=true&change=worse,onlyBefore');
    const recordOf = async (id: string) => {
      const { blind, currentTestcaseRevision: _, ...record } = await ok(own.api('GET', `/records/${id}`));
      expect(blind).toBe(false);
      return record;
    };
    expect(data.map(({ records }: { records: unknown }) => records)).toEqual([
      { before: await recordOf(`${before}-2`), after: await recordOf(`${after}-2`) },
      { before: await recordOf(`${before}-3`), after: null },
    ]);
  });

  it('lists what is better and what is worse, with means, trials and records of both runs', async () => {
    const before = await runOf(booleans([true, true, false, false]));
    const after = await runOf(booleans([true, false, true, false]));
    const { data, hasMore } = await listChanges([before, after]);
    expect(hasMore).toBe(false);
    expect(data).toEqual([
      {
        id: testcaseIds[1],
        testcaseId: testcaseIds[1],
        change: 'worse',
        before: { mean: 1, trials: 1, missing: 0, revision: 1, recordIds: [`${before}-2`] },
        after: { mean: 0, trials: 1, missing: 0, revision: 1, recordIds: [`${after}-2`] },
      },
      expect.objectContaining({ id: testcaseIds[2], change: 'better' }),
    ]);
    expect((await listChanges([before, after], '&change=same')).data).toHaveLength(2);
  });

  it('comes with the comparison as the testcases that lost most, with their records', async () => {
    const before = await runOf(booleans([true, true, true, false]));
    const after = await runOf(booleans([true, false, false, true]));
    const path = `/runs/compare?runs=${before},${after}&measure=pass`;
    const { pairs } = await ok(own.api('GET', `${path}&worst=1`));
    const listed = await listChanges(
      [before, after],
      '&measure=pass&change=worse&order=worst&limit=1&records=true',
    );
    const [{ worst, ...metric }] = pairs[0].metrics;
    expect(worst).toEqual(listed.data);
    expect(worst[0].records.after.id).toBe(`${after}-2`);
    expect((await ok(own.api('GET', path))).pairs[0].metrics).toEqual([metric]);
    expect((await own.api('GET', `${path}&worst=1&by=tag&value=x`)).status).toBe(400);
  });

  it('lists the largest losses or gains first when asked, page by page', async () => {
    const before = await runOf(booleans([true, false, true, false, true]));
    const after = await runOf(booleans([false, true, false, true, true]));
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await listChanges([before, after], `&order=worst&limit=1&cursor=${cursor}`);
      seen.push(...page.data.map(({ change, id }: { change: string; id: string }) => `${change} ${id}`));
      cursor = page.nextCursor;
    } while (cursor);
    const [a, b, c, d] = testcaseIds;
    expect(seen).toEqual([`worse ${a}`, `worse ${c}`, `better ${b}`, `better ${d}`]);
    const best = await listChanges([before, after], '&order=best');
    expect(best.data.map(({ id }: { id: string }) => id)).toEqual([b, d, a, c]);
  });

  it('a testcase that one run met at two revisions is two, each paired with its own', async () => {
    const [made] = await createTestcases(own.api, testsetId, 1);
    const record = (value: boolean) => booleans([value], [made.id]);
    const before = (await createRunOf(own.api, projectId, [right], record(false))).run;
    const after = (await createRunOf(own.api, projectId, [right], record(true))).run;
    await ok(own.api('PUT', `/testcases/${made.id}`, { jsonData: { question: 'new', answer: 'new' } }));
    const { ids } = await ok(
      own.api('POST', `/runs/${after.id}/records/bulk-create`, {
        items: [{ testcaseId: made.id, inputs: {}, expected: {}, outputs: {} }],
      }),
      201,
    );
    const path = `/records/${ids[0]}/scores/${after.metricVersionIds[0]}`;
    await ok(own.api('PUT', path, { score: { binaryScore: false } }));
    const { data } = await listChanges([before.id, after.id], '&change=better,worse,onlyAfter');
    expect(data).toMatchObject([
      { id: `${made.id} revision 1`, testcaseId: made.id, change: 'better', after: { mean: 1, trials: 1 } },
      { id: `${made.id} revision 2`, testcaseId: made.id, change: 'onlyAfter', before: null },
    ]);
  });
});
