import type { Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { dueAt } from '../../platform/jobs/settle.ts';
import type { ScheduleTask } from './schema.ts';

/** Most schedules of a project. */
export const maxSchedules = 50;

const scheduleJson = (sql: Sql) => sql`
  json_build_object('id', schedule.id, 'projectId', schedule.project_id::text, 'name', schedule.name, 'cron', schedule.cron,
    'timeZone', schedule.time_zone, 'task', schedule.task, 'paused', schedule.paused,
    'nextAt', case when not schedule.paused then iso_time(schedule.next_at) end, 'lastAt', iso_time(schedule.last_at),
    'lastRunId', schedule.last_run_id::text, 'lastError', schedule.last_error,
    'createdAt', iso_time(schedule.created_at), 'updatedAt', iso_time(schedule.updated_at))`;

/** Returns the schedules of a project, oldest first; no row when there is no such project. */
export const listSchedules = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${scheduleJson(sql)} order by schedule.id), '[]') from schedule
    where schedule.organization_id = ${scope.organizationId} and schedule.project_id = project.id))::text as body
  from project
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

export const findSchedule = (sql: Sql, scope: Scope, id: string) => sql<{ body: string }[]>`
  select ${scheduleJson(sql)}::text as body from schedule where organization_id = ${scope.organizationId} and id = ${id}`;

/** A schedule as it is stored. */
export type StoredSchedule = {
  id: string;
  projectId: bigint;
  name: string;
  cron: string;
  timeZone: string;
  task: ScheduleTask;
  paused: boolean;
  nextAt: Date | null;
};

/** A schedule that is due, with the number of failed attempts to start it at this time. */
export type TakenSchedule = StoredSchedule & { attempts: number };

const stored = (sql: Sql) => sql`
  id, project_id as "projectId", name, cron, time_zone as "timeZone", task, paused, next_at as "nextAt"`;

export const lockSchedule = (tx: Sql, scope: Owner, id: string) => tx<StoredSchedule[]>`
  select ${stored(tx)} from schedule where organization_id = ${scope.organizationId} and id = ${id} for update`;

export const countSchedules = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ n: number }[]>`
  select count(*)::int as n from schedule where organization_id = ${scope.organizationId} and project_id = ${projectId}`;

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null;

export const insertSchedule = (
  tx: Sql,
  { organizationId }: Scope,
  { id, projectId, name, cron, timeZone, task, paused, nextAt }: StoredSchedule,
) => tx<{ body: string }[]>`
  insert into schedule (id, organization_id, project_id, name, cron, time_zone, task, paused, next_at, due_at)
  values (${id}, ${organizationId}, ${projectId}, ${name}, ${cron}, ${timeZone}, ${JSON.stringify(task)}::text::json,
    ${paused}, ${textOf(nextAt)}::text::timestamptz, ${textOf(nextAt)}::text::timestamptz)
  returning ${scheduleJson(tx)}::text as body`;

export const updateSchedule = (
  tx: Sql,
  { organizationId }: Scope,
  {
    id,
    name,
    cron,
    timeZone,
    task,
    paused,
    nextAt,
    merged,
  }: StoredSchedule & { merged: boolean | undefined },
) => tx<{ body: string }[]>`
  update schedule set name = ${name}, cron = ${cron}, time_zone = ${timeZone}, task = ${JSON.stringify(task)}::text::json,
    paused = ${paused}, next_at = ${textOf(nextAt)}::text::timestamptz, ${dueAt(tx, nextAt)}, attempts = 0, updated_at = now()
  where organization_id = ${organizationId} and id = ${id}
  returning left(${scheduleJson(tx)}::text, -1) || ${merged === undefined ? '}' : `, "merged": ${merged}}`}::text as body`;

export const deleteSchedule = (tx: Sql, scope: Scope, id: string) => tx`
  delete from schedule where organization_id = ${scope.organizationId} and id = ${id}`;

export type DueSchedule = { organizationId: bigint; id: string };

const isDue = (sql: Sql, now: Date) => sql`not paused and due_at <= ${textOf(now)}::text::timestamptz`;

/** Returns the due schedules of all organizations. Reads schedule_due. */
export const listDueSchedules = (sql: Sql, now: Date) => sql<DueSchedule[]>`
  select organization_id as "organizationId", id from schedule
  where ${isDue(sql, now)} order by due_at limit 100`;

/** Takes a schedule that is due. Returns no row if another process has it or has started it. */
export const takeDueSchedule = (tx: Sql, { organizationId }: Owner, id: string, now: Date) => tx<
  TakenSchedule[]
>`
  select ${stored(tx)}, attempts from schedule
  where organization_id = ${organizationId} and id = ${id} and ${isDue(tx, now)}
  for update skip locked`;

/** Delays a schedule that the service failed to start. */
export const delaySchedule = (
  tx: Sql,
  { organizationId }: Owner,
  id: string,
  { attempts, until }: { attempts: number; until: Date },
) => tx`
  update schedule set attempts = ${attempts}, ${dueAt(tx, until)}
  where organization_id = ${organizationId} and id = ${id}`;

/** Writes the outcome of a time, and the next time. */
export const recordOutcome = (
  tx: Sql,
  { organizationId }: Owner,
  { id, nextAt }: StoredSchedule,
  { runId, error, next }: { runId: string | null; error: string | null; next: Date | null },
) => tx`
  update schedule set last_at = ${textOf(nextAt)}::text::timestamptz, last_run_id = ${runId}::text::bigint, last_error = ${error},
    next_at = ${textOf(next)}::text::timestamptz, ${dueAt(tx, next)}, attempts = 0
  where organization_id = ${organizationId} and id = ${id}`;

/** Returns the production version of a system of the project. */
export const findProductionVersion = (tx: Sql, scope: Scope, projectId: bigint, systemId: string) => tx<
  { id: string }[]
>`
  select production_version_id as id from system
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and id = ${systemId} and deleted_at is null`;
