-- What was written of a project in the last minutes, for those who watch it live: which runs, and which of their records as long
-- as they are few. Each statement adds rows of its own in the same transaction, so that writers never wait for each other. A
-- reader keeps the snapshot that it read with and asks next for what that one could not see: commits don't come in the order of
-- any number that is given out before them. project_id has no foreign key: checking it would lock the project in each write.
create table change (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null,
  -- Null: the run itself, or more of its records than are worth naming.
  n integer,
  xact xid8 not null default pg_current_xact_id(),
  noted_at timestamptz not null default clock_timestamp()
);
create index change_project on change (project_id, xact);
alter table change enable row level security;
alter table change force row level security;
create policy own_organization on change using (in_scope(organization_id));

-- Rows of a run that is being deleted go with it: the join leaves them out.
create function note_runs() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id)
  select distinct run.organization_id, run.project_id, run.id
  from changed join run on run.id = changed.run_id;
  return null;
end $$;

create function note_records() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id, n)
  select distinct run.organization_id, run.project_id, run.id,
    case when count(*) over (partition by run.id) <= 20 then touched.n end
  from (select distinct run_id, n from changed) touched join run on run.id = touched.run_id;
  return null;
end $$;

create trigger record_added_noted after insert on record
  referencing new table as changed for each statement execute function note_runs();
create trigger record_deleted_noted after delete on record
  referencing old table as changed for each statement execute function note_runs();

create trigger tag_added_noted after insert on record_tag
  referencing new table as changed for each statement execute function note_records();
create trigger tag_deleted_noted after delete on record_tag
  referencing old table as changed for each statement execute function note_records();
create trigger assignment_added_noted after insert on record_assignment
  referencing new table as changed for each statement execute function note_records();
create trigger assignment_deleted_noted after delete on record_assignment
  referencing old table as changed for each statement execute function note_records();
create trigger annotation_added_noted after insert on annotation
  referencing new table as changed for each statement execute function note_records();
create trigger annotation_changed_noted after update on annotation
  referencing new table as changed for each statement execute function note_records();
create trigger annotation_deleted_noted after delete on annotation
  referencing old table as changed for each statement execute function note_records();

-- A pending score that is added comes with its record, and one that stays pending is claimed by a worker: no news.
create function note_added_scores() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id, n)
  select distinct run.organization_id, run.project_id, run.id,
    case when count(*) over (partition by run.id) <= 20 then touched.n end
  from (select distinct run_id, n from changed where state <> 'pending') touched join run on run.id = touched.run_id;
  return null;
end $$;
create trigger score_added_noted after insert on score
  referencing new table as changed for each statement execute function note_added_scores();

create function note_changed_scores() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id, n)
  select distinct run.organization_id, run.project_id, run.id,
    case when count(*) over (partition by run.id) <= 20 then touched.n end
  from (
    select run_id, n from after_change where state <> 'pending'
    union
    select run_id, n from before_change where state <> 'pending') touched
  join run on run.id = touched.run_id;
  return null;
end $$;
create trigger score_changed_noted after update on score
  referencing old table as before_change new table as after_change
  for each statement execute function note_changed_scores();

create function note_changed_executions() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id)
  select distinct run.organization_id, run.project_id, run.id
  from (
    select run_id from after_change where state <> 'pending'
    union
    select run_id from before_change where state <> 'pending') touched
  join run on run.id = touched.run_id;
  return null;
end $$;
create trigger execution_changed_noted after update on execution
  referencing old table as before_change new table as after_change
  for each statement execute function note_changed_executions();

-- Of an update only the notes: a run's last_record_n changes with each record. A run that goes with its project is no news.
create function note_run() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, run_id)
  select project.organization_id, project.id, coalesce(new.id, old.id)
  from project where project.id = coalesce(new.project_id, old.project_id);
  return null;
end $$;
create trigger run_added_noted after insert on run for each row execute function note_run();
create trigger run_notes_noted after update of notes on run for each row execute function note_run();
create trigger run_deleted_noted after delete on run for each row execute function note_run();

create function forget_changes() returns trigger
  language plpgsql
  as $$
begin
  delete from change using gone where change.project_id = gone.id;
  return null;
end $$;
create trigger project_deleted after delete on project
  referencing old table as gone for each statement execute function forget_changes();
