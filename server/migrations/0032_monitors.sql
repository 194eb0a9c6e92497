-- A metric of a run of traces scores the records that monitors draw, not every record that comes.
alter table run_metric add column sampled boolean not null default false;

-- What of a project's traces is scored as it arrives. The filter's columns are null where it does not look.
create table monitor (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  sampling_rate double precision not null check (sampling_rate > 0 and sampling_rate <= 1),
  settle_seconds integer not null check (settle_seconds between 0 and 86400),
  service text,
  span_name text,
  model text,
  error boolean,
  tag text,
  min_duration_ms integer,
  -- Since when rate, filter and metrics are what they are: what is counted together was drawn alike.
  defined_at timestamptz not null default now(),
  paused_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);
create index monitor_project on monitor (project_id, id);

create table monitor_metric (
  organization_id bigint not null,
  monitor_id uuid not null references monitor on delete cascade,
  position integer not null,
  metric_id bigint not null references metric on delete cascade,
  primary key (monitor_id, position),
  unique (monitor_id, metric_id)
);
create index monitor_metric_metric on monitor_metric (metric_id);

-- Records of traces that a monitor has looked at, or is to look at: `due_at` says when, unless more spans come before. Those that
-- fit the filter could be drawn, each with the chance that is noted; those that don't are forgotten. `spans` and `ends` (the sum
-- of their ends) tell whether the trace has changed since.
create table monitor_record (
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  monitor_id uuid not null references monitor on delete cascade,
  due_at timestamptz,
  decided_at timestamptz,
  inclusion_probability double precision check (inclusion_probability > 0 and inclusion_probability <= 1),
  drawn boolean,
  spans bigint,
  ends numeric,
  primary key (run_id, n, monitor_id),
  foreign key (run_id, n) references record on delete cascade,
  check ((decided_at is null) = (inclusion_probability is null) and (decided_at is null) = (drawn is null))
);
create index monitor_record_due on monitor_record (due_at) where due_at is not null;
create index monitor_record_decided on monitor_record (monitor_id, decided_at) include (drawn) where decided_at is not null;

do $$
declare name text;
begin
  foreach name in array array['monitor', 'monitor_metric', 'monitor_record'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_organization on %I using (in_scope(organization_id))', name);
  end loop;
end $$;
