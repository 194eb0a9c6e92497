import { beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { createMonitor } from '../../../test/monitors.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';
import { system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';

const { app, own } = await openApp();
let projectId: string;
let metric: { id: string; outputType: string };

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
});

const write = (statement: string) => app.db.transaction(system, (tx) => tx.unsafe(statement));
const news = (query = '') => ok(own.api('GET', `/projects/${projectId}/news${query}`));

/** A run of the testset whose records pass or not. */
const runOf = async (testsetId: string, ids: string[], passes: boolean[]) => {
  const records = passes.map((pass, i) => ({ testcaseId: ids[i]!, scores: { [metric.id]: pass } }));
  return createRunOf(own.api, projectId, [metric], records, { testsetId });
};

describe('GET /projects/{projectId}/news', () => {
  it('compares each new run with the one before it on the same testset, as compareRuns does', async () => {
    const { id: testsetId } = await createTestset(own.api, projectId);
    const ids: string[] = (await createTestcases(own.api, testsetId, 20)).map(({ id }: { id: string }) => id);
    const before = (
      await runOf(
        testsetId,
        ids,
        ids.map((_, i) => i < 4),
      )
    ).run.id;
    const { id: otherTestset } = await createTestset(own.api, projectId);
    const [alone]: string[] = (await createTestcases(own.api, otherTestset, 1)).map(
      ({ id }: { id: string }) => id,
    );
    const other = (await runOf(otherTestset, [alone!], [true])).run.id;
    const after = (
      await runOf(
        testsetId,
        ids,
        ids.map((_, i) => i < 19),
      )
    ).run.id;
    const { runs } = await news();
    expect(runs.map(({ runId, baselineRunId }: Record<string, string>) => [runId, baselineRunId])).toEqual([
      [after, before],
      [other, null],
      [before, null],
    ]);
    const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${before},${after}`));
    const { verdict, difference, interval } = pairs[0].metrics[0].conclusion;
    expect(verdict).toBe('better');
    expect(runs[0].compared).toEqual([
      { metricId: metric.id, metricName: expect.any(String), judge: null, verdict, difference, interval },
    ]);
    expect([runs[1].compared, runs[2].compared]).toEqual([null, null]);
    // What is older than the time asked about is not new, and is still what a new run is compared with.
    await write(`update run set created_at = now() - interval '3 days' where id in (${before}, ${other})`);
    expect((await news()).runs).toMatchObject([{ runId: after, baselineRunId: before }]);
    expect((await news('?hours=168')).runs).toHaveLength(3);
  });

  it('tells what alerts told and what other members scored, and not what the reader did', async () => {
    const { run, configIds } = await createRunOf(
      own.api,
      projectId,
      [metric],
      [1, 2].map(() => ({ scores: { [metric.id]: true } })),
    );
    const alert = await ok(
      own.api('POST', `/projects/${projectId}/alerts`, {
        name: 'On call',
        kind: 'webhook',
        url: 'https://example.com/hook',
        events: ['gate.failed'],
        paused: true,
      }),
      201,
    );
    for (const [event, title] of [
      ['gate.failed', 'Gate of run 1: worse'],
      ['run.completed', 'Run 1 is complete'],
    ])
      await write(`
        insert into alert_delivery (id, organization_id, alert_id, event, about, message, state, due_at, ended_at)
        select '${newUuid()}', organization_id, id, '${event}', '${event} 1', '{"title":"${title}","path":"/projects/1/runs/1"}', 'delivered',
          null, now()
        from alert where id = '${alert.id}'`);
    const other = await own.person();
    for (const member of [other.id, own.memberId])
      for (const n of [1, 2])
        await write(`
          insert into review_score (id, organization_id, run_id, n, metric_config_id, member_id, score, value, blind)
          select '${newUuid()}', organization_id, id, ${n}, '${configIds[0]}', '${member}', '{"binaryScore":true}', 1, true
          from run where id = ${run.id}`);
    const { alerts, labels } = await news();
    expect(alerts).toMatchObject([
      { alertId: alert.id, alertName: 'On call', title: 'Gate of run 1: worse', path: '/projects/1/runs/1' },
    ]);
    expect(labels).toMatchObject([{ userId: other.id, metricId: metric.id, numRecords: 2 }]);
    // Each sees the other's.
    const theirs = await ok(other.api('GET', `/projects/${projectId}/news`));
    expect(theirs.labels).toMatchObject([{ userId: own.memberId, numRecords: 2 }]);
  });

  /** Counts of traffic in the hour that lies so many hours back: n records, so many of them passing and failed, at a cost with a spread. */
  const traffic = async (
    hoursAgo: number,
    counts: { n: number; passed: number; failed: number; cost: number },
  ) => {
    const { n, passed, failed, cost } = counts;
    const { configIds } = await of;
    const keys = `organization_id, project_id, hour, source, dimension, value`;
    const place = (dimension: string, value: string) =>
      `select organization_id, id, date_trunc('hour', now() - interval '${hoursAgo} hours', 'UTC'), 'traces', '${dimension}', '${value}'`;
    const half = n / 2;
    const squares = half * ((cost * 0.9) ** 2 + (cost * 1.1) ** 2);
    const cubes = half * ((cost * 0.9) ** 3 + (cost * 1.1) ** 3);
    await write(`
      insert into series_measure (${keys}, records, measured, failed, input_tokens, output_tokens, tokens_n, tokens_sum, tokens_squares,
        tokens_cubes, cost_n, cost_sum, cost_squares, cost_cubes, latency_bins, latency_counts, user_groups, user_measured, user_failed)
      ${place('all', '')}, ${n}, ${n}, ${failed}, 0, 0, 0, 0, 0, 0, ${n}, ${n * cost}, ${squares}, ${cubes}, '{}', '{}', '{}', '{}', '{}'
      from project where id = ${projectId}`);
    for (const [dimension, value] of [['all', ''] as const, ['monitor', (await of).monitorId] as const])
      await write(`
        insert into series_score (${keys}, metric_config_id, scored, counted, passed, pending, unscored, failed, score_sum, score_squares,
          user_groups, user_scored, user_passed, user_sums, user_squares)
        ${place(dimension, value)}, '${configIds[0]}', ${n}, ${n}, ${passed}, 0, 0, 0, ${passed}, ${passed}, '{}', '{}', '{}', '{}', 0
        from project where id = ${projectId}`);
  };
  let of: Promise<{ configIds: string[]; monitorId: string }>;
  const beginTraffic = () => {
    of = (async () => {
      const { configIds } = await createRunOf(own.api, projectId, [metric], [{ scores: {} }], {});
      const monitor = await createMonitor(own.api, projectId, [metric.id]);
      return { configIds, monitorId: monitor.id };
    })();
    return of;
  };

  it('tells what has changed in traffic where it is shown, with its interval, and what failed in monitors', async () => {
    const { monitorId } = await beginTraffic();
    await traffic(72, { n: 400, passed: 320, failed: 4, cost: 0.002 });
    await traffic(3, { n: 400, passed: 220, failed: 5, cost: 0.003 });
    const { changes, monitors } = await news();
    expect(changes.map(({ of }: { of: string }) => of)).toEqual(['passRate', 'cost']);
    const [rate, cost] = changes;
    expect(rate).toMatchObject({
      metricId: metric.id,
      numBefore: 400,
      numAfter: 400,
      before: 0.8,
      after: 0.55,
    });
    expect(rate.difference).toBeCloseTo(-0.25, 10);
    expect(rate.interval.high).toBeLessThan(0);
    // Three tests were made: the interval holds with the others.
    expect(rate.level).toBeGreaterThan(0.98);
    expect(cost.difference).toBeCloseTo(0.001, 10);
    expect(cost.interval.low).toBeGreaterThan(0);
    expect(monitors).toMatchObject([{ monitorId, metricId: metric.id, numScored: 400, numFailed: 180 }]);
    // A monitor is not named for a metric that it does not watch, though its records have scores by it.
    const other = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    await ok(own.api('PATCH', `/monitors/${monitorId}`, { metricIds: [other.id] }));
    expect((await news()).monitors).toEqual([]);
  });

  it('is silent about changes that chance explains', async () => {
    await beginTraffic();
    await traffic(72, { n: 400, passed: 320, failed: 4, cost: 0.002 });
    await traffic(3, { n: 60, passed: 45, failed: 2, cost: 0.002 });
    expect((await news()).changes).toEqual([]);
  });
});
