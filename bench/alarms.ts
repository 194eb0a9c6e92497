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
  events: ['monitor.worse'],
  minPassRate: line,
  falseAlarmsPerYear: chosen,
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

const configIds = await app.db.read(
  system,
  (sql) => sql<{ id: string }[]>`select distinct metric_config_id as id from score order by id`,
);

/** Gives the oldest records the verdicts of a day, so that the database holds one window at all times. */
const passDay = (day: number) => {
  const records = Array.from({ length: perDay }, (_, i) => ({
    n: (day % window) * perDay + i + 1,
    time: at(begin + day * dayMs + (i * dayMs) / perDay),
  }));
  const scores = records.flatMap((record) =>
    configIds.map(({ id }) => ({ ...record, id, value: random() / 2 ** 32 < line ? 1 : 0 })),
  );
  return app.db.transaction(system, async (tx) => {
    await tx`update monitor_record set decided_at = given.time
      from unnest(${records.map(({ n }) => n)}::integer[], ${records.map(({ time }) => time)}::timestamptz[]) as given (n, time)
      where monitor_id = ${monitor.id} and monitor_record.n = given.n`;
    await tx`update score set state = 'scored', value = given.value, updated_at = given.time,
        score = json_build_object('binaryScore', given.value = 1)
      from unnest(${scores.map(({ n }) => n)}::integer[], ${scores.map(({ id }) => id)}::uuid[],
        ${scores.map(({ value }) => value)}::integer[], ${scores.map(({ time }) => time)}::timestamptz[]) as given (n, id, value, time)
      where score.n = given.n and metric_config_id = given.id`;
  });
};

const countAlarms = async (): Promise<number> => {
  const [found] = await app.db.read(
    system,
    (sql) => sql<{ n: number }[]>`select count(*)::int as n from alert_delivery where alert_id = ${alert.id}`,
  );
  return found!.n;
};

const days = Math.round(years * 365.25);
const started = performance.now();
let lookMs = 0;
for (let day = 0; day < days; day++) {
  await passDay(day);
  const before = performance.now();
  await watchMonitors(app.db, new Date(begin + (day + 1) * dayMs));
  lookMs += performance.now() - before;
  if (day % 1826 === 1825) console.log(`${(day + 1) / 365.2} years: ${await countAlarms()} false alarms`);
}
const [alarms, seconds] = [await countAlarms(), ((performance.now() - started) / 1000).toFixed(0)];
console.log(
  `${alarms} false alarms in ${years} years of ${metrics} metrics: ${(alarms / years).toFixed(2)} ± ${(Math.sqrt(alarms) / years).toFixed(2)} a year; ` +
    `chosen: at most ${chosen}. ${days} looks, ${(lookMs / days).toFixed(1)} ms each; ${seconds} s in all.`,
);
await app.close();
