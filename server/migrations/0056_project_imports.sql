-- The import of an archive into a project: how many lines of the archive are stored, a hash of these lines, by which the same archive is
-- known when it is sent again, and what is told to the importer. Complete or not, it is visible in the API.
create table project_import (
  project_id bigint primary key references project on delete cascade,
  organization_id bigint not null,
  lines integer not null default 0,
  digest bytea not null,
  counts json not null,
  started_at timestamptz not null default now(),
  completed_at timestamptz
);

-- Ids that the archive gives things and people, and the ids that they have here; kept until the import is complete.
create table import_id (
  organization_id bigint not null,
  project_id bigint not null references project_import on delete cascade,
  kind text not null,
  given text not null,
  id text not null,
  primary key (project_id, kind, given)
);

alter table project drop column import_completed_at;

do $$
declare name text;
begin
  foreach name in array array['project_import', 'import_id'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_organization on %I using (in_scope(organization_id))', name);
  end loop;
end $$;
