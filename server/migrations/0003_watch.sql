-- Series: what a project's records took and scored, by hour

create table series_hour (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hour timestamptz not null,
  due_at timestamptz,
  changed boolean not null default true,
  counted_at timestamptz,
  took_ms double precision not null default 0,
  primary key (project_id, hour)
);
comment on table series_hour is 'An hour in which a project got records, and when its records are counted again.';
comment on column series_hour.due_at is 'Null: never again, unless a record changes.';
comment on column series_hour.changed is 'Whether a record may have changed since they were counted.';
comment on column series_hour.took_ms is 'Time that the last count took. Large hours are counted less often.';
create index series_hour_due on series_hour (due_at) where due_at is not null;
alter table series_hour enable row level security, force row level security;
create policy own_organization on series_hour using (in_scope(organization_id));

create table series_tally (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hour timestamptz not null,
  source text not null check (source in ('traces', 'runs')),
  dimension text not null check (dimension in ('all', 'model', 'version', 'tag', 'monitor')),
  value text not null,
  records integer not null,
  measured integer not null,
  failed integer not null,
  input_tokens double precision not null,
  output_tokens double precision not null,
  tokens_n integer not null,
  tokens_sum double precision not null,
  tokens_squares double precision not null,
  cost_n integer not null,
  cost_sum double precision not null,
  cost_squares double precision not null,
  latency_bins smallint[] not null,
  latency_counts integer[] not null,
  primary key (project_id, dimension, hour, source, value)
);
comment on table series_tally is
  'Counts and sums over the records that a project got in an hour: over all of them, and over those of each model, system version, tag and monitor.';
comment on column series_tally.value is 'The model, version, tag or monitor; empty for all, and for records without one.';
comment on column series_tally.measured is 'Records with a measure, of which failed have a failed span.';
comment on column series_tally.latency_bins is
  'Bins with records, ascending. Bin b holds latencies from 1.04^b to 1.04^(b+1) milliseconds, so that percentiles of hours can be merged. latency_counts is how many.';
alter table series_tally enable row level security, force row level security;
create policy own_organization on series_tally using (in_scope(organization_id));

create table series_score (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hour timestamptz not null,
  source text not null,
  dimension text not null,
  value text not null,
  metric_config_id uuid not null,
  scored integer not null,
  passed integer not null,
  pending integer not null,
  unscored integer not null,
  failed integer not null,
  score_sum double precision not null,
  score_squares double precision not null,
  primary key (project_id, dimension, hour, source, value, metric_config_id)
);
comment on table series_score is 'The scores of the same records, by configuration of a metric.';
alter table series_score enable row level security, force row level security;
create policy own_organization on series_score using (in_scope(organization_id));

create table series_run (
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  hour timestamptz not null,
  run_id bigint not null,
  primary key (run_id, hour)
);
comment on table series_run is 'The runs whose records were counted in an hour: what is counted again when a run changes or is deleted.';
comment on column series_run.run_id is 'No foreign key: the hours of a deleted run must still be found.';
create index series_run_hour on series_run (project_id, hour);
alter table series_run enable row level security, force row level security;
create policy own_organization on series_run using (in_scope(organization_id));

alter table change_reader add column holds boolean not null default false;
comment on column change_reader.holds is 'Changes are kept until it has read them, at most a day.';

insert into series_hour (organization_id, project_id, hour, due_at)
select distinct organization_id, project_id, date_trunc('hour', created_at, 'UTC'), now() from record;
