import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timesGrouped } from '../../../test/explain.ts';
import { createMetric, createProject, createRun, createTestset, ok } from '../../../test/fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { seededRandom, uniform } from '../../engine/statistics/random.ts';
import type { Sql } from '../../platform/db/database.ts';
import { serviceScope } from '../../platform/http/scope.ts';
import { findCriterionColumns } from './criterion-queries.ts';

let app: TestApp;
let own: Organization;
let api: Client;
let projectId: string;
let metricId: string;
let testcaseIds: string[];

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const numTestcases = 100;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
  ({ api } = own);
  projectId = (await createProject(api)).id;
  const items = ids.map((id) => ({ id, text: `Criterion ${id}` }));
  const kind = { evalType: 'human', outputType: 'float', passingThreshold: 1 };
  metricId = (await createMetric(api, projectId, { ...kind, name: 'Answer', criteria: { items } })).id;
  const testset = await createTestset(api, projectId);
  const made = await ok(
    api('POST', `/testsets/${testset.id}/testcases`, {
      items: Array.from({ length: numTestcases }, (_, i) => ({ jsonData: { question: `Question ${i}` } })),
    }),
    201,
  );
  testcaseIds = made.items.map(({ id }: { id: string }) => id);
});
afterAll(() => app.close());

/** A run in which criterion `id` of testcase `i` is met by `isMet`; undefined leaves it unscored. */
const runOf = async (isMet: (id: string, i: number) => boolean | undefined) => {
  const run = await createRun(api, projectId, [metricId]);
  const configId = run.metricVersionIds[0];
  const verdictOf = (id: string, i: number) => {
    const met = isMet(id, i);
    return met === undefined ? { id, state: 'unscored', why: 'unclear' } : { id, met };
  };
  const items = testcaseIds.map((testcaseId, i) => ({
    testcaseId,
    inputs: { question: `Question ${i}` },
    expected: {},
    outputs: { i },
    scores: [{ metricConfigId: configId, score: { criteria: ids.map((id) => verdictOf(id, i)) } }],
  }));
  await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  return run.id as string;
};
type Entry = { metricName: string; criterion: { id: string } };

describe('the criteria of a metric', () => {
  it('each have their rate, interval and missing verdicts in a run, as a boolean metric has', async () => {
    const runId = await runOf((id, i) => (id === 'b' && i < 5 ? undefined : id === 'a' || i % 2 === 0));
    const { metrics } = await ok(api('GET', `/runs/${runId}/summary?criteriaOf=${metricId}`));
    expect(metrics.map(({ metricName }: Entry) => metricName)).toEqual(ids.map((id) => `Answer › ${id}`));
    expect(metrics[0]).toMatchObject({
      metricId: `${metricId}/a`,
      criterion: { id: 'a', text: 'Criterion a', weight: 1, mustPass: false, numVoted: 0, numSplit: 0 },
      states: { scored: numTestcases, unscored: 0 },
      passRate: { estimate: 1, caveats: [{ code: 'noEvent' }] },
    });
    // The verdicts on the others count also where one is unscored.
    expect(metrics[1]).toMatchObject({
      states: { scored: 95, unscored: 5 },
      passRate: { n: 95, estimate: 47 / 95 },
    });
    expect(metrics[2]).toMatchObject({ states: { scored: numTestcases }, passRate: { estimate: 0.5 } });
    const [metric] = (await ok(api('GET', `/runs/${runId}/summary`))).metrics;
    expect(metric).toMatchObject({ states: { scored: 95, unscored: 5 } });
  });

  it('are compared with one correction, and name the one that a change broke', async () => {
    const before = await runOf((_, i) => i % 10 !== 0);
    const after = await runOf((id, i) => (id === 'c' ? i % 2 === 0 : i % 10 !== 0));
    const { pairs } = await ok(
      api('GET', `/runs/compare?runs=${before}&runs=${after}&criteriaOf=${metricId}`),
    );
    const verdicts = pairs[0].metrics.map(
      (metric: { metricName: string; conclusion: { verdict: string } }) => [
        metric.metricName,
        metric.conclusion.verdict,
      ],
    );
    expect(verdicts).toHaveLength(6);
    expect(verdicts.filter(([, verdict]: string[]) => verdict === 'worse')).toEqual([
      ['Answer › c', 'worse'],
    ]);
    const worst = await api(
      'GET',
      `/runs/compare?runs=${before}&runs=${after}&criteriaOf=${metricId}&worst=3`,
    );
    expect(worst.status).toBe(400);
  });

  it('are at most 1,000: those of the metric, then those with the most verdicts; the rest are counted', async () => {
    const kind = { evalType: 'human', outputType: 'float' };
    const items = [{ id: 'zz', text: 'In the metric' }];
    const metric = await createMetric(api, projectId, { ...kind, criteria: { items, fromExpected: true } });
    const run = await createRun(api, projectId, [metric.id]);
    const records = Array.from({ length: 22 }, (_, i) => {
      const criteria = Array.from(
        { length: 50 },
        (__, j) => `Criterion ${j === 49 ? 'of all' : `${i}-${j}`}`,
      );
      const ids = ['zz', ...criteria.map((text) => text.toLowerCase().replaceAll(' ', '-'))];
      const score = { criteria: ids.map((id) => ({ id, met: true })) };
      const scores = [{ metricConfigId: run.metricVersionIds[0], score }];
      return { inputs: { i }, expected: { criteria }, outputs: {}, scores };
    });
    await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items: records }), 201);
    const { metrics, numCriteriaLeftOut } = await ok(
      api('GET', `/runs/${run.id}/summary?criteriaOf=${metric.id}`),
    );
    // 22 · 49 of one testcase each, one of all testcases, and one of the metric.
    expect([metrics.length, numCriteriaLeftOut]).toEqual([1_000, 22 * 49 + 2 - 1_000]);
    expect(metrics.slice(0, 2).map(({ criterion }: Entry) => criterion.id)).toEqual([
      'zz',
      'criterion-of-all',
    ]);
    const { numCriteriaLeftOut: inOther } = await ok(
      api('GET', `/runs/${await runOf(() => true)}/summary?criteriaOf=${metricId}`),
    );
    expect(inOther).toBe(0);
  });

  it('have their power in the plan: the share shows a loss that one of them alone does not', async () => {
    const random = seededRandom(7);
    const draw = () => runOf(() => uniform(random) < 0.8);
    await draw();
    await draw();
    const asked = `metricId=${metricId}&difference=0.06&n=${numTestcases}`;
    const plan = await ok(api('GET', `/projects/${projectId}/plan?${asked}`));
    expect(plan.criteria).toMatchObject({ numCriteria: 6, share: { numNeeded: plan.numNeeded } });
    expect(plan.criteria.share.minimumDetectable).toBe(plan.minimumDetectable);
    // Six independent criteria: their share varies a sixth as much as each of them.
    const { share, alone } = plan.criteria;
    expect(alone.minimumDetectable / share.minimumDetectable).toBeGreaterThan(1.8);
    expect(alone.numNeeded / share.numNeeded).toBeGreaterThan(3.5);
    const plain = await createMetric(api, projectId, { evalType: 'human', outputType: 'float' });
    expect(await ok(api('GET', `/projects/${projectId}/plan?metricId=${plain.id}`))).not.toHaveProperty(
      'criteria',
    );
  });

  it('of a metric of another project are not found', async () => {
    const runId = await runOf(() => true);
    const other = (await createProject(api)).id;
    const { id } = await createMetric(api, other, {
      evalType: 'human',
      outputType: 'float',
      criteria: { items: ['A?'] },
    });
    for (const path of [
      `/runs/${runId}/summary?criteriaOf=${id}`,
      `/runs/compare?runs=${runId}&runs=${await runOf(() => true)}&criteriaOf=${id}`,
    ])
      expect((await api('GET', path)).status).toBe(404);
  });
});

describe('a criterion that testcases alone have', () => {
  it('has its text, and a comparison says with both texts that it was changed', async () => {
    const kind = { evalType: 'human', outputType: 'float', passingThreshold: 1 };
    const metric = await createMetric(api, projectId, { ...kind, criteria: { fromExpected: true } });
    const made = async (day: string) => {
      const run = await createRun(api, projectId, [metric.id]);
      const items = testcaseIds.slice(0, 20).map((testcaseId, i) => ({
        testcaseId,
        inputs: { i },
        expected: {
          criteria: [
            { id: 'day', text: `Does it say ${day}?` },
            // One id with several texts has none.
            { id: 'own', text: `Is it about ${i}?` },
          ],
        },
        outputs: {},
        scores: [
          {
            metricConfigId: run.metricVersionIds[0],
            score: {
              criteria: [
                { id: 'day', met: i > 3 },
                { id: 'own', met: true },
              ],
            },
          },
        ],
      }));
      await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
      return run.id as string;
    };
    const [before, after] = [await made('Monday'), await made('Tuesday')];
    const { metrics } = await ok(api('GET', `/runs/${before}/summary?criteriaOf=${metric.id}`));
    const textOf = ({ criterion }: { criterion: { id: string; text: string | null } }) => [
      criterion.id,
      criterion.text,
    ];
    expect(metrics.map(textOf).toSorted()).toEqual([
      ['day', 'Does it say Monday?'],
      ['own', null],
    ]);
    // The texts are grouped once, not once for each verdict: 2,000 verdicts took 21 s.
    const { organizationId } = own;
    const statement = (tx: Sql) =>
      findCriterionColumns(tx, serviceScope(organizationId), BigInt(before), BigInt(metric.id));
    const times = await app.db.transaction({ organizationId }, (tx) => timesGrouped(tx, statement(tx)));
    expect(times).toBe(1);
    const { pairs } = await ok(
      api('GET', `/runs/compare?runs=${before}&runs=${after}&criteriaOf=${metric.id}`),
    );
    const said = pairs[0].metrics.map(
      ({ metricId: id, caveats }: { metricId: string; caveats: { code: string; sentence: string }[] }) => [
        id.split('/')[1],
        caveats.find(({ code }) => code === 'metricChanged')?.sentence,
      ],
    );
    expect(said.toSorted()).toEqual([
      [
        'day',
        expect.stringContaining(
          'from “Does it say Monday?” to “Does it say Tuesday?”: these are two questions',
        ),
      ],
      ['own', undefined],
    ]);
  });
});

// Last: it changes the metric of this file.
describe('a criterion that was changed between two runs', () => {
  it('says so with both texts, and the others say only that the metric was changed; one that only one run has is not compared', async () => {
    const before = await runOf((_, i) => i % 10 !== 0);
    const texts: Record<string, string> = { c: 'Something else' };
    const items = [...ids.slice(0, 5), 'g'].map((id) => ({ id, text: texts[id] ?? `Criterion ${id}` }));
    await ok(
      api('PATCH', `/metrics/${metricId}`, {
        evalType: 'human',
        outputType: 'float',
        criteria: { items },
      }),
    );
    ids.splice(5, 1, 'g');
    const after = await runOf((_, i) => i % 10 !== 0);
    const { pairs } = await ok(
      api('GET', `/runs/compare?runs=${before}&runs=${after}&criteriaOf=${metricId}`),
    );
    type Compared = { metricName: string; caveats: { code: string; sentence: string }[] };
    const said = pairs[0].metrics.map(({ metricName, caveats }: Compared) => [
      metricName,
      caveats.find(({ code }) => code === 'metricChanged')?.sentence,
    ]);
    expect(said.map(([name]: string[]) => name)).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((id) => `Answer › ${id}`),
    );
    expect(said[2]![1]).toContain('from “Criterion c” to “Something else”: these are two questions');
    expect(said[0]![1]).toContain('the metric was changed between the runs');
  });
});
