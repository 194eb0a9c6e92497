import { beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../test/fixtures.ts';
import { openMonitoring } from '../../../test/monitoring.ts';
import {
  createCodeMetric,
  createMonitor,
  decide,
  newTraces,
  root,
  tracesOf,
} from '../../../test/monitors.ts';
import { newTraceId, type TestSpan } from '../../../test/otlp.ts';
import { draw } from '../../evaluation/samples/draw.ts';
import { system } from '../../platform/db/database.ts';
import { scoreArrivals } from './score-arrivals.ts';

const { app, own, begin, send, monitor, reread, rowsOf, scores, run } = await openMonitoring();
let projectId: string;
let metric: { id: string };
beforeEach(async () => {
  ({ projectId, metric } = await begin());
});

describe('sampling', () => {
  it('draws exactly the traces below the rate, notes each chance, and queues no other', async () => {
    const { id } = await monitor({ samplingRate: 0.3 });
    const traces = newTraces(150);
    await send(traces.map((traceId) => root(traceId)));
    expect(await decide(app)).toBe(150);
    const drawn = traces.filter((traceId) => draw(null, traceId) < 0.3).sort();
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
      Object.fromEntries(sessions.map((session) => [session, draw(null, session) < 0.5])),
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

  it('have it re-scored; the previous verdict stays in its history', async () => {
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

  it('do not when a person has scored it, or someone cancelled the score', async () => {
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
    await ok(own.api('POST', `/runs/${runId}/cancel`, { of: 'scores' }));
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
    [{ modelName: 'm1' }, true],
    [{ modelName: 'm2' }, false],
    [{ error: true }, false],
    [{ error: false }, true],
    [{ minDurationMs: 100 }, true],
    [{ minDurationMs: 101 }, false],
    [{ tag: 'gold' }, true],
    [{ tag: 'silver' }, false],
    [{ service: 'agent', name: 'chat', modelName: 'm1', error: false, minDurationMs: 1, tag: 'gold' }, true],
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

describe('a process that dies, or another beside it', () => {
  it('leaves the records that it held due, with nothing half done', async () => {
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
