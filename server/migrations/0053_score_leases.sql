-- What workers have in hand: of one run the records `numbers`, of which nobody else makes scores in this queue and lane until then.
-- Apart from the scores: to note it on each of them wrote each row, and its three index entries, once more than its verdict did.
-- Whoever dies leaves its row behind, which counts for nothing once it has ended.
create table score_lease (
  run_id bigint not null references run on delete cascade,
  id uuid not null,
  organization_id bigint not null,
  queue text not null check (queue in ('score', 'proposed_score')),
  lane text not null check (lane in ('code', 'judge')),
  numbers integer[] not null,
  until timestamptz not null,
  primary key (run_id, id)
);
alter table score_lease enable row level security;
alter table score_lease force row level security;
create policy own_organization on score_lease using (in_scope(organization_id));
