-- Which models the providers of an organization offer, and until when.

create table model_list (
  organization_id bigint not null references organization on delete cascade,
  provider text not null,
  models json not null,
  problem text,
  read_at timestamptz not null,
  primary key (organization_id, provider)
);
comment on table model_list is 'The models of a provider by its own list, read once a day. A provider of the environment has a list in each organization.';
comment on column model_list.models is '[{"id": "…", "endsOn": "2026-01-31" or null}], of the last list that could be read.';
comment on column model_list.problem is 'Why the newest reading failed; null when it did not.';
alter table model_list enable row level security, force row level security;
create policy own_organization on model_list using (in_scope(organization_id));

alter table organization add column judge_model text;
comment on column organization.judge_model is 'The evalModelName of AI metrics that name none; null for DOKIMA_JUDGE_MODEL.';
