import { passed } from '../../evaluation/scores/queries.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { lackingSpans } from '../spans/roll-up.ts';

/** Settings of a monitor. */
export type MonitorDefinition = {
  name: string;
  metricIds: bigint[];
  samplingRate: number;
  settleSeconds: number;
  service: string | null;
  spanName: string | null;
  model: string | null;
  error: boolean | null;
  tag: string | null;
  minDurationMs: number | null;
  paused: boolean;
};

export type CountedMetric = {
  metricId: string;
  metricName: string;
  metricConfigId: string;
  states: { scored: number; pending: number; unscored: number; failed: number };
  numPassed: number;
  /** The scored records that have a user, and those of them that pass, by group of users. */
  users: { group: number; numScored: number; numPassed: number }[];
  /** If the metric scores spans: the number of scored records by number of spans, passes among these, and group of users. */
  spans: { group: number | null; size: number; passes: number; numRecords: number }[] | null;
};
export type MonitorRow = Omit<MonitorDefinition, 'metricIds'> & {
  id: string;
  projectId: string;
  metricIds: string[];
  createdAt: string;
  definedAt: string;
  since: string;
  numRecords: number;
  numDrawn: number;
  /** JSON text of CountedMetric[]. */
  metrics: string;
};

/** Longest age of counted results. */
const counted = '30 days';

/**
 * Counts the scored records of `monitor` and `config` by the number of their spans, of those that pass, and by group of users, as JSON.
 * Reads monitor_record_decided, score_pkey and span_score_pkey for each record that was drawn.
 */
const countSpans = (sql: Sql, { organizationId }: Scope) => sql`
  select coalesce(json_agg(json_build_object('group', user_group, 'size', size, 'passes', passes, 'numRecords', records)), '[]')
  from (
    select user_group(measure.user_id) as user_group, span.size, span.passes, count(*) as records
    from monitor_record drawn
    join score s on s.run_id = drawn.run_id and s.n = drawn.n and s.metric_config_id = config.id
      and s.organization_id = ${organizationId} and s.state = 'scored' and s.value is not null
    cross join lateral (
      select count(*) as size, count(*) filter (where ${passed(sql, sql`given`)}) as passes
      from span_score given
      where given.run_id = s.run_id and given.n = s.n and given.metric_config_id = config.id
        and given.organization_id = ${organizationId} and given.value is not null) span
    left join record_measure measure on measure.run_id = drawn.run_id and measure.n = drawn.n
      and measure.organization_id = ${organizationId}
    where drawn.monitor_id = monitor.id and drawn.organization_id = ${organizationId} and drawn.drawn
      and drawn.decided_at >= monitor.since and span.size > 0
    group by user_group(measure.user_id), span.size, span.passes) counted`;

/** Whether the record of score `s` waits for people: some of its spans have their scores. */
const waitsForSpans = (sql: Sql) =>
  sql`(s.state = 'unscored' and coalesce(s.reason like ${`%${lackingSpans}%`}, false))`;

/** Monitors with their results, oldest first. Reads monitor_record_decided, score_pkey and record_measure_pkey for each record that was drawn. */
const selectMonitors = (sql: Sql, scope: Scope, monitors: Fragment) => {
  const waits = waitsForSpans(sql);
  return sql<MonitorRow[]>`
  select monitor.id, monitor.project_id::text as "projectId", monitor.name, asked.ids as "metricIds",
    monitor.sampling_rate as "samplingRate", monitor.settle_seconds as "settleSeconds", monitor.service,
    monitor.span_name as "spanName", monitor.model, monitor.error, monitor.tag, monitor.min_duration_ms as "minDurationMs",
    monitor.paused_at is not null as paused, iso_time(monitor.created_at) as "createdAt",
    iso_time(monitor.defined_at) as "definedAt", iso_time(monitor.since) as since,
    seen.records as "numRecords", seen.drawn as "numDrawn", scores.metrics
  from (
    select *, greatest(defined_at, now() - ${counted}::interval) as since from (${monitors}) chosen) monitor
  cross join lateral (
    select array_agg(metric_id::text order by position) as ids from monitor_metric
    where monitor_metric.monitor_id = monitor.id and monitor_metric.organization_id = ${scope.organizationId}) asked
  cross join lateral (
    select count(*)::int as records, (count(*) filter (where drawn))::int as drawn from monitor_record
    where monitor_record.monitor_id = monitor.id and monitor_record.organization_id = ${scope.organizationId}
      and monitor_record.decided_at >= monitor.since) seen
  cross join lateral (
    select coalesce(json_agg(json_build_object(
        'metricId', metric.id::text, 'metricName', metric.name, 'metricConfigId', config.id,
        'states', json_build_object('scored', given.scored, 'pending', given.pending, 'unscored', given.unscored,
          'failed', given.failed),
        'numPassed', given.passed, 'users', given.users, 'spans', case when config.span_search is not null then (
          ${countSpans(sql, scope)}) end) order by monitored.position), '[]')::text as metrics
    from monitor_metric monitored
    join metric on metric.id = monitored.metric_id and metric.organization_id = ${scope.organizationId}
      and metric.deleted_at is null
    join metric_config config on config.id = metric.current_config_id and config.organization_id = ${scope.organizationId}
    cross join lateral (
      select coalesce(sum(scored), 0) as scored, coalesce(sum(pending), 0) as pending, coalesce(sum(unscored), 0) as unscored,
        coalesce(sum(failed), 0) as failed, coalesce(sum(passed), 0) as passed,
        coalesce(json_agg(json_build_object('group', user_group, 'numScored', scored, 'numPassed', passed))
          filter (where user_group is not null), '[]') as users
      from (
        select user_group(measure.user_id) as user_group,
          count(*) filter (where s.state = 'scored' and s.value is not null) as scored,
          count(*) filter (where s.state = 'pending' or ${waits}) as pending,
          count(*) filter (where s.state = 'unscored' and not ${waits} or s.state = 'scored' and s.value is null) as unscored,
          count(*) filter (where s.state = 'failed') as failed, count(*) filter (where ${passed(sql)}) as passed
        from monitor_record drawn
        join score s on s.run_id = drawn.run_id and s.n = drawn.n and s.metric_config_id = config.id
          and s.organization_id = ${scope.organizationId}
        left join record_measure measure on measure.run_id = drawn.run_id and measure.n = drawn.n
          and measure.organization_id = ${scope.organizationId}
        where drawn.monitor_id = monitor.id and drawn.organization_id = ${scope.organizationId} and drawn.drawn
          and drawn.decided_at >= monitor.since
        group by user_group(measure.user_id)) of_group) given
    where monitored.monitor_id = monitor.id and monitored.organization_id = ${scope.organizationId}) scores
  order by monitor.id`;
};

export const listMonitors = (sql: Sql, scope: Scope, projectId: bigint, after: string, count: number) =>
  selectMonitors(
    sql,
    scope,
    sql`
      select * from monitor
      where organization_id = ${scope.organizationId} and project_id = ${projectId} and deleted_at is null and id > ${after}
      order by id
      limit ${count}`,
  );

export const findMonitor = (sql: Sql, scope: Scope, monitorId: string) =>
  selectMonitors(
    sql,
    scope,
    sql`
      select * from monitor
      where organization_id = ${scope.organizationId} and id = ${monitorId} and deleted_at is null`,
  );

export type StoredMonitor = MonitorDefinition & { projectId: bigint };

/** A monitor as it is, locked until the transaction ends. */
export const lockMonitor = (tx: Sql, scope: Scope, monitorId: string) => tx<StoredMonitor[]>`
  select project_id as "projectId", name, sampling_rate as "samplingRate", settle_seconds as "settleSeconds", service,
    span_name as "spanName", model, error, tag, min_duration_ms as "minDurationMs", paused_at is not null as paused, (
      select array_agg(metric_id order by position) from monitor_metric
      where monitor_metric.monitor_id = monitor.id
        and monitor_metric.organization_id = ${scope.organizationId}) as "metricIds"
  from monitor
  where organization_id = ${scope.organizationId} and id = ${monitorId} and deleted_at is null
  for no key update`;

/** Finds the project's oldest monitor of this name. */
export const findMonitorByName = (tx: Sql, scope: Scope, projectId: bigint, name: string) => tx<
  { id: string }[]
>`
  select id from monitor
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and name = ${name} and deleted_at is null
  order by id limit 1`;

/** Finds the metric that a sentence has become: it stays the metric's description when its guidelines change. */
export const findMetricBySentence = (tx: Sql, scope: Scope, projectId: bigint, sentence: string) => tx<
  { id: bigint }[]
>`
  select metric.id from metric
  join metric_config config on config.id = metric.current_config_id and config.organization_id = ${scope.organizationId}
  where metric.organization_id = ${scope.organizationId} and metric.project_id = ${projectId}
    and metric.description = ${sentence} and metric.deleted_at is null
    and config.eval_type = 'ai' and config.output_type = 'boolean'
  order by metric.id limit 1`;

export const countMonitors = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ n: number }[]>`
  select count(*)::int as n from monitor
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and deleted_at is null`;

export const insertMonitor = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  id: string,
  definition: MonitorDefinition,
) => tx`
  insert into monitor (id, organization_id, project_id, name, sampling_rate, settle_seconds, service, span_name, model, error,
    tag, min_duration_ms, paused_at)
  values (${id}, ${scope.organizationId}, ${projectId}, ${definition.name}, ${definition.samplingRate},
    ${definition.settleSeconds}, ${definition.service}, ${definition.spanName}, ${definition.model}, ${definition.error},
    ${definition.tag}, ${definition.minDurationMs}, case when ${definition.paused} then now() end)`;

export const insertMonitorMetrics = (tx: Sql, scope: Scope, monitorId: string, metricIds: bigint[]) => tx`
  insert into monitor_metric (organization_id, monitor_id, position, metric_id)
  select ${scope.organizationId}, ${monitorId}, position, metric_id
  from unnest(${metricIds.map(String)}::bigint[]) with ordinality as given (metric_id, position)`;

export const deleteMonitorMetrics = (tx: Sql, scope: Scope, monitorId: string) => tx`
  delete from monitor_metric where monitor_id = ${monitorId} and organization_id = ${scope.organizationId}`;

/** `redefined`: results are counted from now on, after every decision made before the monitor was locked. */
export const updateMonitorRow = (
  tx: Sql,
  scope: Scope,
  monitorId: string,
  definition: MonitorDefinition,
  redefined: boolean,
) => tx`
  update monitor set name = ${definition.name}, sampling_rate = ${definition.samplingRate},
    settle_seconds = ${definition.settleSeconds}, service = ${definition.service}, span_name = ${definition.spanName},
    model = ${definition.model}, error = ${definition.error}, tag = ${definition.tag},
    min_duration_ms = ${definition.minDurationMs},
    paused_at = case when ${definition.paused} then coalesce(paused_at, now()) end,
    defined_at = case when ${redefined} then clock_timestamp() else defined_at end
  where organization_id = ${scope.organizationId} and id = ${monitorId}`;

/** Deletes the records that still wait for a monitor. */
export const deleteArrivals = async (tx: Sql, scope: Scope, monitorId: string): Promise<void> => {
  await tx`
    delete from monitor_record
    where monitor_id = ${monitorId} and organization_id = ${scope.organizationId} and decided_at is null`;
  await tx`
    update monitor_record set due_at = null
    where monitor_id = ${monitorId} and organization_id = ${scope.organizationId} and due_at is not null`;
};

/** Deletes the pending scores that only this monitor queued. */
export const withdrawScores = (tx: Sql, scope: Scope, monitorId: string) => tx`
  delete from score using monitor_record drawn, monitor_metric monitored, metric_config config
  where drawn.monitor_id = ${monitorId} and drawn.organization_id = ${scope.organizationId} and drawn.drawn
    and monitored.monitor_id = ${monitorId} and monitored.organization_id = ${scope.organizationId}
    and config.metric_id = monitored.metric_id and config.organization_id = ${scope.organizationId}
    and score.run_id = drawn.run_id and score.n = drawn.n and score.metric_config_id = config.id
    and score.organization_id = ${scope.organizationId} and score.state = 'pending'
    and not exists (
      select from monitor_record other
      join monitor on monitor.id = other.monitor_id and monitor.deleted_at is null
      join monitor_metric on monitor_metric.monitor_id = other.monitor_id
      where other.run_id = drawn.run_id and other.n = drawn.n and other.drawn and other.monitor_id <> ${monitorId}
        and monitor_metric.metric_id = monitored.metric_id and other.organization_id = ${scope.organizationId})`;

/** Marks a monitor as deleted. Its draws stay, with their probabilities. */
export const softDeleteMonitor = (tx: Sql, scope: Scope, monitorId: string) => tx`
  update monitor set deleted_at = now() where organization_id = ${scope.organizationId} and id = ${monitorId}`;
