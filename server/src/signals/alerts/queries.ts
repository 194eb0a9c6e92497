import type { Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { Message } from './message.ts';
import type { AlertKind } from './schema.ts';

const alertJson = (sql: Sql) => sql`
  json_build_object('id', alert.id, 'projectId', alert.project_id::text, 'name', alert.name, 'kind', alert.kind,
    'target', alert.target, 'events', alert.events,
    'minPassRate', alert.min_pass_rate, 'falseAlarmsPerYear', alert.false_alarms_per_year, 'paused', alert.active_since is null,
    'createdAt', iso_time(alert.created_at), 'updatedAt', iso_time(alert.updated_at))`;

/** Most alerts of a project. */
export const maxAlerts = 50;
/** Deliveries that a list shows. */
export const shownDeliveries = 100;

/** Returns the alerts of a project, oldest first; no row when there is no such project. */
export const listAlerts = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${alertJson(sql)} order by alert.id), '[]') from alert
    where alert.organization_id = ${scope.organizationId} and alert.project_id = project.id))::text as body
  from project
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

export const findAlert = (sql: Sql, scope: Scope, id: string) => sql<{ body: string }[]>`
  select ${alertJson(sql)}::text as body from alert where organization_id = ${scope.organizationId} and id = ${id}`;

/** An alert as it is stored, its URL and its signing key sealed. */
export type StoredAlert = {
  id: string;
  name: string;
  kind: AlertKind;
  target: string;
  secret: Buffer | null;
  events: string[];
  minPassRate: number | null;
  falseAlarmsPerYear: number;
  paused: boolean;
};

export const lockAlert = (tx: Sql, scope: Scope, id: string) => tx<StoredAlert[]>`
  select id, name, kind, target, secret, events, min_pass_rate as "minPassRate", false_alarms_per_year as "falseAlarmsPerYear",
    active_since is null as paused
  from alert where organization_id = ${scope.organizationId} and id = ${id} for update`;

export const countAlerts = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ n: number }[]>`
  select count(*)::int as n from alert where organization_id = ${scope.organizationId} and project_id = ${projectId}`;

export const insertAlert = (tx: Sql, scope: Scope, projectId: bigint, alert: StoredAlert) => tx<
  { body: string }[]
>`
  insert into alert (id, organization_id, project_id, name, kind, target, secret, events, min_pass_rate,
    false_alarms_per_year, active_since)
  values (${alert.id}, ${scope.organizationId}, ${projectId}, ${alert.name}, ${alert.kind}, ${alert.target},
    ${alert.secret}, ${alert.events}::text[], ${alert.minPassRate}, ${alert.falseAlarmsPerYear},
    case when not ${alert.paused} then now() end)
  returning ${alertJson(tx)}::text as body`;

export const updateAlert = (tx: Sql, scope: Scope, alert: StoredAlert) => tx<{ body: string }[]>`
  update alert set name = ${alert.name}, target = ${alert.target}, secret = ${alert.secret},
    events = ${alert.events}::text[], min_pass_rate = ${alert.minPassRate}, false_alarms_per_year = ${alert.falseAlarmsPerYear},
    active_since = case when not ${alert.paused} then coalesce(active_since, clock_timestamp()) end,
    updated_at = now()
  where organization_id = ${scope.organizationId} and id = ${alert.id}
  returning ${alertJson(tx)}::text as body`;

export const deleteAlert = (tx: Sql, scope: Scope, id: string) => tx`
  delete from alert where organization_id = ${scope.organizationId} and id = ${id} returning id`;

const deliveryJson = (sql: Sql) => sql`
  json_build_object('id', delivery.id, 'event', delivery.event, 'title', delivery.message ->> 'title',
    'state', delivery.state, 'attempts', delivery.attempts, 'status', delivery.status, 'error', delivery.error,
    'nextAttemptAt', case when delivery.state = 'pending' then iso_time(delivery.due_at) end,
    'createdAt', iso_time(delivery.created_at), 'endedAt', iso_time(delivery.ended_at))`;

/** Returns the newest deliveries of an alert; no row when there is no such alert. Reads alert_delivery_alert. */
export const listDeliveries = (sql: Sql, scope: Scope, alertId: string) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${deliveryJson(sql)} order by delivery.id desc), '[]')
    from (
      select * from alert_delivery
      where alert_delivery.alert_id = alert.id and alert_delivery.organization_id = ${scope.organizationId}
      order by alert_delivery.id desc limit ${shownDeliveries}) delivery))::text as body
  from alert
  where alert.organization_id = ${scope.organizationId} and alert.id = ${alertId}`;

export const findDelivery = (sql: Sql, scope: Scope, { alertId, id }: { alertId: string; id: string }) => sql<
  { body: string }[]
>`
  select ${deliveryJson(sql)}::text as body from alert_delivery delivery
  where delivery.organization_id = ${scope.organizationId} and delivery.alert_id = ${alertId} and delivery.id = ${id}`;

/** Makes an ended delivery due again, with all its attempts. */
export const retryDelivery = (tx: Sql, scope: Scope, { alertId, id }: { alertId: string; id: string }) => tx`
  update alert_delivery set state = 'pending', ended_at = null, due_at = now(), attempts = 0, fence = fence + 1
  where organization_id = ${scope.organizationId} and alert_id = ${alertId} and id = ${id} and state <> 'pending'`;

export type NewDelivery = { id: string; alertId: string; event: string; about: string; message: Message };

/** Inserts a delivery that this process holds until `leaseMs` from now. */
export const insertHeldDelivery = (tx: Sql, scope: Scope, delivery: NewDelivery, leaseMs: number) => tx<
  [{ createdAt: string }]
>`
  insert into alert_delivery (id, organization_id, alert_id, event, about, message, fence, due_at)
  values (${delivery.id}, ${scope.organizationId}, ${delivery.alertId}, ${delivery.event}, ${delivery.about},
    ${JSON.stringify(delivery.message)}::text::json, 1, now() + ${leaseMs} * interval '1 millisecond')
  returning iso_time(created_at) as "createdAt"`;

/** An event of a project, and when it was seen. */
export type NewEvent = { event: string; about: string; message: Message; at: string };

/**
 * Inserts an event for each alert of the project that asks for it. An event that waits for its first attempt takes the newer message and
 * waits again; one that was sent stays.
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
    now() + ${delayMs} * interval '1 millisecond'
  from alert
  where alert.organization_id = ${organizationId} and alert.project_id = ${projectId} and alert.active_since <= ${at}::text::timestamptz
    and ${event} = any(alert.events)
  order by alert.id
  on conflict (alert_id, about) do update
  set message = excluded.message, due_at = excluded.due_at, fence = delivery.fence + 1
  where delivery.state = 'pending' and delivery.attempts = 0`;

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

/** Deletes events that are no longer true and that no one has heard of. */
export const withdrawEvent = (tx: Sql, { organizationId }: Owner, projectId: bigint, about: string) => tx`
  delete from alert_delivery delivery using alert
  where alert.id = delivery.alert_id and alert.organization_id = ${organizationId} and alert.project_id = ${projectId}
    and delivery.organization_id = ${organizationId} and delivery.about = ${about}
    and delivery.state = 'pending' and delivery.attempts = 0`;

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
  createdAt: string;
};

/** Whether a delivery may be due. Reads alert_delivery_due. */
export const findDueDelivery = (sql: Sql) => sql<{ id: string }[]>`
  select id from alert_delivery where state = 'pending' and due_at <= now() limit 1`;

/** Takes due deliveries for `leaseMs`. Skips those that another worker is taking. Reads alert_delivery_due. */
export const claimDeliveries = (tx: Sql, limit: number, leaseMs: number) => tx<ClaimedDelivery[]>`
  with due as (
    select delivery.id from alert_delivery delivery join alert on alert.id = delivery.alert_id
    where delivery.state = 'pending' and delivery.due_at <= now() and alert.active_since is not null
    order by delivery.due_at
    limit ${limit}
    for update of delivery skip locked)
  update alert_delivery delivery
  set due_at = now() + ${leaseMs} * interval '1 millisecond', fence = delivery.fence + 1
  from due, alert
  where delivery.id = due.id and alert.id = delivery.alert_id
  returning delivery.id, delivery.organization_id as "organizationId", delivery.alert_id as "alertId", delivery.event,
    delivery.message::text as message, delivery.attempts, delivery.fence, iso_time(delivery.created_at) as "createdAt",
    alert.kind, alert.target, alert.secret`;

/** The outcome of an attempt; another one follows after `retryInMs`, or none. */
export type Attempt = {
  state: 'pending' | 'delivered' | 'failed';
  status: number | null;
  error: string | null;
  retryInMs: number;
};

/** Writes an attempt. Changes nothing unless the delivery is pending under its fence. */
export const endAttempt = (
  tx: Sql,
  { id, fence }: Pick<ClaimedDelivery, 'id' | 'fence'>,
  attempt: Attempt,
) => tx`
  update alert_delivery set state = ${attempt.state}, status = ${attempt.status}, error = ${attempt.error},
    attempts = attempts + 1, due_at = now() + ${attempt.retryInMs} * interval '1 millisecond',
    ended_at = case when ${attempt.state} <> 'pending' then now() end
  where id = ${id} and fence = ${fence} and state = 'pending'`;

/** Pauses an alert whose receiver says that it is gone. */
export const pauseAlert = (tx: Sql, alertId: string) => tx`
  update alert set active_since = null, updated_at = now() where id = ${alertId}`;

/** Deletes deliveries that ended a month ago. Reads alert_delivery_ended. */
export const purgeDeliveries = (tx: Sql) => tx`
  delete from alert_delivery where state <> 'pending' and ended_at < now() - interval '30 days'`;
