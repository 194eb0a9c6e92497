-- A project's records are counted, and jumped into, from the index alone: row-level security asks each row for its organization.
drop index record_newest;
create index record_newest on record (project_id, created_at, run_id, n) include (organization_id);

-- A search of a project's records that somebody gave a name, with how it is shown. The owner's own, or everybody's.
create table saved_view (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  member_id uuid not null references member on delete cascade,
  name text not null,
  shared boolean not null,
  search text not null,
  -- Free-form: how a page shows what was found, its columns and rows.
  display json not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index saved_view_project on saved_view (project_id, id);
create index saved_view_member on saved_view (member_id);
alter table saved_view enable row level security;
alter table saved_view force row level security;
create policy own_organization on saved_view using (in_scope(organization_id));
