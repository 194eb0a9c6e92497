-- Labelled records on which a metric's judge is tried again and again. Labels and the judge's verdicts are copied when the set is
-- pinned: what a judge is held against must not move with it. `automatic`: each new configuration and served model is tried.
create table pinned_set (
  metric_id bigint primary key references metric on delete cascade,
  organization_id bigint not null,
  metric_config_id uuid not null,
  served_models text[] not null,
  source text not null check (source in ('metric', 'overrides', 'thumbs')),
  automatic boolean not null,
  pinned_by uuid not null,
  pinned_at timestamptz not null default now()
);

-- `place`: the number of the record's copy in each check's run.
create table pinned_label (
  organization_id bigint not null,
  metric_id bigint not null references pinned_set on delete cascade,
  run_id bigint not null,
  n integer not null,
  place integer not null,
  human_passed boolean not null,
  judge_passed boolean not null,
  primary key (run_id, n, metric_id),
  foreign key (run_id, n) references record on delete cascade
);
create index pinned_label_metric on pinned_label (metric_id, place);

-- A try: a run of copies of the pinned records, scored like any other, but never with verdicts from before. `for_models`: those that
-- had answered unseen when it was started.
create table drift_check (
  run_id bigint primary key references run on delete cascade,
  organization_id bigint not null,
  metric_id bigint not null references pinned_set on delete cascade,
  metric_config_id uuid not null,
  for_models text[] not null,
  created_at timestamptz not null default now()
);
create index drift_check_metric on drift_check (metric_id, run_id);

do $$
declare name text;
begin
  foreach name in array array['pinned_set', 'pinned_label', 'drift_check'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_organization on %I using (in_scope(organization_id))', name);
  end loop;
end $$;
