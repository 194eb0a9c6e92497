import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAlert } from '../../../test/alerting.ts';
import { createMetric, createProject, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { createMonitor, decide, sendSpans } from '../../../test/monitors.ts';
import { newTraceId } from '../../../test/otlp.ts';
import { system } from '../../platform/db/database.ts';
import { watchMonitors } from './watch-monitors.ts';

let app: TestApp;
let own: Organization;
beforeAll(async () => {
  app = await startApp({ DOKIMA_WORKERS: '0', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
});
afterAll(() => app.close());

/** A monitored project whose records got these verdicts, spread over the last 20 days. */
const world = async (passes: (i: number) => boolean, fields: object = {}) => {
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, { evalType: 'heuristic', outputType: 'boolean' });
  const monitor = await createMonitor(own.api, project.id, [metric.id], { service: 'agent' });
  const alert = await createAlert(own.api, project.id, 'http://127.0.0.1:9/', {
    ...{ events: ['monitor.worse'], minPassRate: 0.9, falseAlarmsPerYear: 12, ...fields },
  });
  const spans = Array.from({ length: 60 }, (_, n) => ({ traceId: newTraceId(), n: n + 1 }));
  await sendSpans(app, own.key, project.id, spans);
  await decide(app);
  const { data } = await ok(own.api('GET', `/projects/${project.id}/records?limit=100`));
  const { data: versions } = await ok(own.api('GET', `/metrics/${metric.id}/versions`));
  const runId = data[0].runId;
  const items = data.map(({ id }: { id: string }, i: number) => ({
    ...{ recordId: id, metricConfigId: versions[0].id, score: { binaryScore: passes(i) } },
  }));
  await ok(own.api('POST', `/runs/${runId}/scores/bulk-upsert`, { items }));
  await app.db.transaction(system, async (tx) => {
    await tx`update alert set active_since = now() - interval '21 days' where id = ${alert.id}`;
    await tx`update monitor set defined_at = now() - interval '21 days' where id = ${monitor.id}`;
    for (const [i, { id }] of data.entries())
      await tx`
        update score set updated_at = now() - interval '20 days' + ${i} * interval '8 hours'
        where run_id = ${runId}::text::bigint and n = ${Number(String(id).split('-')[1])}`;
  });
  const deliveries = async () => (await ok(own.api('GET', `/alerts/${alert.id}/deliveries`))).data;
  return { deliveries, monitor, metric };
};

it('tells once that a monitored pass rate has fallen, with the slice and the records', async () => {
  const { deliveries, monitor } = await world((i) => i < 20);
  await Promise.all([watchMonitors(app.db), watchMonitors(app.db)]);
  await watchMonitors(app.db);
  const found = await deliveries();
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]).toMatchObject({
    event: 'monitor.worse',
    title: expect.stringMatching(/^Monitor in Project: Metric has fallen below 90 %$/),
  });
  const [{ message }] = (await app.db.read(
    system,
    (sql) => sql<{ message: { lines: string[]; facts: Record<string, unknown> } }[]>`
      select message from alert_delivery where id = ${found.at(-1).id}`,
  )) as [{ message: { lines: string[]; facts: Record<string, unknown> } }];
  expect(message.lines.join('\n')).toMatch(
    /0 of \d+ records pass since about .*\nSlice: service agent\.\nNewest failures: \d+-\d+/,
  );
  expect(message.facts.monitorId).toBe(monitor.id);
  // Each look after an alarm begins with the verdicts after it, so the same ones raise no second alarm.
  expect(
    new Set(found.map(({ createdAt, id }: { createdAt: string; id: string }) => createdAt + id)).size,
  ).toBe(found.length);
});

it('keeps quiet while the rate is good enough, and needs a rate', async () => {
  const { deliveries } = await world((i) => i % 15 !== 0);
  await watchMonitors(app.db);
  expect(await deliveries()).toEqual([]);
  const project = await createProject(own.api);
  const body = { name: 'A', kind: 'webhook', url: 'http://127.0.0.1:9/', events: ['monitor.worse'] };
  const refused = await own.api('POST', `/projects/${project.id}/alerts`, body);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('/minPassRate')]);
});
