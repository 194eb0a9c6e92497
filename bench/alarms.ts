/**
 * Prints how often the alert of a monitor is wrong, through the service's own look at a database: pass rates of exactly the line,
 * looked at once a day, with time that passes as fast as the looks.
 * Run: node bench/alarms.ts [years] [false alarms a year]
 */
import { seededRandom } from '../server/src/engine/statistics/random.ts';
import { system } from '../server/src/platform/db/database.ts';
import { watchMonitors } from '../server/src/signals/alerts/watch-monitors.ts';
import { createAlert } from '../server/test/alerting.ts';
import { createMetric, createProject } from '../server/test/fixtures.ts';
import { startApp } from '../server/test/harness.ts';
import { createMonitor, decide, newTraces, root, sendSpans } from '../server/test/monitors.ts';

const years = Number(process.argv[2] ?? 5);
const chosen = Number(process.argv[3] ?? 12);
const [line, metrics, perDay, window] = [0.9, 4, 5, 30];
const dayMs = 86_400_000;

const app = await startApp({ DOKIMA_WORKERS: '0', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
const { api, key } = await app.organization();
const { id: projectId } = await createProject(api);
const metricIds: string[] = [];
for (let i = 0; i < metrics; i++)
  metricIds.push((await createMetric(api, projectId, { evalType: 'heuristic', outputType: 'boolean' })).id);
const monitor = await createMonitor(api, projectId, metricIds);
const alert = await createAlert(api, projectId, 'http://127.0.0.1:9/', {
  ...{ events: ['monitor.worse'], minPassRate: line, falseAlarmsPerYear: chosen },
});
await sendSpans(
  app,
  key,
  projectId,
  newTraces(perDay * window).map((traceId) => root(traceId)),
);
await decide(app);

const random = seededRandom(1);
const begin = Date.UTC(2030, 0, 1);
const at = (ms: number) => new Date(ms).toISOString();
await app.db.transaction(system, async (tx) => {
  await tx`update alert set active_since = ${at(begin)}::text::timestamptz where id = ${alert.id}`;
  await tx`update monitor set defined_at = ${at(begin)}::text::timestamptz where id = ${monitor.id}`;
});

/** Gives the oldest records the verdicts of a day, so that the database holds one window at all times. */
const passDay = (day: number) =>
  app.db.transaction(system, async (tx) => {
    for (let i = 0; i < perDay; i++) {
      const n = (day % window) * perDay + i + 1;
      const time = at(begin + day * dayMs + (i * dayMs) / perDay);
      await tx`update monitor_record set decided_at = ${time}::text::timestamptz where monitor_id = ${monitor.id} and n = ${n}`;
      const scores = await tx<{ id: string }[]>`
        select metric_config_id as id from score where n = ${n} order by metric_config_id`;
      for (const { id } of scores) {
        const value = random() / 2 ** 32 < line ? 1 : 0;
        await tx`update score set state = 'scored', value = ${value}, score = json_build_object('binaryScore', ${value} = 1), updated_at = ${time}::text::timestamptz
          where n = ${n} and metric_config_id = ${id}`;
      }
    }
  });

const days = Math.round(years * 365.25);
const started = performance.now();
let lookMs = 0;
for (let day = 0; day < days; day++) {
  await passDay(day);
  const before = performance.now();
  await watchMonitors(app.db, new Date(begin + (day + 1) * dayMs));
  lookMs += performance.now() - before;
}
const [found] = await app.db.read(
  system,
  (sql) => sql<{ n: number }[]>`select count(*)::int as n from alert_delivery where alert_id = ${alert.id}`,
);
const alarms = found!.n;
console.log(
  `${alarms} false alarms in ${years} years of ${metrics} metrics: ${(alarms / years).toFixed(2)} ± ${(Math.sqrt(alarms) / years).toFixed(2)} a year; ` +
    `chosen: at most ${chosen}. ${days} looks, ${(lookMs / days).toFixed(1)} ms each; ${((performance.now() - started) / 1000).toFixed(0)} s in all.`,
);
await app.close();
