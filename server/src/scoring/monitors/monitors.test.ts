import { beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRescoring, ok } from '../../../test/fixtures.ts';
import { openMonitoring } from '../../../test/monitoring.ts';
import {
  createCodeMetric,
  createMonitor,
  decide,
  newTraces,
  root,
  tracesOf,
} from '../../../test/monitors.ts';
import { newTraceId } from '../../../test/otlp.ts';
import { predictionPowered } from '../../engine/statistics/prediction-powered.ts';
import { draw } from '../../evaluation/samples/draw.ts';
import { system } from '../../platform/db/database.ts';
import { purgeTraces } from '../../traces/retention/purge-traces.ts';

const { app, own, begin, send, monitor, reread, rowsOf, scores, run } = await openMonitoring();
let projectId: string;
let metric: { id: string };
beforeEach(async () => {
  ({ projectId, metric } = await begin());
});

describe('a monitor', () => {
  it('201 echoes it with its defaults, and it is listed, changed, paused and deleted', async () => {
    const path = `/projects/${projectId}/monitors`;
    const sent = { name: 'Errors', metricIds: [metric.id], samplingRate: 0.25 };
    const made = await ok(own.api('POST', path, sent), 201);
    expect(made).toEqual({
      ...sent,
      id: expect.any(String),
      projectId,
      filter: {},
      settleSeconds: 60,
      paused: false,
      createdAt: expect.any(String),
      definedAt: made.createdAt,
      results: {
        since: made.createdAt,
        numRecords: 0,
        numDrawn: 0,
        metrics: [
          {
            metricId: metric.id,
            metricName: 'Metric',
            metricConfigId: expect.any(String),
            states: { scored: 0, pending: 0, unscored: 0, failed: 0 },
            passRate: expect.objectContaining({
              estimate: null,
              interval: null,
              reason: 'no testcase has a score',
            }),
          },
        ],
      },
    });
    expect((await ok(own.api('GET', path))).data).toEqual([made]);
    const filter = { service: 's', name: 'n', modelName: 'm', error: false, minDurationMs: 5, tag: 't' };
    const changed = await ok(own.api('PATCH', `/monitors/${made.id}`, { filter, paused: true, name: 'New' }));
    expect(changed).toMatchObject({ name: 'New', filter, paused: true, samplingRate: 0.25 });
    expect(changed.definedAt > made.definedAt).toBe(true);
    expect(await reread(made.id)).toMatchObject({ name: 'New', filter });
    const renamed = await ok(own.api('PATCH', `/monitors/${made.id}`, { name: 'Newer', paused: false }));
    expect(renamed).toMatchObject({ definedAt: changed.definedAt, paused: false, filter });
    expect(await ok(own.api('PATCH', `/monitors/${made.id}`, { filter: { tag: 't' } }))).toMatchObject({
      filter: { tag: 't' },
    });
    expect(await ok(own.api('DELETE', `/monitors/${made.id}`))).toEqual({ success: true });
    expect((await own.api('GET', `/monitors/${made.id}`)).status).toBe(404);
    expect((await ok(own.api('GET', path))).data).toEqual([]);
  });

  it('400 names what it can’t be, 404 a metric of another project, 422 one too many', async () => {
    const path = `/projects/${projectId}/monitors`;
    const bad = { name: '', metricIds: [], samplingRate: 0, settleSeconds: -1, filter: { color: 'red' } };
    const { status, body } = await own.api('POST', path, bad);
    expect(status).toBe(400);
    expect(body.details.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
      '/filter/color',
      '/metricIds',
      '/name',
      '/samplingRate',
      '/settleSeconds',
    ]);
    const good = { name: 'M', samplingRate: 1 };
    const twice = await own.api('POST', path, { ...good, metricIds: [metric.id, metric.id] });
    expect(twice.body.details.issues).toEqual([
      { path: '/metricIds', message: 'must name each metric once' },
    ]);
    const other = await createCodeMetric(own.api, (await createProject(own.api)).id);
    expect((await own.api('POST', path, { ...good, metricIds: [other.id] })).status).toBe(404);
    const { id } = await monitor();
    await run(`insert into monitor select gen_random_uuid(), organization_id, project_id, name, 1, 0
      from monitor cross join generate_series(1, 99) where id = '${id}'`);
    expect((await own.api('POST', path, { ...good, metricIds: [metric.id] })).status).toBe(422);
  });
});

describe('pausing and deleting', () => {
  it('leaves alone what was still to be looked at and what comes in the meantime', async () => {
    const { id } = await monitor();
    await send([root(newTraceId())]);
    await ok(own.api('PATCH', `/monitors/${id}`, { paused: true }));
    await send([root(newTraceId())]);
    expect(await decide(app)).toBe(0);
    await ok(own.api('PATCH', `/monitors/${id}`, { paused: false }));
    const later = newTraceId();
    await send([root(later)]);
    expect(await decide(app)).toBe(1);
    expect(tracesOf(await rowsOf(id))).toEqual([later]);
  });

  it('leaves it alone too where another monitor of the project takes it', async () => {
    const [pausing, other] = [await monitor(), await monitor()];
    await ok(own.api('PATCH', `/monitors/${pausing.id}`, { paused: true }));
    const whilePaused = newTraceId();
    await send([root(whilePaused)]);
    await ok(own.api('PATCH', `/monitors/${pausing.id}`, { paused: false }));
    await decide(app);
    expect(await rowsOf(pausing.id)).toEqual([]);
    expect(tracesOf(await rowsOf(other.id))).toEqual([whilePaused]);
  });

  it('deleting takes back the scores that are still to come, but not those that another monitor wants', async () => {
    const [all, errors] = [await monitor(), await monitor({ filter: { error: true } })];
    const [fine, failed] = newTraces(2) as [string, string];
    await send([root(fine), root(failed, { status: { code: 2 } })]);
    await decide(app);
    expect(await scores()).toHaveLength(2);
    await ok(own.api('DELETE', `/monitors/${all.id}`));
    expect(tracesOf(await scores())).toEqual([failed]);
    expect(await rowsOf(all.id)).toHaveLength(2);
    await ok(own.api('DELETE', `/monitors/${errors.id}`));
    expect(await scores()).toEqual([]);
  });

  it('a metric that is deleted is not scored any more, the others are', async () => {
    const other = await createCodeMetric(own.api, projectId);
    const { id } = await createMonitor(own.api, projectId, [metric.id, other.id]);
    await ok(own.api('DELETE', `/metrics/${metric.id}`));
    await send([root(newTraceId())]);
    await decide(app);
    expect(await scores()).toHaveLength(1);
    expect((await reread(id)).results.metrics).toMatchObject([{ metricId: other.id }]);
  });

  it('traces that are deleted or too old take what monitors knew of them along', async () => {
    const { id } = await monitor();
    const traces = newTraces(3) as [string, string, string];
    await send(traces.map((traceId) => root(traceId)));
    await decide(app);
    await ok(own.api('DELETE', `/projects/${projectId}/traces/${traces[0]}`));
    expect(await rowsOf(id)).toHaveLength(2);
    await ok(own.api('PATCH', `/projects/${projectId}/settings`, { traceDays: 7 }));
    await run(`update trace set created_at = now() - interval '8 days' where otel_id = '\\x${traces[1]}'`);
    await app.db.transaction(system, (tx) => purgeTraces(tx));
    expect(tracesOf(await rowsOf(id))).toEqual([traces[2]]);
    expect((await reread(id)).results.numRecords).toBe(1);
    await ok(own.api('DELETE', `/projects/${projectId}`));
    const left = await app.db.read(
      system,
      (sql) => sql<{ n: bigint }[]>`
        select (select count(*) from monitor where id = ${id}) + (select count(*) from monitor_record where monitor_id = ${id}) as n`,
    );
    expect(left).toEqual([{ n: 0n }]);
  });
});

describe('what monitors score', () => {
  it('belongs to the run of its day like any scores, and other records of the run are left alone', async () => {
    await monitor({ samplingRate: 1 });
    await send([root(newTraceId())]);
    await decide(app);
    const [traceRun] = (await ok(own.api('GET', `/projects/${projectId}/runs`))).data;
    expect(traceRun).toMatchObject({ metricIds: [metric.id], status: 'awaiting_scoring' });
    const added = await createRecord(own.api, traceRun.id);
    expect((await ok(own.api('GET', `/records/${added.id}`))).scoreStates).toEqual([]);
    await run(
      `update score set state = 'scored', score = '{"binaryScore":true}', value = 1 where run_id = ${traceRun.id}`,
    );
    const trends = await ok(own.api('GET', `/projects/${projectId}/trends?metricId=${metric.id}`));
    expect(trends.metrics[0].points).toMatchObject([
      { runId: traceRun.id, states: { scored: 1 }, passRate: { estimate: 1, n: 1 } },
    ]);
  });

  it('is rescored as the sample that it is: no record comes to it', async () => {
    await monitor({ samplingRate: 0.5 });
    const traces = newTraces(20);
    await send(traces.map((traceId) => root(traceId)));
    await decide(app);
    const [traceRun] = (await ok(own.api('GET', `/projects/${projectId}/runs`))).data;
    await createRescoring(own.api, traceRun.id, metric.id);
    const proposed = await app.db.read(
      system,
      (sql) => sql<{ traceId: string }[]>`
        select encode(trace.otel_id, 'hex') as "traceId" from proposed_score p join trace using (run_id, n)
        where p.run_id = ${traceRun.id}`,
    );
    expect(tracesOf(proposed)).toEqual(traces.filter((traceId) => draw(null, traceId) < 0.5).sort());
  });

  it('is counted with its interval, by the metric’s configuration now', async () => {
    const { id } = await monitor();
    await send(newTraces(10).map((traceId) => root(traceId)));
    await decide(app);
    await run(`update score set state = 'scored', score = '{"binaryScore":true}', value = case when n % 5 = 0 then 0 else 1 end
      where run_id in (select run_id from monitor_record where monitor_id = '${id}') and n <> 10`);
    const { results } = await reread(id);
    expect(results).toMatchObject({
      numRecords: 10,
      numDrawn: 10,
      metrics: [
        {
          states: { scored: 9, pending: 1, unscored: 0, failed: 0 },
          passRate: { method: 'wilson', n: 9, estimate: 8 / 9, interval: { low: expect.closeTo(0.565, 3) } },
        },
      ],
    });
    await ok(
      own.api('PATCH', `/metrics/${metric.id}`, {
        evalType: 'heuristic',
        outputType: 'boolean',
        guidelines: 'const score = () => false;',
      }),
    );
    expect((await reread(id)).results.metrics[0].states.scored).toBe(0);
  });

  it('stands in the queue of people for a human metric, and no second draw of the run is taken', async () => {
    const human = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    await createMonitor(own.api, projectId, [human.id], { samplingRate: 0.5 });
    const traces = newTraces(30);
    await send(traces.map((traceId) => root(traceId)));
    await decide(app);
    const drawn = traces.filter((traceId) => draw(null, traceId) < 0.5);
    const { review } = await ok(own.api('POST', `/projects/${projectId}/reviews/next`, undefined));
    expect(review).toMatchObject({ metricId: human.id });
    expect(await scores()).toHaveLength(drawn.length);
    const [traceRun] = (await ok(own.api('GET', `/projects/${projectId}/runs`))).data;
    const second = await own.api('POST', `/runs/${traceRun.id}/review-samples`, {
      metricId: human.id,
      size: 5,
    });
    expect(second.status).toBe(409);
  });

  it('tells a calibration the chance of each record: failures were drawn more often', async () => {
    const judge = await createCodeMetric(own.api, projectId);
    const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    await createMonitor(own.api, projectId, [judge.id]);
    await createMonitor(own.api, projectId, [people.id], { samplingRate: 0.3 });
    await createMonitor(own.api, projectId, [people.id], { filter: { error: true } });
    // Of 300 that went well 9 in 10 are right, of 100 that failed half; the judge passes all that are right and 1 in 5 of the rest.
    const traces = Array.from({ length: 400 }, (_, i) => ({
      traceId: (i + 1).toString(16).padStart(32, '0'),
      failed: i >= 300,
      truth: i >= 300 ? i % 2 === 0 : i % 10 > 0,
    }));
    await send(traces.map(({ traceId, failed }) => root(traceId, failed ? { status: { code: 2 } } : {})));
    await decide(app);
    const recordOf = new Map(
      (
        await app.db.read(
          system,
          (sql) => sql<{ traceId: string; record: string }[]>`
            select encode(otel_id, 'hex') as "traceId", run_id || '-' || n as record from trace where project_id = ${projectId}`,
        )
      ).map(({ traceId, record }) => [traceId, record]),
    );
    const configOf = async ({ id }: { id: string }) =>
      (await ok(own.api('GET', `/metrics/${id}/versions`))).data[0].id as string;
    const [judged, labelled] = [await configOf(judge), await configOf(people)];
    const drawn = traces.filter(({ traceId, failed }) => failed || draw(null, traceId) < 0.3);
    const score = (traceId: string, metricConfigId: string, binaryScore: boolean) => ({
      recordId: recordOf.get(traceId),
      metricConfigId,
      score: { binaryScore },
    });
    const items = [
      ...traces.map(({ traceId, truth }, i) => score(traceId, judged, truth || i % 5 === 0)),
      ...drawn.map(({ traceId, truth }) => score(traceId, labelled, truth)),
    ];
    const runId = recordOf.get(traces[0]!.traceId)!.split('-')[0];
    await ok(own.api('POST', `/runs/${runId}/scores/bulk-upsert`, { items }));
    const path = `/metrics/${judge.id}/calibration?against=${people.id}&runId=${runId}`;
    const { specificity, corrected: both } = await ok(own.api('GET', path));
    const { predictionPowered: corrected } = both;
    const failures = drawn
      .filter(({ truth }) => !truth)
      .map(({ traceId, failed }) => {
        const isFailed = traces.findIndex((trace) => trace.traceId === traceId) % 5 > 0;
        return { isFailed, weight: failed ? 1 : 1 / 0.3 };
      });
    const weigh = (of: typeof failures) => of.reduce((sum, { weight }) => sum + weight, 0);
    expect(specificity.estimate).toBeCloseTo(
      weigh(failures.filter(({ isFailed }) => isFailed)) / weigh(failures),
      9,
    );
    expect(corrected).toMatchObject({ sampled: true, numLabels: drawn.length, warnings: [] });
    const corrects = (chanceOf: (failed: boolean) => number) => {
      const all = traces.map(({ failed, truth }, i) => ({
        judge: Number(truth || i % 5 === 0),
        human: Number(truth),
        inclusionProbability: chanceOf(failed),
      }));
      const isLabelled = (_: unknown, i: number) => drawn.includes(traces[i]!);
      return predictionPowered(
        all.filter(isLabelled),
        all.filter((item, i) => !isLabelled(item, i)),
      ).estimate!;
    };
    expect(corrected.estimate).toBeCloseTo(
      corrects((failed) => (failed ? 1 : 0.3)),
      10,
    );
    expect(Math.abs(corrected.estimate - corrects(() => 0.3))).toBeGreaterThan(0.01);
  });
});
