import { type Alarm, findAlarm, type Verdict } from '../../engine/statistics/change-alarm.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { passed } from '../../evaluation/scores/queries.ts';
import { readTrust } from '../../insights/analysis/read-trust.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { type Owner, serviceScope } from '../../platform/http/scope.ts';
import type { Message } from './message.ts';
import { insertEventOf } from './queries.ts';

/** One metric of a monitor that an alert watches. */
type Series = {
  organizationId: bigint;
  alertId: string;
  projectId: string;
  projectName: string | null;
  monitorId: string;
  monitorName: string;
  /** The filter of the monitor, in words. */
  slice: string;
  metricId: string;
  metricName: string;
  configId: string;
  /** Whether the metric scores spans. */
  ofSpans: boolean;
  rate: number;
  /** The label whose share is watched; null for the pass rate. */
  label: string | null;
  falseAlarmsPerYear: number;
  /** Number of series that share the false alarms of the alert. */
  shared: number;
  /** Records that were drawn before are not counted, as in the results of the monitor. */
  drawnSince: string;
  /** Verdicts that were given before are not counted. */
  since: string;
};

/**
 * The series that alerts watch: each metric of each monitor of their projects, and the label of one metric, since the monitor was defined and the alert was active, and
 * for 30 days at most, because alarms are kept that long. After an alarm the next day is left out, because a rate that stays low would
 * raise one at each look.
 */
const listSeries = (sql: Sql, now: Date) => sql<Series[]>`
  select alert.organization_id as "organizationId", alert.id as "alertId", project.id::text as "projectId",
    project.name as "projectName", monitor.id as "monitorId", monitor.name as "monitorName",
    concat_ws(', ', 'service ' || monitor.service, 'name ' || monitor.span_name, 'model ' || monitor.model,
      'tag ' || monitor.tag, case monitor.error when true then 'with errors' when false then 'without errors' end,
      'at least ' || monitor.min_duration_ms || ' ms') as slice,
    metric.id::text as "metricId", metric.name as "metricName", metric.current_config_id as "configId",
    config.span_search is not null as "ofSpans",
    watched.rate, watched.label, alert.false_alarms_per_year as "falseAlarmsPerYear",
    (count(*) over (partition by alert.id))::int as shared,
    greatest(monitor.defined_at, ${now.toISOString()}::text::timestamptz - interval '30 days')::text as "drawnSince",
    greatest(alert.active_since, monitor.defined_at, ${now.toISOString()}::text::timestamptz - interval '30 days', (
      select max((delivery.message -> 'facts' ->> 'scoredAt')::timestamptz) + interval '1 day' from alert_delivery delivery
      where delivery.alert_id = alert.id and delivery.event = 'monitor.worse'
        and delivery.message -> 'facts' ->> 'monitorId' = monitor.id::text
        and delivery.message -> 'facts' ->> 'metricId' = metric.id::text
        and delivery.message -> 'facts' ->> 'label' is not distinct from watched.label))::text as since
  from alert
  join project on project.id = alert.project_id
  join monitor on monitor.project_id = project.id and monitor.deleted_at is null
  join monitor_metric monitored on monitored.monitor_id = monitor.id
  join metric on metric.id = monitored.metric_id and metric.deleted_at is null
  join metric_config config on config.id = metric.current_config_id
  cross join lateral (
    select alert.min_pass_rate as rate, null as label where alert.min_pass_rate is not null
    union all
    select 1 - alert.max_label_share, alert.label
    where alert.label_metric_id = metric.id and (config.labels::jsonb -> 'items') ? alert.label) watched
  where alert.active_since is not null and 'monitor.worse' = any(alert.events)
  order by alert.id, monitor.id, metric.id, watched.label nulls first`;

type Scored = Verdict & { at: string; recordId: string };

/** Counts the spans of the record of score `s`, and those that pass. Reads span_score_pkey. */
const countSpans = (sql: Sql, { organizationId }: Owner) => sql`
  select json_build_object('n', count(*), 'passes', count(*) filter (where ${passed(sql, sql`span`)})) as counts
  from span_score span
  where span.run_id = s.run_id and span.n = s.n and span.metric_config_id = s.metric_config_id
    and span.organization_id = ${organizationId} and span.value is not null
  having count(*) > 0`;

/**
 * The verdicts of a series in the order in which they were given. Records that happened before the alert watches do not count, however
 * late they arrived: they tell of another time. A session has one record, so records depend on each other by their users.
 * A record of a metric that scores spans has one verdict, with the number of its spans. With a label, a verdict is whether it was not given:
 * a share of the label below its limit is then a rate above the rest.
 * Reads monitor_record_decided, record_pkey, score_pkey and record_measure_pkey.
 */
export const listVerdicts = (
  sql: Sql,
  { organizationId }: Owner,
  {
    monitorId,
    configId,
    ofSpans,
    label,
    drawnSince,
    since,
  }: Pick<Series, 'monitorId' | 'configId' | 'ofSpans' | 'label' | 'drawnSince' | 'since'>,
) => sql<Scored[]>`
  select ${label === null ? passed(sql) : sql`s.score ->> 'categoryScore' is distinct from ${label}`} as passed, (extract(epoch from s.updated_at) * 1000)::float8 as "atMs", iso_time(s.updated_at) as at,
    s.run_id || '-' || s.n as "recordId", measure.user_id as unit, ${ofSpans ? sql`(${countSpans(sql, { organizationId })})` : sql`null::json`} as spans
  from monitor_record drawn
  join record r on r.run_id = drawn.run_id and r.n = drawn.n and r.organization_id = ${organizationId}
    and r.created_at > ${since}::text::timestamptz
  join score s on s.run_id = drawn.run_id and s.n = drawn.n and s.metric_config_id = ${configId}
    and s.organization_id = ${organizationId}
  join metric_config config on config.id = s.metric_config_id and config.organization_id = ${organizationId}
  left join record_measure measure on measure.run_id = drawn.run_id and measure.n = drawn.n
    and measure.organization_id = ${organizationId}
  where drawn.monitor_id = ${monitorId} and drawn.organization_id = ${organizationId} and drawn.drawn
    and drawn.decided_at >= ${drawnSince}::text::timestamptz and s.state = 'scored' and s.value is not null
    and s.updated_at > ${since}::text::timestamptz
  order by s.updated_at, s.run_id, s.n`;

const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

/** A word of a search, in quotes. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** An alarm with what its message tells. `trust`: how far its judge can be trusted; null unless a model judges. */
type Raised = { since: Alarm['since']; at: string; failures: string[]; trust: string | null };

const messageOf = (series: Series, { since, at, failures, trust }: Raised): Message => {
  const {
    projectId,
    projectName,
    monitorId,
    monitorName,
    slice,
    metricId,
    metricName,
    ofSpans,
    rate,
    label,
    falseAlarmsPerYear,
  } = series;
  const { verdicts, n, passes } = since;
  const sinceAt = new Date(since.atMs).toISOString();
  const counted = ofSpans ? `spans in ${countInWords(verdicts, 'record')}` : 'records';
  const inProject = projectName ? ` in ${projectName}` : '';
  const share = percent(1 - rate);
  const said =
    label === null
      ? {
          what: `${metricName} has fallen below ${percent(rate)}`,
          counts: `${passes} of ${n} ${counted} pass since about ${sinceAt}.`,
          newest: 'Newest failures',
          limit: `every rate is at least ${percent(rate)} and users fail independently of each other`,
          search: `monitor:${monitorId} metric:${metricId} result:fail`,
        }
      : {
          what: `'${label}' of ${metricName} has risen above ${share}`,
          counts: `${n - passes} of ${n} ${counted} have '${label}' since about ${sinceAt}.`,
          newest: 'Newest records with it',
          limit: `every share is at most ${share} and users are independent of each other`,
          search: `monitor:${monitorId} score.${quoted(metricName)}:${quoted(label)}`,
        };
  return {
    title: `${monitorName}${inProject}: ${said.what}`,
    lines: [
      said.counts,
      `Slice: ${slice || 'all traces'}.`,
      ...(failures.length > 0 ? [`${said.newest}: ${failures.join(', ')}.`] : []),
      ...(trust === null ? [] : [`Judge: ${trust}.`]),
      `While ${said.limit}, this alert is wrong at most ${falseAlarmsPerYear} times a year on average.`,
    ],
    path: `/projects/${projectId}/records?q=${encodeURIComponent(said.search)}`,
    facts: {
      project: { id: projectId, name: projectName },
      monitorId,
      monitorName,
      slice,
      metricId,
      metricName,
      ...(label === null
        ? { minPassRate: rate }
        : { label, maxLabelShare: Number((1 - rate).toPrecision(12)) }),
      falseAlarmsPerYear,
      n,
      passes,
      unit: ofSpans ? 'span' : 'record',
      numRecords: verdicts,
      judge: trust,
      since: sinceAt,
      scoredAt: at,
      recordIds: failures,
    },
  };
};

/** Maximum number of failures in a message. */
const named = 5;

/** Raises the alarms of all monitors that alerts watch. Processes that look at the same time note an alarm once. */
export const watchMonitors = async (db: Database, now: Date): Promise<void> => {
  for (const series of await db.read(system, (sql) => listSeries(sql, now))) {
    const owner = { organizationId: series.organizationId };
    const verdicts = await db.read(owner, (sql) => listVerdicts(sql, owner, series));
    const years = series.shared / series.falseAlarmsPerYear;
    const alarm = findAlarm(verdicts, {
      rate: series.rate,
      years,
      fromMs: Date.parse(series.since),
      nowMs: now.getTime(),
    });
    if (!alarm) continue;
    const { index, since } = alarm;
    const failures = verdicts.slice(index + 1 - since.verdicts, index + 1).filter((each) => !each.passed);
    const { at } = verdicts[index]!;
    const scope = serviceScope(series.organizationId);
    const trust = await readTrust(db, scope, BigInt(series.metricId), series.configId);
    const message = messageOf(series, {
      trust,
      since,
      at,
      failures: failures.slice(-named).map(({ recordId }) => recordId),
    });
    const about = `monitor.worse ${series.monitorId} ${series.metricId} ${series.label === null ? '' : `${series.label} `}${at}`;
    await db.transaction(owner, (tx) =>
      insertEventOf(tx, owner, series.alertId, { event: 'monitor.worse', about, message }),
    );
  }
};
