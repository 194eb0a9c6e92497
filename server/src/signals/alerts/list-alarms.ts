import { findAlarm, type Verdict } from '../../engine/statistics/change-alarm.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import { readTrust } from '../../insights/analysis/read-trust.ts';
import { readWindows } from '../../insights/series/read-windows.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { alarmsOf, holdTraffic } from './hold-traffic.ts';
import type { AlarmQuery, Watched } from './schema.ts';
import { listVerdicts } from './watch-monitors.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const lengths = { hour: hourMs, day: dayMs };
const numDays = 30;

const iso = (time: number): string => new Date(time).toISOString();

const names = {
  errors: 'Records with a failed span',
  latency: 'Latency, 95th percentile',
  cost: 'Cost',
};

type WatchedMetric = {
  monitorId: string;
  monitorName: string;
  metricName: string;
  configId: string;
  ofSpans: boolean;
  definedAt: string;
  metricId: string;
  /** JSON text of the labels of a category; null for other metrics. */
  labels: string | null;
};

/** The metrics of the monitors of a project. Reads monitor_project. */
const listWatchedMetrics = (sql: Sql, { organizationId }: Scope, projectId: bigint) => sql<WatchedMetric[]>`
  select monitor.id as "monitorId", monitor.name as "monitorName", metric.name as "metricName",
    metric.current_config_id as "configId", config.span_search is not null as "ofSpans", iso_time(monitor.defined_at) as "definedAt",
    metric.id::text as "metricId", config.labels::text as labels
  from monitor
  join monitor_metric monitored on monitored.monitor_id = monitor.id and monitored.organization_id = ${organizationId}
  join metric on metric.id = monitored.metric_id and metric.organization_id = ${organizationId} and metric.deleted_at is null
  join metric_config config on config.id = metric.current_config_id and config.organization_id = ${organizationId}
  where monitor.organization_id = ${organizationId} and monitor.project_id = ${projectId} and monitor.deleted_at is null
  order by monitor.id, metric.id`;

type Limit = { rate: number; years: number; fromMs: number; nowMs: number };

/** The times of all alarms of a stream. After each the next day is left out, as the watcher does. */
const alarmTimes = (verdicts: readonly Verdict[], { rate, years, fromMs, nowMs }: Limit): number[] => {
  const alarm = findAlarm(verdicts, { rate, years, fromMs, nowMs });
  if (!alarm) return [];
  const at = verdicts[alarm.index]!.atMs;
  const later = verdicts.filter(({ atMs }) => atMs > at + dayMs);
  return [at, ...alarmTimes(later, { rate, years, fromMs: at + dayMs, nowMs })];
};

const sharesByDay = (verdicts: readonly Verdict[]): Watched['points'] => {
  const days = Map.groupBy(verdicts, ({ atMs }) => Math.floor(atMs / dayMs));
  return [...days].map(([day, of]) => {
    const counts = of.map(({ passed, spans }) => spans ?? { n: 1, passes: Number(passed) });
    const n = counts.reduce((sum, each) => sum + each.n, 0);
    return {
      start: iso(day * dayMs),
      n: of.length,
      value: counts.reduce((sum, { passes }) => sum + passes, 0) / n,
    };
  });
};

type MonitorLimits = Pick<AlarmQuery, 'minPassRate' | 'labelMetricId' | 'label' | 'maxLabelShare'>;

/** What is watched of a metric: its pass rate, and the share of a label that it gives. */
const limitsOn = (
  { metricId, labels }: WatchedMetric,
  { minPassRate, labelMetricId, label, maxLabelShare }: MonitorLimits,
): { rate: number; label: string | null }[] => [
  ...(minPassRate === undefined ? [] : [{ rate: minPassRate, label: null }]),
  ...(maxLabelShare !== undefined &&
  label !== undefined &&
  metricId === labelMetricId &&
  storedLabels(labels)?.items.includes(label)
    ? [{ rate: 1 - maxLabelShare, label }]
    : []),
];

const watchedMonitors = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  limits: MonitorLimits & { falseAlarmsPerYear: number; nowMs: number },
): Promise<Watched[]> => {
  const { falseAlarmsPerYear, nowMs } = limits;
  const metrics = await db.read(scope, (sql) => listWatchedMetrics(sql, scope, projectId));
  const watched = metrics.flatMap((metric) =>
    limitsOn(metric, limits).map((limit) => ({ ...metric, ...limit })),
  );
  const found: Watched[] = [];
  for (const { monitorName, metricName, definedAt, rate, ...series } of watched) {
    const { label, metricId, configId } = series;
    const since = iso(Math.max(Date.parse(definedAt), nowMs - numDays * dayMs));
    const verdicts = await db.read(scope, (sql) =>
      listVerdicts(sql, scope, { ...series, drawnSince: since, since }),
    );
    const years = watched.length / falseAlarmsPerYear;
    const points = sharesByDay(verdicts);
    found.push({
      ...(label === null
        ? { measure: 'passRate', name: `${metricName} of ${monitorName}`, limit: rate, points }
        : {
            measure: 'labelShare',
            name: `'${label}' of ${metricName} of ${monitorName}`,
            limit: limits.maxLabelShare!,
            points: points.map(({ value, ...point }) => ({ ...point, value: 1 - value })),
          }),
      judge: await readTrust(db, scope, BigInt(metricId), configId),
      window: 'day',
      alarms: alarmTimes(verdicts, { rate, years, fromMs: Date.parse(since), nowMs }).map(iso),
    });
  }
  return found;
};

/** Returns what an alert with these limits would have found in the last 30 days, by the code with which alerts look. */
export const listAlarms = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  query: AlarmQuery,
  now: Date,
): Promise<Watched[]> => {
  const { minPassRate, maxLabelShare, falseAlarmsPerYear = 1, trafficWindow = 'hour' } = query;
  const { maxErrorRate = null, maxLatencyMs = null, maxCostUsd = null } = query;
  const limits = { trafficWindow, maxErrorRate, maxLatencyMs, maxCostUsd, falseAlarmsPerYear };
  const nowMs = now.getTime();
  const length = lengths[trafficWindow];
  const to = new Date(Math.floor(nowMs / length) * length);
  const range = { projectId, from: new Date(to.getTime() - numDays * dayMs), to, bucket: trafficWindow };
  const isTraffic = maxErrorRate !== null || maxLatencyMs !== null || maxCostUsd !== null;
  const traffic = isTraffic ? holdTraffic(await readWindows(db, scope, range), limits) : [];
  return [
    ...traffic.map(
      ({ measure, limit, windows }): Watched => ({
        measure,
        name: names[measure],
        judge: null,
        window: trafficWindow,
        limit,
        points: windows.map(({ start, n, value }) => ({ start: iso(start.getTime()), n, value })),
        alarms: alarmsOf(windows).map(({ start }) => iso(start.getTime() + length)),
      }),
    ),
    ...(minPassRate === undefined && maxLabelShare === undefined
      ? []
      : await watchedMonitors(db, scope, projectId, { ...query, falseAlarmsPerYear, nowMs })),
  ];
};
