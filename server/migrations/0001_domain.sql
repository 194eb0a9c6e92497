-- Every tenant table carries organization_id: row-level security compares it with the organization of the transaction
-- (`dokima.organization`, set for that transaction alone). '*' is the service itself: authentication and background work.
create function in_scope(organization_id bigint) returns boolean
  language sql stable parallel safe
  return current_setting('dokima.organization', true) in (organization_id::text, '*');

-- Times as the API writes them: ISO 8601, UTC, milliseconds.
create function iso_time(moment timestamptz) returns text
  language sql stable parallel safe
  return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create table organization (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table member (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  name text not null,
  email text not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  created_at timestamptz not null default now()
);
create unique index member_email on member (organization_id, lower(email));

-- The key itself is never stored: `hash` is its SHA-256, `prefix` its first characters so that people can tell keys apart.
create table api_key (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  member_id uuid not null references member on delete cascade,
  name text not null,
  prefix text not null,
  hash bytea not null unique,
  access text not null check (access in ('full', 'read')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_key_organization on api_key (organization_id);
create index api_key_member on api_key (member_id);

-- Answers given to POSTs that carried an Idempotency-Key, kept for 24 hours.
create table idempotency_key (
  organization_id bigint not null references organization on delete cascade,
  key text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  created_at timestamptz not null default now(),
  primary key (organization_id, key)
);
create index idempotency_key_created on idempotency_key (created_at);

create table project (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organization on delete cascade,
  name text,
  description text,
  created_at timestamptz not null default now()
);
create index project_organization on project (organization_id, id);

create table testset (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  description text not null,
  json_schema json not null,
  input_fields text[] not null,
  expected_fields text[] not null,
  metadata_fields text[] not null,
  last_testcase_n integer not null default 0,
  created_at timestamptz not null default now()
);
create index testset_project on testset (project_id, id);

create table testcase (
  organization_id bigint not null,
  testset_id bigint not null references testset on delete cascade,
  n integer not null,
  revision integer not null default 1,
  json_data json not null,
  validation_errors json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (testset_id, n)
);

-- A deleted metric is hidden, not gone: its configurations still say what produced each score.
create table metric (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  description text,
  current_config_id uuid not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index metric_project on metric (project_id, id);

create table metric_config (
  id uuid primary key,
  organization_id bigint not null,
  metric_id bigint not null references metric on delete cascade,
  eval_type text not null check (eval_type in ('ai', 'human', 'heuristic')),
  output_type text not null check (output_type in ('int', 'float', 'boolean')),
  guidelines text not null,
  prompt_template text,
  eval_model_name text,
  temperature double precision,
  passing_threshold double precision,
  created_at timestamptz not null default now(),
  check ((eval_type = 'ai') = (prompt_template is not null and eval_model_name is not null and temperature is not null)),
  check ((output_type = 'boolean') = (passing_threshold is null))
);
create index metric_config_metric on metric_config (metric_id);
alter table metric add foreign key (current_config_id) references metric_config deferrable initially deferred;

create table system (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  description text not null,
  production_version_id uuid not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index system_name on system (project_id, name) where deleted_at is null;
create index system_project on system (project_id, created_at, id);

-- `config_hash` is the SHA-256 of the configuration as a JSON value: key order and number spelling don't matter.
create table system_version (
  id uuid primary key,
  organization_id bigint not null,
  system_id uuid not null references system on delete cascade,
  name text not null,
  config json not null,
  config_hash bytea not null,
  created_at timestamptz not null default now(),
  unique (system_id, config_hash)
);
alter table system add foreign key (production_version_id) references system_version deferrable initially deferred;

-- testset_id has no foreign key: a run outlives the testset that it was made from.
create table run (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  testset_id bigint,
  system_version_id uuid references system_version,
  num_expected_records integer,
  last_record_n integer not null default 0,
  notes text not null default '',
  created_at timestamptz not null default now()
);
create index run_project on run (project_id, id);
create index run_system_version on run (system_version_id) where system_version_id is not null;

create table run_metric (
  organization_id bigint not null,
  run_id bigint not null references run on delete cascade,
  position integer not null,
  metric_id bigint not null references metric on delete cascade,
  metric_config_id uuid not null references metric_config on delete cascade,
  primary key (run_id, position),
  unique (run_id, metric_id)
);
create index run_metric_metric on run_metric (metric_id);

-- Like the run, a record outlives its testcase: (testset_id, testcase_n, testcase_revision) says which it was.
create table record (
  organization_id bigint not null,
  project_id bigint not null,
  run_id bigint not null references run on delete cascade,
  n integer not null,
  testset_id bigint,
  testcase_n integer,
  testcase_revision integer,
  inputs json not null,
  expected json not null,
  outputs json not null,
  otel_link_id text,
  session_id text,
  created_at timestamptz not null default now(),
  primary key (run_id, n)
);
create unique index record_otel_link on record (run_id, otel_link_id) where otel_link_id is not null;
create index record_session on record (organization_id, session_id) where session_id is not null;
create index record_newest on record (project_id, created_at, run_id, n);

-- A pending score is the job to make it. `value` is what the score's value field holds as a number (true is 1), null
-- while the score is not there or does not fit its metric. `state` rides in the key so that counting reads the index alone.
-- No foreign key to metric_config: configurations end only with their project, and so do its runs; the key would cost each
-- insert a lookup and each deleted configuration a scan of all scores.
create table score (
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  metric_config_id uuid not null,
  state text not null check (state in ('pending', 'scored', 'unscored', 'failed')),
  score json,
  value double precision,
  validation_errors json,
  reason text,
  scored_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (run_id, n, metric_config_id) include (state),
  foreign key (run_id, n) references record on delete cascade,
  check ((state = 'scored') = (score is not null))
);
create index score_pending on score (metric_config_id, run_id, n) where state = 'pending';

create table record_tag (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  text text not null,
  source text not null check (source in ('user', 'otel')),
  member_id uuid,
  created_at timestamptz not null default now(),
  primary key (run_id, n, text),
  foreign key (run_id, n) references record on delete cascade
);
create index record_tag_text on record_tag (run_id, text, n);

create table record_assignment (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  assignee_id uuid not null references member on delete cascade,
  assigned_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (run_id, n, assignee_id),
  foreign key (run_id, n) references record on delete cascade
);
create index record_assignment_assignee on record_assignment (assignee_id);

create table annotation (
  id uuid not null,
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  span_id text,
  rating boolean not null,
  comment text not null,
  member_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (run_id, n, id),
  foreign key (run_id, n) references record on delete cascade
);

create table attachment (
  id uuid primary key,
  organization_id bigint not null references organization on delete cascade,
  session_id text not null,
  file_path text not null,
  filename text,
  content_type text not null,
  size_bytes bigint not null,
  sha256 text not null,
  status text not null check (status in ('pending', 'uploaded')),
  metadata json,
  created_at timestamptz not null default now(),
  uploaded_at timestamptz
);
create index attachment_session on attachment (organization_id, session_id, id);

-- Row-level security stands behind the scope that every statement names. FORCE makes it hold for the owner as well.
do $$
declare name text;
begin
  foreach name in array array[
    'member', 'api_key', 'idempotency_key', 'project', 'testset', 'testcase', 'metric', 'metric_config', 'system', 'system_version',
    'run', 'run_metric', 'record', 'score', 'record_tag', 'record_assignment', 'annotation', 'attachment'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_organization on %I using (in_scope(organization_id))', name);
  end loop;
end $$;
alter table organization enable row level security;
alter table organization force row level security;
create policy own_organization on organization using (in_scope(id));
