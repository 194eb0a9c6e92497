-- Beside its runs and records, a project's metrics, testsets, monitors and saved views are told: a change without a run names
-- the noun. What goes with its project is no news: the join leaves it out.
alter table change
  alter column run_id drop not null,
  add column noun text,
  add check ((run_id is null) <> (noun is null));

create function note_noun() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, noun)
  select distinct project.organization_id, project.id, tg_argv[0]
  from changed join project on project.id = changed.project_id;
  return null;
end $$;

-- The testset's number of testcases changes with each that is added, and is told by that.
create function note_testcases() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, project_id, noun)
  select distinct testset.organization_id, testset.project_id, 'testsets'
  from (select distinct testset_id from changed) touched join testset on testset.id = touched.testset_id;
  return null;
end $$;

do $$
declare
  noun text;
  tables constant jsonb = '{"metrics": "metric", "testsets": "testset", "monitors": "monitor", "views": "saved_view"}';
begin
  for noun in select jsonb_object_keys(tables) loop
    execute format('create trigger noun_added after insert on %I
      referencing new table as changed for each statement execute function note_noun(%L)', tables ->> noun, noun);
    execute format('create trigger noun_changed after update on %I
      referencing new table as changed for each statement execute function note_noun(%L)', tables ->> noun, noun);
    execute format('create trigger noun_deleted after delete on %I
      referencing old table as changed for each statement execute function note_noun(%L)', tables ->> noun, noun);
  end loop;
end $$;
create trigger testcase_changed_noted after update on testcase
  referencing new table as changed for each statement execute function note_testcases();
create trigger testcase_deleted_noted after delete on testcase
  referencing old table as changed for each statement execute function note_testcases();
