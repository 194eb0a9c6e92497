import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, ok } from '../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../test/harness.ts';
import { createCodeMetric, createMonitor, decide, sendSpans } from '../../test/monitors.ts';
import { newTraceId, type TestSpan } from '../../test/otlp.ts';
import { system } from '../db/database.ts';
import { purgeTraces } from '../traces/read-queries.ts';
import { isDrawn, placeOf } from './draw.ts';
import { scoreArrivals } from './score-arrivals.ts';

let app: TestApp;
let own: Organization;
let projectId: string;
let metric: { id: string };

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  // Every organization's records are decided together: what another test has left is not this one's.
  await decide(app);
  projectId = (await createProject(own.api)).id;
  metric = await createCodeMetric(own.api, projectId);
});

const send = (spans: TestSpan[], resource = {}) => sendSpans(app, own.key, projectId, spans, resource);
const monitor = (fields: Record<string, unknown> = {}) =>
  createMonitor(own.api, projectId, [metric.id], fields);
const reread = (id: string) => ok(own.api('GET', `/monitors/${id}`));

type Row = { traceId: string; chance: number | null; drawn: boolean | null; due: boolean };
/** What a monitor knows of the project's records, by trace. */
const rowsOf = (monitorId: string) =>
  app.db.read(
    system,
    (sql) => sql<Row[]>`
      select encode(trace.otel_id, 'hex') as "traceId", m.inclusion_probability as chance, m.drawn, m.due_at is not null as due
      from monitor_record m join trace on trace.run_id = m.run_id and trace.n = m.n
      where m.monitor_id = ${monitorId} order by trace.otel_id`,
  );
type Score = { state: string; fence: number; attempts: number; traceId: string };
const scores = () =>
  app.db.read(
    system,
    (sql) => sql<Score[]>`
      select s.state, s.fence, s.attempts, encode(trace.otel_id, 'hex') as "traceId"
      from score s join trace on trace.run_id = s.run_id and trace.n = s.n
      where trace.project_id = ${projectId} order by trace.otel_id`,
  );
const run = (statement: string) => app.db.transaction(system, (tx) => tx.unsafe(statement));
const tracesOf = (rows: { traceId: string }[]) => [...new Set(rows.map(({ traceId }) => traceId))].sort();
const newTraces = (count: number) => Array.from({ length: count }, newTraceId);
const root = (traceId: string, fields: Partial<TestSpan> = {}): TestSpan => ({ traceId, n: 1, ...fields });

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
    const filter = { service: 's', name: 'n', model: 'm', error: false, minDurationMs: 5, tag: 't' };
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

  it('400 names what it can’t be, 404 a metric of another project, 409 one too many', async () => {
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
    expect((await own.api('POST', path, { ...good, metricIds: [metric.id] })).status).toBe(409);
  });
});

describe('sampling', () => {
  it('places an id by its SHA-256, the same in every release', () => {
    expect(placeOf('0af7651916cd43dd8448eb211c80319c')).toBe(0.08580714096926556);
    expect(placeOf('session-1')).toBe(0.515769491201528);
  });

  it('draws exactly the traces below the rate, notes each chance, and queues no other', async () => {
    const { id } = await monitor({ samplingRate: 0.3 });
    const traces = newTraces(150);
    await send(traces.map((traceId) => root(traceId)));
    expect(await decide(app)).toBe(150);
    const drawn = traces.filter((traceId) => isDrawn(traceId, 0.3)).sort();
    expect(drawn.length).toBeGreaterThan(20);
    expect(drawn.length).toBeLessThan(80);
    const rows = await rowsOf(id);
    expect(tracesOf(rows)).toEqual([...traces].sort());
    expect(tracesOf(rows.filter((row) => row.drawn))).toEqual(drawn);
    expect(new Set(rows.map(({ chance, due }) => `${chance} ${due}`))).toEqual(new Set(['0.3 false']));
    const queued = await scores();
    expect(tracesOf(queued)).toEqual(drawn);
    expect(queued).toHaveLength(drawn.length);
    expect((await reread(id)).results).toMatchObject({
      numRecords: 150,
      numDrawn: drawn.length,
      metrics: [{ states: { pending: drawn.length } }],
    });
  });

  it('is nested: what a lower rate draws, a higher one draws as well', async () => {
    const [low, high] = [await monitor({ samplingRate: 0.1 }), await monitor({ samplingRate: 0.6 })];
    await send(newTraces(60).map((traceId) => root(traceId)));
    await decide(app);
    const drawnBy = async ({ id }: { id: string }) =>
      tracesOf((await rowsOf(id)).filter(({ drawn }) => drawn));
    const [few, many] = [await drawnBy(low), await drawnBy(high)];
    expect(many).toEqual(expect.arrayContaining(few));
    expect(few.length).toBeLessThan(many.length);
    // Both ask for the same metric: it is scored once.
    expect(await scores()).toHaveLength(many.length);
  });

  it('decides about a session as one record, by the session’s id', async () => {
    const { id } = await monitor({ samplingRate: 0.5 });
    const sessions = Array.from({ length: 20 }, (_, i) => `${projectId}-session-${i}`);
    for (const session of sessions)
      await send(newTraces(3).map((traceId) => root(traceId, { attributes: { 'session.id': session } })));
    expect(await decide(app)).toBe(20);
    const rows = await app.db.read(
      system,
      (sql) => sql<{ session: string; drawn: boolean }[]>`
        select r.session_id as session, m.drawn from monitor_record m join record r using (run_id, n) where m.monitor_id = ${id}`,
    );
    expect(Object.fromEntries(rows.map(({ session, drawn }) => [session, drawn]))).toEqual(
      Object.fromEntries(sessions.map((session) => [session, isDrawn(session, 0.5)])),
    );
  });

  it('keeps a decision and its chance when the rate changes and more spans come', async () => {
    const { id } = await monitor({ samplingRate: 0.5 });
    const traces = newTraces(40);
    await send(traces.map((traceId) => root(traceId)));
    await decide(app);
    const before = await rowsOf(id);
    await ok(own.api('PATCH', `/monitors/${id}`, { samplingRate: 1 }));
    await send(traces.map((traceId) => ({ traceId, n: 2, parent: 1 })));
    expect(await decide(app)).toBe(40);
    expect(await rowsOf(id)).toEqual(before);
  });
});

describe('settling', () => {
  it('waits until no span has come for as long as the monitor says', async () => {
    const { id } = await monitor({ settleSeconds: 3600 });
    const [traceId] = newTraces(1) as [string];
    await send([root(traceId)]);
    expect(await decide(app)).toBe(0);
    // An hour less a second has passed, and a part comes.
    await run(
      `update monitor_record set due_at = due_at - interval '3599 seconds' where monitor_id = '${id}'`,
    );
    await send([{ traceId, n: 2, parent: 1 }]);
    await run(
      `update monitor_record set due_at = due_at - interval '3599 seconds' where monitor_id = '${id}'`,
    );
    expect(await decide(app)).toBe(0);
    await run(`update monitor_record set due_at = due_at - interval '1 second' where monitor_id = '${id}'`);
    expect(await decide(app)).toBe(1);
    expect(await scores()).toMatchObject([{ traceId, state: 'pending' }]);
  });

  it('a trace that comes in parts, in whatever order, is decided once', async () => {
    const { id } = await monitor();
    const [traceId] = newTraces(1) as [string];
    for (const n of [3, 1, 2]) await send([{ traceId, n, ...(n > 1 && { parent: 1 }) }]);
    expect(await decide(app)).toBe(1);
    expect(await rowsOf(id)).toHaveLength(1);
  });
});

describe('spans that come after a record was scored', () => {
  const scored = async () => {
    const { id } = await monitor();
    const [traceId] = newTraces(1) as [string];
    await send([root(traceId)]);
    await decide(app);
    const [record] = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
    const { metricConfigId } = (await reread(id)).results.metrics[0];
    await run(`update score set state = 'scored', score = '{"binaryScore":true}', value = 1, due_at = null, attempts = 1
      where run_id = ${record.id.split('-')[0]}`);
    return { id, traceId, record, metricConfigId, path: `/records/${record.id}/scores/${metricConfigId}` };
  };

  it('have it scored anew; the verdict before stays in its history', async () => {
    const { traceId, path } = await scored();
    await send([{ traceId, n: 2, parent: 1 }]);
    await decide(app);
    expect(await scores()).toMatchObject([{ state: 'pending', fence: 1, attempts: 0 }]);
    const { history } = await ok(own.api('GET', path));
    expect(history).toMatchObject([{ state: 'scored', score: { binaryScore: true } }]);
  });

  it('do not when they have come before', async () => {
    const { traceId } = await scored();
    await send([root(traceId)]);
    expect(await decide(app)).toBe(1);
    expect(await scores()).toMatchObject([{ state: 'scored', fence: 0 }]);
  });

  it('do not when a person has scored it, or somebody cancelled the score', async () => {
    const { traceId, path } = await scored();
    await ok(own.api('PUT', path, { score: { binaryScore: false } }));
    await send([{ traceId, n: 2, parent: 1 }]);
    await decide(app);
    expect(await scores()).toMatchObject([{ state: 'scored' }]);
    const other = await scored();
    const runId = other.record.id.split('-')[0];
    await run(
      `update score set state = 'pending', score = null, value = null, scored_by = null where run_id = ${runId}`,
    );
    await ok(own.api('POST', `/runs/${runId}/scores/cancel`));
    await send([{ traceId: other.traceId, n: 3, parent: 1 }]);
    await decide(app);
    expect((await scores()).map(({ state }) => state)).toEqual(['unscored', 'unscored']);
  });
});

describe('a filter', () => {
  const chat = (fields: Partial<TestSpan> = {}): TestSpan => ({
    traceId: newTraceId(),
    n: 1,
    name: 'chat',
    ms: 100,
    attributes: { 'gen_ai.request.model': 'm1', 'gen_ai.operation.name': 'chat', tags: ['gold'] },
    ...fields,
  });
  const failed = { status: { code: 2 } };

  it.each([
    [{}, true],
    [{ service: 'agent' }, true],
    [{ service: 'other' }, false],
    [{ name: 'chat' }, true],
    [{ name: 'cha' }, false],
    [{ model: 'm1' }, true],
    [{ model: 'm2' }, false],
    [{ error: true }, false],
    [{ error: false }, true],
    [{ minDurationMs: 100 }, true],
    [{ minDurationMs: 101 }, false],
    [{ tag: 'gold' }, true],
    [{ tag: 'silver' }, false],
    [{ service: 'agent', name: 'chat', model: 'm1', error: false, minDurationMs: 1, tag: 'gold' }, true],
  ])('%j fits a trace of one span: %s', async (filter, fits) => {
    const { id } = await monitor({ filter });
    await send([chat()]);
    expect(await decide(app)).toBe(1);
    expect(await rowsOf(id)).toHaveLength(fits ? 1 : 0);
    expect(await scores()).toHaveLength(fits ? 1 : 0);
  });

  it('asks everything of one and the same span', async () => {
    const traceId = newTraceId();
    const ofOne = await monitor({ filter: { name: 'tool', error: true } });
    const ofAnother = await monitor({ filter: { name: 'chat', error: true } });
    const ofNone = await monitor({ filter: { name: 'chat', error: false } });
    await send([chat({ traceId }), { traceId, n: 2, parent: 1, name: 'tool', ...failed }]);
    await decide(app);
    expect(await rowsOf(ofOne.id)).toHaveLength(1);
    expect(await rowsOf(ofAnother.id)).toHaveLength(0);
    expect(await rowsOf(ofNone.id)).toHaveLength(1);
  });

  it('is asked again when more spans come, and what it fits no more stays drawn', async () => {
    const [errors, fine] = [
      await monitor({ filter: { error: true } }),
      await monitor({ filter: { error: false } }),
    ];
    const traceId = newTraceId();
    await send([chat({ traceId })]);
    await decide(app);
    expect([await rowsOf(errors.id), await rowsOf(fine.id)]).toMatchObject([[], [{ drawn: true }]]);
    await send([{ traceId, n: 2, parent: 1, ...failed }]);
    await decide(app);
    expect([await rowsOf(errors.id), await rowsOf(fine.id)]).toMatchObject([
      [{ drawn: true }],
      [{ drawn: true }],
    ]);
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
    await ok(own.api('PUT', `/projects/${projectId}/trace-settings`, { retentionDays: 7 }));
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

describe('a process that dies, or another beside it', () => {
  it('leaves what it had in hand due, with nothing half done', async () => {
    const { id } = await monitor();
    await send(newTraces(3).map((traceId) => root(traceId)));
    const dies = app.db.transaction(system, async (tx) => {
      await scoreArrivals(tx);
      throw new Error('killed');
    });
    await expect(dies).rejects.toThrow('killed');
    expect(await scores()).toEqual([]);
    expect((await rowsOf(id)).every(({ due, drawn }) => due && drawn === null)).toBe(true);
    expect(await decide(app)).toBe(3);
    expect(await scores()).toHaveLength(3);
  });

  it('decides about each record once', async () => {
    await monitor();
    const other = await createCodeMetric(own.api, projectId);
    await createMonitor(own.api, projectId, [metric.id, other.id]);
    await send(newTraces(300).map((traceId) => root(traceId)));
    const looked = await Promise.all([decide(app), decide(app), decide(app)]);
    expect(looked.reduce((sum, n) => sum + n, 0)).toBe(600);
    const queued = await scores();
    expect(queued).toHaveLength(600);
    expect(queued.every(({ fence }) => fence === 0)).toBe(true);
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
    const drawn = traces.filter((traceId) => isDrawn(traceId, 0.5));
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
});
