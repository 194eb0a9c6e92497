-- Schedules: a run or a drift check at the times of a cron expression.

create table schedule (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  cron text not null,
  time_zone text not null,
  task json not null,
  paused boolean not null default false,
  next_at timestamptz,
  last_at timestamptz,
  last_run_id bigint references run on delete set null,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table schedule is 'What the service starts by itself, and when.';
comment on column schedule.task is
  'The run or the drift check, as ScheduleTask in the API. It names its testset, system and metrics, which may have been deleted: last_error says so.';
comment on column schedule.next_at is
  'When it is due. The process that starts it sets the next time in the same transaction, so that each time counts once. Null if the expression has no further time.';
create index schedule_project on schedule (project_id, id);
create index schedule_due on schedule (next_at) where not paused;
create index schedule_last_run on schedule (last_run_id) where last_run_id is not null;
create trigger resource_added after insert on schedule
  referencing new table as changed for each statement execute function note_resource('schedules');
create trigger resource_changed after update on schedule
  referencing new table as changed for each statement execute function note_resource('schedules');
create trigger resource_deleted after delete on schedule
  referencing old table as changed for each statement execute function note_resource('schedules');
alter table schedule enable row level security, force row level security;
create policy own_organization on schedule using (in_scope(organization_id));
