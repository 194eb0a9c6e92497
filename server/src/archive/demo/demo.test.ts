import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callService,
  createStorage,
  endServices,
  type Service,
  startService,
} from '../../../test/service.ts';

const key = `ak_${'demo-test-'.repeat(4)}`;
let storage: Awaited<ReturnType<typeof createStorage>>;
let service: Service;
const start = (settings: Record<string, string> = {}) =>
  startService({ ...storage.settings, DOKIMA_BOOTSTRAP_API_KEY: key, DOKIMA_DEMO: 'on', ...settings });

beforeAll(async () => {
  storage = await createStorage();
});
afterAll(async () => {
  await endServices();
  await storage.remove();
});

const get = async (path: string) => {
  const { status, body } = await callService({ url: service.url, key }, 'GET', path);
  expect(`${path} ${status}`).toBe(`${path} 200`);
  return body;
};
const list = async (path: string) => (await get(`${path}?limit=100`)).data;

describe('the demo', () => {
  it('is not made at a first start that turns it off, nor at the next one', async () => {
    const other = await createStorage();
    const settings = { ...other.settings, DOKIMA_BOOTSTRAP_API_KEY: key };
    for (const DOKIMA_DEMO of ['off', 'on']) {
      service = await startService({ ...settings, DOKIMA_DEMO });
      // It ends only when a demo under way is there, so that the next look would find it.
      await service.end('SIGTERM');
    }
    service = await startService({ ...settings });
    expect(await list('/projects')).toEqual([]);
    await service.end('SIGTERM');
    await other.remove();
  });

  it('is a project whose runs have scores that the sandbox computed, soon after the first start', async () => {
    service = await start();
    await expect.poll(() => list('/projects'), { timeout: 30_000 }).toHaveLength(1);
    const [project] = await list('/projects');
    const inProject = (resource: string) => list(`/projects/${project.id}/${resource}`);
    const evaluations = async () =>
      (await inProject('run-details')).filter(({ kind }: { kind: string }) => kind === 'evaluation');
    await expect
      .poll(async () => (await evaluations()).map(({ status }: { status: string }) => status), {
        timeout: 60_000,
      })
      .toEqual(['awaiting_human_scoring', 'awaiting_human_scoring']);
    const [testset] = await inProject('testsets');
    const testcases = await list(`/testsets/${testset.id}/testcases`);
    expect(testcases).toHaveLength(40);
    expect(testcases.filter((testcase: object) => 'validationErrors' in testcase)).toEqual([]);

    const [second, first] = await evaluations();
    expect(first).toMatchObject({ numRecords: 40, numExpectedRecords: 40, numScores: 160 });
    expect(second).toMatchObject({ numRecords: 40, numExpectedRecords: 40, numScores: 160 });
    const passes = async (run: { id: string; metricVersionIds: string[] }) => {
      const records: {
        inputs: object;
        outputs: { orderNumber: string; amount: number };
        expected: { orderNumber: string; amount: number };
        scores: { metricConfigId: string; score: { binaryScore?: boolean } }[];
      }[] = await list(`/runs/${run.id}/records`);
      const passed = (metric: number) =>
        records.map(
          ({ scores }) =>
            scores.find(({ metricConfigId }) => metricConfigId === run.metricVersionIds[metric])?.score
              .binaryScore,
        );
      // What the scores say is what the records show.
      expect(passed(0)).toEqual(records.map((one) => one.outputs.orderNumber === one.expected.orderNumber));
      expect(passed(1)).toEqual(records.map((one) => one.outputs.amount === one.expected.amount));
      return [0, 1].map((metric) => passed(metric).filter(Boolean).length);
    };
    // A difference that can be seen, and that no amount of luck explains.
    expect([await passes(first), await passes(second)]).toEqual([
      [27, 28],
      [36, 38],
    ]);
    // One comparison is decided for three metrics, and is not for another.
    const { pairs } = await get(`/runs/compare?runs=${first.id},${second.id}`);
    const verdicts = pairs[0].metrics.map(
      ({ metricName, conclusion }: { metricName: string; conclusion: { verdict: string } }) =>
        `${metricName}: ${conclusion.verdict}`,
    );
    expect(verdicts).toEqual([
      'Order number: better',
      'Amount: better',
      'Reply: better',
      'Would you send it?: cannot tell',
      'Amount in the mail: cannot tell',
    ]);
    expect(pairs[0].metrics[4]).toMatchObject({ n: 40, before: 35 / 40, after: 38 / 40 });
    // Where its verdict can't tell, its interval has 0 too: two methods that disagree would need words of their own.
    expect(pairs[0].metrics[4].interval.low).toBeLessThan(0);
    // Each run has a slice that fails more: three of the four order numbers that are wrong are in mails with several numbers.
    const { breakdown } = await get(`/runs/${second.id}/summary?by=tag`);
    const of = (value: string) => breakdown.groups.find((group: { value: string }) => group.value === value);
    expect(of('several numbers').metrics[0].passRate).toMatchObject({ estimate: 6 / 9, n: 9 });
    expect(of('several amounts').metrics[0].passRate).toMatchObject({ estimate: 1, n: 12 });
  });

  it('has traces of the last six days, whose failed tools a monitor finds, and an alert that sends nothing', async () => {
    const [project] = await list('/projects');
    const traces: { startTime: string; sessionId: string; userId: string; numErrors: number }[] = await list(
      `/projects/${project.id}/traces`,
    );
    const daysAgo = traces.map(({ startTime }) =>
      Math.floor((Date.now() - Date.parse(startTime)) / 86_400_000),
    );
    expect(new Set(daysAgo)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    const sessions = Map.groupBy(traces, ({ sessionId }) => sessionId);
    const withErrors = [...sessions.values()].filter((turns) => turns.some(({ numErrors }) => numErrors > 0));
    expect(sessions.size).toBe(48);
    expect(traces.length).toBeGreaterThan(sessions.size);
    expect(new Set(traces.map(({ userId }) => userId)).size).toBeGreaterThan(20);

    const monitor = async () => (await list(`/projects/${project.id}/monitors`))[0];
    const scored = async () => (await monitor()).results.metrics[0].states.scored;
    await expect.poll(scored, { timeout: 30_000 }).toBe(sessions.size);
    const { passRate } = (await monitor()).results.metrics[0];
    expect(passRate.estimate).toBeCloseTo(1 - withErrors.length / sessions.size, 10);
    expect(withErrors.length).toBeGreaterThan(5);

    const [alert] = await list(`/projects/${project.id}/alerts`);
    expect(alert).toMatchObject({ paused: true, target: 'https://alerts.invalid' });
    expect(await list(`/alerts/${alert.id}/deliveries`)).toEqual([]);
  });

  it('has a judge whose mistakes the labels of people show, and no score that waits for a model', async () => {
    const [project] = await list('/projects');
    const metrics: { id: string; evalType: string }[] = await list(`/projects/${project.id}/metrics`);
    const judges = metrics.filter(({ evalType }) => evalType === 'ai');
    expect(judges).toHaveLength(1);
    const { matrix, sensitivity, specificity, labels, judge } = await get(
      `/metrics/${judges[0]!.id}/calibration`,
    );
    const { truePositives, falsePositives, falseNegatives, trueNegatives } = matrix;
    expect(truePositives + falsePositives + falseNegatives + trueNegatives).toBe(40);
    expect(labels.unjudged).toBe(0);
    expect(judge.labelsBy).toMatchObject({ people: 40, clients: 0 });
    expect(sensitivity.estimate).toBeCloseTo(truePositives / (truePositives + falseNegatives), 10);
    expect(specificity.estimate).toBeCloseTo(trueNegatives / (trueNegatives + falsePositives), 10);
    for (const { estimate, n } of [sensitivity, specificity]) {
      expect(n).toBeGreaterThan(5);
      expect(estimate).toBeGreaterThan(0.6);
      expect(estimate).toBeLessThan(1);
    }
    const { data } = await get(`/metrics/${judges[0]!.id}/calibration/disagreements`);
    expect(data).toHaveLength(falsePositives + falseNegatives);
  });

  it('does not come again, whether it is kept or deleted', async () => {
    for (const left of [1, 0]) {
      await service.end('SIGTERM');
      service = await start();
      const projects = await list('/projects');
      expect(projects).toHaveLength(left);
      if (left > 0) await callService({ url: service.url, key }, 'DELETE', `/projects/${projects[0].id}`);
    }
  });
});
