import { expect, it } from 'vitest';
import { createAlert } from '../../../test/alerting.ts';
import { createMetric, createProject, ok } from '../../../test/fixtures.ts';
import { createMonitor, decide, newTraces, root, sendSpans } from '../../../test/monitors.ts';
import { openApp } from '../../../test/opened.ts';
import type { TestSpan } from '../../../test/otlp.ts';
import { type Sql, system } from '../../platform/db/database.ts';
import type { Message } from './message.ts';
import { watchMonitors } from './watch-monitors.ts';

const { app, own } = await openApp({ DOKIMA_WORKERS: '0', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });

/** Gives a record scores of its spans, and the lowest of them. */
const giveSpans = async (
  tx: Sql,
  { runId, n: record }: { runId: string; n: number },
  config: string,
  { n, passes }: { n: number; passes: number },
): Promise<void> => {
  await tx`
    insert into span_score (organization_id, run_id, n, metric_config_id, otel_trace_id, span_id, state, score, value)
    select organization_id, run_id, r.n, ${config}::text::uuid, '\\x01', int8send(i), 'scored', '{}', (i <= ${passes})::int
    from record r, generate_series(1, ${n}::int) i where run_id = ${runId}::text::bigint and r.n = ${record}`;
  await tx`
    insert into score (organization_id, run_id, n, metric_config_id, state, score, value)
    select organization_id, run_id, n, ${config}::text::uuid, 'scored', '{}', ${Number(passes === n)}
    from record where run_id = ${runId}::text::bigint and n = ${record}
    on conflict (run_id, n, metric_config_id) do update set state = excluded.state, score = excluded.score, value = excluded.value,
      reason = null`;
};

const labels = { items: ['is refused', 'partly', 'solved'], passing: ['is refused', 'solved'] };

/** A monitored project whose records got these verdicts, 8 hours apart, over the last 20 days. */
const world = async (
  passes: (i: number) => boolean = () => true,
  userOf: (i: number) => string | null = () => null,
  spanOf: (i: number) => Partial<TestSpan> = () => ({}),
  spansOf?: (i: number) => { n: number; passes: number },
  /** The label of each record, of a category; and an alert on the share of `refused`. */
  labelOf?: (i: number) => string,
) => {
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, {
    evalType: 'heuristic',
    outputType: 'boolean',
    ...(spansOf && { evalType: 'human', spans: 'kind:tool' }),
    ...(labelOf && { outputType: 'category', labels, name: 'How it "ends"' }),
  });
  const monitor = await createMonitor(own.api, project.id, [metric.id], { filter: { service: 'agent' } });
  const alert = await createAlert(own.api, project.id, 'http://127.0.0.1:9/', {
    events: ['monitor.worse'],
    ...(labelOf
      ? { labelMetricId: metric.id, label: 'is refused', maxLabelShare: 0.1 }
      : { minPassRate: 0.9 }),
    falseAlarmsPerYear: 12,
  });
  const send = (count: number, service: string) => {
    const spans = newTraces(count).map((traceId, i) => root(traceId, spanOf(i)));
    return sendSpans(app, own.key, project.id, spans, { 'service.name': service });
  };
  await send(60, 'agent');
  await send(3, 'other');
  await decide(app);
  const recordsOf = async (q: string): Promise<string[]> => {
    const path = `/projects/${project.id}/records?limit=100&q=${encodeURIComponent(q)}`;
    return (await ok(own.api('GET', path))).data.map(({ id }: { id: string }) => id);
  };
  const drawn = await recordsOf(`monitor:${monitor.id}`);
  const others = await recordsOf(`-monitor:${monitor.id}`);
  expect([drawn.length, others.length]).toEqual([60, 3]);
  const { data: versions } = await ok(own.api('GET', `/metrics/${metric.id}/versions`));
  const scoreOf = (recordId: string, binaryScore: boolean, categoryScore?: string) => ({
    recordId,
    metricConfigId: versions[0].id,
    score: categoryScore === undefined ? { binaryScore } : { categoryScore },
  });
  const items = [
    ...drawn.map((id, i) => scoreOf(id, passes(i), labelOf?.(i))),
    ...others.map((id) => scoreOf(id, false, labelOf && 'is refused')),
  ];
  const keyOf = (id: string) => ({ runId: id.split('-')[0]!, n: Number(id.split('-')[1]) });
  if (!spansOf)
    for (const [runId, ofRun] of Map.groupBy(items, ({ recordId }) => keyOf(recordId).runId))
      await ok(own.api('POST', `/runs/${runId}/scores/bulk-upsert`, { items: ofRun }));
  await app.db.transaction(system, async (tx) => {
    await tx`update alert set active_since = now() - interval '21 days' where id = ${alert.id}`;
    await tx`update monitor set defined_at = now() - interval '21 days' where id = ${monitor.id}`;
    for (const [i, id] of drawn.entries()) {
      const { runId, n } = keyOf(id);
      if (spansOf) await giveSpans(tx, keyOf(id), versions[0].id, spansOf(i));
      await tx`
        update record_measure set user_id = ${userOf(i)}
        where run_id = ${runId}::text::bigint and n = ${n}`;
      await tx`
        update score set updated_at = now() - interval '20 days' + ${i} * interval '8 hours'
        where run_id = ${runId}::text::bigint and n = ${n}`;
    }
  });
  const messages = async () =>
    (
      await app.db.read(
        system,
        (sql) => sql<{ message: string }[]>`
          select message::text as message from alert_delivery where alert_id = ${alert.id}
          order by message -> 'facts' ->> 'scoredAt'`,
      )
    ).map(({ message }) => JSON.parse(message) as Message);
  return { project, metric, alert, drawn, recordsOf, messages, monitor };
};

it('tells once that a monitored pass rate has fallen, with the slice, and opens exactly the records that failed', async () => {
  const { drawn, recordsOf, messages, monitor } = await world((i) => i < 55);
  await Promise.all([watchMonitors(app.db, new Date()), watchMonitors(app.db, new Date())]);
  await watchMonitors(app.db, new Date());
  const found = await messages();
  expect(found).toHaveLength(1);
  const { title, lines, path, facts } = found[0]!;
  expect(title).toMatch(/^Monitor in .+: .+ has fallen below 90 %$/);
  expect(lines.join('\n')).toMatch(
    /^0 of (\d) records pass since about .+\.\nSlice: service agent\.\nNewest failures: \d+-\d+/,
  );
  expect(facts.monitorId).toBe(monitor.id);
  expect(facts.scoredAt).toBe(new Date(String(facts.scoredAt)).toISOString());
  const failed = drawn.slice(55);
  expect(failed).toEqual(expect.arrayContaining(facts.recordIds as string[]));
  const q = new URL(path, 'http://localhost').searchParams.get('q')!;
  expect((await recordsOf(q)).sort()).toEqual(failed.sort());
});

it('tells that the share of a label has risen, though it passes, and opens the records with it', async () => {
  const { project, metric, alert, drawn, recordsOf, messages } = await world(
    undefined,
    undefined,
    undefined,
    undefined,
    (i) => (i >= 55 ? 'is refused' : i % 2 ? 'partly' : 'solved'),
  );
  await watchMonitors(app.db, new Date());
  await watchMonitors(app.db, new Date());
  const [found, ...more] = await messages();
  expect(more).toEqual([]);
  expect(found!.title).toMatch(/'is refused' of How it "ends" has risen above 10 %$/);
  expect(found!.lines[0]).toMatch(/^(\d) of \1 records have 'is refused' since about /);
  expect(found!.facts).toMatchObject({ label: 'is refused', maxLabelShare: 0.1 });
  const q = new URL(found!.path, 'http://localhost').searchParams.get('q')!;
  expect((await recordsOf(q)).sort()).toEqual(drawn.slice(55).sort());
  const path = `/projects/${project.id}/alarms?labelMetricId=${metric.id}&maxLabelShare=0.1&label=`;
  const [watched] = (await ok(own.api('GET', `${path}is%20refused&falseAlarmsPerYear=12`))).data;
  expect(watched).toMatchObject({ measure: 'labelShare', limit: 0.1 });
  expect([watched.points[0].value, watched.points.at(-1).value, watched.alarms.length]).toEqual([0, 1, 1]);
  const refused = await own.api('GET', `${path}other`);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("one of 'is refused'")]);
  const half = await own.api('PATCH', `/alerts/${alert.id}`, { label: null });
  expect([half.status, half.text]).toEqual([400, expect.stringContaining('/label')]);
  const none = { labelMetricId: null, label: null, maxLabelShare: null };
  expect((await own.api('PATCH', `/alerts/${alert.id}`, none)).text).toContain('/minPassRate');
  await ok(own.api('PATCH', `/alerts/${alert.id}`, { ...none, minPassRate: 0.5 }));
});

it('leaves out traces that happened before it watched, however late they arrive', async () => {
  const monthMs = 30 * 24 * 3_600_000;
  // The same verdicts as above. The traces that failed are backfilled, and happened before the alert was active.
  const { messages } = await world(
    (i) => i < 55,
    () => null,
    (i) => ({ at: i < 55 ? i : i - 2 * monthMs }),
  );
  await watchMonitors(app.db, new Date());
  expect(await messages()).toEqual([]);
});

it('counts the records that a user has in a day once', async () => {
  const { messages } = await world(
    (i) => i < 55,
    (i) => (i < 55 ? `user ${i}` : 'the one who fails'),
  );
  await watchMonitors(app.db, new Date());
  expect(await messages()).toEqual([]);
});

it('tells it again while it stays worse, once a day at most', async () => {
  const { messages } = await world((i) => i < 20);
  for (let look = 0; look < 40; look++) await watchMonitors(app.db, new Date());
  const times = (await messages()).map(({ facts }) => Date.parse(String(facts.scoredAt)));
  expect(times.length).toBeGreaterThan(2);
  for (const [i, time] of times.slice(1).entries()) expect(time - times[i]!).toBeGreaterThan(24 * 3_600_000);
});

it('bets on the share of spans that pass, once for each record however many spans it has, and names spans and records', async () => {
  // Two records fail 40 spans each: as verdicts of their own, 80 failures in a row would raise the alarm at once.
  const few = await world(undefined, undefined, undefined, (i) =>
    i % 30 === 20 ? { n: 40, passes: 0 } : { n: 2, passes: 2 },
  );
  // Each record lacks one of 20 spans: no record passes whole, and 95 % of the spans do.
  const most = await world(undefined, undefined, undefined, () => ({ n: 20, passes: 19 }));
  const fallen = await world(undefined, undefined, undefined, (i) => ({ n: 4, passes: i < 50 ? 4 : 1 }));
  await watchMonitors(app.db, new Date());
  expect([await few.messages(), await most.messages()]).toEqual([[], []]);
  const [{ lines, facts }] = (await fallen.messages()) as [Message];
  expect(facts).toMatchObject({ unit: 'span', n: 4 * Number(facts.numRecords), passes: facts.numRecords });
  expect(lines[0]).toBe(
    `${facts.passes} of ${facts.n} spans in ${facts.numRecords} records pass since about ${facts.since}.`,
  );
  const { results } = await ok(own.api('GET', `/monitors/${most.monitor.id}`));
  const [{ passRate, numSpans, states }] = results.metrics;
  expect([passRate.estimate, passRate.n, numSpans, states.scored]).toEqual([0.95, 60, 1200, 60]);
  const counted = (await ok(own.api('GET', `/monitors/${few.monitor.id}`))).results.metrics[0].passRate;
  expect(counted).toMatchObject({ estimate: 116 / 196, method: expect.stringContaining('CR2') });
  // Read as independent spans, it would be 52 to 66 %.
  expect(counted.interval.low).toBeLessThan(0.4);
});

it('keeps quiet while the rate is good enough, and needs a rate', async () => {
  const { messages } = await world((i) => i % 15 !== 0);
  await watchMonitors(app.db, new Date());
  expect(await messages()).toEqual([]);
  const project = await createProject(own.api);
  const body = { name: 'A', kind: 'webhook', url: 'http://127.0.0.1:9/', events: ['monitor.worse'] };
  const refused = await own.api('POST', `/projects/${project.id}/alerts`, body);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('/minPassRate')]);
});
