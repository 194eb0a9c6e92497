-- Scoring a metric's scores in a run anew, by one configuration of it. What comes of it are proposals, which count nowhere
-- until they are kept: then they take the place of the scores that are there, and this says since when.
create table rescoring (
  organization_id bigint not null,
  run_id bigint not null references run on delete cascade,
  id uuid not null,
  metric_id bigint not null references metric on delete cascade,
  metric_config_id uuid not null,
  -- Null is every record of the run.
  record_numbers integer[],
  -- A sample goes first; whether the others have followed.
  sample_size integer,
  sample_seed bigint,
  extended boolean not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  outcome text check (outcome in ('kept', 'discarded')),
  ended_by uuid,
  ended_at timestamptz,
  -- Its counts as they were when it ended.
  summary json,
  primary key (run_id, id),
  check ((sample_size is null) = (sample_seed is null)),
  check ((outcome is null) = (ended_by is null) and (outcome is null) = (ended_at is null))
);
create unique index rescoring_open on rescoring (run_id, metric_id) where outcome is null;
create index rescoring_metric on rescoring (metric_id);

-- A score that is proposed. As in score, a pending one is the job to make it, and the columns of the job are the same.
-- Apart from score, so that nothing that reads scores has to know of proposals in order to leave them out.
create table proposed_score (
  organization_id bigint not null,
  run_id bigint not null,
  n integer not null,
  metric_config_id uuid not null,
  rescoring_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'scored', 'unscored', 'failed')),
  score json,
  value double precision,
  reason text,
  lane text not null check (lane in ('code', 'judge')),
  due_at timestamptz default now(),
  fence integer not null default 0,
  attempts integer not null default 0,
  last_error text,
  evidence json,
  input_hash bytea,
  cost_usd double precision,
  input_tokens integer,
  output_tokens integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Once it is kept: what became of it, and the score whose place it took, or that stayed.
  applied boolean,
  before_config_id uuid,
  before_state text,
  before_score json,
  before_reason text,
  before_value double precision,
  before_given boolean,
  primary key (run_id, n, metric_config_id, rescoring_id),
  foreign key (run_id, n) references record on delete cascade,
  foreign key (run_id, rescoring_id) references rescoring (run_id, id) on delete cascade,
  check ((state = 'scored') = (score is not null))
);
create index proposed_score_due on proposed_score (lane, run_id, due_at, n) where state = 'pending';
create index proposed_score_rescoring on proposed_score (run_id, rescoring_id, n);

do $$
declare name text;
begin
  foreach name in array array['rescoring', 'proposed_score'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_organization on %I using (in_scope(organization_id))', name);
  end loop;
end $$;
