import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

type Window = { projectId: bigint; since: Date };

/** A new run with the one before it on the same testset. */
export type NewRun = {
  id: bigint;
  baselineId: bigint | null;
  numRecords: number;
  numBaseline: number | null;
};

const recordsOf = (sql: Sql, { organizationId }: Scope, runId: Fragment) => sql`(
  select coalesce(sum(tally.n), 0)::int from run_tally tally
  where tally.run_id = ${runId} and tally.organization_id = ${organizationId} and tally.state is null)`;

/** Lists the newest evaluations with records that were started since a time. Reads run_project. */
export const listNewRuns = (sql: Sql, scope: Scope, { projectId, since }: Window, most: number) => sql<
  NewRun[]
>`
  select newest.id, baseline.id as "baselineId", newest.records as "numRecords", baseline.records as "numBaseline"
  from (
    select run.id, run.testset_id, ${recordsOf(sql, scope, sql`run.id`)} as records
    from run
    where run.organization_id = ${scope.organizationId} and run.project_id = ${projectId} and run.kind = 'evaluation'
      and run.created_at >= ${since} and ${recordsOf(sql, scope, sql`run.id`)} > 0
    order by run.id desc limit ${most}) newest
  left join lateral (
    select run.id, ${recordsOf(sql, scope, sql`run.id`)} as records
    from run
    where run.organization_id = ${scope.organizationId} and run.project_id = ${projectId} and run.kind = 'evaluation'
      and run.testset_id = newest.testset_id and run.id < newest.id
      and ${recordsOf(sql, scope, sql`run.id`)} > 0
    order by run.id desc limit 1) baseline on true
  order by newest.id desc`;

export type SentAlert = {
  alertId: string;
  alertName: string;
  event: string;
  title: string;
  path: string | null;
  at: string;
};

/** Lists what alerts told since a time, newest first; not that a run is complete, which the runs say. Reads alert_delivery_alert. */
export const listSentAlerts = (sql: Sql, scope: Scope, { projectId, since }: Window, most: number) => sql<
  SentAlert[]
>`
  select alert.id as "alertId", alert.name as "alertName", sent.event, sent.message ->> 'title' as title,
    sent.message ->> 'path' as path, iso_time(sent.created_at) as at
  from alert
  cross join lateral (
    select delivery.event, delivery.message, delivery.created_at
    from alert_delivery delivery
    where delivery.alert_id = alert.id and delivery.organization_id = ${scope.organizationId}
      and delivery.created_at >= ${since} and delivery.event not in ('test', 'run.completed', 'record.scored')
    order by delivery.created_at desc limit ${most}) sent
  where alert.organization_id = ${scope.organizationId} and alert.project_id = ${projectId}
  order by sent.created_at desc limit ${most}`;

export type MemberLabels = {
  userId: string;
  userName: string;
  metricId: string;
  metricName: string;
  numRecords: number;
};

/** Counts the records that other members scored since a time, by member and metric. Reads review_score_last. */
export const countLabels = (sql: Sql, scope: Scope, { projectId, since }: Window, most: number) => sql<
  MemberLabels[]
>`
  select member.id as "userId", member.name as "userName", metric.id::text as "metricId", metric.name as "metricName",
    count(*)::int as "numRecords"
  from member
  join review_score review
    on review.member_id = member.id and review.organization_id = ${scope.organizationId} and review.stands
      and review.submitted_at >= ${since}
  join run on run.id = review.run_id and run.organization_id = ${scope.organizationId} and run.project_id = ${projectId}
  join metric_config config on config.id = review.metric_config_id and config.organization_id = ${scope.organizationId}
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId} and metric.deleted_at is null
  where member.organization_id = ${scope.organizationId} and member.id <> ${scope.memberId}
  group by member.id, member.name, metric.id, metric.name
  order by count(*) desc, member.id, metric.id
  limit ${most}`;

/** Lists the monitors of a project that are not deleted, with the metrics that they watch. */
export const listMonitors = (sql: Sql, scope: Scope, projectId: bigint) => sql<
  { id: string; name: string; metricIds: string[] }[]
>`
  select id, name, array(
    select metric_id::text from monitor_metric watched
    where watched.monitor_id = monitor.id and watched.organization_id = ${scope.organizationId}) as "metricIds"
  from monitor
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and deleted_at is null`;
