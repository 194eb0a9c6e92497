-- An organization's members, providers and projects are told as well: a change without a project is of the whole organization,
-- and names the noun.
alter table change
  alter column project_id drop not null,
  add check (project_id is not null or noun is not null);

-- What goes with its organization is no news: the join leaves it out.
create function note_organization_noun() returns trigger
  language plpgsql
  as $$
begin
  insert into change (organization_id, noun)
  select distinct organization.id, tg_argv[0]
  from changed join organization on organization.id = changed.organization_id;
  return null;
end $$;

do $$
declare
  noun text;
  tables constant jsonb = '{"members": "member", "providers": "provider", "projects": "project"}';
begin
  for noun in select jsonb_object_keys(tables) loop
    execute format('create trigger noun_added after insert on %I
      referencing new table as changed for each statement execute function note_organization_noun(%L)', tables ->> noun, noun);
    execute format('create trigger noun_changed after update on %I
      referencing new table as changed for each statement execute function note_organization_noun(%L)', tables ->> noun, noun);
    execute format('create trigger noun_deleted after delete on %I
      referencing old table as changed for each statement execute function note_organization_noun(%L)', tables ->> noun, noun);
  end loop;
end $$;
