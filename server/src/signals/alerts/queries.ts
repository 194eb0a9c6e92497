import type { Fragment, Sql } from '../../platform/db/database.ts';
import { lastUuid, type PageRow } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { taking } from '../../platform/jobs/claim.ts';
import { fromNow, isHeld, type JobTable } from '../../platform/jobs/job.ts';
import { reset, type Settlement, settled } from '../../platform/jobs/settle.ts';
import { receiversJson } from '../addresses/queries.ts';
import type { Message } from './message.ts';
import type { AlertKind } from './schema.ts';

/** `more`: further fields, after a comma. */
const alertJson = (sql: Sql, more = sql``) => sql`
  json_build_object('id', alert.id, 'projectId', alert.project_id::text, 'name', alert.name, 'kind', alert.kind,
    'target', alert.target, 'addresses', coalesce(
      case when alert.kind = 'email' then ${receiversJson(sql, sql`alert.organization_id`, sql`alert.target`)} end, '[]'),
    'events', alert.events,
    'minPassRate', alert.min_pass_rate, 'labelMetricId', alert.label_metric_id::text, 'label', alert.label,
    'maxLabelShare', alert.max_label_share, 'falseAlarmsPerYear', alert.false_alarms_per_year,
    'trafficWindow', alert.traffic_window, 'maxErrorRate', alert.max_error_rate, 'maxLatencyMs', alert.max_latency_ms,
    'maxCostUsd', alert.max_cost_usd, 'paused', alert.active_since is null,
    'createdAt', iso_time(alert.created_at), 'updatedAt', iso_time(alert.updated_at)${more})`;

/** The event of a delivery that asks the owner of an address. */
export const confirmation = 'address.confirmation';

/** Most alerts of a project. */
export const maxAlerts = 50;

/** Returns the alerts of a project, oldest first, with what each told last. Reads alert_delivery_alert. No row when there is no such project. */
export const listAlerts = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${alertJson(sql, sql`, 'lastDelivery', told.body`)} order by alert.id), '[]')
    from alert
    left join lateral (
      select json_build_object('event', delivery.event, 'title', delivery.message ->> 'title', 'state', delivery.state,
        'createdAt', iso_time(delivery.created_at)) as body
      from alert_delivery delivery
      where delivery.alert_id = alert.id and delivery.organization_id = ${scope.organizationId}
        and delivery.event <> ${confirmation}
      order by delivery.created_at desc, delivery.id desc limit 1) told on true
    where alert.organization_id = ${scope.organizationId} and alert.project_id = project.id))::text as body
  from project
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

export const findAlert = (sql: Sql, scope: Scope, id: string) => sql<{ body: string }[]>`
  select ${alertJson(sql)}::text as body from alert where organization_id = ${scope.organizationId} and id = ${id}`;

/** What the traffic of a window is held against. */
export type TrafficLimits = {
  trafficWindow: 'hour' | 'day';
  maxErrorRate: number | null;
  maxLatencyMs: number | null;
  maxCostUsd: number | null;
  falseAlarmsPerYear: number;
};

const trafficColumns = (sql: Sql) => sql`
  alert.traffic_window as "trafficWindow", alert.max_error_rate as "maxErrorRate", alert.max_latency_ms as "maxLatencyMs",
  alert.max_cost_usd as "maxCostUsd", alert.false_alarms_per_year as "falseAlarmsPerYear"`;

/** The highest acceptable share of a label in monitors. All null without one. */
export type LabelLimit = {
  labelMetricId: string | null;
  label: string | null;
  maxLabelShare: number | null;
};

/** An alert as it is stored, its URL and its signing key sealed. */
export type StoredAlert = {
  id: string;
  name: string;
  kind: AlertKind;
  target: string;
  secret: Buffer | null;
  events: string[];
  minPassRate: number | null;
  paused: boolean;
} & LabelLimit &
  TrafficLimits;

export const lockAlert = (tx: Sql, scope: Scope, id: string) => tx<(StoredAlert & { projectId: string })[]>`
  select id, project_id::text as "projectId", name, kind, target, secret, events, min_pass_rate as "minPassRate", label_metric_id::text as "labelMetricId", label,
    max_label_share as "maxLabelShare", ${trafficColumns(tx)},
    active_since is null as paused
  from alert where organization_id = ${scope.organizationId} and id = ${id} for update`;

export const countAlerts = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ n: number }[]>`
  select count(*)::int as n from alert where organization_id = ${scope.organizationId} and project_id = ${projectId}`;

export const insertAlert = (tx: Sql, scope: Scope, projectId: bigint, alert: StoredAlert) => tx`
  insert into alert (id, organization_id, project_id, name, kind, target, secret, events, min_pass_rate,
    label_metric_id, label, max_label_share, false_alarms_per_year, traffic_window, max_error_rate, max_latency_ms, max_cost_usd, active_since)
  values (${alert.id}, ${scope.organizationId}, ${projectId}, ${alert.name}, ${alert.kind}, ${alert.target},
    ${alert.secret}, ${alert.events}::text[], ${alert.minPassRate},
    ${alert.labelMetricId}::bigint, ${alert.label}, ${alert.maxLabelShare}, ${alert.falseAlarmsPerYear},
    ${alert.trafficWindow}, ${alert.maxErrorRate}, ${alert.maxLatencyMs}, ${alert.maxCostUsd},
    case when not ${alert.paused} then now() end)`;

export const updateAlert = (tx: Sql, scope: Scope, alert: StoredAlert) => tx`
  update alert set name = ${alert.name}, target = ${alert.target}, secret = ${alert.secret},
    events = ${alert.events}::text[], min_pass_rate = ${alert.minPassRate}, label_metric_id = ${alert.labelMetricId}::bigint,
    label = ${alert.label}, max_label_share = ${alert.maxLabelShare}, false_alarms_per_year = ${alert.falseAlarmsPerYear},
    traffic_window = ${alert.trafficWindow}, max_error_rate = ${alert.maxErrorRate}, max_latency_ms = ${alert.maxLatencyMs},
    max_cost_usd = ${alert.maxCostUsd},
    active_since = case when not ${alert.paused} then coalesce(active_since, clock_timestamp()) end,
    updated_at = now()
  where organization_id = ${scope.organizationId} and id = ${alert.id}`;

/** The labels of a metric of a project as JSON text; null for a metric that is no category. */
export const findLabelsOf = (sql: Sql, scope: Scope, projectId: bigint, metricId: bigint) => sql<
  { labels: string | null }[]
>`
  select config.labels::text as labels from metric
  join metric_config config on config.id = metric.current_config_id and config.organization_id = ${scope.organizationId}
  where metric.organization_id = ${scope.organizationId} and metric.project_id = ${projectId} and metric.id = ${metricId}
    and metric.deleted_at is null`;

export const deleteAlert = (tx: Sql, scope: Scope, id: string) => tx`
  delete from alert where organization_id = ${scope.organizationId} and id = ${id} returning id`;

const deliveryJson = (sql: Sql) => sql`
  json_build_object('id', delivery.id, 'event', delivery.event, 'title', delivery.message ->> 'title',
    'state', delivery.state, 'numAttempts', delivery.attempts, 'status', delivery.status, 'lastError', delivery.last_error,
    'unconfirmed', delivery.unconfirmed,
    'nextAttemptAt', case when delivery.state = 'pending' then iso_time(delivery.due_at) end,
    'createdAt', iso_time(delivery.created_at), 'endedAt', iso_time(delivery.ended_at))`;

/** The key after every delivery, as `listDeliveries` orders them. */
export const latestDelivery = `infinity/${lastUuid}`;

/** Lists the deliveries of an alert, newest first. Reads alert_delivery_alert. */
export const listDeliveries = (sql: Sql, scope: Scope, alertId: string, before: string, count: number) => sql<
  PageRow[]
>`
  select ${deliveryJson(sql)}::text as body, delivery.created_at || '/' || delivery.id as key from alert_delivery delivery
  where delivery.alert_id = ${alertId} and delivery.organization_id = ${scope.organizationId}
    and (delivery.created_at, delivery.id)
      < (split_part(${before}, '/', 1)::timestamptz, split_part(${before}, '/', 2)::uuid)
  order by delivery.created_at desc, delivery.id desc limit ${count}`;

export const findDelivery = (sql: Sql, scope: Scope, { alertId, id }: { alertId: string; id: string }) => sql<
  { body: string; event: string }[]
>`
  select ${deliveryJson(sql)}::text as body, delivery.event from alert_delivery delivery
  where delivery.organization_id = ${scope.organizationId} and delivery.alert_id = ${alertId} and delivery.id = ${id}`;

/**
 * Makes an ended delivery due again, with all its attempts: for those who do not have it, or for all if everyone has it. A question to an owner
 * is not repeated in this way, which would pass by its limits.
 */
export const retryDelivery = (tx: Sql, scope: Scope, { alertId, id }: { alertId: string; id: string }) => tx`
  update alert_delivery set ${reset(tx, 'alert_delivery')}, ended_at = null, unconfirmed = '{}',
    delivered_to = case when state = 'delivered' and unconfirmed = '{}' then '{}' else delivered_to end
  where organization_id = ${scope.organizationId} and alert_id = ${alertId} and id = ${id} and state <> 'pending'
    and event <> ${confirmation}`;

export type NewDelivery = { id: string; alertId: string; event: string; about: string; message: Message };

/** Counts the tests of an alert in the last minute, and of its organization in the last hour. Reads alert_delivery_alert of each alert. */
export const countTests = (tx: Sql, scope: Scope, alertId: string) => tx<
  { ofAlert: number; ofOrganization: number }[]
>`
  select count(*) filter (where recent.alert_id = ${alertId} and recent.created_at > now() - interval '1 minute')::int as "ofAlert",
    count(*)::int as "ofOrganization"
  from alert
  cross join lateral (
    select delivery.alert_id, delivery.created_at from alert_delivery delivery
    where delivery.alert_id = alert.id and delivery.organization_id = ${scope.organizationId}
      and delivery.created_at > now() - interval '1 hour' and delivery.event = 'test') recent
  where alert.organization_id = ${scope.organizationId}`;

/** Inserts the questions to the owners of addresses. */
export const insertConfirmations = (
  tx: Sql,
  { organizationId }: Owner,
  alertId: string,
  addresses: string[],
) => tx`
  insert into alert_delivery (id, organization_id, alert_id, event, about, message)
  select gen_random_uuid(), ${organizationId}, ${alertId}, ${confirmation}, ${confirmation} || ' ' || gen_random_uuid(),
    json_build_object('title', 'Question to ' || address, 'lines', '[]'::json, 'path', '/', 'facts', json_build_object('address', address))
  from unnest(${addresses}::text[]) address`;

/** Inserts a delivery that this process holds until `leaseMs` from now. */
export const insertHeldDelivery = (tx: Sql, scope: Scope, delivery: NewDelivery, leaseMs: number) => tx<
  [{ createdAt: string }]
>`
  insert into alert_delivery (id, organization_id, alert_id, event, about, message, fence, due_at)
  values (${delivery.id}, ${scope.organizationId}, ${delivery.alertId}, ${delivery.event}, ${delivery.about},
    ${JSON.stringify(delivery.message)}::text::json, 1, ${fromNow(tx, leaseMs)})
  returning iso_time(created_at) as "createdAt"`;

/** An event of a project, and its time. */
export type NewEvent = { event: string; about: string; message: Message; at: string };

/** Whether no worker has taken a delivery: one that was taken may have been sent, and receivers drop a second message of the same id. */
const isUntouched = (sql: Sql): Fragment => sql`delivery.state = 'pending' and delivery.fence = 0`;

/**
 * Inserts an event for each alert of the project that asks for it. An event that waits for its first attempt gets the newer message and
 * waits again; an event that may have been sent stays.
 */
export const insertEvent = (
  tx: Sql,
  { organizationId }: Owner,
  projectId: bigint,
  { event, about, message, at }: NewEvent,
  delayMs: number,
) => tx`
  insert into alert_delivery as delivery (id, organization_id, alert_id, event, about, message, due_at)
  select gen_random_uuid(), ${organizationId}, alert.id, ${event}, ${about}, ${JSON.stringify(message)}::text::json,
    ${fromNow(tx, delayMs)}
  from alert
  where alert.organization_id = ${organizationId} and alert.project_id = ${projectId} and alert.active_since <= ${at}::text::timestamptz
    and ${event} = any(alert.events)
  order by alert.id
  on conflict (alert_id, about) do update
  set message = excluded.message, due_at = excluded.due_at
  where ${isUntouched(tx)}`;

/** Inserts an event of one alert, once. */
export const insertEventOf = (
  tx: Sql,
  { organizationId }: Owner,
  alertId: string,
  { event, about, message }: Omit<NewEvent, 'at'>,
) => tx`
  insert into alert_delivery (id, organization_id, alert_id, event, about, message)
  select gen_random_uuid(), ${organizationId}, alert.id, ${event}, ${about}, ${JSON.stringify(message)}::text::json
  from alert where alert.organization_id = ${organizationId} and alert.id = ${alertId}
  on conflict (alert_id, about) do nothing`;

/** Deletes events that are no longer true and were certainly not sent. */
export const withdrawEvent = (tx: Sql, { organizationId }: Owner, projectId: bigint, about: string) => tx`
  delete from alert_delivery delivery using alert
  where alert.id = delivery.alert_id and alert.organization_id = ${organizationId} and alert.project_id = ${projectId}
    and delivery.organization_id = ${organizationId} and delivery.about = ${about}
    and ${isUntouched(tx)}`;

/** The jobs to send. Those of a paused alert wait, but questions to owners do not. Reads alert_delivery_due. */
export const deliveries: JobTable<'id'> = {
  table: 'alert_delivery',
  parent: 'alert_id',
  id: 'id',
  idType: 'uuid',
  open: (sql) =>
    sql`(event = ${confirmation} or alert_id in (select id from alert where active_since is not null))`,
};

/** A delivery that is this worker's until its lease ends, with its alert. */
export type ClaimedDelivery = Pick<StoredAlert, 'kind' | 'target' | 'secret'> & {
  id: string;
  organizationId: bigint;
  alertId: string;
  event: string;
  /** JSON text of a Message. */
  message: string;
  attempts: number;
  fence: number;
  /** email: those who have it. */
  deliveredTo: string[];
  createdAt: string;
  /** When it was taken. */
  sentAt: string;
};

/** Takes due deliveries of an alert. */
export const claimDeliveries = (tx: Sql, alertId: string, lease: { limit: number; leaseMs: number }) => tx<
  ClaimedDelivery[]
>`
  with taken as (${taking(tx, deliveries, alertId, lease)})
  select taken.id, taken.organization_id as "organizationId", taken.alert_id as "alertId", taken.event,
    taken.message::text as message, taken.attempts, taken.fence,
    taken.delivered_to as "deliveredTo", iso_time(taken.created_at) as "createdAt",
    iso_time(now()) as "sentAt", alert.kind, alert.target, alert.secret
  from taken join alert on alert.id = taken.alert_id
  order by taken.id`;

/** Outcome of an attempt, with the status that the receiver answered. */
export type Attempt = Settlement<'delivered' | 'failed'> & {
  status: number | null;
  /** email: who has it now, and who does not get it. */
  receivers?: { deliveredTo: string[]; unconfirmed: string[] } | undefined;
};

/** Writes an attempt, unless the lease was lost. */
export const settleDelivery = (
  tx: Sql,
  { organizationId, id, fence }: Owner & { id: string; fence: number },
  attempt: Attempt,
) => tx`
  update alert_delivery set ${settled(tx, attempt)}, status = ${attempt.status},
    delivered_to = ${attempt.receivers?.deliveredTo ?? []}::text[], unconfirmed = ${attempt.receivers?.unconfirmed ?? []}::text[],
    ended_at = ${attempt.state === 'pending' ? tx`null` : tx`now()`}
  where organization_id = ${organizationId} and id = ${id} and ${isHeld(tx, { fence })}`;

/** Pauses an alert whose receiver says that it is gone. */
export const pauseAlert = (tx: Sql, alertId: string) => tx`
  update alert set active_since = null, updated_at = now() where id = ${alertId}`;

/** Deletes deliveries that ended a month ago. Reads alert_delivery_ended. */
export const purgeDeliveries = (tx: Sql) => tx`
  delete from alert_delivery where state <> 'pending' and ended_at < now() - interval '30 days'`;

/** An alert on the traffic of its project. */
export type TrafficAlert = TrafficLimits & {
  organizationId: bigint;
  alertId: string;
  projectId: bigint;
  projectName: string | null;
  /** Windows that began before are not looked at: the alert was not active, or the last alarm is less than a day old. */
  sinceOf: Record<'errors' | 'latency' | 'cost', string>;
};

export const listTrafficAlerts = (sql: Sql) => sql<TrafficAlert[]>`
  select alert.organization_id as "organizationId", alert.id as "alertId", project.id as "projectId", project.name as "projectName",
    ${trafficColumns(sql)}, (
      select json_object_agg(measure, iso_time(greatest(alert.active_since, (
        select max((delivery.message -> 'facts' ->> 'start')::timestamptz) + interval '1 day' from alert_delivery delivery
        where delivery.alert_id = alert.id and delivery.event = 'traffic.worse'
          and delivery.message -> 'facts' ->> 'measure' = measure))))
      from unnest(array['errors', 'latency', 'cost']) measure) as "sinceOf"
  from alert join project on project.id = alert.project_id
  where alert.active_since is not null and 'traffic.worse' = any(alert.events)
  order by alert.id`;

export const findOrganizationName = (sql: Sql, { organizationId }: Owner) => sql<{ name: string }[]>`
  select name from organization where id = ${organizationId}`;
