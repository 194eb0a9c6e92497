-- Counting ten million records of a project over time read them all: 17 s.

create table record_tally (
  organization_id bigint not null,
  project_id bigint not null,
  minute timestamptz not null,
  n integer not null,
  fresh boolean not null default true
);
comment on table record_tally is
  'How many records of a project were created in each minute: the sum over the rows, as in run_tally.';
comment on column record_tally.project_id is
  'No foreign key: checking it would lock the project in each write.';
comment on column record_tally.fresh is
  'Not yet added to the other rows of its minute. So the chore that does that reads what is new and not the whole table.';
create index record_tally_minute on record_tally (project_id, minute) include (n, organization_id);
create index record_tally_fresh on record_tally (project_id, minute) where fresh;
alter table record_tally enable row level security, force row level security;
create policy own_organization on record_tally using (in_scope(organization_id));

create function minute_of(moment timestamptz) returns timestamptz
  language sql
  immutable parallel safe
  return date_bin('1 minute', moment, '1970-01-01T00:00:00Z');
comment on function minute_of is 'The whole minute of a time. date_trunc would ask for the time zone.';

create or replace function tally_records() returns trigger
  language plpgsql
  as $$
begin
  insert into run_tally (organization_id, run_id, n)
  select changed.organization_id, changed.run_id, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed join run on run.id = changed.run_id
  group by changed.organization_id, changed.run_id;
  insert into record_tally (organization_id, project_id, minute, n)
  select changed.organization_id, changed.project_id, minute_of(changed.created_at),
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed join project on project.id = changed.project_id
  group by changed.organization_id, changed.project_id, minute_of(changed.created_at);
  return null;
end $$;
comment on function tally_records is
  'Counts records that came or went, by run and by minute. The joins leave out those of a deleted run or project.';

create function tally_moved_record() returns trigger
  language plpgsql
  as $$
begin
  insert into record_tally (organization_id, project_id, minute, n)
  values (old.organization_id, old.project_id, minute_of(old.created_at), -1),
    (new.organization_id, new.project_id, minute_of(new.created_at), 1);
  return null;
end $$;
comment on function tally_moved_record is 'Counts a record in another minute.';
create trigger record_moved_tallied after update of created_at on record
  for each row when (old.created_at <> new.created_at) execute function tally_moved_record();

create function forget_record_tallies() returns trigger
  language plpgsql
  as $$
begin
  delete from record_tally using gone where record_tally.project_id = gone.id;
  return null;
end $$;
comment on function forget_record_tallies is 'Deletes the counts of deleted projects.';
create trigger project_deleted_tallied after delete on project
  referencing old table as gone for each statement execute function forget_record_tallies();

create function compact_record_tallies(most integer) returns integer
  language sql
  as $$
  with next as materialized (
    select project_id, minute from record_tally where fresh group by project_id, minute limit most),
  gone as (
    delete from record_tally using next
    where record_tally.project_id = next.project_id and record_tally.minute = next.minute
    returning record_tally.organization_id, record_tally.project_id, record_tally.minute, record_tally.n),
  added as (
    insert into record_tally (organization_id, project_id, minute, n, fresh)
    select organization_id, project_id, minute, sum(n), false
    from gone
    group by organization_id, project_id, minute
    having sum(n) <> 0)
  select count(*)::integer from next;
$$;
comment on function compact_record_tallies is 'Adds up the counts of up to `most` minutes with new rows, and returns of how many.';

insert into record_tally (organization_id, project_id, minute, n, fresh)
select organization_id, project_id, minute_of(created_at), count(*), false
from record
group by organization_id, project_id, minute_of(created_at);
