-- Simulations: executed runs whose records are conversations with a simulated user.

create table run_simulation (
  run_id bigint primary key references run on delete cascade,
  organization_id bigint not null,
  user_version_id uuid references system_version,
  replayed_run_id bigint references run on delete set null,
  max_turns smallint not null check (max_turns > 0)
);
comment on table run_simulation is 'Who plays the user in the conversations of a run: a prompt, or the messages of an earlier run.';
comment on column run_simulation.replayed_run_id is
  'The run whose user messages are sent again. Null with user_version_id, and after that run was deleted.';
create index run_simulation_user on run_simulation (user_version_id) where user_version_id is not null;
create index run_simulation_replayed on run_simulation (replayed_run_id) where replayed_run_id is not null;
alter table run_simulation enable row level security, force row level security;
create policy own_organization on run_simulation using (in_scope(organization_id));
