-- An annotation may be settled; what was answered to it is settled with it.
alter table annotation
  add column resolved_at timestamptz,
  add column resolved_by uuid;

create table annotation_reply (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  annotation_id uuid not null,
  comment text not null,
  member_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  primary key (run_id, n, annotation_id, id),
  foreign key (run_id, n, annotation_id) references annotation on delete cascade
);
alter table annotation_reply enable row level security;
alter table annotation_reply force row level security;
create policy own_organization on annotation_reply using (in_scope(organization_id));
