import { beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const { own } = await openApp();
const n = 80;
let projectId: string;
let testsetId: string;
let testcaseIds: string[];
let metrics: { id: string; outputType: string }[];

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  testsetId = (await createTestset(own.api, projectId)).id;
  const made = await createTestcases(own.api, testsetId, n);
  testcaseIds = made.map(({ id }: { id: string }) => id);
  metrics = [];
  for (const name of ['Right', 'Short'])
    metrics.push(
      await createMetric(own.api, projectId, { name, evalType: 'heuristic', outputType: 'boolean' }),
    );
});

/** A run that expects all testcases and has the first `count`. `score` of a metric by its place; null leaves it pending. */
const runOf = async (count: number, score: (i: number, metric: number) => boolean | null) => {
  const records = testcaseIds.slice(0, count).map((testcaseId, i) => ({
    testcaseId,
    scores: Object.fromEntries(metrics.map(({ id }, m) => [id, score(i, m)])),
  }));
  return createRunOf(own.api, projectId, metrics, records, { testsetId });
};

type Made = Awaited<ReturnType<typeof runOf>>;
const compare = (before: Made, after: Made, looks = '20,40,60,80') =>
  ok(own.api('GET', `/runs/compare?runs=${before.run.id},${after.run.id}&test=planned&looks=${looks}`));

describe('GET /runs/compare?test=planned', () => {
  it('between two looks says when the next one is, and gives no verdict', async () => {
    const before = await runOf(n, (i) => i % 8 > 0);
    const after = await runOf(30, (i) => i % 3 > 0);
    const { pairs, tests, looks } = await compare(before, after);
    expect([tests, looks]).toEqual([2, [20, 40, 60, 80]]);
    for (const metric of pairs[0].metrics) {
      expect(metric).toMatchObject({
        n: 20,
        verdict: 'cannot tell',
        sentence: 'cannot tell: look 1 of 4, at 20 testcases, does not decide; next look at 40',
        look: { look: 1, numLooks: 4, numSeen: 30, numPlanned: 80, next: 40 },
      });
      expect(metric.caveats.map(({ code }: { code: string }) => code)).toContain('orderNotDrawn');
    }
  });

  it('decides at a look, by the metrics of the baseline from the start', async () => {
    const before = await runOf(n, () => true);
    const after = await runOf(45, (i, metric) => (metric === 0 ? i % 2 > 0 : i < 10 ? true : null));
    const { pairs, tests } = await compare(before, after);
    const [right, short] = pairs[0].metrics;
    expect(tests).toBe(2);
    expect(right).toMatchObject({ verdict: 'worse', n: 40, look: { look: 2 } });
    expect(right.adjustedP).toBeGreaterThan(right.p);
    expect(short).toMatchObject({
      sentence: 'cannot tell: next look at 20 testcases',
      look: { look: 0 },
    });
  });

  it('takes its last look when the run is complete, though scores are missing', async () => {
    const before = await runOf(n, (i) => i % 8 > 0);
    const after = await runOf(n, (i) => (i >= 75 ? null : i % 8 > 0));
    const open = await compare(before, after);
    expect(open.pairs[0].metrics[0].look).toMatchObject({ look: 3, next: 80 });
    // Scores that do not fit their metric count as missing.
    const items = after.recordIds
      .slice(75)
      .flatMap((recordId) =>
        after.configIds.map((metricConfigId) => ({ recordId, metricConfigId, score: { intScore: 3 } })),
      );
    await ok(own.api('POST', `/runs/${after.run.id}/scores/bulk-upsert`, { items }));
    const { pairs } = await compare(before, after);
    expect(pairs[0].metrics[0]).toMatchObject({
      n: 75,
      look: { look: 4, next: null },
      missing: { numMissing: 5 },
    });
  });

  it('400 without looks, with looks that do not ascend, and with what is for one look', async () => {
    const runs = [await runOf(2, () => true), await runOf(2, () => true)].map(({ run }) => run.id);
    const refused = async (query: string) => {
      const { status, body } = await own.api('GET', `/runs/compare?runs=${runs}&${query}`);
      return [status, JSON.stringify(body)];
    };
    expect(await refused('test=planned')).toEqual([
      400,
      expect.stringContaining('are needed for test=planned'),
    ]);
    expect(await refused('looks=20,40')).toEqual([
      400,
      expect.stringContaining('must be given with test=planned'),
    ]);
    expect(await refused('test=planned&looks=40,20')).toEqual([400, expect.stringContaining('must ascend')]);
    expect(await refused('test=planned&looks=20,40&slices=true')).toEqual([
      400,
      expect.stringContaining('cannot be given with test=planned'),
    ]);
  });
});
