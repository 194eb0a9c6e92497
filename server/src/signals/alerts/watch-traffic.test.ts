import { expect, it } from 'vitest';
import { createAlert } from '../../../test/alerting.ts';
import { createProject, ok } from '../../../test/fixtures.ts';
import { newTraces, root, sendSpans } from '../../../test/monitors.ts';
import { openApp } from '../../../test/opened.ts';
import { testStart } from '../../../test/otlp.ts';
import { countAbove, errorOfWindow, pOfQuantileAbove } from '../../engine/statistics/beyond-limit.ts';
import { markChangedHours } from '../../insights/series/mark-hours.ts';
import { system } from '../../platform/db/database.ts';
import type { Message } from './message.ts';
import { watchTraffic } from './watch-traffic.ts';

const { app, own } = await openApp({ DOKIMA_WORKERS: '0', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });

const hourMs = 3_600_000;
const now = new Date(Math.floor(Date.now() / hourMs) * hourMs + 10 * 60_000);
/** The begin of the hour that was complete this many hours ago. */
const hourAgo = (hours: number) => Math.floor(now.getTime() / hourMs) * hourMs - hours * hourMs;

it('tells of an hour whose errors, latency or cost are shown to be above a limit, once, and lists the same alarms before', async () => {
  const project = await createProject(own.api);
  const send = (hours: number, spanOf: (i: number) => object) =>
    sendSpans(
      app,
      own.key,
      project.id,
      newTraces(20).map((traceId, i) =>
        root(traceId, { at: hourAgo(hours) + i * 60_000 - testStart, ...spanOf(i) }),
      ),
    );
  const usage = (cost: number) => ({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.cost': cost },
  });
  // Two of 20 fail: more than 5 %, and luck may do that. Eleven of 20 are none.
  await send(30, (i) => ({ ...usage(0.01), ...(i < 11 && { status: { code: 2 } }) }));
  await send(4, (i) => ({ ...usage(0.01), ...(i < 2 && { status: { code: 2 } }) }));
  await send(3, (i) => ({ ...usage(0.01), ...(i < 11 && { status: { code: 2 } }) }));
  await send(2, () => ({ ...usage(0.2), ms: 9_000 }));
  await send(1, (i) => ({ ...usage(0.01), ...(i < 11 && { status: { code: 2 } }) }));
  await markChangedHours(app.db);
  const limits = { maxErrorRate: 0.05, maxLatencyMs: 5_000, maxCostUsd: 3, falseAlarmsPerYear: 1 };
  const alert = await createAlert(own.api, project.id, 'http://127.0.0.1:9/', {
    events: ['traffic.worse'],
    ...limits,
  });
  await app.db.transaction(
    system,
    (tx) => tx`update alert set active_since = now() - interval '20 hours' where id = ${alert.id}`,
  );
  await Promise.all([watchTraffic(app.db, now), watchTraffic(app.db, now)]);
  await watchTraffic(app.db, new Date(now.getTime() + hourMs));
  const messages = (
    await app.db.read(
      system,
      (sql) => sql<{ message: string }[]>`
        select message::text as message from alert_delivery where alert_id = ${alert.id} order by message -> 'facts' ->> 'measure'`,
    )
  ).map(({ message }) => JSON.parse(message) as Message);
  expect(messages.map(({ facts: { measure, n, start } }) => [measure, n, start])).toEqual([
    ['cost', 20, new Date(hourAgo(2)).toISOString()],
    ['errors', 20, new Date(hourAgo(3)).toISOString()],
    ['latency', 20, new Date(hourAgo(2)).toISOString()],
  ]);
  expect(messages.map(({ title }) => title.slice(title.indexOf(': ') + 2))).toEqual([
    'the records cost $4, above $3',
    '55 % of the records have a failed span, above 5 %',
    expect.stringMatching(/^the 95th percentile of the latency is 9(\.\d+)? s, above 5 s$/),
  ]);
  for (const [i, found] of [20, 11, 20].entries()) {
    const q = new URL(messages[i]!.path, 'http://localhost').searchParams.get('q')!;
    const path = `/projects/${project.id}/records?limit=100&q=${encodeURIComponent(q)}`;
    expect((await ok(own.api('GET', path))).data).toHaveLength(found);
  }
  const query = Object.entries(limits).map(([key, value]) => `${key}=${value}`);
  const { data } = await ok(
    own.api('GET', `/projects/${project.id}/alarms?${query.join('&')}&minPassRate=0.9`),
  );
  const ends = (...hours: number[]) => hours.map((hour) => new Date(hourAgo(hour - 1)).toISOString());
  expect(data.map(({ measure, alarms }: { measure: string; alarms: string[] }) => [measure, alarms])).toEqual(
    [
      ['errors', ends(30, 3)],
      ['latency', ends(2)],
      ['cost', ends(2)],
    ],
  );
  expect(data[0].points.map(({ n, value }: { n: number; value: number }) => [n, value])).toEqual([
    [20, 0.55],
    [20, 0.1],
    [20, 0.55],
    [20, 0],
    [20, 0.55],
  ]);
});

it('needs a limit, and keeps it when a change would take the last one', async () => {
  const project = await createProject(own.api);
  const body = { name: 'A', kind: 'slack', url: 'http://127.0.0.1:9/', events: ['traffic.worse'] };
  const { status } = await own.api('POST', `/projects/${project.id}/alerts`, body);
  expect(status).toBe(400);
  const alert = await ok(own.api('POST', `/projects/${project.id}/alerts`, { ...body, maxCostUsd: 2 }), 201);
  expect(alert).toMatchObject({ trafficWindow: 'hour', maxCostUsd: 2, maxErrorRate: null });
  expect((await own.api('PATCH', `/alerts/${alert.id}`, { maxCostUsd: null })).status).toBe(400);
  const changed = await ok(own.api('PATCH', `/alerts/${alert.id}`, { maxCostUsd: null, maxErrorRate: 0.1 }));
  expect(changed).toMatchObject({ maxCostUsd: null, maxErrorRate: 0.1 });
});

it('raises no more than the false alarms of a year at a latency that is exactly at its limit', () => {
  // The chance that k of n lie above the 95th percentile, added up over all k that raise an alarm.
  for (const n of [1, 3, 10, 100, 1_000]) {
    const error = errorOfWindow('hour', 1, 2);
    let chance = 0;
    let [ofK, k] = [0.95 ** n, 0];
    for (; k <= n; k++) {
      if (pOfQuantileAbove({ n, above: k }, 0.95) <= error) chance += ofK;
      ofK *= ((n - k) / (k + 1)) * (0.05 / 0.95);
    }
    expect(chance * 8_766 * 2).toBeLessThanOrEqual(1);
    // Only the fewest records decide nothing.
    expect(chance > 0).toBe(n > 3);
  }
  expect(countAbove([undefined, 1, 2, 4], 1.04 ** 2)).toEqual({ n: 7, above: 6 });
  expect(countAbove([undefined, 1, 2, 4], 1.04 ** 2.5)).toEqual({ n: 7, above: 4 });
});
