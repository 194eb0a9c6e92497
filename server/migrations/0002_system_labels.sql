-- Labels of system versions, by which clients find a prompt.

alter table system_version add column note text not null default '';
comment on column system_version.note is 'Why the version was made.';

create table system_label (
  organization_id bigint not null,
  system_id uuid not null references system on delete cascade,
  name text not null,
  system_version_id uuid not null references system_version on delete cascade,
  updated_at timestamptz not null default now(),
  primary key (system_id, name)
);
comment on table system_label is
  'A name that points to a version of a system. production is system.production_version_id, and latest is the newest version: neither has a row.';
create index system_label_version on system_label (system_version_id);
alter table system_label enable row level security, force row level security;
create policy own_organization on system_label using (in_scope(organization_id));
