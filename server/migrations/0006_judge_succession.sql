create table judge_trial (
  metric_id bigint not null references metric on delete cascade,
  n integer not null,
  organization_id bigint not null,
  kind text not null check (kind in ('succession', 'alignment')),
  metric_config_id uuid not null,
  margin double precision not null,
  seed integer,
  run_ids text[] not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  adopted_config_id uuid,
  adopted_by uuid,
  adopted_at timestamptz,
  evidence json,
  primary key (metric_id, n),
  check ((adopted_at is null) = (adopted_config_id is null) and (adopted_at is null) = (evidence is null))
);
comment on table judge_trial is
  'Candidates that decide a metric''s pinned records beside its judge. The one that was adopted anchors rates from before and after.';
comment on column judge_trial.metric_config_id is 'The judge in use, which gave the pinned verdicts.';
comment on column judge_trial.seed is 'Splits the labels of an alignment: those for tuning, and those that are held out.';
comment on column judge_trial.run_ids is 'Stored runs on which the candidates were tried too.';
comment on column judge_trial.evidence is 'What the trial found of the adopted candidate. It does not change with the pinned set.';
alter table judge_trial enable row level security, force row level security;
create policy own_organization on judge_trial using (in_scope(organization_id));

alter table drift_check add column trial_n integer, add column how text,
  add constraint drift_check_trial_fkey foreign key (metric_id, trial_n) references judge_trial on delete cascade,
  add check ((trial_n is null) = (how is null));
comment on column drift_check.trial_n is 'The trial in which a candidate is checked; null for a check of the judge in use.';
comment on column drift_check.how is 'How the candidate was made: model, examples or rewrite.';
create index drift_check_trial on drift_check (metric_id, trial_n) where trial_n is not null;
