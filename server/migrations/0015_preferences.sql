-- Preferences: outputs of several runs on the same testcases are compared two at a time, by people and by a model.

create table preference_study (
  id uuid primary key,
  organization_id bigint not null,
  project_id bigint not null references project on delete cascade,
  name text not null,
  criterion text not null,
  seed integer not null,
  judge_model text,
  budget_usd double precision,
  created_by uuid not null,
  created_at timestamptz not null default now()
);
comment on table preference_study is 'A question, "which is better?", asked about pairs of outputs of several runs.';
comment on column preference_study.seed is 'Draws the testcases, the order of the pairs and the sides on which a person sees the two outputs.';
comment on column preference_study.judge_model is 'The model that compares; null if people alone do.';
comment on column preference_study.budget_usd is 'What the model may cost; null without a limit. What it has cost is the sum over the pairs.';
create index preference_study_project on preference_study (project_id, id);
alter table preference_study enable row level security, force row level security;
create policy own_organization on preference_study using (in_scope(organization_id));

create table preference_run (
  study_id uuid not null references preference_study on delete cascade,
  position smallint not null,
  organization_id bigint not null,
  run_id bigint not null references run on delete cascade,
  primary key (study_id, position)
);
comment on table preference_run is 'The runs of a study. Without a run, its pairs and what was preferred of them go too.';
create index preference_run_run on preference_run (run_id);
alter table preference_run enable row level security, force row level security;
create policy own_organization on preference_run using (in_scope(organization_id));

create table preference_pair (
  study_id uuid not null references preference_study on delete cascade,
  n integer not null,
  organization_id bigint not null,
  unit integer not null,
  run_a smallint not null,
  n_a integer not null,
  run_b smallint not null,
  n_b integer not null,
  state text not null default 'unasked' check (state in ('unasked', 'pending', 'scored', 'unscored', 'failed')),
  reason text,
  attempts integer not null default 0,
  cost_usd double precision not null default 0,
  heard json,
  due_at timestamptz,
  fence integer not null default 0,
  primary key (study_id, n),
  foreign key (study_id, run_a) references preference_run on delete cascade,
  foreign key (study_id, run_b) references preference_run on delete cascade,
  check (run_a < run_b)
);
comment on table preference_pair is
  'Two outputs on one testcase, in random order, with what the model has to do. n_a and n_b are records of the runs at run_a and run_b.';
comment on column preference_pair.unit is 'The testcase, or its group: pairs of one unit depend on each other.';
comment on column preference_pair.state is 'What became of the question to the model; unasked without one.';
comment on column preference_pair.heard is 'What the model said of the first order, while the second one has failed: it was paid for.';
comment on column preference_pair.due_at is 'When the model is asked, and while it is, when its lease ends. Infinity when the budget is spent.';
comment on column preference_pair.fence is 'Counts leases: who lost one writes nothing.';
create index preference_pair_due on preference_pair (due_at) where state = 'pending';
create index preference_pair_run_a on preference_pair (study_id, run_a);
create index preference_pair_run_b on preference_pair (study_id, run_b);
alter table preference_pair enable row level security, force row level security;
create policy own_organization on preference_pair using (in_scope(organization_id));

create table preference_vote (
  study_id uuid not null,
  n integer not null,
  organization_id bigint not null,
  member_id uuid,
  left_run smallint not null,
  preferred smallint,
  rating_shown smallint,
  rating_swapped smallint,
  comment text not null default '',
  evidence json,
  created_at timestamptz not null default now(),
  unique nulls not distinct (study_id, n, member_id),
  foreign key (study_id, n) references preference_pair on delete cascade,
  check ((member_id is null) = (rating_shown is not null and rating_swapped is not null and evidence is not null))
);
comment on table preference_vote is 'What a member, or the model, preferred of a pair.';
comment on column preference_vote.member_id is 'No foreign key: it outlives its member. Null for the model.';
comment on column preference_vote.left_run is 'The run whose output the member saw on the left, or the model first.';
comment on column preference_vote.preferred is 'Null for a tie.';
comment on column preference_vote.rating_shown is
  'What the model said, from 1 (the first is clearly better) to 5 (the second is), when it saw left_run first; rating_swapped: last.';
alter table preference_vote enable row level security, force row level security;
create policy own_organization on preference_vote using (in_scope(organization_id));
